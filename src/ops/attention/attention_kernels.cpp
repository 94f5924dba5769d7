// The attention kernels: their WGSL for each head size and dtype, and their calls.
#include <bit>
#include <cstring>
#include <map>
#include <mutex>
#include <tuple>

#include <fmt/format.h>

#include "base/ints.h"
#include "kernels/kernels.h"
#include "ops/attention/attention.h"
#include "ops/attention/attention_host.h"
#include "ops/attention/attention_matrix.h"

namespace tessera::ops {

namespace {

enum class Kind : std::uint8_t { kForward, kMatrix, kBackwardQ, kBackwardKv, kSplitKv };

/// The parameters of a kernel's text.
struct Form {
  Kind kind = Kind::kForward;
  DType dtype = DType::kF32;
  bool mask = false;
  int d4 = 0;        // quads in a row of a head
  bool big = false;  // tiles of 64 rows, with 26 KiB of workgroup memory; else 32 rows in less than 16 KiB
  int few = 0;       // kSplitKv: queries in a workgroup, a power of two
  std::uint32_t unit = 0, lanes = 0;  // kMatrix
  auto operator<=>(const Form&) const = default;

  // An invocation computes eight rows if the accumulators leave enough registers.
  [[nodiscard]] int rm() const { return kind == Kind::kForward && d4 <= 32 ? 2 : 1; }
  [[nodiscard]] AttentionTile tile() const { return {static_cast<std::uint32_t>(4 * d4), unit, lanes}; }
  [[nodiscard]] int rows() const { return kind == Kind::kMatrix ? static_cast<int>(tile().rows()) : big ? 64 : 32; }
  [[nodiscard]] int ty() const { return rows() / 4 / rm(); }
  [[nodiscard]] int chunk() const { return 16 * (rows() / 4 + 1 + kTx + 1); }  // quads
  [[nodiscard]] int value_rows() const {
    int n = 16;
    while (n * d4 > chunk()) n /= 2;
    return n;
  }
  [[nodiscard]] std::uint64_t memory() const {
    if (kind == Kind::kMatrix) return tile().memory();
    if (kind == Kind::kSplitKv) return std::uint64_t{16} * static_cast<std::uint64_t>(few * (d4 + 64) + 128);
    return std::uint64_t{16} * static_cast<std::uint64_t>(chunk() + 4 * kTx * (rows() / 4 + 1));
  }
  static constexpr int kTx = 16;
};

constexpr std::uint32_t kMaxGroups = 65535;

/// A buffer of quads, and a function that loads one of them as f32.
std::string quads(int binding, const char* name, DType dtype) {
  const bool half = size_of(dtype) == 2;
  std::string text =
      fmt::format("@group(0) @binding({}) var<storage, read> {}: array<{}>;\nfn load_{}(i: u32) -> vec4<f32> {{\n",
                  binding, name, half ? "vec2<u32>" : "vec4<f32>", name);
  if (dtype == DType::kF16) {
    text += fmt::format("  let w = {}[i];\n  return vec4<f32>(unpack2x16float(w.x), unpack2x16float(w.y));\n", name);
  } else if (half) {
    text += fmt::format(
        "  let w = {}[i];\n  return bitcast<vec4<f32>>(vec4<u32>(w.x << 16u, w.x & 0xffff0000u, w.y << 16u, w.y & "
        "0xffff0000u));\n",
        name);
  } else {
    text += fmt::format("  return {}[i];\n", name);
  }
  return text + "}\n";
}

constexpr const char* kParams = R"(struct Params {
  lq: u32, lk: u32, hq: u32, hkv: u32, group: u32, heads: u32, tiles: u32, wrap: u32,
  offset: i32, left: i32, right: i32, scale: f32, factor: f32,
  mask_b: u32, mask_h: u32, mask_q: u32, mask_k: u32, keys: u32, exact_low: u32, exact_high: u32,
}
)";

