// Custom kernels of ops: each is created once, found by its name, and has a host function as its twin.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_pool.h"
#include "ops/build.h"

namespace tessera::ops {

/// The kernel of that name, created by `make` on the first call. Its params are all u32 words.
std::shared_ptr<const CustomKernel> own_kernel(const std::string& name, const std::function<CustomKernel()>& make);

/// A call over so many workgroups, in two dimensions if they exceed the limit of one: kernels count id.y * groups.x +
/// id.x.
std::vector<NodePtr> call_own(const std::shared_ptr<const CustomKernel>& kernel, std::vector<NodePtr> inputs,
                              std::vector<TensorSpec> outputs, std::vector<std::uint32_t> params, std::uint64_t groups);

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

/// x with `axis` last, as rows x cols, and the inverse for a result of the same rows.
struct RowsOf {
  NodePtr rows;  // [rows, cols]
  std::int64_t count = 0, cols = 0;
  Shape moved;             // the shape with the axis last
  std::vector<int> order;  // the permutation that moves it there
  /// A result of the same rows, with the axis moved back.
  [[nodiscard]] NodePtr back(const NodePtr& rows_of_result) const;
};
RowsOf rows_of(std::string_view what, const NodePtr& x, int axis);

/// The dtype in which kernels take an element: small floats as f32, small integers and bool as i32 or u32.
DType wide_type(DType t);
/// An i32 constant.
NodePtr integer(std::int64_t value);

}  // namespace tessera::ops
