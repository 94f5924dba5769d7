// WGSL that reads quantized matrices, by format.
#pragma once

#include <string>

#include "graph/custom.h"

namespace tessera::codegen {

/// The functions of a kernel that dequantizes, over its inputs. The last one, `fn dequantize_quad(quad: u32) ->
/// vec4<f32>`, is the only one that names inputs; it returns four neighbors of the result.
std::string dequantize_functions(const CustomKernel& kernel);

}  // namespace tessera::codegen
