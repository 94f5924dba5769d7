// The table of the custom kernels of ops, and the code that their calls share.
#include "ops/own_kernel.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "base/ints.h"

namespace tessera::ops {

std::shared_ptr<const CustomKernel> own_kernel(const std::string& name, const std::function<CustomKernel()>& make) {
  static std::mutex mutex;
  static auto& kernels = *new std::unordered_map<std::string, std::shared_ptr<const CustomKernel>>;
  const std::lock_guard lock(mutex);
  auto& kernel = kernels[name];
  if (kernel == nullptr) {
    CustomKernel k = make();
    k.name = name;
    k.trusted = true;
    for (auto* bindings : {&k.inputs, &k.outputs})
      for (KernelBinding& b : *bindings) b.width = b.name.ends_with("_quads") ? 4 : 1;
    kernel = make_custom(std::move(k));
  }
  return kernel;
}

std::vector<NodePtr> call_own(const std::shared_ptr<const CustomKernel>& kernel, std::vector<NodePtr> inputs,
                              std::vector<TensorSpec> outputs, std::vector<std::uint32_t> params,
                              std::uint64_t groups) {
  constexpr std::uint64_t kMost = 65535;
  CustomCall call;
  call.kernel = kernel;
  call.outputs = std::move(outputs);
  call.params = std::move(params);
  const std::uint64_t y = std::max<std::uint64_t>(ceil_div(groups, kMost), 1);
  call.grid = {static_cast<std::uint32_t>(ceil_div(groups, y)), static_cast<std::uint32_t>(y), 1};
  return custom(std::move(call), std::move(inputs));
}

RowsOf rows_of(std::string_view what, const NodePtr& x, int axis) {
  RowsOf r;
  const int rank = x->shape().rank();
  const int at = normal_axis(what, axis, rank);
  for (int i = 0; i < rank; ++i) {
    if (i != at) r.order.push_back(i);
  }
  r.order.push_back(at);
  const NodePtr moved = permute(x, r.order);
  r.moved = moved->shape();
  r.cols = r.moved.back();
  r.count = 1;
  for (int i = 0; i + 1 < rank; ++i) r.count *= r.moved[i];
  r.rows = reshape(moved, {r.count, r.cols});
  return r;
}

NodePtr RowsOf::back(const NodePtr& result) const {
  Shape shape = moved;
  shape[shape.rank() - 1] = count == 0 ? result->shape().back() : result->numel() / count;
  std::vector<int> inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) inverse[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return permute(reshape(result, shape), inverse);
}

DType wide_type(DType t) {
  if (t == DType::kF16 || t == DType::kBF16) return DType::kF32;
  if (t == DType::kBool || t == DType::kI8 || t == DType::kI16) return DType::kI32;
  if (t == DType::kU8 || t == DType::kU16) return DType::kU32;
  return t;
}

NodePtr integer(std::int64_t value) { return scalar({value}, DType::kI32); }

}  // namespace tessera::ops
