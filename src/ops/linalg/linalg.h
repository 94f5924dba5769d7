// Contractions on nodes, and decompositions as kernels of the host.
#pragma once

#include <string_view>
#include <vector>

#include "ops/build.h"

namespace tessera::ops {

// ---- Contractions (einsum.cpp) ----
NodePtr einsum(std::string_view equation, std::span<const NodePtr> operands);
NodePtr tensordot(const NodePtr& a, const NodePtr& b, std::span<const int> axes_a, std::span<const int> axes_b);

// ---- Parts of matrices (linalg.cpp) ----
NodePtr triangle(const NodePtr& x, std::int64_t diagonal, bool lower);
NodePtr diagonal(std::string_view what, const NodePtr& x, std::int64_t offset, int axis_a, int axis_b);
NodePtr kron(const NodePtr& a, const NodePtr& b);
NodePtr cross(const NodePtr& a, const NodePtr& b, int axis);
NodePtr vector_norm(const NodePtr& x, double p, Axes axes, bool keepdims);

// ---- Decompositions (linalg_decompose.cpp) ----
enum class Decomposition : std::uint8_t { kCholesky, kQr, kSolve, kInverse, kDeterminant, kSvd, kEigh };
/// Checks ranks and sizes. The inputs have one dtype, f32, f64, c64 or c128, and are on the CPU when it runs. Results:
/// L | Q, R | X | inverse | det, sign, log|det| | U, S, Vh | values, vectors; log|det|, S and values are real.
std::vector<NodePtr> decompose(Decomposition which, std::vector<NodePtr> inputs);
/// The checks alone, which throw at the call.
void check_matrices(std::string_view what, const NodePtr& x, bool square);

}  // namespace tessera::ops
