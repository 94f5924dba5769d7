// An atomic shared_ptr: the standard's, or one with a lock if the library has none.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <version>

namespace tessera {

#ifdef __cpp_lib_atomic_shared_ptr
template <class T>
using AtomicShared = std::atomic<std::shared_ptr<T>>;
#else
template <class T>
class AtomicShared {
 public:
  [[nodiscard]] std::shared_ptr<T> load() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  void store(std::shared_ptr<T> value) { exchange(std::move(value)); }
  std::shared_ptr<T> exchange(std::shared_ptr<T> value) {
    const std::lock_guard lock(mutex_);
    value_.swap(value);
    return value;
  }
  bool compare_exchange_strong(std::shared_ptr<T>& expected, std::shared_ptr<T> value) {
    const std::lock_guard lock(mutex_);
    if (value_ == expected) {
      value_.swap(value);  // the old value is destroyed with `value`, outside of the lock
      return true;
    }
    expected = value_;
    return false;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<T> value_;
};
#endif

}  // namespace tessera
