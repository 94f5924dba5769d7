// Attention: checks, shapes, gradients, and the composition; rotary embeddings (RoPE) and linear biases (ALiBi).
#include "ops/attention/attention.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/compute.h"
#include "base/fail.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/autocast.h"
#include "ops/index/index.h"

namespace tessera::ops {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kLargestHead = 256;

NodePtr op(Op which, const NodePtr& a, const NodePtr& b) { return elementwise(which, {a, b}); }
NodePtr transposed(const NodePtr& x) { return swap_axes(x, -2, -1); }

/// The sizes of a call, and its attributes.
struct AttentionCall : AttentionAttributes {
  std::int64_t batch = 1, hq = 1, hkv = 1, lq = 0, lk = 0, d = 0;
};

/// Operands of rank 4 and one float dtype, with the sizes.
struct Operands {
  NodePtr q, k, v;
  NodePtr mask;                // null, or additive with the compute dtype and rank 4
  NodePtr lengths;             // null, or i32 [B]
  NodePtr sinks;               // null, or [Hq] of the compute dtype
  NodePtr block_table;         // null, or i32 [B, pages]
  NodePtr k_scales, v_scales;  // null, or f32 of rank 4
  AttentionCall call;
  int rank = 4;               // of the operands as given
  DType dtype = DType::kF32;  // of the result
};

/// The block table as i32; `sk` is the shape of the pool of pages.
NodePtr checked_table(const AttentionSpec& spec, const Shape& sq, const Shape& sk) {
  constexpr std::string_view kName = "scaled_dot_product_attention";
  const NodePtr& table = spec.block_table;
  const Shape& s = table->shape();
  if (!is_integer(table->dtype())) {
    fail(ErrorKind::kDType, "{}: the block table has type {}; an integer is expected.", kName, name(table->dtype()));
  }
  if (sq.rank() != 4) {
    fail(ErrorKind::kShape,
         "{}: with a block table, q is [batch, heads, length, size] and k and v are [pages, heads, page size, size]; q "
         "is {}, k is {}.",
         kName, sq.str(), sk.str());
  }
  if (s.rank() != 2 || s[0] != sq[0]) {
    fail(ErrorKind::kShape, "{}: the block table has shape {}; [{}, pages] is expected, a row for each sequence.",
         kName, s.str(), sq[0]);
  }
  if (spec.lengths == nullptr) {
    fail(ErrorKind::kValue,
         "{}: a block table of shape {} was given without `lengths`; the number of valid keys of "
         "each sequence is expected too.",
         kName, s.str());
  }
  if (s[1] * sk[2] > INT32_MAX) {
    fail(ErrorKind::kLimit, "{}: the block table of shape {} has {} keys in a row; at most {} are expected.", kName,
         s.str(), s[1] * sk[2], INT32_MAX);
  }
  return cast(stop_gradient(table), DType::kI32);
}

/// The keys or values of each sequence, [B, Hkv, Lk, D], out of the pool of pages. Entries of the table behind the end
/// of a sequence may be any numbers.
NodePtr out_of_pages(const NodePtr& pool, const NodePtr& table) {
  const Shape& s = pool->shape();
  const Shape& t = table->shape();
  const auto number = [](std::int64_t v) { return scalar({v}, DType::kI32); };
  const auto count = [&](std::int64_t n, const Shape& shape) {
    return reshape(arange(0, static_cast<double>(n), 1, DType::kI32, pool->device()), shape);
  };
  const NodePtr page = reshape(clamp(table, number(0), number(s[0] - 1)), {t[0], 1, t[1], 1});
  const NodePtr head = page * number(s[1]) + count(s[1], {s[1], 1, 1});
  const NodePtr at = head * number(s[2] * s[3]) + count(s[2] * s[3], {s[2] * s[3]});
  return reshape(gather(pool, at), {t[0], s[1], t[1] * s[2], s[3]});
}

/// How many elements of k and v share a scale.
std::int64_t checked_scales(const NodePtr& k, const NodePtr& v, const AttentionSpec& spec) {
  constexpr std::string_view kName = "scaled_dot_product_attention";
  if (spec.k_scales == nullptr || spec.v_scales == nullptr) {
    fail(ErrorKind::kValue, "{}: scales of {} alone were given; those of k and of v are expected.", kName,
         spec.k_scales != nullptr ? "k" : "v");
  }
  if (k->dtype() != DType::kI8 || v->dtype() != DType::kI8) {
    fail(ErrorKind::kDType, "{}: with scales, k and v are i8; k has type {}, v has type {}.", kName, name(k->dtype()),
         name(v->dtype()));
  }
  const Shape& s = k->shape();
  const Shape& given = spec.k_scales->shape();
  bool fits = given.rank() == s.rank() && spec.v_scales->shape() == given && given.back() > 0 &&
              s.back() % (4 * given.back()) == 0;
  for (int i = 0; fits && i < s.rank() - 1; ++i) fits = given[i] == s[i];
  if (!fits) {
    fail(ErrorKind::kShape,
         "{}: the scales of k are {} and those of v {}; the shape of k, {}, is expected, with its last axis divided by "
         "a multiple of 4.",
         kName, given.str(), spec.v_scales->shape().str(), s.str());
  }
  for (const NodePtr& x : {spec.k_scales, spec.v_scales}) {
    if (!is_float(x->dtype()))
      fail(ErrorKind::kDType, "{}: the scales have type {}; a float is expected.", kName, name(x->dtype()));
  }
  return s.back() / given.back();
}

NodePtr rank4(const NodePtr& x) { return x->shape().rank() == 3 ? expand_dims(x, 0) : x; }

Operands check(const NodePtr& q, const NodePtr& k, const NodePtr& v, const AttentionSpec& spec) {
  constexpr std::string_view kName = "scaled_dot_product_attention";
  const Shape& sq = q->shape();
  const Shape& sk = k->shape();
  const Shape& sv = v->shape();
  const int rank = sq.rank();
  if ((rank != 3 && rank != 4) || sk.rank() != rank || sv.rank() != rank) {
    fail(ErrorKind::kShape,
         "{}: q, k and v must all have rank 4 ([batch, heads, length, size]) or all have rank 3 (without the batch); q "
         "is {}, k is {}, v is {}.",
         kName, sq.str(), sk.str(), sv.str());
  }
  if (sk != sv)
    fail(ErrorKind::kShape, "{}: k and v must have one shape; k is {}, v is {}.", kName, sk.str(), sv.str());
  if (sq.back() != sk.back() || sq.back() == 0) {
    fail(ErrorKind::kShape, "{}: the rows of q and k must have one size, at least 1; q is {}, k is {}.", kName,
         sq.str(), sk.str());
  }
  if (rank == 4 && sq[0] != sk[0] && spec.block_table == nullptr) {
    fail(ErrorKind::kShape, "{}: the batches {} and {} differ (q is {}, k is {}).", kName, sq[0], sk[0], sq.str(),
         sk.str());
  }
  Operands o;
  o.rank = rank;
  if (spec.block_table != nullptr) o.block_table = checked_table(spec, sq, sk);
  o.call.batch = rank == 4 ? sq[0] : 1;
  o.call.hq = sq[rank - 3];
  o.call.hkv = sk[rank - 3];
  o.call.lq = sq[rank - 2];
  o.call.lk = o.block_table != nullptr ? o.block_table->shape()[1] * sk[2] : sk[rank - 2];
  o.call.paged = o.block_table != nullptr;
  o.call.d = sq.back();
  if (o.call.hkv == 0 || o.call.hq % o.call.hkv != 0) {
    fail(ErrorKind::kShape, "{}: {} heads of q cannot share {} heads of k: the first must be a multiple of the second.",
         kName, o.call.hq, o.call.hkv);
  }
  if (spec.window < 0)
    fail(ErrorKind::kValue, "{}: the window is {}; it must be at least 1, or 0 for none.", kName, spec.window);
  if (spec.scale.has_value() && !std::isfinite(*spec.scale)) {
    fail(ErrorKind::kValue, "{}: the scale is {}; it must be finite.", kName, *spec.scale);
  }
  if (spec.softcap.has_value() && !(*spec.softcap > 0 && std::isfinite(*spec.softcap))) {
    fail(ErrorKind::kValue, "{}: the softcap is {}; a positive number is expected.", kName, *spec.softcap);
  }
  if (spec.k_scales != nullptr || spec.v_scales != nullptr) {
    o.call.scaled = checked_scales(k, v, spec);
    o.k_scales = rank4(cast(spec.k_scales, DType::kF32));
    o.v_scales = rank4(cast(spec.v_scales, DType::kF32));
  }
  o.dtype = o.call.scaled > 0 ? q->dtype() : low_dtype({q->dtype(), k->dtype(), v->dtype()});
  if (!is_float(o.dtype)) o.dtype = DType::kF32;
  o.call.causal = spec.causal;
  o.call.window = std::min(spec.window, o.call.lk);  // a window of all keys masks none
  o.call.scale = spec.scale.value_or(1 / std::sqrt(static_cast<double>(o.call.d)));
  o.call.workgroup_memory = spec.workgroup_memory;
  o.call.split = spec.split;
  o.call.softcap = spec.softcap.value_or(0);
  if (spec.sinks != nullptr) {
    if (spec.sinks->shape() != Shape{o.call.hq}) {
      fail(ErrorKind::kShape, "{}: the sinks have shape {}; [{}] is expected, one for each head of q.", kName,
           spec.sinks->shape().str(), o.call.hq);
    }
    if (!is_float(spec.sinks->dtype())) {
      fail(ErrorKind::kDType, "{}: the sinks have type {}; a float is expected.", kName, name(spec.sinks->dtype()));
    }
    o.sinks = cast(spec.sinks, wide_float(o.dtype));
    o.call.sinks = true;
  }
  if (spec.lengths != nullptr) {
    const Shape& s = spec.lengths->shape();
    if (!is_integer(spec.lengths->dtype())) {
      fail(ErrorKind::kDType, "{}: the lengths have type {}; an integer is expected.", kName,
           name(spec.lengths->dtype()));
    }
    if (s.rank() > 1 || (s.rank() == 1 && s[0] != 1 && s[0] != o.call.batch)) {
      fail(ErrorKind::kShape, "{}: the lengths have shape {}; [{}] is expected, one for each sequence.", kName, s.str(),
           o.call.batch);
    }
    o.lengths = broadcast_to(cast(stop_gradient(spec.lengths), DType::kI32), {o.call.batch});
    o.call.lengths = true;
  }
  o.q = rank4(cast(q, o.dtype));
  o.k = rank4(o.call.scaled > 0 ? k : cast(k, o.dtype));
  o.v = rank4(o.call.scaled > 0 ? v : cast(v, o.dtype));
  if (spec.mask == nullptr) return o;

  const DType compute = wide_float(o.dtype);
  const Shape full =
      rank == 4 ? Shape{o.call.batch, o.call.hq, o.call.lq, o.call.lk} : Shape{o.call.hq, o.call.lq, o.call.lk};
  NodePtr mask = spec.mask;
  bool fits = mask->shape().rank() <= rank;
  for (int i = 1; fits && i <= mask->shape().rank(); ++i) {
    const std::int64_t size = mask->shape()[mask->shape().rank() - i];
    fits = size == 1 || size == full[rank - i];
  }
  if (!fits) {
    fail(ErrorKind::kShape, "{}: the mask of shape {} does not broadcast to the scores' {}.", kName,
         mask->shape().str(), full.str());
  }
  if (mask->dtype() == DType::kBool) {
    mask = elementwise(Op::kWhere, {mask, scalar({0.0}, compute), scalar({-kInfinity}, compute)});
  } else if (!is_float(mask->dtype())) {
    fail(ErrorKind::kDType, "{}: the mask has type {}; bool (true: seen) or a float (added to the scores) is expected.",
         kName, name(mask->dtype()));
  }
  mask = cast(mask, compute);
  Shape shape{1, 1, 1, 1};
  for (int i = 1; i <= mask->shape().rank(); ++i) shape[4 - i] = mask->shape()[mask->shape().rank() - i];
  o.mask = reshape(mask, shape);
  o.call.masked = true;
  return o;
}

/// [B, Hq, L, D] as [B, Hkv, G, L, D].
NodePtr in_groups(const AttentionCall& c, const NodePtr& x) {
  const Shape& s = x->shape();
  return reshape(x, {c.batch, c.hkv, c.hq / c.hkv, s[2], s[3]});
}
NodePtr for_groups(const NodePtr& x) { return expand_dims(x, 2); }
/// The inverse: sums over the query heads that share keys.
NodePtr ungrouped(const AttentionCall& c, const NodePtr& x) {
  const Shape& s = x->shape();
  return reshape(x, {c.batch, c.hq, s[3], s[4]});
}
NodePtr over_groups(const NodePtr& x) { return sum(x, std::vector<int>{2}, false); }

/// The attention weights [B, Hkv, G, Lq, Lk]: zero for masked keys, also if a whole row is masked.
NodePtr weights_of(const Operands& o, const NodePtr& q, const NodePtr& k) {
  const AttentionCall& c = o.call;
  NodePtr s = matmul(in_groups(c, q), transposed(for_groups(k))) * c.scale;
  if (c.softcap > 0) s = elementwise(Op::kTanh, {s * (1 / c.softcap)}) * c.softcap;
  if (o.mask != nullptr) {
    const Shape& m = o.mask->shape();
    const std::int64_t groups = m[1] == 1 ? 1 : c.hkv;
    s = s + reshape(o.mask, {m[0], groups, m[1] / groups, m[2], m[3]});
  }
  if (c.causal || c.window > 0 || o.lengths != nullptr) {
    const auto& device = s->device();
    const NodePtr key = arange(0, static_cast<double>(c.lk), 1, DType::kI32, device);
    NodePtr keys = scalar({c.lk}, DType::kI32);  // of each sequence
    if (o.lengths != nullptr) {
      keys = reshape(elementwise(Op::kMinimum, {o.lengths, keys}), {c.batch, 1, 1, 1, 1});
    }
    const NodePtr at = reshape(arange(0, static_cast<double>(c.lq), 1, DType::kI32, device), {c.lq, 1}) +
                       (keys - scalar({c.lq}, DType::kI32));
    NodePtr seen = o.lengths != nullptr ? op(Op::kLess, key, keys) : nullptr;
    const auto also = [&](const NodePtr& x) { seen = seen == nullptr ? x : op(Op::kLogicalAnd, seen, x); };
    if (c.causal) also(op(Op::kLessEqual, key, at));
    if (c.window > 0) also(op(Op::kGreater, key, at - scalar({c.window}, DType::kI32)));
    s = elementwise(Op::kWhere, {seen, s, scalar({-kInfinity}, s->dtype())});
  }
  const std::vector<int> last{-1};
  NodePtr top = reduce(Op::kMax, "attention", s, last, true);
  const NodePtr sink = o.sinks != nullptr ? reshape(o.sinks, {c.hkv, c.hq / c.hkv, 1, 1}) : nullptr;
  if (sink != nullptr) top = op(Op::kMaximum, top, sink);
  const NodePtr shift = stop_gradient(elementwise(
      Op::kWhere, {op(Op::kEqual, top, scalar({-kInfinity}, top->dtype())), scalar({0.0}, top->dtype()), top}));
  const NodePtr e = elementwise(Op::kExp, {s - shift});
  NodePtr total = sum(e, last, true);
  if (sink != nullptr) total = total + elementwise(Op::kExp, {sink - shift});
  return e / elementwise(Op::kWhere,
                         {op(Op::kEqual, total, scalar({0.0}, total->dtype())), scalar({1.0}, total->dtype()), total});
}

/// Keys or values [B, Hkv, Lk, D] with zeros past each sequence's length: their weights are 0, but what is there may be
/// anything.
NodePtr valid(const Operands& o, const NodePtr& x) {
  if (o.lengths == nullptr) return x;
  const NodePtr key = reshape(arange(0, static_cast<double>(o.call.lk), 1, DType::kI32, x->device()), {o.call.lk, 1});
  const NodePtr inside = op(Op::kLess, key, reshape(o.lengths, {o.call.batch, 1, 1, 1}));
  return elementwise(Op::kWhere, {inside, x, scalar({0.0}, x->dtype())});
}

NodePtr composed(const Operands& o) {
  const AutocastScope in_f32(std::nullopt);
  const DType t = wide_float(o.dtype);
  const auto rows = [&](const NodePtr& x, const NodePtr& scales) {
    const NodePtr all = scales == nullptr ? cast(x, t) : attention_dequantized(x, scales, t);
    return valid(o, o.block_table != nullptr ? out_of_pages(all, o.block_table) : all);
  };
  const NodePtr k = rows(o.k, o.k_scales);
  const NodePtr v = rows(o.v, o.v_scales);
  return cast(ungrouped(o.call, matmul(weights_of(o, cast(o.q, t), k), for_groups(v))), o.dtype);
}

/// Whether gradients are wanted that only the composition gives: of the mask, of the sinks, and through soft-capping.
bool only_composed_gradients(const Operands& o) {
  const auto tracked = [](const NodePtr& x) { return x != nullptr && x->tracked(); };
  return gradients_enabled() && (tracked(o.mask) || tracked(o.sinks) ||
                                 (o.call.softcap > 0 && (tracked(o.q) || tracked(o.k) || tracked(o.v))));
}

/// Pages and keys in 8 bits have no gradient.
bool has_gradient(const Operands& o) { return o.block_table == nullptr && o.call.scaled == 0; }
NodePtr without_gradient(const Operands& o, const NodePtr& result) {
  return with_gradient(fmt::format("scaled_dot_product_attention with {}",
                                   o.block_table != nullptr ? "a block table" : "keys and values in 8 bits"),
                       {o.q, o.k, o.v}, result, nullptr);
}

NodePtr as_given(const Operands& o, const NodePtr& result) {
  return o.rank == 3 ? reshape(result, {o.call.hq, o.call.lq, result->shape().back()}) : result;
}

/// The gradients with respect to q, k, v and the output's gradient g, given gradients a, b, c of the gradients of q, k,
/// v: by the chain rule over P = softmax(S), dS = P (g v^T - rowsum(P g v^T)), dq = dS k, dk = dS^T q, dv = P^T g.
std::vector<NodePtr> second_gradient(const Operands& o, std::span<const NodePtr> in, std::span<const NodePtr> given) {
  const AttentionCall& c = o.call;
  const DType t = wide_float(o.dtype);
  const NodePtr q = in_groups(c, cast(in[0], t));
  const NodePtr keys = valid(o, cast(in[1], t));
  const NodePtr k = for_groups(keys);
  const NodePtr v = for_groups(valid(o, cast(in[2], t)));
  const NodePtr g = in_groups(c, cast(in[3], t));
  const auto zero = [&](const NodePtr& like) { return full(like->shape(), scalar({0.0}, t), like->device()); };
  const NodePtr a = given[0] == nullptr ? zero(q) : in_groups(c, cast(given[0], t));
  const NodePtr b = given[1] == nullptr ? zero(k) : for_groups(cast(given[1], t));
  const NodePtr e = given[2] == nullptr ? zero(v) : for_groups(cast(given[2], t));
  const std::vector<int> last{-1};
  const auto row_sum = [&](const NodePtr& x) { return sum(x, last, true); };

  const NodePtr p = weights_of(o, cast(in[0], t), keys);
  const NodePtr dp = matmul(g, transposed(v));
  const NodePtr delta = row_sum(dp * p);
  const NodePtr ds = p * (dp - delta) * c.scale;
  const NodePtr of_ds = (matmul(a, transposed(k)) + matmul(q, transposed(b))) * c.scale;
  const NodePtr of_delta = row_sum(of_ds * p);  // with the opposite sign
  const NodePtr of_dp = p * (of_ds - of_delta);
  const NodePtr of_p = matmul(g, transposed(e)) + of_ds * (dp - delta) - of_delta * dp;
  const NodePtr of_s = p * (of_p - row_sum(of_p * p)) * c.scale;

  const NodePtr of_q = matmul(ds, b) + matmul(of_s, k);
  const NodePtr of_k = over_groups(matmul(transposed(ds), a) + matmul(transposed(of_s), q));
  const NodePtr of_v = over_groups(matmul(transposed(of_dp), g));
  const NodePtr of_g = matmul(p, e) + matmul(of_dp, v);
  return {cast(ungrouped(c, of_q), in[0]->dtype()), cast(of_k, in[1]->dtype()), cast(of_v, in[2]->dtype()),
          cast(ungrouped(c, of_g), in[3]->dtype())};
}

}  // namespace

