// Public linear algebra functions: transfers to and from the CPU, and the gradients of decompositions.
#include "tessera/linalg.h"

#include <cmath>
#include <limits>

#include "api/arguments.h"
#include "api/catalog_rows.h"
#include "base/fail.h"
#include "ops/autocast.h"
#include "ops/linalg/linalg.h"
#include "runtime/registry.h"
#include "tessera/ops.h"

namespace tessera {

catalog::Rows catalog::linalg() {
  static constexpr std::array kRows{
      Row{"Contractions", kNumbersComplex, kGradient, kComposed, "dot, vdot, einsum, tensordot, addmm", kLow},
      Row{"Contractions", kNumbersComplex, kGradient, kComposed, "outer, kron, cross"},
      Row{"Contractions", kAnyComplex, kGradient, kComposed, "triu, tril, diagonal"},
      Row{"Contractions", kAnyComplex, kGradient, kComposed, "trace", kInF32},
      Row{"Linear algebra", "f32, f64, complex", kGradient, kLibrary,
          "linalg::cholesky, linalg::solve, linalg::inv, linalg::det, linalg::slogdet", kInF32},
      Row{"Linear algebra", "f32, f64, complex", kNoGradient, kLibrary,
          "linalg::qr, linalg::svd, linalg::svdvals, linalg::eigh, linalg::eigvalsh, linalg::pinv, "
          "linalg::matrix_rank, linalg::lstsq",
          kInF32},
      Row{"Linear algebra", "floats, complex", kGradient, kComposed, "linalg::matrix_norm, linalg::vector_norm",
          kInF32},
  };
  return kRows;
}

namespace {

using ops::Decomposition;

/// The results of a decomposition, on the device of its first input.
std::vector<Tensor> run(Decomposition which, std::vector<Tensor> inputs) {
  const Device home = inputs[0].device();
  const bool away = home.info().type != DeviceType::kCpu && home.info().type != DeviceType::kNull;
  std::vector<NodePtr> nodes;
  // Gradients follow the rules of the decompositions, not the transfers.
  for (const Tensor& x : inputs) {
    nodes.push_back(away ? Tensor(ops::stop_gradient(node_of(x))).to(Device(runtime::host_device())).node()
                         : node_of(x));
  }
  std::vector<Tensor> results;
  for (const NodePtr& n : ops::decompose(which, std::move(nodes))) {
    results.push_back(away ? Tensor(n).to(home) : Tensor(n));
  }
  return results;
}

/// A gradient rule on tensors: undefined gradients mean none.
using Rule = std::function<std::vector<Tensor>(const std::vector<Tensor>& in, const std::vector<Tensor>& out,
                                               const std::vector<Tensor>& gradients)>;

std::vector<Tensor> with_rule(const char* name, const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs,
                              Rule rule) {
  const auto nodes = [](const auto& tensors) {
    std::vector<NodePtr> list;
    for (const Tensor& t : tensors) list.push_back(t.node());
    return list;
  };
  const auto tensors = [](std::span<const NodePtr> list) {
    std::vector<Tensor> result;
    for (const NodePtr& n : list) result.push_back(n == nullptr ? Tensor() : Tensor(n));
    return result;
  };
  Gradient::Function function;
  if (rule) {
    function = [rule = std::move(rule), nodes, tensors](const Gradient::Call& call) {
      return nodes(rule(tensors(call.inputs), tensors(call.outputs), tensors(call.gradients)));
    };
  }
  return tensors(ops::with_gradient(name, nodes(inputs), nodes(outputs), std::move(function)));
}

Tensor transposed(const Tensor& x) { return transpose(x); }
Tensor adjoint(const Tensor& x) { return conj(transpose(x)); }
/// Numbers [..] broadcast over the matrices [.., N, N].
Tensor over_matrices(const Tensor& x) { return expand_dims(expand_dims(x, -1), -1); }

Axes last_two() { return {-2, -1}; }

}  // namespace

Tensor dot(const Tensor& a, const Tensor& b) {
  if (node_of(a)->shape().rank() == 0 || node_of(b)->shape().rank() == 0) return a * b;
  if (b.rank() == 1) return tensordot(a, b, {-1}, {0});
  return tensordot(a, b, {-1}, {-2});
}

Tensor vdot(const Tensor& a, const Tensor& b) {
  if (node_of(a)->numel() != node_of(b)->numel()) {
    fail(ErrorKind::kShape, "vdot: the operands have {} and {} elements (a is {}, b is {}).", a.numel(), b.numel(),
         a.shape().str(), b.shape().str());
  }
  return matmul(conj(reshape(a, {a.numel()})), reshape(b, {b.numel()}));
}

Tensor outer(const Tensor& a, const Tensor& b) {
  return reshape(a, {node_of(a)->numel(), 1}) * reshape(b, {1, node_of(b)->numel()});
}

Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands) {
  if (operands.empty()) fail(ErrorKind::kValue, "einsum: '{}' was given no operands.", equation);
  std::vector<NodePtr> nodes;
  for (const Tensor& t : operands) nodes.push_back(node_of(t));
  return Tensor(ops::einsum(equation, nodes));
}

