// Lowering of attention: flash attention on tensor cores or without, split-KV for few queries, and the backward pass.
#include "schedule/calls/attention.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/compute.h"
#include "base/ints.h"
#include "graph/op.h"
#include "ops/attention/attention.h"
#include "ops/attention/attention_host.h"
#include "schedule/calls/calls.h"
#include "schedule/calls/kernels.h"

namespace tessera::schedule {

std::uint64_t AttentionTile::memory() const {
  const std::uint64_t wide = 2 * cols() * (d / 4 + 2) * 8;              // keys and values
  const std::uint64_t square = rows() * (cols() / 4 + 2) * (16U + 8U);  // scores and weights
  return wide + square + rows() * 4U + 16U;
}

bool AttentionTile::serves() const {
  return unit != 0 && d % (kParts * unit) == 0 && d % cols() == 0 && d <= 128 && threads() % rows() == 0 &&
         cols() / 4 % (threads() / rows()) == 0 && cols() * d / 4 % threads() == 0;
}

std::uint64_t AttentionBackwardTile::memory() const {
  const std::uint64_t tiles = 2 * cols() * (d / 4 + 2) * 8;
  const std::uint64_t square = rows() * (unit / 4 + 2) * (16U + 8U);  // in f32 and in f16
  return tiles + square + 2 * cols() * 4U;
}

bool AttentionBackwardTile::serves() const {
  return unit != 0 && d % unit == 0 && d <= 128 && cols() <= threads() && cols() * d / 4 % threads() == 0 &&
         unit * unit / 4 % lanes == 0;
}

int AttentionVariant::rows() const {
  if (backward() && on_tensor_cores()) return static_cast<int>(backward_tile().rows());
  if (kind == Kind::kMatrix) return static_cast<int>(tile().rows());
  return big ? 64 : 32;
}

int AttentionVariant::value_rows() const {
  int n = 16;
  while (n * quads > chunk()) n /= 2;
  return n;
}

std::uint64_t AttentionVariant::memory() const {
  if (kind == Kind::kMatrix) return tile().memory();
  if (backward() && on_tensor_cores()) return backward_tile().memory();
  if (kind == Kind::kSplitKv) {
    const int in_quads = shared_quads() + queries * keys / 4 + together() * 128;
    return std::uint64_t{16} * static_cast<std::uint64_t>(in_quads);
  }
  return std::uint64_t{16} * static_cast<std::uint64_t>(chunk() + 4 * kColumnLanes * (rows() / 4 + 1));
}

namespace {

using Kind = AttentionVariant::Kind;
using ops::AttentionParams;

/// Keys of one split, at least and at most, and up to which keys are not split.
constexpr std::int64_t kFewestKeys = 32;
constexpr std::int64_t kMostKeys = 128;
constexpr std::int64_t kUnsplitKeys = 256;

/// With fewer rows most of a tile on tensor cores is empty.
constexpr std::int64_t kFewRows = 16;

/// The sizes and attributes of a call; heads are padded to whole quads.
struct Problem {
  std::int64_t batch, hq, hkv, lq, lk, d;
  ops::AttentionAttributes how;
  const CallToLower& x;
  NodePtr mask, lengths, sinks, k_scales, v_scales, block_table;

  /// `rest`: the position of the mask, if any, and then of the lengths, the sinks, the scales and the block table, if
  /// any.
  Problem(const CallToLower& call, std::size_t rest) : how(call.attributes<ops::AttentionAttributes>()), x(call) {
    if (how.masked) mask = call.inputs[rest++];
    if (how.lengths) lengths = call.inputs[rest++];
    if (how.sinks) sinks = call.inputs[rest++];
    if (how.scaled > 0) {
      k_scales = call.inputs[rest++];
      v_scales = call.inputs[rest++];
    }
    if (how.paged) block_table = call.inputs[rest++];
    const Shape& q = call.inputs[0]->shape();
    const Shape& k = call.inputs[1]->shape();
    batch = q[0];
    hq = q[1];
    hkv = k[1];
    lq = q[2];
    lk = block_table != nullptr ? k[2] * block_table->shape()[1] : k[2];
    d = round_up(q[3], std::int64_t{4});
  }