/// Masked scores, in powers of two.
std::string mask_text(bool mask) {
  std::string text;
  text +=
      "fn masked_score(s: f32, batch: u32, head: u32, i: u32, j: u32) -> f32 {\n"
      "  if (!seen(i, j)) { return LOWEST; }\n";
  if (mask) {
    text +=
        "  let bias = mask[batch * params.mask_b + head * params.mask_h + i * params.mask_q + j * params.mask_k];\n"
        "  if (bitcast<u32>(bias) == 0xff800000u) { return LOWEST; }\n"
        "  let score = fma(s, params.scale, bias * 1.4426950408889634);\n"
        "  return select(score, -3e38, score < -3e38);\n}\n";  // the lowest floats stay finite in powers of two
  } else {
    text += "  return s * params.scale;\n}\n";
  }
  return text;
}

/// Operands are bound as read_write: see BufferForm::pinned.
std::string matrix_source(const Form& f) {
  std::string text = "enable f16;\nenable wgpu_cooperative_matrix;\n";
  text += kParams;
  int binding = 0;
  const auto bind = [&](const char* name, const char* access, const char* type) {
    text += fmt::format("@group(0) @binding({}) var<storage, {}> {}: array<{}>;\n", binding++, access, name, type);
  };
  for (const char* name : {"q", "k", "v"}) bind(name, "read_write", "vec4<f16>");
  if (f.mask) bind("mask", "read", "f32");
  bind("output", "read_write", "vec4<f16>");
  bind("logsum", "read_write", "f32");
  text += fmt::format("@group(0) @binding({}) var<uniform> params: Params;\n", binding);
  text += kernels::wgsl("attention_mask");
  return text + mask_text(f.mask) + attention_matrix_text(f.tile(), f.mask);
}

std::string source_of(const Form& f) {
  if (f.kind == Kind::kMatrix) return matrix_source(f);
  std::string text = kParams;
  int binding = 0;
  for (const char* name : {"q", "k", "v"}) text += quads(binding++, name, f.dtype);
  if (f.kind == Kind::kBackwardQ || f.kind == Kind::kBackwardKv) {
    text += quads(binding++, "gradient", DType::kF32);
    text += fmt::format("@group(0) @binding({}) var<storage, read> stats: array<vec2<f32>>;\n", binding++);
  }
  if (f.mask) text += fmt::format("@group(0) @binding({}) var<storage, read> mask: array<f32>;\n", binding++);
  const auto output = [&](const char* name, const char* type) {
    text += fmt::format("@group(0) @binding({}) var<storage, read_write> {}: array<{}>;\n", binding++, name, type);
  };
  output("output", "vec4<f32>");
  if (f.kind == Kind::kForward) output("logsum", "f32");
  if (f.kind == Kind::kBackwardKv) output("output_v", "vec4<f32>");
  if (f.kind == Kind::kSplitKv) output("stats", "vec2<f32>");
  text += fmt::format("@group(0) @binding({}) var<uniform> params: Params;\n", binding);
  text += kernels::wgsl("attention_mask");
  if (f.kind == Kind::kSplitKv) {
    int lanes = 1;
    while (lanes < f.d4) lanes *= 2;
    text += fmt::format("const D4 = {}u;\nconst ROWS = {}u;\nconst LANES = {}u;\n", f.d4, f.few, lanes);
    text += mask_text(f.mask);
    return text + std::string(kernels::wgsl("attention_split_kv"));
  }
  text += fmt::format(
      "const TX = {}u;\nconst TY = {}u;\nconst RM = {}u;\nconst RN = {}u;\nconst D4 = {}u;\nconst VROWS = {}u;\n",
      Form::kTx, f.ty(), f.rm(), ceil_div(f.d4, Form::kTx), f.d4, f.value_rows());
  const auto choose = [&](const char* name, const char* first, const char* second) {
    text += fmt::format("fn {}(part: u32, i: u32) -> vec4<f32> {{\n", name);
    if (second != nullptr) text += fmt::format("  if (part == 1u) {{ return load_{}(i); }}\n", second);
    text += fmt::format("  return load_{}(i);\n}}\n", first);
  };
  const bool forward = f.kind == Kind::kForward;
  if (f.kind == Kind::kBackwardKv) {
    choose("fetch_row", "k", "v");
    choose("fetch_col", "q", "gradient");
    choose("fetch_term", "gradient", "q");
  } else {
    choose("fetch_row", "q", forward ? nullptr : "gradient");
    choose("fetch_col", "k", forward ? nullptr : "v");
    choose("fetch_term", forward ? "v" : "k", nullptr);
  }
  text += mask_text(f.mask);
  text += kernels::wgsl("attention_common");
  text += kernels::wgsl(forward                      ? "attention_forward"
                        : f.kind == Kind::kBackwardQ ? "attention_backward_q"
                                                     : "attention_backward_kv");
  return text;
}