Tensor tensordot(const Tensor& a, const Tensor& b, int axes) {
  if (axes < 0 || axes > node_of(a)->shape().rank() || axes > node_of(b)->shape().rank()) {
    fail(ErrorKind::kValue, "tensordot: {} axes were asked for; a is {}, b is {}.", axes, a.shape().str(),
         b.shape().str());
  }
  std::vector<int> last;
  std::vector<int> first;
  for (int i = 0; i < axes; ++i) {
    last.push_back(a.rank() - axes + i);
    first.push_back(i);
  }
  return tensordot(a, b, last, first);
}

Tensor tensordot(const Tensor& a, const Tensor& b, const std::vector<int>& axes_a, const std::vector<int>& axes_b) {
  return Tensor(ops::tensordot(node_of(a), node_of(b), axes_a, axes_b));
}

Tensor addmm(const Tensor& c, const Tensor& a, const Tensor& b, double beta, double alpha) {
  if (node_of(a)->shape().rank() != 2 || node_of(b)->shape().rank() != 2) {
    fail(ErrorKind::kShape, "addmm: matrices are expected; a is {}, b is {}.", a.shape().str(), b.shape().str());
  }
  Tensor result = matmul(a, b);
  if (alpha != 1) result = result * alpha;
  // As in BLAS: with beta = 0, c is not read.
  if (beta == 0) return result;
  const Tensor added = ops::autocast_dtype().has_value() ? cast(c, result.dtype()) : c;
  return result + (beta == 1 ? added : added * beta);
}

Tensor kron(const Tensor& a, const Tensor& b) { return Tensor(ops::kron(node_of(a), node_of(b))); }
Tensor triu(const Tensor& x, std::int64_t diagonal) { return Tensor(ops::triangle(node_of(x), diagonal, false)); }
Tensor tril(const Tensor& x, std::int64_t diagonal) { return Tensor(ops::triangle(node_of(x), diagonal, true)); }
Tensor diagonal(const Tensor& x, std::int64_t offset, int axis_a, int axis_b) {
  return Tensor(ops::diagonal("diagonal", node_of(x), offset, axis_a, axis_b));
}
Tensor trace(const Tensor& x, std::int64_t offset, int axis_a, int axis_b) {
  return sum(Tensor(ops::diagonal("trace", node_of(x), offset, axis_a, axis_b)), {-1});
}
Tensor cross(const Tensor& a, const Tensor& b, int axis) { return Tensor(ops::cross(node_of(a), node_of(b), axis)); }

