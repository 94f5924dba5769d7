// The WGSL of the backward pass of attention on tensor cores: one statement per cooperative matrix, at the marks of the
// kernel's text.
#include "base/lines.h"
#include "codegen/kernels/attention.h"
#include "kernels/kernels.h"

namespace tessera::codegen {

namespace {

using Tile = schedule::AttentionBackwardTile;

/// The rows of both operands go through the workgroup memory of the weights, UNIT columns at a time, and stay in
/// registers. All loads are issued first.
std::string rows(const Tile& t) {
  Lines line;
  const std::uint32_t loads = t.unit * t.unit / 4 / t.lanes;
  for (const char name : {'s', 'g'}) {
    for (std::uint32_t k = 0; k < t.d / t.unit; ++k) {
      for (std::uint32_t i = 0; i < loads; ++i) {
        line(
            "let own_{0}{1}_{2} = row_quad_{0}(own.{3}, batch, row0 + quad_row(lane, {2}u), rows, {4}u + "
            "quad_column(lane, {2}u));",
            name, k, i, name == 's' ? 'x' : 'y', k * t.unit / 4);
      }
    }
  }
  for (const char name : {'s', 'g'}) {
    for (std::uint32_t k = 0; k < t.d / t.unit; ++k) {
      for (std::uint32_t i = 0; i < loads; ++i) {
        line("halves[place + quad_row(lane, {2}u) * PITCH_S + quad_column(lane, {2}u)] = own_{0}{1}_{2};", name, k, i);
      }
      line("subgroupBarrier();\nlet {}{} = coopLoadT<Left>(&halves[place], PITCH_S);\nsubgroupBarrier();", name, k);
    }
  }
  return line.take();
}

std::string results(const Tile& t, bool over_keys) {
  Lines line;
  for (std::uint32_t n = 0; n < t.d / t.unit; ++n) {
    line("var ds{} = Sum();", n);
    if (over_keys) line("var dv{} = Sum();", n);
  }
  return line.take();
}

/// Scores and the gradients of the weights.
std::string matmuls(const Tile& t) {
  Lines line;
  for (const char name : {'s', 'g'}) {
    line("var product_{} = Sum();", name);
    for (std::uint32_t k = 0; k < t.d / t.unit; ++k) {
      line("let c{0}{1} = coopLoad<Right>(&cols_{0}[c0 * PITCH + {2}u], PITCH);", name, k, k * t.unit / 4);
      line("product_{0} = coopMultiplyAdd({0}{1}, c{0}{1}, product_{0});", name, k);
    }
  }
  return line.take();
}

/// Weights, or gradients of scores, times the rows of their columns.
std::string weighted(const Tile& t, const char* result, const char* cols) {
  Lines line;
  line("let {}_left = coopLoadT<Left>(&halves[place], PITCH_S);", result);
  for (std::uint32_t n = 0; n < t.d / t.unit; ++n) {
    line("let {0}_right{1} = coopLoadT<Right>(&{2}[c0 * PITCH + {3}u], PITCH);", result, n, cols, n * t.unit / 4);
    line("{0}{1} = coopMultiplyAdd({0}_left, {0}_right{1}, {0}{1});", result, n);
  }
  return line.take();
}

std::string rescale(const Tile& t) {
  Lines line;
  for (std::uint32_t n = 0; n < t.d / t.unit; ++n) line("ds{0} = ds{0} * by;", n);
  return line.take();
}

/// Each matrix of a result goes through workgroup memory.
std::string output(const Tile& t, const char* result, const char* buffer, const char* value) {
  Lines line;
  for (std::uint32_t n = 0; n < t.d / t.unit; ++n) {
    line("subgroupBarrier();\ncoopStoreT({}{}, &wide[place], PITCH_S);\nsubgroupBarrier();", result, n);
    line("for (var i = 0u; i < QUADS; i++) {{\nlet r = quad_row(lane, i);\nlet c = quad_column(lane, i);");
    line("let x = wide[place + r * PITCH_S + c];");
    line("if (row0 + r < rows_out) {{ {}[out + r * params.output_l * D4 + {}u + c] = vec4<f16>({}); }}\n}}", buffer,
         n * t.unit / 4, value);
  }
  return line.take();
}

void replace(std::string& text, std::string_view mark, const std::string& by) {
  text.replace(text.find(mark), mark.size(), by);
}

/// fn `name`(start, batch, i, d): quad d of row i of an input.
std::string operand(const char* name, const char* input) {
  return fmt::format(
      "fn {0}(start: u32, batch: u32, i: u32, d: u32) -> vec4<f16> {{ return {1}[{1}_at(start, batch, i) + d]; }}\n",
      name, input);
}

/// fn `name`(batch, head): the first quads of a head of two inputs.
std::string starts(const char* name, const char* s, const char* g, const char* head) {
  return fmt::format(
      "fn {}(batch: u32, head: u32) -> vec2<u32> {{ return vec2<u32>({}_from(batch, {}), {}_from(batch, {})); }}\n",
      name, s, head, g, head);
}

}  // namespace

std::string attention_backward_matrix_text(const Tile& t, bool over_keys, bool masked) {
  Lines head;
  head("alias Left = coop_mat{0}x{0}<f16, A>;\nalias Right = coop_mat{0}x{0}<f16, B>;", t.unit);
  head("alias Sum = coop_mat{0}x{0}<f32, C>;", t.unit);
  head("const D4 = {}u;\nconst UNIT = {}u;\nconst LANES = {}u;\nconst ROWS = {}u;\nconst COLS = {}u;", t.d / 4, t.unit,
       t.lanes, t.rows(), t.cols());
  head("const SUBGROUPS = {}u;", t.subgroups());
  head("const OVER_KEYS = {};\nconst MASKED = {};", over_keys, masked);
  if (over_keys) {
    head.add(operand("row_s", "k") + operand("row_g", "v") + operand("col_s", "q") + operand("col_g", "gradient"));
    head.add(starts("row_starts", "k", "v", "head") + starts("col_starts", "q", "gradient", "head"));
  } else {
    head.add(operand("row_s", "q") + operand("row_g", "gradient") + operand("col_s", "k") + operand("col_g", "v"));
    head.add(starts("row_starts", "q", "gradient", "head") + starts("col_starts", "k", "v", "head / params.group"));
  }
  std::string text(kernels::wgsl("attention_backward_matrix"));
  replace(text, "/*rows*/", rows(t));
  replace(text, "/*results*/", results(t, over_keys));
  replace(text, "/*matmuls*/", matmuls(t));
  replace(text, "/*values*/", over_keys ? weighted(t, "dv", "cols_g") + "subgroupBarrier();\n" : "");
  replace(text, "/*rescale*/", rescale(t));
  replace(text, "/*keys*/", weighted(t, "ds", "cols_s"));
  std::string out = output(t, "ds", "output", "x * (params.factor * WEIGHT_UNIT) * inverse");
  if (over_keys) out += output(t, "dv", "output_v", "x * WEIGHT_UNIT");
  replace(text, "/*output*/", out);
  return head.take() + text;
}

}  // namespace tessera::codegen
