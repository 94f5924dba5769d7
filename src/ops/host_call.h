// What host functions of kernels share: the elements of their arguments, and parallel loops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/thread_pool.h"
#include "graph/custom.h"

namespace tessera::ops {

template <class T>
std::span<const T> host_input(const CustomHostCall& call, std::size_t i) {
  return {reinterpret_cast<const T*>(call.inputs[i].data()), call.inputs[i].size() / sizeof(T)};
}
template <class T>
std::span<T> host_output(const CustomHostCall& call, std::size_t i) {
  return {reinterpret_cast<T*>(call.outputs[i].data()), call.outputs[i].size() / sizeof(T)};
}

/// A row of an input [.., cols] of a kernel over rows, which may be a view (KernelBinding::row_axes). Positions wrap
/// modulo 2^32, as strides do.
template <class T>
class HostRow {
 public:
  HostRow(const CustomHostCall& call, std::size_t input, std::size_t row, std::size_t cols)
      : data_(host_input<T>(call, input).data()), start_(static_cast<std::uint32_t>(row * cols)) {
    const KernelBinding& b = call.bindings[input];
    if (!b.strided) return;
    strides_ = call.strides(input);
    by_index_ = b.row_axes == 4;
    if (by_index_) return;
    step_ = strides_.strides[3];
    start_ = position(static_cast<std::uint32_t>(row));
  }
  const T& operator[](std::size_t col) const {
    const std::uint32_t at = start_ + static_cast<std::uint32_t>(col) * step_;
    if (!by_index_) return data_[at];
    return data_[position(at / strides_.sizes[2]) + at % strides_.sizes[2] * strides_.strides[3]];
  }

 private:
  /// Of an index over the first three axes.
  [[nodiscard]] std::uint32_t position(std::uint32_t row) const {
    const auto& [strides, offset, sizes] = strides_;
    const std::uint32_t k = row / sizes[1];
    return offset + k / sizes[0] * strides[0] + k % sizes[0] * strides[1] + row % sizes[1] * strides[2];
  }

  const T* data_;
  std::uint32_t start_;  // of the row; its index if by_index_
  std::uint32_t step_ = 1;
  bool by_index_ = false;
  InputStrides strides_;
};

/// Calls f(i) for 0 .. n - 1 in parallel ranges; each costs about `cost` simple steps.
template <class F>
void host_for(std::int64_t n, std::int64_t cost, F&& f) {
  ThreadPool::global().parallel_for(n, std::max<std::int64_t>(32768 / std::max<std::int64_t>(cost, 1), 1),
                                    [&](std::int64_t begin, std::int64_t end) {
                                      for (std::int64_t i = begin; i < end; ++i) f(static_cast<std::size_t>(i));
                                    });
}

}  // namespace tessera::ops
