// The WGSL kernel bodies of this folder, embedded at build time.
#pragma once

#include <string_view>

namespace tessera::kernels {

/// The text of `<name>.wgsl`, or an empty view if there is no such kernel.
std::string_view wgsl(std::string_view name);

}  // namespace tessera::kernels
