// The WGSL of the engine's own kernels, which write_custom.cpp puts below bindings, parameters and workgroup sizes.
#pragma once

#include <string>
#include <string_view>

#include "graph/custom.h"

namespace tessera::codegen {

/// A kernel whose text depends on its variant. A writer is a file of this folder with a line in kernel_text.cpp.
struct KernelText {
  std::string_view name;
  std::string (*write)(const Attributes& variant);
};

/// By the row of that name; without one, the file of that name in kernels/.
std::string kernel_text(const CustomKernel& kernel);

}  // namespace tessera::codegen