NodePtr attention_dequantized(const NodePtr& x, const NodePtr& scales, DType dtype) {
  const Shape& s = x->shape();
  const std::int64_t n = scales->shape().back();
  const NodePtr all = reshape(cast(x, DType::kF32), {s[0], s[1], s[2], n, s[3] / n}) * expand_dims(scales, -1);
  return cast(reshape(all, s), dtype);
}

NodePtr attention_composed(const NodePtr& q, const NodePtr& k, const NodePtr& v, const AttentionSpec& spec) {
  const Operands o = check(q, k, v, spec);
  return as_given(o, composed(o));
}

NodePtr attention(const NodePtr& q, const NodePtr& k, const NodePtr& v, const AttentionSpec& spec) {
  const Operands o = check(q, k, v, spec);
  const DType t = wide_float(o.dtype);
  if (o.q->numel() == 0 || o.call.lk == 0 || o.k->numel() == 0) {
    return as_given(o, full(o.q->shape(), scalar({0.0}, o.dtype),
                            common_device("scaled_dot_product_attention", std::vector{o.q, o.k, o.v})));
  }
  // Past the largest head a row does not fit the registers, and kernels count elements in 32 bits.
  if (o.call.d > kLargestHead || std::max(o.q->numel(), o.k->numel()) > INT32_MAX || only_composed_gradients(o)) {
    return as_given(o, has_gradient(o) ? composed(o) : without_gradient(o, composed(o)));
  }
  std::vector<NodePtr> others;
  for (const NodePtr& x : {o.mask, o.lengths, o.sinks, o.k_scales, o.v_scales, o.block_table}) {
    if (x != nullptr) others.push_back(x);
  }
  const auto with_rest = [others](std::vector<NodePtr> inputs) {
    inputs.insert(inputs.end(), others.begin(), others.end());
    return inputs;
  };
  const Attributes attributes = to_attributes<AttentionAttributes>(o.call);
  const std::vector<NodePtr> results = call("attention", attributes, with_rest({o.q, o.k, o.v}),
                                            {{o.dtype, o.q->shape()}, {t, Shape{o.call.batch, o.call.hq, o.call.lq}}});
  if (!has_gradient(o)) return as_given(o, without_gradient(o, results[0]));
  Operands rest = o;  // without the operands, which are arguments of the rule
  rest.q = rest.k = rest.v = nullptr;
  const NodePtr result = with_gradient(
      "scaled_dot_product_attention", {o.q, o.k, o.v}, results[0],
      [rest, attributes, with_rest, logs = results[1]](const Gradient::Call& c) -> std::vector<NodePtr> {
        if (c.gradients[0] == nullptr) return {nullptr, nullptr, nullptr};
        const auto& in = c.inputs;
        const NodePtr& gradient = c.gradients[0];
        const std::vector<NodePtr> made =
            call("attention_backward", attributes, with_rest({in[0], in[1], in[2], gradient, c.outputs[0], logs}),
                 {{rest.dtype, in[0]->shape()}, {rest.dtype, in[1]->shape()}, {rest.dtype, in[2]->shape()}});
        return with_gradient(
            "the gradient of scaled_dot_product_attention", {in[0], in[1], in[2], gradient}, made,
            [rest](const Gradient::Call& again) { return second_gradient(rest, again.inputs, again.gradients); });
      });
  return as_given(o, result);
}