std::shared_ptr<const CustomKernel> kernel_of(const Form& f) {
  static std::mutex mutex;
  static auto& made = *new std::map<Form, std::shared_ptr<const CustomKernel>>;
  const std::lock_guard lock(mutex);
  auto& kernel = made[f];
  if (kernel != nullptr) return kernel;
  CustomKernel k;
  const bool forward = f.kind == Kind::kForward || f.kind == Kind::kMatrix;
  const bool few = f.kind == Kind::kSplitKv;
  k.name = forward                      ? "attention"
           : few                        ? "attention_split_kv"
           : f.kind == Kind::kBackwardQ ? "attention_backward_q"
                                        : "attention_backward_kv";
  k.source = source_of(f);
  k.inputs = {"q", "k", "v"};
  if (!forward && !few) k.inputs.insert(k.inputs.end(), {"gradient", "stats"});
  if (f.mask) k.inputs.emplace_back("mask");
  k.outputs = {"output"};
  if (forward) k.outputs.emplace_back("logsum");
  if (f.kind == Kind::kBackwardKv) k.outputs.emplace_back("output_v");
  if (few) k.outputs.emplace_back("stats");
  k.workgroup = {Form::kTx, static_cast<std::uint32_t>(f.ty()), 1};
  if (few) k.workgroup = {128, 1, 1};
  if (f.kind == Kind::kMatrix) {
    k.workgroup = {f.tile().threads(), 1, 1};
    k.zero_fill = false;
    for (std::size_t i = 0; i < 3; ++i) k.inputs[i].pinned = true;
  }
  k.raw_words = sizeof(AttentionParams) / 4;
  k.workgroup_bytes = f.memory();
  k.own_bindings = true;
  k.trusted = true;
  k.host = few                          ? attention_split_kv_host
           : forward                    ? attention_forward_host
           : f.kind == Kind::kBackwardQ ? attention_backward_q_host
                                        : attention_backward_kv_host;
  return kernel = make_custom(std::move(k));
}

