// The engine's own kernels: each variant is made once, found by its key, and has a host function as its twin.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ops/build.h"

namespace tessera::schedule {

/// The kernel with that key, made on the first call. `make` sets everything but `trusted`; without a name the key is
/// the name, and without a text the name says which.
std::shared_ptr<const CustomKernel> engine_kernel(const std::string& key, const std::function<CustomKernel()>& make);

/// The same for a kernel that may read views: `make(true)` has strided inputs, as CustomKernel::on_views.
std::shared_ptr<const CustomKernel> engine_kernel_on_views(const std::string& key,
                                                           const std::function<CustomKernel(bool strided)>& make);

/// An input [.., cols] of a kernel over rows.
KernelBinding rows_input(const char* name, bool strided, int row_axes = 3);

/// A size as a parameter of dtype u32; calls are checked to count in 32 bits.
constexpr std::uint32_t word(std::int64_t size) { return static_cast<std::uint32_t>(size); }

/// Parameters of dtype u32 with these names.
std::vector<CustomParam> u32_params(std::initializer_list<const char*> names);

/// So many workgroups in two dimensions, if they exceed the limit of one.
std::array<std::uint32_t, 2> grid_of(std::uint64_t groups);

/// A call over so many workgroups, in two dimensions if they exceed the limit of one: kernels count id.y * groups.x +
/// id.x.
std::vector<NodePtr> call_kernel(const std::shared_ptr<const CustomKernel>& kernel, std::vector<NodePtr> inputs,
                                 std::vector<TensorSpec> outputs, std::vector<std::uint32_t> params,
                                 std::uint64_t groups);

}  // namespace tessera::schedule
