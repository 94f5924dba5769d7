// Scattering: how runs of updates are combined, as text.
#include "schedule/calls/scatter.h"

#include <fmt/format.h>

#include "codegen/buffers.h"
#include "codegen/kernels/kernel_text.h"
#include "codegen/kernels/parts.h"
#include "kernels/kernels.h"

namespace tessera::codegen {

namespace {

using ops::ScatterMode;

/// E, zero() and combine(a, b).
std::string combine_text(ScatterMode m, DType t) {
  const bool wide = size_of(t) == 8;
  std::string value;
  if (m == ScatterMode::kAdd) value = wide ? fmt::format("{}_add(a, b)", name(t)) : "a + b";
  if (m == ScatterMode::kMul) value = wide ? fmt::format("{}_multiply(a, b)", name(t)) : "a * b";
  if (m == ScatterMode::kMax || m == ScatterMode::kMin) {
    const bool max = m == ScatterMode::kMax;
    if (wide) {
      value = fmt::format("{}_{}(a, b)", name(t), max ? "maximum" : "minimum");
    } else {
      value = fmt::format("{}{}(a, b)", max ? "max" : "min", t == DType::kF32 ? "_f32" : "");
    }
  }
  std::string text = fmt::format("alias E = {0};\nfn zero() -> E {{ return E(); }}\n", value_type(t));
  if (!value.empty()) text += fmt::format("fn combine(a: E, b: E) -> E {{ return {}; }}\n", value);
  return text;
}

std::string scatter_segments_text(const Attributes& variant) {
  const auto v = from_attributes<schedule::ScatterSegmentsVariant>(variant);
  return combine_text(v.mode, v.dtype) + row_index("values", v.strided, 4) +
         (v.first ? "fn value_row(i: u32) -> u32 { return u32(order[i]); }\n"
                  : "fn value_row(i: u32) -> u32 { return ((i + 1u) << params.log_chunk) - 1u; }\n") +
         std::string(kernels::wgsl(v.by_cols ? "segment_cols" : "segment_lanes"));
}

std::string scatter_join_text(const Attributes& variant) {
  const auto v = from_attributes<schedule::ScatterJoinVariant>(variant);
  const bool set = v.mode == ScatterMode::kSet;
  std::string text = combine_text(v.mode, v.dtype);
  if (set) text += row_index("updates", v.strided, 4);
  if (v.with_base) text += row_index("base", v.strided, 4);
  text += main_per_element("count") + R"(  let row = i / params.cols;
  let c = i - row * params.cols;
  var low = u32(starts[row]);
  var high = u32(starts[row + 1u]);
)";
  text += v.with_base ? "  let first = base[base_at(row, c)];\n" : "  let first = zero();\n";
  text += "  if (low == high) {\n    y[i] = first;\n    return;\n  }\n";
  if (set) return text + "  y[i] = updates[updates_at(u32(order[high - 1u]), c)];\n}\n";
  text += "  var sum = zero();\n  var any = false;\n  var done = false;\n";
  for (std::int64_t l = 0; l < v.levels; ++l) {
    text += fmt::format(R"(  if (!done) {{
    done = ((high - 1u) >> params.log_chunk) == (low >> params.log_chunk);
    if (done || (high & ((1u << params.log_chunk) - 1u)) != 0u) {{
      let end = runs{}[(high - 1u) * params.cols + c];
      if (any) {{ sum = combine(end, sum); }} else {{ sum = end; }}
      any = true;
    }}
    low = low >> params.log_chunk;
    high = high >> params.log_chunk;
  }}
)",
                        l);
  }
  return text + (v.with_base ? "  y[i] = combine(first, sum);\n}\n" : "  y[i] = sum;\n}\n");
}

}  // namespace

extern const KernelText kScatterSegmentsText{"scatter_segments", scatter_segments_text};
extern const KernelText kScatterJoinText{"scatter_join", scatter_join_text};

}  // namespace tessera::codegen
