// Arithmetic that the blocks share: values in f32 between matrices of another dtype.
#pragma once

#include "tessera/llm/config.h"
#include "tessera/tensor.h"

namespace tessera::llm {

/// Rows that count as few: linear layers are fused with what surrounds them (tessera/fused.h).
constexpr std::int64_t kFewRows = 8;

/// x in `dtype`; f16 saturates at 65,504 and has no infinities. x itself for dtypes that are no floats (block formats).
Tensor narrow(const Tensor& x, DType dtype);
/// By how much the operand of a matmul with weights of this dtype is divided: an f16 result may be stored as f16
/// whatever reads it, so it is computed at 1 / 32 of its size, which has room for 2 million.
constexpr double range_scale(DType dtype) { return dtype == f16 ? 32 : 1; }
/// x weight^T in f32, for weight [.., out, in]. All matmuls with weights go through it. `scaled`: x is divided by
/// range_scale already.
Tensor multiply_by(const Tensor& x, const Tensor& weight, bool scaled = false);
Tensor activate(Activation activation, const Tensor& x);
/// cap * tanh(x / cap).
Tensor softcapped(const Tensor& x, double cap);

}  // namespace tessera::llm
