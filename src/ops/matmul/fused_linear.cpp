// Fused linear layers: the call, and the composition that is its reference.
#include "ops/matmul/fused_linear.h"

#include "base/fail.h"
#include "graph/op.h"
#include "ops/index/index.h"
#include "ops/quant/quant.h"
#include "ops/reduce/norms.h"

namespace tessera::ops {

namespace {

std::size_t planes_in(DType dtype) {
  if (!is_block(dtype)) return 1;
  const BlockLayout& layout = block_layout(dtype);
  return 2 + (layout.has_supers() ? 1U : 0U) + (layout.high_bits > 0 ? 1U : 0U);
}

NodePtr op(Op which, const NodePtr& x) { return elementwise(which, {x}); }

NodePtr activated(LinearEpilogue e, const NodePtr& x) {
  switch (e) {
    case LinearEpilogue::kSilu:
      return x * op(Op::kSigmoid, x);
    case LinearEpilogue::kGelu:
      return x * 0.5 * (op(Op::kErf, x * 0.7071067811865476) + 1.0);
    case LinearEpilogue::kGeluTanh:
      return x * 0.5 * (op(Op::kTanh, (x + x * x * x * 0.044715) * 0.7978845608028654) + 1.0);
    default:
      return elementwise(Op::kMaximum, {x, number(0)});
  }
}

/// y [m, heads * size] with its heads rotated: [m, heads, size].
NodePtr rotated(const FusedLinear& f, const NodePtr& y) {
  const std::int64_t m = y->shape()[0];
  const std::int64_t pairs = f.head_size / 2;
  const std::int64_t heads = y->shape()[1] / f.head_size;
  const Shape split = f.interleaved ? Shape{m, heads, pairs, 2} : Shape{m, heads, 2, pairs};
  const NodePtr x = reshape(y, split);
  const auto half = [&](std::int64_t first) {
    const std::int64_t rows = f.rotation->shape()[0];
    const std::array<Range, 2> ranges{Range{0, rows, 1}, Range{first, first + pairs, 1}};
    return reshape(slice(f.rotation, ranges), f.interleaved ? Shape{rows, 1, pairs, 1} : Shape{rows, 1, 1, pairs});
  };
  const std::array<int, 1> axis{f.interleaved ? 3 : 2};
  // The partner of the first element of a pair counts with a negative sine.
  const NodePtr sign = reshape(arange(-1, 3, 2, DType::kF32, y->device()), f.interleaved ? Shape{2} : Shape{2, 1});
  return reshape(x * half(0) + flip(x, axis) * (half(pairs) * sign), {m, heads, f.head_size});
}

/// f16 saturates.
NodePtr narrowed(const NodePtr& x, DType dtype) {
  return cast(dtype == DType::kF16 ? clamp(x, number(-65504), number(65504)) : x, dtype);
}

/// The cache [m, heads, context, size] with rows [m, heads, size] at each sequence's position.
NodePtr updated(const NodePtr& cache, const NodePtr& rows, const NodePtr& starts) {
  const Shape& s = cache->shape();
  const auto count = [&](std::int64_t n, const Shape& shape) {
    return reshape(arange(0, static_cast<double>(n), 1, DType::kI32, cache->device()), shape);
  };
  const auto times = [](const NodePtr& x, std::int64_t n) { return x * scalar({n}, DType::kI32); };
  const NodePtr row = times(count(s[0] * s[1], {s[0], s[1], 1}), s[2]) + reshape(starts, {s[0], 1, 1});
  return put(cache, rows, times(row, s[3]) + count(s[3], {s[3]}));
}

}  // namespace

FusedLinear fused_linear_of(const FusedLinearCall& call, const std::vector<NodePtr>& inputs) {
  FusedLinear f;
  static_cast<FusedLinearCall&>(f) = call;
  std::size_t at = 0;
  f.x = inputs.at(at++);
  if (f.norm) f.norm_weight = inputs.at(at++);
  for (std::size_t i = 0; i < f.dtypes.size(); ++i) {
    const auto dtype = static_cast<DType>(f.dtypes[i]);
    const std::size_t count = planes_in(dtype);
    const std::vector<NodePtr> planes(inputs.begin() + static_cast<std::ptrdiff_t>(at),
                                      inputs.begin() + static_cast<std::ptrdiff_t>(at + count));
    at += count;
    f.weights.push_back(is_block(dtype) ? blocks(dtype, {f.outputs[i], f.x->shape()[1]}, planes) : planes[0]);
  }
  for (std::size_t i = 0; f.biases && i < f.dtypes.size(); ++i) f.bias.push_back(inputs.at(at++));
  if (f.epilogue == LinearEpilogue::kResidual) f.residual = inputs.at(at++);
  if (f.epilogue == LinearEpilogue::kQkv) {
    for (NodePtr* t : {&f.rotation, &f.starts, &f.k_cache, &f.v_cache}) *t = inputs.at(at++);
  }
  return f;
}

std::vector<NodePtr> fused_linear(FusedLinear f) {
  const std::int64_t m = f.x->shape()[0];
  f.norm = f.norm_weight != nullptr;
  f.biases = !f.bias.empty();
  f.dtypes.clear();
  f.outputs.clear();
  std::vector<NodePtr> inputs{f.x};
  if (f.norm) inputs.push_back(f.norm_weight);
  std::vector<TensorSpec> results;
  for (const NodePtr& w : f.weights) {
    f.dtypes.push_back(static_cast<std::int64_t>(w->dtype()));
    f.outputs.push_back(w->shape()[0]);
    results.push_back({DType::kF32, {m, w->shape()[0]}});
    if (!is_block(w->dtype())) {
      inputs.push_back(w);
      continue;
    }
    if (is_transposed(*w)) {
      fail(ErrorKind::kValue,
           "fused_linear: transposed weights of dtype {} and shape {} were given; [N, K] is expected.",
           name(w->dtype()), w->shape());
    }
    std::shared_ptr<const Node::Inputs> hold;
    for (const NodePtr& plane : planes_of(*w, hold)) inputs.push_back(plane);
  }
  inputs.insert(inputs.end(), f.bias.begin(), f.bias.end());
  if (f.epilogue == LinearEpilogue::kResidual) inputs.push_back(f.residual);
  if (is_gate(f.epilogue)) results.pop_back();
  if (f.epilogue == LinearEpilogue::kQkv) {
    // Positions past the context are an error at the next wait.
    f.starts = checked_index(f.starts, f.k_cache->shape()[2]);
    inputs.insert(inputs.end(), {f.rotation, f.starts, f.k_cache, f.v_cache});
    results = {{f.k_cache->dtype(), {m, f.outputs[0]}},
               {f.k_cache->dtype(), f.k_cache->shape()},
               {f.v_cache->dtype(), f.v_cache->shape()}};
  }
  const std::vector<NodePtr> made =
      call("fused_linear", to_attributes(static_cast<const FusedLinearCall&>(f)), inputs, results, /*any_size=*/true);
  return with_gradient("fused_linear", inputs, made, {});
}

namespace {

/// The linear layers alone, each by a call.
std::vector<NodePtr> called(const FusedLinear& f) {
  std::vector<NodePtr> y;
  for (std::size_t i = 0; i < f.weights.size(); ++i) {
    FusedLinear one = f;
    one.weights = {f.weights[i]};
    if (!f.bias.empty()) one.bias = {f.bias[i]};
    one.epilogue = LinearEpilogue::kNone;
    y.push_back(fused_linear(std::move(one))[0]);
  }
  return y;
}

/// The same by matmuls.
std::vector<NodePtr> multiplied(const FusedLinear& f) {
  NodePtr x = cast(f.x, DType::kF32);
  if (f.norm_weight != nullptr) {
    x = rms_norm(x, f.norm_offset == 0 ? f.norm_weight : f.norm_weight + f.norm_offset, f.eps);
  }
  std::vector<NodePtr> y;
  for (std::size_t i = 0; i < f.weights.size(); ++i) {
    const NodePtr& w = f.weights[i];
    const NodePtr wide = is_block(w->dtype()) ? w : cast(w, DType::kF32);
    NodePtr one = matmul(x, swap_axes(wide, 0, 1));
    if (f.scale != 1) one = one * f.scale;
    y.push_back(f.bias.empty() ? one : one + f.bias[i]);
  }
  return y;
}

}  // namespace

std::vector<NodePtr> fused_linear_composed(const FusedLinear& f, bool of_calls) {
  const std::vector<NodePtr> y = of_calls && f.weights.size() > 1 ? called(f) : multiplied(f);
  if (f.epilogue == LinearEpilogue::kResidual) return {f.residual + y[0]};
  if (is_gate(f.epilogue)) return {activated(f.epilogue, y[0]) * y[1]};
  if (f.epilogue == LinearEpilogue::kNone) return y;
  const DType dtype = f.k_cache->dtype();
  const std::int64_t m = f.x->shape()[0];
  const NodePtr values = f.value_scale == 1 ? y[2] : y[2] * f.value_scale;
  return {reshape(narrowed(rotated(f, y[0]), dtype), {m, f.outputs[0]}),
          updated(f.k_cache, narrowed(rotated(f, y[1]), dtype), f.starts),
          updated(f.v_cache, narrowed(reshape(values, {m, f.outputs[2] / f.head_size, f.head_size}), dtype), f.starts)};
}

}  // namespace tessera::ops
