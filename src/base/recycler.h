// A standard allocator that reuses freed blocks of one size: a replayed step allocates no nodes and storages.
#pragma once

#include <cstddef>
#include <mutex>
#include <new>
#include <vector>

namespace tessera {

template <class T>
class Recycler {
 public:
  using value_type = T;
  Recycler() = default;
  template <class U>
  Recycler(const Recycler<U>&) {}  // NOLINT(google-explicit-constructor): allocators convert

  T* allocate(std::size_t n) {
    if (n == 1) {
      List& list = kept();
      const std::lock_guard lock(list.mutex);
      if (!list.blocks.empty()) {
        void* block = list.blocks.back();
        list.blocks.pop_back();
        return static_cast<T*>(block);
      }
    }
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{alignof(T)}));
  }

  void deallocate(T* p, std::size_t n) {
    if (n == 1) {
      List& list = kept();
      const std::lock_guard lock(list.mutex);
      if (list.blocks.size() < kMost) {
        list.blocks.push_back(p);
        return;
      }
    }
    ::operator delete(p, std::align_val_t{alignof(T)});
  }

  template <class U>
  bool operator==(const Recycler<U>&) const {
    return true;
  }

 private:
  static constexpr std::size_t kMost = 4096;
  struct List {
    std::mutex mutex;
    std::vector<void*> blocks;
  };
  // Never destroyed: objects may be freed by other statics at exit.
  static List& kept() {
    static List* list = new List;
    return *list;
  }
};

}  // namespace tessera