namespace linalg {

Tensor cholesky(const Tensor& x) {
  ops::check_matrices("cholesky", node_of(x), true);
  const Tensor a = wide(x);
  return with_rule("cholesky", {a}, run(Decomposition::kCholesky, {a}),
                   [](const auto&, const auto& out, const auto& g) -> std::vector<Tensor> {
                     if (!g[0].defined()) return {Tensor()};
                     // The lower triangle of L^T dL with half its diagonal, between L^-T and L^-1, made symmetric.
                     const Tensor& l = out[0];
                     const Tensor p = matmul(transposed(l), tril(g[0]));
                     const Tensor half = tril(p) - tril(triu(p)) * 0.5;
                     const Tensor left = solve(transposed(l), half);
                     const Tensor s = transposed(solve(transposed(l), transposed(left)));
                     return {(s + transposed(s)) * 0.5};
                   })[0];
}

QrResult qr(const Tensor& x) {
  ops::check_matrices("qr", node_of(x), false);
  const Tensor a = wide(x);
  const auto made = with_rule("qr", {a}, run(Decomposition::kQr, {a}), nullptr);
  return {made[0], made[1]};
}

Tensor solve(const Tensor& a, const Tensor& b) {
  ops::check_matrices("solve", node_of(a), true);
  const bool vector = node_of(b)->shape().rank() == 1;
  const std::int64_t n = a.size(-1);
  if (b.rank() == 0 || b.size(vector ? 0 : -2) != n) {
    fail(ErrorKind::kShape, "solve: b must be [.., {}, K] or [{}] for a of shape {}; it is {}.", n, n, a.shape().str(),
         b.shape().str());
  }
  const DType t = promote(promote(a.dtype(), b.dtype()), f32);
  Tensor x = a.astype(t);
  Tensor y = (vector ? expand_dims(b, 1) : b).astype(t);
  const auto batch = [](const Tensor& of) {
    return Shape(std::span(of.shape().begin(), static_cast<std::size_t>(of.rank() - 2)));
  };
  const std::vector<Shape> batches{batch(x), batch(y)};
  const Shape common = ops::broadcast_shapes("solve", batches);
  const auto spread = [&](const Tensor& of) {
    Shape s = common;
    s.push_back(of.size(-2));
    s.push_back(of.size(-1));
    return broadcast_to(of, s);
  };
  x = spread(x);
  y = spread(y);
  const Tensor result = with_rule("solve", {x, y}, run(Decomposition::kSolve, {x, y}),
                                  [](const auto& in, const auto& out, const auto& g) -> std::vector<Tensor> {
                                    if (!g[0].defined()) return {Tensor(), Tensor()};
                                    const Tensor of_b = solve(transposed(in[0]), g[0]);
                                    return {-matmul(of_b, transposed(out[0])), of_b};
                                  })[0];
  return vector ? squeeze(result, {-1}) : result;
}

Tensor inv(const Tensor& x) {
  ops::check_matrices("inv", node_of(x), true);
  const Tensor a = wide(x);
  return with_rule("inv", {a}, run(Decomposition::kInverse, {a}),
                   [](const auto&, const auto& out, const auto& g) -> std::vector<Tensor> {
                     if (!g[0].defined()) return {Tensor()};
                     const Tensor y = transposed(out[0]);
                     return {-matmul(matmul(y, g[0]), y)};
                   })[0];
}

Tensor det(const Tensor& x) {
  ops::check_matrices("det", node_of(x), true);
  const Tensor a = wide(x);
  return with_rule("det", {a}, {run(Decomposition::kDeterminant, {a})[0]},
                   [](const auto& in, const auto& out, const auto& g) -> std::vector<Tensor> {
                     if (!g[0].defined()) return {Tensor()};
                     return {over_matrices(g[0] * out[0]) * transposed(inv(in[0]))};
                   })[0];
}

SlogdetResult slogdet(const Tensor& x) {
  ops::check_matrices("slogdet", node_of(x), true);
  const Tensor a = wide(x);
  const auto made = run(Decomposition::kDeterminant, {a});
  const Tensor log =
      with_rule("slogdet", {a}, {made[2]}, [](const auto& in, const auto&, const auto& g) -> std::vector<Tensor> {
        if (!g[0].defined()) return {Tensor()};
        return {over_matrices(g[0]) * transposed(inv(in[0]))};
      })[0];
  return {Tensor(ops::stop_gradient(made[1].node())), log};
}

SvdResult svd(const Tensor& x) {
  ops::check_matrices("svd", node_of(x), false);
  const Tensor a = wide(x);
  const auto made = run(Decomposition::kSvd, {a});
  const auto vectors = with_rule("the vectors of svd", {a}, {made[0], made[2]}, nullptr);
  const Tensor values =
      with_rule("svd", {a}, {made[1]}, [](const auto& in, const auto&, const auto& g) -> std::vector<Tensor> {
        if (!g[0].defined()) return {Tensor()};
        const SvdResult again = svd(in[0]);
        return {matmul(again.u * expand_dims(g[0], -2), again.vh)};
      })[0];
  return {vectors[0], values, vectors[1]};
}

Tensor svdvals(const Tensor& x) { return svd(x).s; }

EighResult eigh(const Tensor& x) {
  ops::check_matrices("eigh", node_of(x), true);
  const Tensor a = wide(x);
  const auto made = with_rule("eigh", {a}, run(Decomposition::kEigh, {a}),
                              [](const auto& in, const auto&, const auto& g) -> std::vector<Tensor> {
                                const auto [w, v] = eigh(in[0]);
                                const Tensor one = eye(w.size(-1), -1, 0, w.dtype(), w.device());
                                Tensor inner = zeros(v.shape(), w.dtype(), w.device());
                                if (g[0].defined()) inner = inner + one * expand_dims(g[0], -1);
                                if (g[1].defined()) {
                                  const Tensor gap =
                                      expand_dims(w, -2) - expand_dims(w, -1) + one;  // not zero on the diagonal
                                  inner = inner + matmul(transposed(v), g[1]) / gap * (1.0 - one);
                                }
                                const Tensor s = matmul(matmul(v, inner), transposed(v));
                                return {(s + transposed(s)) * 0.5};
                              });
  return {made[0], made[1]};
}

Tensor eigvalsh(const Tensor& x) { return eigh(x).values; }

namespace {

/// The singular values above the limit: their mask, and the values with 1 elsewhere.
std::pair<Tensor, Tensor> above(const Tensor& x, const Tensor& s, std::optional<double> rcond) {
  const double eps = s.dtype() == f64 ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  const double limit = rcond.value_or(eps * static_cast<double>(std::max(x.size(-1), x.size(-2))));
  if (s.size(-1) == 0) return {s, s};
  const Tensor large = greater(s, max(s, {-1}, true) * limit);
  return {large, where(large, s, ones(s.shape(), s.dtype(), s.device()))};
}

}  // namespace

Tensor pinv(const Tensor& x, std::optional<double> rcond) {
  const ops::AutocastScope in_f32(std::nullopt);
  ops::check_matrices("pinv", node_of(x), false);
  const Tensor a = wide(x);
  return with_rule(
      "pinv", {a}, {[&] {
        const SvdResult d = svd(Tensor(ops::stop_gradient(a.node())));
        const auto [large, s] = above(a, d.s, rcond);
        const Tensor inverse = where(large, reciprocal(s), zeros(s.shape(), s.dtype(), s.device()));
        return matmul(adjoint(d.vh) * expand_dims(inverse, -2), adjoint(d.u));
      }()},
      [rcond](const auto& in, const auto&, const auto& g) -> std::vector<Tensor> {
        if (!g[0].defined()) return {Tensor()};
        // For constant rank: dP = -P dA P + P P^T dA^T (1 - A P) + (1 - P A) dA^T P^T P.
        const Tensor& A = in[0];
        const Tensor P = pinv(A, rcond);
        const Tensor G = transposed(g[0]);
        const Tensor rest_a = G - matmul(matmul(A, P), G);  // (1 - A P) g^T
        const Tensor rest_p = G - matmul(G, matmul(P, A));  // g^T (1 - P A)
        const Tensor gram = matmul(P, transposed(P));
        return {-transposed(matmul(matmul(P, G), P)) + matmul(rest_a, gram) + matmul(matmul(transposed(P), P), rest_p)};
      })[0];
}

Tensor matrix_rank(const Tensor& x, std::optional<double> rcond) {
  ops::check_matrices("matrix_rank", node_of(x), false);
  const Tensor a(ops::stop_gradient(wide(x).node()));
  const Tensor s = svdvals(a);
  if (s.size(-1) == 0) return sum(s.astype(i32), {-1});
  return sum(above(a, s, rcond).first.astype(i32), {-1});
}

Tensor lstsq(const Tensor& a, const Tensor& b, std::optional<double> rcond) {
  const ops::AutocastScope in_f32(std::nullopt);
  ops::check_matrices("lstsq", node_of(a), false);
  const bool vector = node_of(b)->shape().rank() == 1;
  if (b.rank() == 0 || b.size(vector ? 0 : -2) != a.size(-2)) {
    fail(ErrorKind::kShape, "lstsq: b must be [.., {}, K] or [{}] for a of shape {}; it is {}.", a.size(-2), a.size(-2),
         a.shape().str(), b.shape().str());
  }
  return matmul(pinv(a, rcond), b);
}

Tensor matrix_norm(const Tensor& x, MatrixNorm order, bool keepdims) {
  ops::check_matrices("matrix_norm", node_of(x), false);
  const Tensor a = wide(x);
  const DType t = real_of(ops::float_of(x.node()));
  const auto widened = [&](const Tensor& s) { return cast(keepdims ? over_matrices(s) : s, t); };
  switch (order) {
    case MatrixNorm::kFrobenius:
      return vector_norm(x, 2, last_two(), keepdims);
    case MatrixNorm::kInf:
      return widened(max(sum(abs(a), {-1}), {-1}));
    case MatrixNorm::kMinusInf:
      return widened(min(sum(abs(a), {-1}), {-1}));
    case MatrixNorm::kOne:
      return widened(max(sum(abs(a), {-2}), {-1}));
    case MatrixNorm::kMinusOne:
      return widened(min(sum(abs(a), {-2}), {-1}));
    case MatrixNorm::kNuclear:
      return widened(sum(svdvals(a), {-1}));
    case MatrixNorm::kTwo:
      return widened(max(svdvals(a), {-1}));
    default:
      return widened(min(svdvals(a), {-1}));
  }
}

Tensor vector_norm(const Tensor& x, double p, const std::vector<int>& axes, bool keepdims) {
  return Tensor(ops::vector_norm(node_of(x), p, axes, keepdims));
}

}  // namespace linalg
}  // namespace tessera