std::vector<NodePtr> run(Kind kind, const AttentionCall& c, std::vector<NodePtr> inputs, const NodePtr& mask,
                         std::vector<TensorSpec> outputs) {
  Form form{kind, inputs[0]->dtype(), mask != nullptr, static_cast<int>(c.d / 4), false};
  form.unit = c.unit;
  form.lanes = c.lanes;
  form.big = Form{kind, form.dtype, form.mask, form.d4, true}.memory() <= c.workgroup_memory;
  AttentionParams p{};
  p.lq = static_cast<std::uint32_t>(c.lq);
  p.lk = static_cast<std::uint32_t>(c.lk);
  p.hq = static_cast<std::uint32_t>(c.hq);
  p.hkv = static_cast<std::uint32_t>(c.hkv);
  p.group = static_cast<std::uint32_t>(c.hq / c.hkv);
  const std::int64_t heads = c.batch * (kind == Kind::kBackwardKv ? c.hkv : c.hq);
  p.heads = static_cast<std::uint32_t>(heads);
  if (kind == Kind::kSplitKv) {
    const std::int64_t rows = c.hq / c.hkv * c.lq;
    const int most = form.d4 <= 32 ? 8 : 4;
    for (form.few = 1; form.few < std::min<std::int64_t>(rows, most);) form.few *= 2;
  }
  const std::int64_t length = kind == Kind::kBackwardKv ? c.lk : c.lq;
  p.tiles = static_cast<std::uint32_t>(ceil_div(length, form.rows()));
  p.wrap = std::min(p.heads, kMaxGroups);
  p.offset = static_cast<std::int32_t>(c.lk - c.lq);
  constexpr std::int32_t kFar = 1 << 30;
  p.left = c.window > 0 ? static_cast<std::int32_t>(std::min<std::int64_t>(c.window - 1, kFar)) : kFar;
  p.right = c.causal ? 0 : kFar;
  p.scale = static_cast<float>(c.scale * 1.4426950408889634);
  p.factor = static_cast<float>(c.scale);
  p.exact_scale = c.scale;
  p.keys = static_cast<std::uint32_t>(kKeysPerSplit);
  if (mask != nullptr) {
    // Axes of size 1 are broadcast.
    const Shape& s = mask->shape();
    std::uint32_t stride = 1;
    const auto take = [&](int axis) {
      const std::uint32_t own = s[axis] == 1 ? 0 : stride;
      stride *= static_cast<std::uint32_t>(s[axis]);
      return own;
    };
    p.mask_k = take(3);
    p.mask_q = take(2);
    p.mask_h = take(1);
    p.mask_b = take(0);
    inputs.push_back(mask);
  }
  if (kind == Kind::kSplitKv) p.tiles = static_cast<std::uint32_t>(ceil_div(c.lk, kKeysPerSplit));
  CustomCall call;
  call.kernel = kernel_of(form);
  call.outputs = std::move(outputs);
  call.params.resize(sizeof(p) / 4);
  std::memcpy(call.params.data(), &p, sizeof(p));
  call.grid = {p.tiles, p.wrap, ceil_div(p.heads, p.wrap)};
  if (kind == Kind::kSplitKv) {
    const auto rows = static_cast<std::uint32_t>(c.hq / c.hkv * c.lq);
    const auto each = static_cast<std::uint32_t>(form.few);
    call.grid = {p.tiles, static_cast<std::uint32_t>(c.batch * c.hkv), ceil_div(rows, each)};
  }
  return custom(std::move(call), std::move(inputs));
}

DType compute(const NodePtr& x) { return x->dtype() == DType::kF64 ? DType::kF64 : DType::kF32; }

}  // namespace

std::vector<NodePtr> attention_forward(const AttentionCall& c, const NodePtr& q, const NodePtr& k, const NodePtr& v,
                                       const NodePtr& mask) {
  const DType t = compute(q);
  const AttentionTile tile{static_cast<std::uint32_t>(c.d), c.unit, c.lanes};
  constexpr std::int64_t kFew = 16;  // with fewer rows most of a tile is empty
  const bool matrices =
      q->dtype() == DType::kF16 && c.lq >= kFew && tile.serves() && tile.memory() <= c.workgroup_memory;
  const Kind kind = matrices ? Kind::kMatrix : Kind::kForward;
  const DType out = matrices ? DType::kF16 : t;
  return run(kind, c, {q, k, v}, mask, {{out, q->shape()}, {t, Shape{c.batch, c.hq, c.lq}}});
}

std::vector<NodePtr> attention_split_kv(const AttentionCall& c, const NodePtr& q, const NodePtr& k, const NodePtr& v,
                                        const NodePtr& mask) {
  const DType t = compute(q);
  const std::int64_t splits = ceil_div(c.lk, kKeysPerSplit);
  return run(Kind::kSplitKv, c, {q, k, v}, mask,
             {{t, Shape{c.batch, c.hq, c.lq, splits, c.d}}, {t, Shape{c.batch, c.hq, c.lq, splits, 2}}});
}

std::vector<NodePtr> attention_backward(const AttentionCall& c, const NodePtr& q, const NodePtr& k, const NodePtr& v,
                                        const NodePtr& mask, const NodePtr& gradient, const NodePtr& stats) {
  const DType t = compute(q);
  const std::vector<NodePtr> inputs{q, k, v, gradient, stats};
  std::vector<NodePtr> result = run(Kind::kBackwardQ, c, inputs, mask, {{t, q->shape()}});
  for (NodePtr& n : run(Kind::kBackwardKv, c, inputs, mask, {{t, k->shape()}, {t, v->shape()}})) {
    result.push_back(std::move(n));
  }
  return result;
}

}  // namespace tessera::ops
