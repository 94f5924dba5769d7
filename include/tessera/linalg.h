// Contractions and linear algebra: einsum and related ops on any device, decompositions on the CPU.
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
Tensor dot(const Tensor& a, const Tensor& b);    // NumPy's: the last axis of a with the second to last of b
Tensor vdot(const Tensor& a, const Tensor& b);   // of the flattened tensors; a is conjugated
Tensor outer(const Tensor& a, const Tensor& b);  // of the flattened tensors: [a.numel(), b.numel()]
/// NumPy's: "bij,bjk->bik", repeated indices ("ii->i"), "..." and no output ("ij,jk"). Operands are contracted in
/// pairs, cheapest first.
Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands);
Tensor tensordot(const Tensor& a, const Tensor& b, int axes = 2);  // the last axes of a with the first of b
Tensor tensordot(const Tensor& a, const Tensor& b, const std::vector<int>& axes_a, const std::vector<int>& axes_b);
Tensor addmm(const Tensor& c, const Tensor& a, const Tensor& b, double beta = 1, double alpha = 1);
Tensor kron(const Tensor& a, const Tensor& b);

// ---- Parts of matrices, which are the last two axes by default ----
Tensor triu(const Tensor& x, std::int64_t diagonal = 0);
Tensor tril(const Tensor& x, std::int64_t diagonal = 0);
Tensor diagonal(const Tensor& x, std::int64_t offset = 0, int axis_a = -2, int axis_b = -1);  // the new axis is last
Tensor trace(const Tensor& x, std::int64_t offset = 0, int axis_a = -2, int axis_b = -1);
Tensor cross(const Tensor& a, const Tensor& b, int axis = -1);

/// The decompositions run on the CPU in f32, f64, c64 or c128 (other dtypes become f32), batched over the leading axes.
/// Tensors on another device are copied to the CPU, which waits for them at the call, and the results are copied back.
/// Errors that depend on the data (a singular matrix) are thrown when the result is computed.
namespace linalg {

Tensor cholesky(const Tensor& x);  // lower factor; reads the lower triangle of a symmetric or Hermitian x
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
/// x = u diag(s) vh with [M, K], [K] and [K, N], singular values in descending order. Only s has a gradient.
SvdResult svd(const Tensor& x);
Tensor svdvals(const Tensor& x);
struct EighResult {
  Tensor values, vectors;
};
/// Of a symmetric or Hermitian matrix, read from the lower triangle of x: eigenvalues in ascending order, eigenvectors
/// in columns.
EighResult eigh(const Tensor& x);
Tensor eigvalsh(const Tensor& x);
/// Singular values up to rcond times the largest are treated as zero; default: max(M, N) times the dtype's epsilon.
Tensor pinv(const Tensor& x, std::optional<double> rcond = {});
Tensor matrix_rank(const Tensor& x, std::optional<double> rcond = {});
Tensor lstsq(const Tensor& a, const Tensor& b, std::optional<double> rcond = {});  // the minimum-norm solution

enum class MatrixNorm : std::uint8_t { kFrobenius, kNuclear, kInf, kMinusInf, kOne, kMinusOne, kTwo, kMinusTwo };
Tensor matrix_norm(const Tensor& x, MatrixNorm order = MatrixNorm::kFrobenius, bool keepdims = false);
/// (sum |x|^p)^(1/p); p may be infinite of either sign, and 0 counts the nonzero elements.
Tensor vector_norm(const Tensor& x, double p = 2, const std::vector<int>& axes = {}, bool keepdims = false);

}  // namespace linalg
}  // namespace tessera

#include "tessera/members/linalg.h"  // IWYU pragma: export
