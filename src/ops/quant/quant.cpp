// Kernels over quantized matrices: their WGSL by format, their twins on the host, and matmuls with gradients.
#include "ops/quant/quant.h"

#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <tuple>

#include <fmt/format.h>

#include "base/fail.h"
#include "base/ints.h"
#include "base/thread_pool.h"
#include "kernels/kernels.h"

namespace tessera::ops {

namespace {

/// The scale and the minimum of unit `u` of 16 elements, from the words of a block's scales.
std::string_view scale_text(BlockFormat format) {
  switch (format) {
    case BlockFormat::kQ4_1:
      return "  let m = unpack2x16float(s);\n  return vec2<f32>(m.x, -m.y);\n";
    case BlockFormat::kQ4_0:
      return "  let d = half_at(s, (u >> 1u) & 1u);\n  return vec2<f32>(d, 8.0 * d);\n";
    case BlockFormat::kQ5_0:
      return "  let d = half_at(s, (u >> 1u) & 1u);\n  return vec2<f32>(d, 16.0 * d);\n";
    case BlockFormat::kQ8_0:
      return "  return vec2<f32>(half_at(s, (u >> 1u) & 1u), 0.0);\n";
    case BlockFormat::kQ6_K:
      return "  let d = unpack2x16float(outer).x * f32(bitcast<i32>(s << (24u - 8u * (u & 3u))) >> 24u);\n"
             "  return vec2<f32>(d, 32.0 * d);\n";
    default:
      return "  let t = s >> (16u * ((u >> 1u) & 1u));\n  let d = unpack2x16float(outer);\n"
             "  return vec2<f32>(d.x * f32(t & 0xffu), d.y * f32((t >> 8u) & 0xffu));\n";
  }
}

/// The loads of elements, by format. quants, scales, supers and high are the planes.
/// load_raw and block_of: a unit of 16; all words are loaded first, so that several units are in flight at once.
/// dequantize_quad: four neighbors.
struct Texts {
  std::string scale, units, quads;
};

Texts load_texts(BlockFormat format) {
  const BlockInfo& info = block_info(format);
  const char* scale = format == BlockFormat::kQ4_1 ? "scales[u >> 1u]" : "scales[u >> 2u]";
  const char* super = info.elements == 256 ? "supers[u >> 4u]" : "0u";
  // The upper bits of quad i of a unit, shifted into place.
  const auto upper = [&](std::string_view i) -> std::string {
    if (info.high_bits == 1) return fmt::format(" | fifth_bits(h >> (4u * {}))", i);
    return info.high_bits == 2 ? fmt::format(" | upper_bits(h >> (8u * {}))", i) : std::string{};
  };
  const char* high = info.high_bits == 1 ? "high[u >> 1u] >> (16u * (u & 1u))" : info.high_bits == 2 ? "high[u]" : "0u";
  Texts t;
  t.scale = fmt::format("fn scale_of(s: u32, outer: u32, u: u32) -> vec2<f32> {{\n{}}}\n", scale_text(format));
  t.units = fmt::format("fn load_raw(u: u32) -> Raw {{\n  return Raw({}, {}, {}, {});\n}}\n",
                        info.bits == 8 ? "quants[u]" : "vec4<u32>(quants[u], 0u, 0u)", scale, super, high);
  t.units += "fn block_of(raw: Raw, u: u32) -> Block {\n  let s = scale_of(raw.s, raw.d, u);\n  let h = raw.h;\n";
  t.units += "  return Block(array<vec4<f32>, 4>(";
  for (int i = 0; i < 4; ++i) {
    t.units += i > 0 ? ", " : "";
    if (info.bits == 8) {
      t.units += fmt::format("signed_bytes_of(raw.w[{}])", i);
    } else if (info.high_bits > 0) {
      t.units += fmt::format("bytes_of(((raw.w[{}] >> {}u) & 0x0f0f0f0fu){})", i / 2, 4 * (i % 2),
                             upper(fmt::format("{}u", i)));
    } else {
      t.units += fmt::format("{}_nibbles(raw.w[{}])", i % 2 == 0 ? "lower" : "upper", i / 2);
    }
  }
  t.units += "), s.x, s.y);\n}\n";
  t.quads = fmt::format(
      "fn dequantize_quad(q: u32) -> vec4<f32> {{\n  let u = q >> 2u;\n  let s = scale_of({}, {}, u);\n", scale, super);
  if (info.high_bits > 0) t.quads += fmt::format("  let h = {};\n", high);
  t.quads += info.bits == 8 ? std::string("  return signed_bytes_of(quants[q]) * s.x - s.y;\n}\n")
                            : fmt::format(
                                  "  let w = (quants[q >> 1u] >> (4u * (q & 1u))) & 0x0f0f0f0fu;\n"
                                  "  return bytes_of(w{}) * s.x - s.y;\n}}\n",
                                  upper("(q & 3u)"));
  return t;
}

std::vector<KernelBinding> plane_names(BlockFormat format) {
  const BlockInfo& info = block_info(format);
  std::vector<KernelBinding> names{"quants", "scales"};
  if (info.elements == 256) names.emplace_back("supers");
  if (info.high_bits > 0) names.emplace_back("high");
  return names;
}

struct QuantParams {
  std::uint32_t n, units, m, wrap;  // units of 16 elements in a row
};

// ---- On the host ----

/// The elements of unit `u`, from the planes, in the plainest way.
void load_unit(BlockFormat format, std::span<const std::span<const std::byte>> planes, std::size_t u, float* out) {
  const BlockInfo& info = block_info(format);
  const auto word = [&](std::size_t plane, std::size_t i) {
    std::uint32_t w = 0;
    std::memcpy(&w, planes[plane].data() + i * 4, 4);
    return w;
  };
  const auto half = [](std::uint32_t bits) {
    Half h;
    h.bits = static_cast<std::uint16_t>(bits);
    return static_cast<float>(h);
  };
  const bool super = info.elements == 256;
  const std::size_t high = super ? 3 : 2;
  float scale = 0;
  float low = 0;
  if (format == BlockFormat::kQ4_1) {
    scale = half(word(1, u / 2));
    low = -half(word(1, u / 2) >> 16U);
  } else if (format == BlockFormat::kQ6_K) {
    const auto s = static_cast<std::int8_t>(word(1, u / 4) >> (u % 4 * 8));
    scale = half(word(2, u / 16)) * static_cast<float>(s);
    low = 32 * scale;
  } else if (super) {
    const std::uint32_t s = word(1, u / 4) >> (u / 2 % 2 * 16);
    scale = half(word(2, u / 16)) * static_cast<float>(s & 255U);
    low = half(word(2, u / 16) >> 16U) * static_cast<float>(s >> 8U & 255U);
  } else {
    scale = half(word(1, u / 4) >> (u / 2 % 2 * 16));
    low = format == BlockFormat::kQ4_0 ? 8 * scale : format == BlockFormat::kQ5_0 ? 16 * scale : 0;
  }
  for (std::size_t e = 0; e < 16; ++e) {
    if (info.bits == 8) {
      out[e] = scale * static_cast<float>(static_cast<std::int8_t>(word(0, u * 4 + e / 4) >> (e % 4 * 8)));
      continue;
    }
    std::uint32_t q = word(0, u * 2 + e / 8) >> (e % 4 * 8 + e % 8 / 4 * 4) & 15U;
    if (info.high_bits == 1) q |= (word(high, u / 2) >> (u % 2 * 16 + e) & 1U) << 4U;
    if (info.high_bits == 2) q |= (word(high, u) >> (e * 2) & 3U) << 4U;
    out[e] = scale * static_cast<float>(q) - low;
  }
}

QuantParams params_of(const CustomHostCall& call) {
  QuantParams p{};
  std::memcpy(&p, call.params.data(), sizeof(p));
  return p;
}

void dequantize_host(BlockFormat format, const CustomHostCall& call) {
  const QuantParams p = params_of(call);
  auto* out = reinterpret_cast<float*>(call.outputs[0].data());
  const std::int64_t units = static_cast<std::int64_t>(p.n) * p.units;
  ThreadPool::global().parallel_for(units, 1024, [&](std::int64_t b, std::int64_t e) {
    for (auto u = static_cast<std::size_t>(b); u < static_cast<std::size_t>(e); ++u) {
      load_unit(format, call.inputs, u, out + u * 16);
    }
  });
}

void matmul_host(BlockFormat format, const CustomHostCall& call) {
  const QuantParams p = params_of(call);
  const auto* x = reinterpret_cast<const float*>(call.inputs.back().data());
  auto* out = reinterpret_cast<float*>(call.outputs[0].data());
  const std::size_t k = std::size_t{p.units} * 16;
  ThreadPool::global().parallel_for(p.n, 8, [&](std::int64_t b, std::int64_t e) {
    std::vector<float> row(k);
    for (auto n = static_cast<std::size_t>(b); n < static_cast<std::size_t>(e); ++n) {
      for (std::size_t u = 0; u < p.units; ++u) load_unit(format, call.inputs, n * p.units + u, row.data() + u * 16);
      for (std::size_t m = 0; m < p.m; ++m) {
        std::array<float, 16> parts{};
        for (std::size_t i = 0; i < k; ++i) parts[i % 16] += row[i] * x[m * k + i];
        float sum = 0;
        for (const float part : parts) sum += part;
        out[m * p.n + n] = sum;
      }
    }
  });
}

// ---- Kernels ----

/// The outputs of a workgroup for each of m rows of x, which it reads once for all of them; and its invocations.
struct RowWork {
  int outputs, units, threads;  // units of a row at once
};
constexpr RowWork work_of(int m) { return {m <= 2 ? 4 : 2, m <= 2 ? 2 : 1, 64}; }

/// For m = 0 the kernel that dequantizes, else the matmul kernel for up to m rows.
std::shared_ptr<const CustomKernel> kernel_of(BlockFormat format, int m) {
  static std::mutex mutex;
  static auto& made = *new std::map<std::pair<BlockFormat, int>, std::shared_ptr<const CustomKernel>>;
  const std::lock_guard lock(mutex);
  auto& kernel = made[{format, m}];
  if (kernel != nullptr) return kernel;
  const BlockInfo& info = block_info(format);
  CustomKernel k;
  k.name = fmt::format("{}_{}", m == 0 ? "dequantize" : "quantized_matmul", info.name);
  k.inputs = plane_names(format);
  const Texts texts = load_texts(format);
  const std::string blocks = std::string(kernels::wgsl("quant_blocks")) + texts.scale;
  std::string text = "struct Params { n: u32, units: u32, m: u32, wrap: u32 }\n";
  int binding = 0;
  for (const KernelBinding& b : k.inputs) {
    const std::string& name = b.name;
    const char* type = m == 0 || name != "quants" ? "u32" : info.bits == 8 ? "vec4<u32>" : "vec2<u32>";
    text += fmt::format("@group(0) @binding({}) var<storage, read> {}: array<{}>;\n", binding++, name, type);
  }
  if (m > 0) {
    k.inputs.emplace_back("input");
    text += fmt::format("@group(0) @binding({}) var<storage, read> input: array<vec4<f32>>;\n", binding++);
  }
  k.outputs = {"output"};
  text += fmt::format("@group(0) @binding({}) var<storage, read_write> output: array<{}>;\n", binding++,
                      m > 0 ? "f32" : "vec4<f32>");
  text += fmt::format("@group(0) @binding({}) var<uniform> params: Params;\n", binding);
  if (m > 0) {
    text += fmt::format("const M = {}u;\nconst R = {}u;\nconst U = {}u;\nconst THREADS = {}u;\n", m, work_of(m).outputs,
                        work_of(m).units, work_of(m).threads);
    text += blocks + texts.units;
    text += kernels::wgsl("quant_matmul");
  } else {
    k.decode = blocks + texts.quads;
    text += k.decode;
    text += kernels::wgsl("quant_dequantize");
  }
  k.source = std::move(text);
  k.raw_words = sizeof(QuantParams) / 4;
  const auto threads = static_cast<std::uint32_t>(m > 0 ? work_of(m).threads : 64);
  k.workgroup = {threads, 1, 1};
  k.workgroup_bytes = m > 0 ? std::uint64_t{4} * threads * static_cast<std::uint64_t>(m * work_of(m).outputs) : 0;
  k.own_bindings = true;
  k.trusted = true;
  k.host = [format, m](const CustomHostCall& call) {
    m > 0 ? matmul_host(format, call) : dequantize_host(format, call);
  };
  return kernel = make_custom(std::move(k));
}

NodePtr run(const QuantizedNode& q, int variant, std::int64_t rows, std::int64_t groups, std::vector<NodePtr> inputs,
            const Shape& shape) {
  constexpr std::int64_t kMaxGroups = 65535;
  QuantParams p{};
  p.n = static_cast<std::uint32_t>(q.n);
  p.units = static_cast<std::uint32_t>(q.k / 16);
  p.m = static_cast<std::uint32_t>(rows);
  const std::int64_t high = ceil_div(groups, kMaxGroups);
  p.wrap = static_cast<std::uint32_t>(ceil_div(groups, high));
  CustomCall call;
  call.kernel = kernel_of(q.format, variant);
  call.outputs = {{DType::kF32, shape}};
  call.params.resize(sizeof(p) / 4);
  std::memcpy(call.params.data(), &p, sizeof(p));
  call.grid = {p.wrap, static_cast<std::uint32_t>(high), 1};
  return custom(std::move(call), std::move(inputs))[0];
}

}  // namespace

NodePtr dequantize(const QuantizedNode& q, DType dtype) {
  if (!is_float(dtype)) fail(ErrorKind::kDType, "dequantize: the type is {}; a float is expected.", name(dtype));
  const std::int64_t units = q.n * q.k / 16;
  return cast(run(q, 0, 0, (units + 63) / 64, q.planes, {q.n, q.k}), dtype);
}

NodePtr quantized_matmul(const NodePtr& x, const QuantizedNode& q) {
  const Shape& s = x->shape();
  if (s.rank() == 0 || s.back() != q.k) {
    fail(ErrorKind::kShape, "matmul: x is {} and the quantized matrix is [{}, {}]; the last axes must be equal.",
         s.str(), q.n, q.k);
  }
  const DType dtype = is_float(x->dtype()) ? x->dtype() : DType::kF32;
  const std::int64_t rows = s.numel() / std::max<std::int64_t>(q.k, 1);
  Shape shape = s;
  shape[s.rank() - 1] = q.n;
  const NodePtr flat = reshape(cast(x, dtype), {rows, q.k});
  const auto weights = [q, dtype] { return dequantize(q, dtype == DType::kF64 ? DType::kF64 : dtype); };
  if (rows == 0 || rows > kFewRows || dtype == DType::kF64) {
    return reshape(matmul(flat, swap_axes(weights(), 0, 1)), shape);
  }
  int variant = 1;
  while (variant < rows) variant *= 2;
  const int each = work_of(variant).outputs;
  std::vector<NodePtr> inputs = q.planes;
  inputs.push_back(cast(flat, DType::kF32));
  const NodePtr y = cast(run(q, variant, rows, ceil_div(q.n, each), std::move(inputs), {rows, q.n}), dtype);
  const NodePtr result = with_gradient("matmul with a quantized matrix", {flat}, y,
                                       [weights](const Gradient::Call& call) -> std::vector<NodePtr> {
                                         if (call.gradients[0] == nullptr) return {nullptr};
                                         return {matmul(call.gradients[0], weights())};
                                       });
  return reshape(result, shape);
}

}  // namespace tessera::ops