  /// Keys of one split: many, but so few that the splits fill the device.
  [[nodiscard]] std::int64_t keys_per_split() const {
    std::int64_t keys = kMostKeys;
    while (keys > kFewestKeys && batch * hkv * ceil_div(lk, keys) < x.model.workgroups) keys /= 2;
    return keys;
  }
  /// Invocations that share a key, so that neighbors read neighboring memory; their sums meet in a subgroup.
  [[nodiscard]] int key_lanes(int queries) const {
    const int most = static_cast<int>(x.device.features.subgroups ? std::min(x.device.limits.subgroup_min, 16U) : 1U);
    constexpr int kQuads = 16;  // of queries in registers
    int lanes = 1;
    while (2 * lanes <= most && d / 4 % (2 * lanes) == 0 && (lanes < 4 || queries * d / 4 / lanes > kQuads)) lanes *= 2;
    return lanes;
  }
  [[nodiscard]] std::uint64_t workgroup_memory() const {
    return how.workgroup_memory != 0 ? how.workgroup_memory : x.device.limits.max_workgroup_memory;
  }
  [[nodiscard]] std::size_t most_bindings() const {
    return how.workgroup_memory != 0 ? 8U : x.device.limits.max_storage_buffers;
  }
};

/// How the rows of the results lie in memory: [B, H, L], or [B, L, H], which is the order of models around attention,
/// so that the heads of a row form a row of the projection behind it, and gradients one of the projection in front.
struct RowOrder {
  bool by_head = true;

