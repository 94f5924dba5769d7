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

/// Calls f(i) for 0 .. n - 1 in parallel ranges; each costs about `cost` simple steps.
template <class F>
void host_for(std::int64_t n, std::int64_t cost, F&& f) {
  ThreadPool::global().parallel_for(n, std::max<std::int64_t>(32768 / std::max<std::int64_t>(cost, 1), 1),
                                    [&](std::int64_t begin, std::int64_t end) {
                                      for (std::int64_t i = begin; i < end; ++i) f(static_cast<std::size_t>(i));
                                    });
}

}  // namespace tessera::ops