NodePtr rope(const NodePtr& x, const NodePtr& positions, double base, double scaling, bool interleaved) {
  const Shape& s = x->shape();
  if (s.rank() < 2 || s.back() % 2 != 0) {
    fail(ErrorKind::kShape, "rope: x must be [.., length, size] with an even size; it is {}.", s.str());
  }
  if (!(base > 0) || !std::isfinite(base)) fail(ErrorKind::kValue, "rope: the base is {}; it must be positive.", base);
  if (!(scaling > 0) || !std::isfinite(scaling)) {
    fail(ErrorKind::kValue, "rope: the scaling is {}; it must be positive.", scaling);
  }
  const DType dtype = is_float(x->dtype()) ? x->dtype() : DType::kF32;
  const DType t = wide_float(dtype);
  const std::int64_t half = s.back() / 2;
  Shape rows = s;
  rows[s.rank() - 1] = 1;
  const Shape& sp = positions->shape();
  bool fits = sp.rank() < s.rank();
  for (int i = 1; fits && i <= sp.rank(); ++i) {
    fits = sp[sp.rank() - i] == 1 || sp[sp.rank() - i] == s[s.rank() - 1 - i];
  }
  if (!fits) {
    fail(ErrorKind::kShape, "rope: positions of shape {} do not broadcast to the rows of x, which is {}.", sp.str(),
         s.str());
  }
  const auto& device = x->device();
  NodePtr at = cast(positions, t);
  std::vector<std::int64_t> sizes(s.begin(), s.end() - 1);
  if (s.rank() == kMaxRank) {  // the first two axes make room for another
    at = broadcast_to(at, Shape(sizes));
    sizes.erase(sizes.begin());
    sizes[0] = s[0] * s[1];
    at = reshape(at, Shape(sizes));
  }
  // A pair (a, b) becomes (a c - b s, b c + a s): on an axis of the pairs, x cos(angle) + (x with its pairs swapped)
  // sin(angle), where the angle of a is negative. Swapping the pairs is a view, so all of it is one map.
  const int pairs = interleaved ? -1 : -2;
  const Shape row = interleaved ? Shape{half, 2} : Shape{2, half};
  sizes.insert(sizes.end(), row.begin(), row.end());
  const NodePtr y = reshape(cast(x, t), Shape(sizes));
  const NodePtr i = broadcast_to(expand_dims(arange(0, static_cast<double>(half), 1, t, device), pairs), row);
  const NodePtr sign = reshape(arange(-1, 3, 2, t, device), interleaved ? Shape{1, 2} : Shape{2, 1});
  const NodePtr turns =
      elementwise(Op::kExp, {i * (-2.0 * std::log(base) / static_cast<double>(s.back()))}) / scaling * sign;
  const NodePtr angle = expand_dims(expand_dims(at, -1), -1) * turns;  // [.., L, 2, D / 2]
  const NodePtr swapped = flip(y, std::vector<int>{pairs});
  const NodePtr result = y * elementwise(Op::kCos, {angle}) + swapped * elementwise(Op::kSin, {angle});
  return cast(reshape(result, s), dtype);
}

