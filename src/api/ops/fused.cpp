// Public functions of fused linear layers.
#include "tessera/fused.h"

#include "api/arguments.h"
#include "base/fail.h"
#include "ops/matmul/fused_linear.h"

namespace tessera {

namespace {

using ops::FusedLinear;
using ops::LinearEpilogue;

NodePtr vector_of(const char* what, const char* name, const Tensor& t, std::int64_t size) {
  if (t.shape() != Shape{size}) {
    fail(ErrorKind::kShape, "{}: {} of shape {} were given; [{}] is expected.", what, name, t.shape(), size);
  }
  return ops::cast(node_of(t), DType::kF32);
}

/// Checks what all of them share, and flattens x to rows.
FusedLinear checked(const char* what, const Tensor& x, const std::vector<Tensor>& weights,
                    const FusedLinearOptions& options) {
  if (x.rank() < 1 || !is_float(x.dtype())) {
    fail(x.rank() < 1 ? ErrorKind::kShape : ErrorKind::kDType,
         "{}: x of shape {} and dtype {} was given; [.., K] of a float dtype is expected.", what, x.shape(),
         name(x.dtype()));
  }
  const std::int64_t k = x.size(-1);
  FusedLinear f;
  for (const Tensor& w : weights) {
    const DType t = w.dtype();
    if (w.rank() != 2 || w.size(1) != k) {
      fail(ErrorKind::kShape, "{}: weights of shape {} were given for x of shape {}; [N, {}] is expected.", what,
           w.shape(), x.shape(), k);
    }
    if (!is_block(t) && t != f32 && t != f16 && t != bf16) {
      fail(ErrorKind::kDType, "{}: weights of dtype {} were given; f32, f16, bf16 or a block dtype is expected.", what,
           name(t));
    }
    f.weights.push_back(node_of(w));
  }
  if (!options.biases.empty() && options.biases.size() != weights.size()) {
    fail(ErrorKind::kValue, "{}: {} biases were given for {} weights; one for each, or none, is expected.", what,
         options.biases.size(), weights.size());
  }
  for (std::size_t i = 0; i < options.biases.size(); ++i)
    f.bias.push_back(vector_of(what, "biases", options.biases[i], weights[i].size(0)));
  if (options.norm.defined()) f.norm_weight = vector_of(what, "weights of the norm", options.norm, k);
  f.eps = options.eps;
  f.norm_offset = options.norm_offset;
  f.scale = options.scale;
  const std::int64_t rows = k == 0 ? 0 : x.numel() / k;
  const NodePtr flat = ops::reshape(node_of(x), {rows, k});
  f.x = size_of(x.dtype()) == 8 ? ops::cast(flat, DType::kF32) : flat;
  return f;
}

/// A result [rows, n] with the leading axes of x.
Tensor like_x(const NodePtr& y, const Tensor& x) {
  Shape shape = x.shape();
  shape[shape.rank() - 1] = y->shape()[1];
  return Tensor(ops::reshape(y, shape));
}

}  // namespace

std::vector<Tensor> fused_linear(const Tensor& x, const std::vector<Tensor>& weights,
                                 const FusedLinearOptions& options) {
  if (weights.empty() || weights.size() > 3) {
    fail(ErrorKind::kValue, "fused_linear: {} weights were given; 1 to 3 are expected.", weights.size());
  }
  std::vector<Tensor> results;
  for (const NodePtr& y : ops::fused_linear(checked("fused_linear", x, weights, options)))
    results.push_back(like_x(y, x));
  return results;
}

Tensor fused_linear_add(const Tensor& x, const Tensor& weight, const Tensor& residual,
                        const FusedLinearOptions& options) {
  FusedLinear f = checked("fused_linear_add", x, {weight}, options);
  const std::int64_t n = weight.size(0);
  Shape shape = x.shape();
  shape[shape.rank() - 1] = n;
  if (residual.shape() != shape) {
    fail(ErrorKind::kShape, "fused_linear_add: a residual of shape {} was given; {} is expected.", residual.shape(),
         shape);
  }
  f.epilogue = LinearEpilogue::kResidual;
  f.residual = ops::reshape(ops::cast(node_of(residual), DType::kF32), {f.x->shape()[0], n});
  return like_x(ops::fused_linear(std::move(f))[0], x);
}

Tensor fused_gated_linear(const Tensor& x, const Tensor& gate, const Tensor& up, FusedActivation activation,
                          const FusedLinearOptions& options) {
  FusedLinear f = checked("fused_gated_linear", x, {gate, up}, options);
  if (gate.size(0) != up.size(0)) {
    fail(ErrorKind::kShape, "fused_gated_linear: weights of shapes {} and {} were given; one shape is expected.",
         gate.shape(), up.shape());
  }
  f.epilogue = static_cast<LinearEpilogue>(static_cast<int>(LinearEpilogue::kSilu) + static_cast<int>(activation));
  return like_x(ops::fused_linear(std::move(f))[0], x);
}

FusedQkv fused_qkv(const Tensor& x, const std::vector<Tensor>& weights, const Tensor& k_cache, const Tensor& v_cache,
                   const FusedQkvOptions& qkv, const FusedLinearOptions& options) {
  constexpr const char* kName = "fused_qkv";
  if (weights.size() != 3) fail(ErrorKind::kValue, "{}: {} weights were given; 3 are expected.", kName, weights.size());
  FusedLinear f = checked(kName, x, weights, options);
  const std::int64_t batch = f.x->shape()[0];
  const Shape& s = k_cache.shape();
  const DType t = k_cache.dtype();
  if (s.rank() != 4 || s[0] != batch || v_cache.shape() != s || v_cache.dtype() != t) {
    fail(ErrorKind::kShape,
         "{}: caches of shapes {} and {} were given for x of shape {}; two of [{}, heads, context, size] and one dtype "
         "are expected.",
         kName, s, v_cache.shape(), x.shape(), batch);
  }
  if (t != f32 && t != f16 && t != bf16)
    fail(ErrorKind::kDType, "{}: caches of dtype {} were given; f32, f16 or bf16 is expected.", kName, name(t));
  const std::int64_t size = s[3];
  const std::int64_t n = s[1] * size;
  if (size == 0 || size % 2 != 0 || weights[0].size(0) % size != 0 || weights[1].size(0) != n ||
      weights[2].size(0) != n) {
    fail(ErrorKind::kShape, "{}: weights of {}, {} and {} outputs were given for caches of shape {}.", kName,
         weights[0].size(0), weights[1].size(0), weights[2].size(0), s);
  }
  const Tensor& r = qkv.rotation;
  if (!r.defined() || r.rank() != 2 || (r.size(0) != 1 && r.size(0) != batch) || r.size(1) != size) {
    fail(ErrorKind::kShape, "{}: a rotation of shape {} was given; [1 or {}, {}] is expected.", kName,
         r.defined() ? r.shape() : Shape{}, batch, size);
  }
  f.rotation = ops::cast(node_of(r), DType::kF32);
  if (!qkv.starts.defined() || qkv.starts.shape() != Shape{batch} || !is_integer(qkv.starts.dtype())) {
    fail(ErrorKind::kShape, "{}: positions of shape {} were given; integers [{}] are expected.", kName,
         qkv.starts.defined() ? qkv.starts.shape() : Shape{}, batch);
  }
  f.starts = node_of(qkv.starts);
  f.k_cache = node_of(k_cache);
  f.v_cache = node_of(v_cache);
  f.epilogue = LinearEpilogue::kQkv;
  f.head_size = size;
  f.interleaved = qkv.interleaved;
  f.value_scale = qkv.value_scale;
  const std::int64_t heads = weights[0].size(0) / size;
  const std::vector<NodePtr> y = ops::fused_linear(std::move(f));
  return {Tensor(ops::reshape(y[0], {batch, heads, 1, size})), Tensor(y[1]), Tensor(y[2])};
}

}  // namespace tessera