  explicit RowOrder(const CallToLower& x) : by_head(x.layout.in_order) {}
  /// The shape in memory.
  [[nodiscard]] Shape shape(std::int64_t batch, std::int64_t heads, std::int64_t rows,
                            std::initializer_list<std::int64_t> inner) const {
    std::vector<std::int64_t> sizes{batch, by_head ? heads : rows, by_head ? rows : heads};
    sizes.insert(sizes.end(), inner);
    return Shape(sizes);
  }
  /// Memory as [B, H, L, ..].
  [[nodiscard]] NodePtr heads_first(const NodePtr& x) const { return by_head ? x : ops::swap_axes(x, 1, 2); }
  /// The strides of results with so many rows for each query or key.
  void put(AttentionParams& words, std::int64_t heads, std::int64_t rows, std::int64_t each) const {
    words.output_b = static_cast<std::uint32_t>(heads * rows * each);
    words.output_h = static_cast<std::uint32_t>(by_head ? rows * each : each);
    words.output_l = static_cast<std::uint32_t>(by_head ? each : heads * each);
  }
};

/// Rows with zeros up to whole quads.
NodePtr in_quads(const NodePtr& x) {
  const std::int64_t d = x->shape().back();
  if (d % 4 == 0) return x;
  const std::vector<std::pair<std::int64_t, std::int64_t>> widths{{0, 0}, {0, 0}, {0, 0}, {0, 4 - d % 4}};
  return ops::pad(x, widths, ops::scalar({0.0}, x->dtype()));
}

NodePtr without_padding(const NodePtr& x, std::int64_t d) {
  const Shape& s = x->shape();
  if (s.back() == d) return x;
  const std::vector<ops::Range> ranges{{0, s[0]}, {0, s[1]}, {0, s[2]}, {0, d}};
  return ops::slice(x, ranges);
}

std::vector<KernelBinding> inputs_of(const AttentionVariant& v) {
  std::vector<KernelBinding> inputs{{"q", 4}, {"k", 4}, {"v", 4}};
  if (v.backward()) inputs.emplace_back("gradient", 4);
  for (KernelBinding& b : inputs) {
    b.pinned = v.on_tensor_cores();  // they are read long before they are used
    b.convert = !v.on_tensor_cores();
    b.strided = true;
    if (v.scaled == 0 || (b.name != "k" && b.name != "v")) continue;
    b = KernelBinding(b.name);  // words of four elements
  }
  if (v.backward()) {
    if (v.stacked) {
      inputs.emplace_back("stats", 2);
    } else {
      inputs.insert(inputs.end(), {"row_logs", "row_deltas"});
    }
  }
  if (v.masked) inputs.emplace_back("mask");
  if (v.lengths) inputs.emplace_back("lengths");
  if (v.sinks) inputs.emplace_back("sinks");
  if (v.scaled != 0) inputs.insert(inputs.end(), {"k_scales", "v_scales"});
  if (v.page != 0) inputs.emplace_back("block_table");
  return inputs;
}

std::vector<KernelBinding> outputs_of(const AttentionVariant& v) {
  const Kind kind = v.kind;
  std::vector<KernelBinding> outputs{{"output", 4}};
  outputs[0].convert = !v.on_tensor_cores() && kind != Kind::kSplitKv;
  if (kind == Kind::kBackwardKv) outputs.emplace_back("output_v", 4).convert = !v.on_tensor_cores();
  if (kind == Kind::kSplitKv) outputs.emplace_back("stats", 2);
  if (kind == Kind::kForward || kind == Kind::kMatrix || kind == Kind::kCombine) outputs.emplace_back("logsum");
  return outputs;
}

/// The members of AttentionParams.
std::vector<CustomParam> params_of(const AttentionVariant& v) {
  std::vector<CustomParam> params = u32_params({"lq", "lk", "hq", "hkv", "group", "heads", "tiles", "wrap"});
  for (const char* name : {"offset", "left", "right"}) params.push_back({name, DType::kI32});
  for (const char* name : {"scale", "factor"}) params.push_back({name, DType::kF32});
  for (const char* name : {"mask_b", "mask_h", "mask_q", "mask_k", "keys", "has_mask", "batch", "d", "output_b",
                           "output_h", "output_l", "pages", "pool", "exact_low", "exact_high"}) {
    params.push_back({name, DType::kU32});
  }
  if (v.softcap) {
    for (const char* name : {"softcap_low", "softcap_high"}) params.push_back({name, DType::kU32});
  }
  return params;
}

std::shared_ptr<const CustomKernel> kernel_of(const AttentionVariant& v) {
  const Attributes words = to_attributes(v);
  return engine_kernel(fmt::format("attention {}", fmt::join(words, " ")), [&] {
    CustomKernel k;
    const bool forward = v.kind == Kind::kForward || v.kind == Kind::kMatrix;
    k.name = forward                      ? "attention"
             : v.kind == Kind::kSplitKv   ? "attention_split_kv"
             : v.kind == Kind::kBackwardQ ? "attention_backward_q"
                                          : "attention_backward_kv";
    k.text = "attention";
    k.variant = words;
    k.inputs = inputs_of(v);
    k.outputs = outputs_of(v);
    k.params = params_of(v);
    k.workgroup = {AttentionVariant::kColumnLanes, static_cast<std::uint32_t>(v.row_lanes()), 1};
    if (v.kind == Kind::kSplitKv) k.workgroup = {128, 1, 1};
    if (v.kind == Kind::kMatrix) k.workgroup = {v.tile().threads(), 1, 1};
    if (v.backward() && v.on_tensor_cores()) k.workgroup = {v.backward_tile().threads(), 1, 1};
    k.zero_fill = !v.on_tensor_cores() && v.kind != Kind::kSplitKv;
    k.workgroup_bytes = v.memory();
    k.host = v.kind == Kind::kSplitKv     ? ops::attention_split_kv_host
             : forward                    ? ops::attention_forward_host
             : v.kind == Kind::kBackwardQ ? ops::attention_backward_q_host
                                          : ops::attention_backward_kv_host;
    return k;
  });
}

/// The words that all kernels share.
AttentionParams shared_params(const Problem& p) {
  AttentionParams words{};
  words.lq = word(p.lq);
  words.lk = word(p.lk);
  words.hq = word(p.hq);
  words.hkv = word(p.hkv);
  words.group = word(p.hq / p.hkv);
  words.offset = static_cast<std::int32_t>(p.lk - p.lq);
  constexpr std::int32_t kFar = 1 << 30;
  words.left = p.how.window > 0 ? static_cast<std::int32_t>(std::min<std::int64_t>(p.how.window - 1, kFar)) : kFar;
  words.right = p.how.causal ? 0 : kFar;
  words.scale = static_cast<float>(p.how.scale * 1.4426950408889634);
  words.factor = static_cast<float>(p.how.scale);
  words.exact_scale = p.how.scale;
  if (p.how.softcap > 0) {
    words.scale = static_cast<float>(p.how.softcap * 1.4426950408889634);
    words.factor = static_cast<float>(p.how.scale / p.how.softcap);
  }
  words.batch = static_cast<std::uint32_t>(p.batch);
  words.d = static_cast<std::uint32_t>(p.d);
  if (p.block_table != nullptr) {
    words.pages = static_cast<std::uint32_t>(p.block_table->shape()[1]);
    words.pool = static_cast<std::uint32_t>(p.x.inputs[1]->shape()[0]);
  }
  words.keys = word(p.keys_per_split());
  if (p.mask != nullptr) {
    // Axes of size 1 are broadcast.
    const Shape& s = p.mask->shape();
    std::uint32_t stride = 1;
    const auto take = [&](int axis) {
      const std::uint32_t own = s[axis] == 1 ? 0 : stride;
      stride *= static_cast<std::uint32_t>(s[axis]);
      return own;
    };
    words.mask_k = take(3);
    words.mask_q = take(2);
    words.mask_h = take(1);
    words.mask_b = take(0);
  }
  return words;
}

std::vector<NodePtr> run(AttentionVariant v, const Problem& p, std::vector<NodePtr> inputs,
                         std::vector<TensorSpec> outputs) {
  constexpr std::uint32_t kMaxGroups = 65535;
  v.masked = p.mask != nullptr;
  v.lengths = p.lengths != nullptr;
  v.softcap = p.how.softcap > 0;
  v.scaled = p.k_scales != nullptr ? static_cast<int>(p.how.scaled / 4) : 0;
  v.sinks = p.sinks != nullptr && (v.kind == Kind::kForward || v.kind == Kind::kMatrix);
  v.page = p.block_table != nullptr ? static_cast<int>(p.x.inputs[1]->shape()[2]) : 0;
  v.quads = static_cast<int>(p.d / 4);
  v.big = true;
  v.big = v.memory() <= p.workgroup_memory();
  AttentionParams words = shared_params(p);
  const RowOrder order(p.x);
  CustomCall call;
  if (v.kind == Kind::kSplitKv) {
    const std::int64_t rows = p.hq / p.hkv * p.lq;
    const int most = v.quads <= 32 ? 8 : 4;
    v.keys = static_cast<int>(p.keys_per_split());
    for (v.queries = 1; v.queries < std::min<std::int64_t>(rows, most);) v.queries *= 2;
    v.key_lanes = p.key_lanes(v.queries);
    words.heads = word(p.batch * p.hq);
    words.wrap = std::min(words.heads, kMaxGroups);
    words.tiles = static_cast<std::uint32_t>(ceil_div(p.lk, p.keys_per_split()));
    order.put(words, p.hq, p.lq, words.tiles);
    call.grid = {words.tiles, word(p.batch * p.hkv),
                 ceil_div(static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(v.queries))};
  } else {
    const bool over_keys = v.kind == Kind::kBackwardKv;
    words.heads = static_cast<std::uint32_t>(p.batch * (over_keys ? p.hkv : p.hq));
    words.wrap = std::min(words.heads, kMaxGroups);
    words.tiles = static_cast<std::uint32_t>(ceil_div(over_keys ? p.lk : p.lq, v.rows()));
    order.put(words, over_keys ? p.hkv : p.hq, over_keys ? p.lk : p.lq, 1);
    call.grid = {words.tiles, words.wrap, ceil_div(words.heads, words.wrap)};
  }
  if (p.mask != nullptr) inputs.push_back(p.mask);
  if (p.lengths != nullptr) inputs.push_back(p.lengths);
  if (v.sinks) inputs.push_back(p.sinks);
  if (v.scaled != 0) inputs.insert(inputs.end(), {p.k_scales, p.v_scales});
  if (p.block_table != nullptr) inputs.push_back(p.block_table);
  words.has_mask = (v.masked ? AttentionParams::kMask : 0U) | (v.softcap ? AttentionParams::kSoftcap : 0U);
  call.kernel = kernel_of(v);
  call.outputs = std::move(outputs);
  call.params.resize((sizeof(words) + (v.softcap ? sizeof(ops::AttentionSoftcap) : 0)) / 4);
  std::memcpy(call.params.data(), &words, sizeof(words));
  if (v.softcap) std::memcpy(call.params.data() + sizeof(words) / 4, &p.how.softcap, sizeof(ops::AttentionSoftcap));
  return ops::custom(std::move(call), std::move(inputs));
}

/// The second stage of split-KV: the splits of each row of `shape`, and their statistics, to the result.
std::vector<NodePtr> combine(const Problem& p, std::vector<NodePtr> splits, DType dtype, const Shape& rows) {
  AttentionVariant v{.kind = Kind::kCombine};
  v.quads = static_cast<int>(p.d / 4);
  v.sinks = p.sinks != nullptr;
  const DType t = splits[0]->dtype();
  const auto kernel = engine_kernel(fmt::format("attention combine {} {}", v.quads, v.sinks), [&] {
    CustomKernel k;
    k.name = "attention_combine";
    k.text = "attention";
    k.variant = to_attributes(v);
    k.inputs = {{"parts", 4}, {"stats", 2}};
    k.outputs = outputs_of(v);
    k.params = u32_params({"rows", "splits"});
    if (v.sinks) {
      k.inputs.emplace_back("sinks");
      k.params = u32_params({"rows", "splits", "head_rows", "heads"});
    }
    k.workgroup = {128, 1, 1};
    k.workgroup_bytes = std::uint64_t{128} * (16 + 4 + 4);
    k.host = ops::attention_combine_host;
    return k;
  });
  const auto count = static_cast<std::uint32_t>(rows.numel());
  std::vector<std::int64_t> output(rows.begin(), rows.end());
  output.push_back(p.d);
  const auto each = static_cast<std::uint32_t>(splits[1]->numel() / 2 / rows.numel());
  std::vector<std::uint32_t> params{count, each};
  if (v.sinks) {
    params.insert(params.end(), {RowOrder(p.x).by_head ? word(p.lq) : 1U, word(p.hq)});
    splits.push_back(p.sinks);
  }
  return call_kernel(kernel, std::move(splits), {{dtype, Shape(output)}, {t, rows}}, std::move(params), count);
}

/// Few queries: the keys of each split give the sum of weighted values, the largest score and the sum of the weights,
/// in powers of two; those are combined.
std::vector<NodePtr> split_kv(const Problem& p, std::vector<NodePtr> operands) {
  const DType dtype = operands[0]->dtype();
  const DType t = wide_float(dtype);
  const std::int64_t count = ceil_div(p.lk, p.keys_per_split());
  const RowOrder order(p.x);
  const Shape stats = order.shape(p.batch, p.hq, p.lq, {count, 2});
  const std::vector<NodePtr> made = run({.kind = Kind::kSplitKv}, p, std::move(operands),
                                        {{t, order.shape(p.batch, p.hq, p.lq, {count, p.d})}, {t, stats}});
  const std::vector<NodePtr> results = combine(p, made, dtype, order.shape(p.batch, p.hq, p.lq, {}));
  return {results[0], order.heads_first(results[1])};
}

/// The kernel on tensor cores, where the device has them and a tile fits.
bool on_tensor_cores(const Problem& p, DType dtype, AttentionVariant& v) {
  const AttentionTile tile{word(p.d), p.x.model.matrix_size, p.x.device.limits.subgroup_min};
  if (dtype != DType::kF16 || p.lq < kFewRows || tile.unit == 0 ||
      tile.threads() > p.x.device.limits.max_workgroup_size || !tile.serves() || tile.memory() > p.workgroup_memory()) {
    return false;
  }
  v = {.kind = Kind::kMatrix, .unit = tile.unit, .lanes = tile.lanes};
  return true;
}

/// The same for one of the kernels of the backward pass, where the gradient is f16 too.
AttentionVariant backward_variant(const Problem& p, AttentionVariant v) {
  AttentionVariant matrix = v;
  matrix.quads = static_cast<int>(p.d / 4);
  matrix.unit = p.x.model.matrix_size;
  matrix.lanes = p.x.device.limits.subgroup_min;
  const AttentionBackwardTile tile = matrix.backward_tile();
  const bool halves = p.x.inputs[0]->dtype() == DType::kF16 && p.x.inputs[3]->dtype() == DType::kF16;
  const bool fits = halves && std::max(p.lq, p.lk) >= kFewRows && tile.serves() &&
                    tile.threads() <= p.x.device.limits.max_workgroup_size && tile.memory() <= p.workgroup_memory();
  return fits ? matrix : v;
}

/// The output [B, Hq, Lq, D] and the logarithms of rows with sinks, where there are not enough bindings for them.
std::vector<NodePtr> with_sinks(const Problem& p, const NodePtr& output, const NodePtr& logs) {
  const auto exp2 = [](const NodePtr& x) { return ops::elementwise(Op::kExp, {x * 0.6931471805599453}); };
  const NodePtr sink = ops::reshape(p.sinks, {p.hq, 1}) * 1.4426950408889634;
  const NodePtr top = ops::elementwise(Op::kMaximum, {logs, sink});
  const NodePtr own = exp2(logs - top);
  const NodePtr total = own + exp2(sink - top);
  return {ops::cast(output * ops::expand_dims(own / total, -1), output->dtype()),
          top + ops::elementwise(Op::kLog2, {total})};
}

std::vector<NodePtr> lower_attention(const CallToLower& x) {
  constexpr std::int64_t kFewQueries = 8;
  Problem p(x, 3);
  const RowOrder order(x);
  const DType dtype = x.inputs[0]->dtype();
  const DType t = wide_float(dtype);
  std::vector<NodePtr> operands{in_quads(x.inputs[0]), in_quads(x.inputs[1]), in_quads(x.inputs[2])};
  // q, k, v, two results and the other inputs.
  std::size_t bindings = x.inputs.size() + 2;
  if (p.k_scales != nullptr && bindings > p.most_bindings()) {
    operands[1] = ops::attention_dequantized(operands[1], std::exchange(p.k_scales, nullptr), dtype);
    operands[2] = ops::attention_dequantized(operands[2], std::exchange(p.v_scales, nullptr), dtype);
    bindings -= 2;
  }
  const bool wanted = p.how.split == ops::SplitKv::kAuto ? x.model.gpu : p.how.split == ops::SplitKv::kAlways;
  std::vector<NodePtr> results;
  if (wanted && p.lq <= kFewQueries && p.lk > kUnsplitKeys && p.batch * p.hkv <= 65535) {
    results = split_kv(p, operands);
  } else {
    AttentionVariant v;
    static_cast<void>(on_tensor_cores(p, dtype, v));
    const NodePtr sinks = bindings > p.most_bindings() ? std::exchange(p.sinks, nullptr) : nullptr;
    results = run(v, p, operands, {{dtype, order.shape(p.batch, p.hq, p.lq, {p.d})}, {t, Shape{p.batch, p.hq, p.lq}}});
    if (sinks != nullptr) {
      p.sinks = sinks;
      results = with_sinks(p, order.heads_first(without_padding(results[0], x.inputs[0]->shape().back())), results[1]);
      return results;
    }
  }
  return {order.heads_first(without_padding(results[0], x.inputs[0]->shape().back())), results[1]};
}

/// The inputs are q, k, v, the gradient, the output, each row's logarithm, and the mask.
std::vector<NodePtr> lower_attention_backward(const CallToLower& x) {
  const Problem p(x, 6);
  const RowOrder order(x);
  const DType dtype = x.inputs[0]->dtype();
  const DType t = wide_float(dtype);
  const std::int64_t d = x.inputs[0]->shape().back();
  const NodePtr& gradient = x.inputs[3];
  const NodePtr delta = ops::sum(ops::cast(gradient, t) * x.inputs[4], std::vector<int>{-1}, false);
  // q, k, v, the gradient, logarithms and deltas, and two results.
  const std::size_t bindings = 8U + (p.mask != nullptr ? 1U : 0U) + (p.lengths != nullptr ? 1U : 0U);
  const bool stacked = bindings > p.most_bindings();
  std::vector<NodePtr> operands{in_quads(x.inputs[0]), in_quads(x.inputs[1]), in_quads(x.inputs[2]),
                                in_quads(gradient)};
  if (stacked) {
    operands.push_back(ops::stack(std::vector{x.inputs[5], delta}, -1));
  } else {
    operands.insert(operands.end(), {x.inputs[5], delta});
  }
  const Shape keys = order.shape(p.batch, p.hkv, p.lk, {p.d});
  const auto variant = [&](Kind kind) { return backward_variant(p, {.kind = kind, .stacked = stacked}); };
  std::vector<NodePtr> made =
      run(variant(Kind::kBackwardQ), p, operands, {{dtype, order.shape(p.batch, p.hq, p.lq, {p.d})}});
  for (NodePtr& n : run(variant(Kind::kBackwardKv), p, operands, {{dtype, keys}, {dtype, keys}}))
    made.push_back(std::move(n));
  for (NodePtr& n : made) n = order.heads_first(without_padding(n, d));
  return made;
}

}  // namespace

extern const Lowering kLowerAttention{"attention", lower_attention};
extern const Lowering kLowerAttentionBackward{"attention_backward", lower_attention_backward};

}  // namespace tessera::schedule