NodePtr alibi(std::int64_t heads, std::int64_t lq, std::int64_t lk, DType dtype,
              const std::shared_ptr<runtime::Device>& device) {
  if (heads < 1 || lq < 0 || lk < 0) {
    fail(ErrorKind::kValue, "alibi: {} heads, {} queries and {} keys were given; at least 1, 0 and 0 are expected.",
         heads, lq, lk);
  }
  if (!is_float(dtype)) fail(ErrorKind::kDType, "alibi: the type is {}; a float is expected.", name(dtype));
  static_cast<void>(checked_numel("alibi", {heads, lq, lk}, dtype));
  const DType t = wide_float(dtype);
  // Slopes 2^(-8 i / n) for the largest power of two n; further heads use every other slope of 2 n.
  std::int64_t n = 1;
  while (2 * n <= heads) n *= 2;
  const NodePtr i = arange(0, static_cast<double>(heads), 1, t, device);
  const auto size = static_cast<double>(n);
  const NodePtr exponent = elementwise(
      Op::kWhere, {op(Op::kLess, i, number(size)), (i + 1.0) * (-8 / size), ((i - size) * 2.0 + 1.0) * (-4 / size)});
  const NodePtr slopes = elementwise(Op::kPower, {scalar({2.0}, t), exponent});
  const NodePtr query =
      reshape(arange(0, static_cast<double>(lq), 1, t, device) + static_cast<double>(lk - lq), {lq, 1});
  const NodePtr key = arange(0, static_cast<double>(lk), 1, t, device);
  return cast(reshape(slopes, {heads, 1, 1}) * (key - query), dtype);
}

}  // namespace tessera::ops
