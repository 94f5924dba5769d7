// Contractions and linear algebra: einsum and its relatives on any device, decompositions on the CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

// ---- Contractions, lowered to matmul ----
Tensor dot(const Tensor& a, const Tensor& b);    // NumPy's: the last axis of a with the last but one of b
Tensor vdot(const Tensor& a, const Tensor& b);   // of all elements, as vectors; a conjugated
Tensor outer(const Tensor& a, const Tensor& b);  // of all elements, as vectors: [a.numel(), b.numel()]
/// NumPy's: "bij,bjk->bik", repeated indices ("ii->i"), "..." and no output ("ij,jk"). Operands are contracted in
/// pairs, those with the least work first.
Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands);
Tensor tensordot(const Tensor& a, const Tensor& b, int axes = 2);  // the last axes of a with the first of b
Tensor tensordot(const Tensor& a, const Tensor& b, const std::vector<int>& axes_a, const std::vector<int>& axes_b);
Tensor addmm(const Tensor& c, const Tensor& a, const Tensor& b, double beta = 1, double alpha = 1);
Tensor kron(const Tensor& a, const Tensor& b);

// ---- Parts of matrices, which are the last two axes unless others are named ----
Tensor triu(const Tensor& x, std::int64_t diagonal = 0);
Tensor tril(const Tensor& x, std::int64_t diagonal = 0);
Tensor diagonal(const Tensor& x, std::int64_t offset = 0, int axis_a = -2, int axis_b = -1);  // the new axis is last
Tensor trace(const Tensor& x, std::int64_t offset = 0, int axis_a = -2, int axis_b = -1);
Tensor cross(const Tensor& a, const Tensor& b, int axis = -1);

/// The decompositions run on the CPU in f32, f64, c64 or c128 (other types become f32) over all matrices of the leading
/// axes. Tensors of another device are brought to the CPU, which waits for them at the call, and the results back. What
/// only the data shows (a singular matrix) is thrown where the result is computed.
namespace linalg {

Tensor cholesky(const Tensor& x);  // the lower factor of the symmetric or Hermitian matrix in the lower triangle of x
struct QrResult {
  Tensor q, r;
};
QrResult qr(const Tensor& x);                    // [M, K] and [K, N] with K = min(M, N); no gradient
Tensor solve(const Tensor& a, const Tensor& b);  // b is [.., N, K], or [N]
Tensor inv(const Tensor& x);
Tensor det(const Tensor& x);
struct SlogdetResult {
  Tensor sign, logabsdet;
};
SlogdetResult slogdet(const Tensor& x);
struct SvdResult {
  Tensor u, s, vh;
};
/// x = u diag(s) vh with [M, K], [K] and [K, N], the largest value first. Only s has a gradient.
SvdResult svd(const Tensor& x);
Tensor svdvals(const Tensor& x);
struct EighResult {
  Tensor values, vectors;
};
/// Of the symmetric or Hermitian matrix in the lower triangle of x: values from the smallest up, vectors in columns.
EighResult eigh(const Tensor& x);
Tensor eigvalsh(const Tensor& x);
/// Singular values up to rcond times the largest are taken for zero; none: max(M, N) times the type's epsilon.
Tensor pinv(const Tensor& x, std::optional<double> rcond = {});
Tensor matrix_rank(const Tensor& x, std::optional<double> rcond = {});
Tensor lstsq(const Tensor& a, const Tensor& b, std::optional<double> rcond = {});  // the shortest of the best

enum class MatrixNorm : std::uint8_t { kFrobenius, kNuclear, kInf, kMinusInf, kOne, kMinusOne, kTwo, kMinusTwo };
Tensor matrix_norm(const Tensor& x, MatrixNorm order = MatrixNorm::kFrobenius, bool keepdims = false);
/// (sum |x|^p)^(1/p); p may be infinite of either sign, and 0 counts what is not zero.
Tensor vector_norm(const Tensor& x, double p = 2, const std::vector<int>& axes = {}, bool keepdims = false);

}  // namespace linalg
}  // namespace tessera
