// Memory of the host for the elements of tensors.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace tessera {

struct FreeHostMemory {
  void operator()(std::byte* data) const;
};
using HostMemory = std::unique_ptr<std::byte[], FreeHostMemory>;

/// Uninitialized, aligned for the widest loads, with large pages for large blocks if the system has them: with small
/// ones the first touch takes longer than a copy. Null if out of memory.
HostMemory host_memory(std::size_t bytes);

/// That memory for vectors, which leave their elements uninitialized unless a value is given.
template <class T>
struct HostAllocator {
  using value_type = T;
  HostAllocator() = default;
  template <class U>
  HostAllocator(const HostAllocator<U>& /*unused*/) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t n) {
    HostMemory memory = host_memory(n * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return reinterpret_cast<T*>(memory.release());
  }
  void deallocate(T* data, std::size_t /*unused*/) { FreeHostMemory()(reinterpret_cast<std::byte*>(data)); }
  template <class U, class... Args>
  void construct(U* at, Args&&... args) {
    if constexpr (sizeof...(Args) == 0) {
      ::new (static_cast<void*>(at)) U;
    } else {
      ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
    }
  }
  friend bool operator==(const HostAllocator&, const HostAllocator&) { return true; }
};

}  // namespace tessera
