// The cache of the engine's kernels, and how they are called.
#include "schedule/calls/kernels.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "base/ints.h"

namespace tessera::schedule {

namespace {

std::shared_ptr<const CustomKernel> trusted(CustomKernel k, const std::string& key) {
  if (k.name.empty()) k.name = key;
  if (k.text.empty()) k.text = k.name;
  k.trusted = true;
  return make_custom(std::move(k));
}

}  // namespace

std::shared_ptr<const CustomKernel> engine_kernel(const std::string& key, const std::function<CustomKernel()>& make) {
  static std::mutex mutex;
  static auto& kernels = *new std::unordered_map<std::string, std::shared_ptr<const CustomKernel>>;
  const std::lock_guard lock(mutex);
  auto& kernel = kernels[key];
  if (kernel == nullptr) kernel = trusted(make(), key);
  return kernel;
}

std::shared_ptr<const CustomKernel> engine_kernel_on_views(const std::string& key,
                                                           const std::function<CustomKernel(bool strided)>& make) {
  return engine_kernel(key, [&] {
    CustomKernel k = make(false);
    k.on_views = trusted(make(true), key + "_strided");
    return k;
  });
}

KernelBinding rows_input(const char* name, bool strided, int row_axes) {
  KernelBinding b(name);
  b.strided = strided;
  b.row_axes = row_axes;
  return b;
}

std::vector<CustomParam> u32_params(std::initializer_list<const char*> names) {
  std::vector<CustomParam> params;
  for (const char* name : names) params.push_back({name, DType::kU32});
  return params;
}

std::array<std::uint32_t, 2> grid_of(std::uint64_t groups) {
  constexpr std::uint64_t kMost = 65535;
  const std::uint64_t y = std::max<std::uint64_t>(ceil_div(groups, kMost), 1);
  return {static_cast<std::uint32_t>(ceil_div(groups, y)), static_cast<std::uint32_t>(y)};
}

std::vector<NodePtr> call_kernel(const std::shared_ptr<const CustomKernel>& kernel, std::vector<NodePtr> inputs,
                                 std::vector<TensorSpec> outputs, std::vector<std::uint32_t> params,
                                 std::uint64_t groups) {
  CustomCall call;
  call.kernel = kernel;
  call.outputs = std::move(outputs);
  call.params = std::move(params);
  const std::array<std::uint32_t, 2> grid = grid_of(groups);
  call.grid = {grid[0], grid[1], 1};
  return ops::custom(std::move(call), std::move(inputs));
}

}  // namespace tessera::schedule
