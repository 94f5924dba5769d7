// The WGSL of attention: constants and loads of a variant, then the kernel of kernels/attention.
#include "codegen/kernels/attention.h"

#include <fmt/format.h>

#include "base/ints.h"
#include "codegen/kernels/kernel_text.h"
#include "kernels/kernels.h"

namespace tessera::codegen {

namespace {

using schedule::AttentionVariant;
using Kind = AttentionVariant::Kind;

void replace(std::string& text, std::string_view mark, std::string_view by) {
  const std::size_t at = text.find(mark);
  if (at != std::string::npos) text.replace(at, mark.size(), by);
}

/// Lengths and masked scores, in powers of two.
std::string mask_text(const AttentionVariant& v) {
  std::string text = v.lengths
                         ? "fn keys_of(batch: u32) -> u32 { return u32(clamp(lengths[batch], 0, i32(params.lk))); }\n"
                           "fn offset_of(batch: u32) -> i32 { return i32(keys_of(batch)) - i32(params.lq); }\n"
                         : "fn keys_of(batch: u32) -> u32 { return params.lk; }\n"
                           "fn offset_of(batch: u32) -> i32 { return params.offset; }\n";
  text += kernels::wgsl("attention_mask");
  if (v.softcap) text += "fn softcapped(s: f32) -> f32 { return params.scale * tanh_f32(s * params.factor); }\n";
  // The start of an online softmax at a sink, whose weight is 1.
  if (v.sinks) text += "fn sink_of(head: u32) -> f32 { return max(sinks[head] * 1.4426950408889634, LOWEST); }\n";
  text +=
      "fn masked_score(s: f32, batch: u32, head: u32, i: u32, j: u32) -> f32 {\n"
      "  if (!seen(batch, i, j)) { return LOWEST; }\n";
  if (v.masked) {
    text +=
        "  let bias = mask[batch * params.mask_b + head * params.mask_h + i * params.mask_q + j * params.mask_k];\n"
        "  if (bitcast<u32>(bias) == 0xff800000u) { return LOWEST; }\n"
        "  let score = fma(s, params.scale, bias * 1.4426950408889634);\n"
        "  return select(score, -3e38, score < -3e38);\n}\n";  // the lowest floats stay finite in powers of two
    if (v.softcap)
      replace(text, "fma(s, params.scale, bias * 1.4426950408889634)", "softcapped(s) + bias * 1.4426950408889634");
  } else {
    text += v.softcap ? "  return softcapped(s);\n}\n" : "  return s * params.scale;\n}\n";
  }
  return text;
}

/// The same for keys or values in 8 bits, which are in order, and a quad of them in f32.
std::string scaled_text(const AttentionVariant& v, std::string_view name) {
  return fmt::format(
      "fn {0}_from(batch: u32, head: u32) -> u32 {{ return {1} * D4; }}\n"
      "fn {0}_at(start: u32, batch: u32, i: u32) -> u32 {{ return start + {2} * D4; }}\n"
      "fn load_{0}(i: u32) -> vec4<f32> {{\n"
      "  let w = bitcast<i32>({0}[i]);\n"
      "  return vec4<f32>(vec4<i32>(extractBits(w, 0u, 8u), extractBits(w, 8u, 8u), extractBits(w, 16u, 8u),\n"
      "                             w >> 24u)) * {0}_scales[i / {3}u];\n}}\n",
      name, v.page != 0 ? "head * PAGE" : "(batch * params.hkv + head) * params.lk",
      v.page != 0 ? "(page_of(batch, i) * params.hkv * PAGE + i % PAGE)" : "i", v.scaled);
}

/// Where a head of an input starts, and a row of it, in quads. Rows of keys and values may be in pages, which are found
/// in the block table.
std::string strides_text(const AttentionVariant& v) {
  std::string text;
  if (v.page != 0) {
    text += fmt::format(
        "const PAGE = {}u;\n"
        "fn page_of(batch: u32, i: u32) -> u32 {{\n"
        "  return min(u32(max(block_table[batch * params.pages + i / PAGE], 0)), params.pool - 1u);\n}}\n",
        v.page);
  }
  for (const std::string_view name : {"q", "k", "v", "gradient"}) {
    if (name == "gradient" && !v.backward()) continue;
    const bool paged = v.page != 0 && (name == "k" || name == "v");
    if (v.scaled != 0 && (name == "k" || name == "v")) {
      text += scaled_text(v, name);
      continue;
    }
    text += fmt::format(
        "fn {0}_from(batch: u32, head: u32) -> u32 {{\n"
        "  return params.{0}_offset + {1}head * params.{0}_strides.y;\n}}\n"
        "fn {0}_at(start: u32, batch: u32, i: u32) -> u32 {{ return start + {2} * params.{0}_strides.z; }}\n",
        name, paged ? "" : fmt::format("batch * params.{}_strides.x + ", name),
        paged ? fmt::format("page_of(batch, i) * params.{}_strides.x + (i % PAGE)", name) : "i");
  }
  return text;
}

/// An input, and which of the two starts in `Place` is its own.
struct Fetched {
  const char* name = nullptr;
  char start = 'x';
};

/// fn `name`(part, start, batch, i, d): quad d of row i of one of two inputs.
std::string fetch(const char* name, Fetched first, Fetched second) {
  const auto load = [](const Fetched& x) {
    return fmt::format("load_{0}({0}_at(start.{1}, batch, i) + d)", x.name, x.start);
  };
  std::string text =
      fmt::format("fn {}(part: u32, start: vec2<u32>, batch: u32, i: u32, d: u32) -> vec4<f32> {{\n", name);
  if (second.name != nullptr) text += fmt::format("  if (part == 1u) {{ return {}; }}\n", load(second));
  return text + fmt::format("  return {};\n}}\n", load(first));
}

/// Invocations for a row of a head: a power of two.
int row_lanes(const AttentionVariant& v) {
  int lanes = 1;
  while (lanes < v.quads) lanes *= 2;
  return lanes;
}

std::string split_kv_text(const AttentionVariant& v) {
  std::string text = fmt::format(
      "const D4 = {}u;\nconst ROWS = {}u;\nconst KEYS = {}u;\nconst LANES = {}u;\nconst KEY_LANES = {}u;\n"
      "const HELD = {};\nconst HELD_QUADS = {}u;\nconst SHARED_QUADS = {}u;\nconst TOGETHER = {}u;\n"
      "fn sum_of_lanes(mine: f32) -> f32 {{\n  var sum = mine;\n",
      v.quads, v.queries, v.keys, row_lanes(v), v.key_lanes, v.held(), v.held_quads(), v.shared_quads(), v.together());
  for (int step = 1; step < v.key_lanes; step *= 2) {
    text += fmt::format("  sum += subgroupShuffleXor(sum, {}u);\n", step);
  }
  return text + "  return sum;\n}\n" + std::string(kernels::wgsl("attention_split_kv"));
}

std::string combine_text(const AttentionVariant& v) {
  std::string text(kernels::wgsl("attention_combine"));
  replace(text, "/*sink*/",
          v.sinks ? "\n  let sink = max(sinks[row / params.head_rows % params.heads] * 1.4426950408889634, LOWEST);\n"
                    "  top = sink;"
                  : "");
  replace(text, "/*sink_weight*/",
          v.sinks ? "\n  if (local < LANES) { total = select(exp2(sink - top), 0.0, sink - top < -150.0); }" : "");
  return fmt::format("const D4 = {}u;\nconst LANES = {}u;\n", v.quads, row_lanes(v)) + text;
}

/// The statistics of a row: the logarithm of its sum, and the sum of its weights' gradients.
std::string row_stats_text(const AttentionVariant& v) {
  return fmt::format("fn row_stats(i: u32) -> vec2<f32> {{ return {}; }}\n",
                     v.stacked ? "stats[i]" : "vec2<f32>(row_logs[i], row_deltas[i])");
}

std::string tiled_text(const AttentionVariant& v) {
  std::string text = fmt::format(
      "const TX = {}u;\nconst TY = {}u;\nconst RM = {}u;\nconst RN = {}u;\nconst D4 = {}u;\nconst VROWS = {}u;\n",
      AttentionVariant::kColumnLanes, v.row_lanes(), v.row_quads(), ceil_div(v.quads, AttentionVariant::kColumnLanes),
      v.quads, v.value_rows());
  if (v.kind == Kind::kBackwardKv) {
    text += fetch("fetch_row", {"k", 'x'}, {"v", 'y'}) + fetch("fetch_col", {"q", 'x'}, {"gradient", 'y'}) +
            fetch("fetch_term", {"gradient", 'y'}, {"q", 'x'});
  } else if (v.kind == Kind::kBackwardQ) {
    text += fetch("fetch_row", {"q", 'x'}, {"gradient", 'y'}) + fetch("fetch_col", {"k", 'x'}, {"v", 'y'}) +
            fetch("fetch_term", {"k", 'x'}, {});
  } else {
    text +=
        fetch("fetch_row", {"q", 'x'}, {}) + fetch("fetch_col", {"k", 'x'}, {}) + fetch("fetch_term", {"v", 'y'}, {});
  }
  if (v.backward()) text += row_stats_text(v);
  text += kernels::wgsl("attention_common");
  text += kernels::wgsl(v.kind == Kind::kForward     ? "attention_forward"
                        : v.kind == Kind::kBackwardQ ? "attention_backward_q"
                                                     : "attention_backward_kv");
  replace(text, "/*sink*/", v.sinks ? " top[i] = sink_of(h); total[i] = select(0.0, 1.0, id.x == 0u);" : "");
  return text;
}

std::string attention_text(const Attributes& variant) {
  const auto v = from_attributes<AttentionVariant>(variant);
  if (v.kind == Kind::kCombine) return combine_text(v);
  const std::string mask = strides_text(v) + mask_text(v);
  const std::string matrices = "enable f16;\nenable wgpu_cooperative_matrix;\n";
  if (v.backward() && v.on_tensor_cores()) {
    return matrices + mask + row_stats_text(v) +
           attention_backward_matrix_text(v.backward_tile(), v.kind == Kind::kBackwardKv, v.masked);
  }
  switch (v.kind) {
    case Kind::kMatrix:
      return matrices + mask + attention_matrix_text(v);
    case Kind::kSplitKv:
      return mask + split_kv_text(v);
    default:
      return mask + tiled_text(v);
  }
}

}  // namespace

extern const KernelText kAttentionText{"attention", attention_text};

}  // namespace tessera::codegen
