// WGSL that reads quantized matrices, by format.
#pragma once

#include <string>

#include "graph/custom.h"

namespace tessera::codegen {

/// The functions of a kernel that dequantizes, over its inputs. The last one, `fn dequantize_quad(quad: u32) ->
/// vec4<f32>`, is the only one that names inputs; it returns four neighbors of the result.
std::string dequantize_functions(const CustomKernel& kernel);

/// What all formats share, which names no inputs.
std::string block_helpers();
/// Functions and structs over the planes of a block dtype, all with `suffix` behind their names, and those of the
/// planes: Raw, `fn load_raw(u: u32) -> Raw` of unit u of 16 elements, and `fn block_of(raw: Raw, u: u32) -> Block`,
/// whose elements are scale * q - low; and `fn codes_of(raw: Raw, u: u32) -> Codes`, the same with elements
/// scale * (q - code_zero(dtype)) - low, where q are signed bytes.
std::string unit_functions(DType dtype, const std::string& suffix);
int code_zero(DType dtype);

}  // namespace tessera::codegen
