// The WGSL of attention on tensor cores: one statement per cooperative matrix, at the marks of the kernel's text.
#include "base/lines.h"
#include "codegen/kernels/attention.h"
#include "kernels/kernels.h"

namespace tessera::codegen {

namespace {

using schedule::AttentionTile;

/// Queries go through the workgroup memory of the weights, as many columns at a time as fit, and stay in registers.
std::string queries(const AttentionTile& t) {
  Lines line;
  const std::uint32_t each = t.cols() / t.unit;
  for (std::uint32_t c = 0; c < t.d / t.cols(); ++c) {
    line("for (var slot = local; slot < ROWS * COLS / 4u; slot += THREADS) {{");
    line("let r = slot / (COLS / 4u);\nlet c = slot % (COLS / 4u);");
    line("weights[r * PITCH_S + c] = q[q_at(queries_from, batch, min(m0 + r, params.lq - 1u)) + {}u + c];",
         c * t.cols() / 4);
    line("}}\nworkgroupBarrier();");
    for (std::uint32_t j = 0; j < each; ++j) {
      for (std::uint32_t m = 0; m < 2; ++m) {
        line("let q{}_{} = coopLoadT<Left>(&weights[(strip + {}u) * PITCH_S + {}u], PITCH_S);", m, c * each + j,
             m * t.unit, j * t.unit / 4);
      }
    }
    line("workgroupBarrier();");
  }
  return line.take();
}

/// The subgroup's columns of the result, as cooperative matrices.
std::uint32_t across(const AttentionTile& t) { return t.d / AttentionTile::kParts / t.unit; }

std::string results(const AttentionTile& t) {
  Lines line;
  for (std::uint32_t m = 0; m < 2; ++m) {
    for (std::uint32_t n = 0; n < across(t); ++n) line("var o{}_{} = Sum();", m, n);
  }
  return line.take();
}

/// Rows of the queries times the subgroup's part of the keys.
std::string scores(const AttentionTile& t) {
  Lines line;
  for (std::uint32_t m = 0; m < 2; ++m) line("var s{} = Sum();", m);
  for (std::uint32_t k = 0; k < t.d / t.unit; ++k) {
    line("let b{} = coopLoad<Right>(&keys[side * UNIT * PITCH + {}u], PITCH);", k, k * t.unit / 4);
    for (std::uint32_t m = 0; m < 2; ++m) line("s{0} = coopMultiplyAdd(q{0}_{1}, b{1}, s{0});", m, k);
  }
  for (std::uint32_t m = 0; m < 2; ++m) {
    line("let to{} = place + {}u * PITCH_S;", m, m * t.unit);
    line("coopStoreT(s{0}, &scores[to{0}], PITCH_S);", m);
  }
  return line.take();
}

/// The tile's weights times the subgroup's columns of the values.
std::string weighted_values(const AttentionTile& t) {
  Lines line;
  for (std::uint32_t k = 0; k < t.cols() / t.unit; ++k) {
    for (std::uint32_t m = 0; m < 2; ++m) {
      line("let p{}_{} = coopLoadT<Left>(&weights[(strip + {}u) * PITCH_S + {}u], PITCH_S);", m, k, m * t.unit,
           k * t.unit / 4);
    }
    for (std::uint32_t n = 0; n < across(t); ++n) {
      line("let v{}_{} = coopLoadT<Right>(&values[{}u * PITCH + side * {}u + {}u], PITCH);", k, n, k * t.unit,
           across(t) * t.unit / 4, n * t.unit / 4);
      for (std::uint32_t m = 0; m < 2; ++m) line("o{0}_{2} = coopMultiplyAdd(p{0}_{1}, v{1}_{2}, o{0}_{2});", m, k, n);
    }
  }
  return line.take();
}

/// Each matrix of the result goes through workgroup memory, to be rescaled or stored.
std::string through_memory(const AttentionTile& t, bool out) {
  Lines line;
  for (std::uint32_t m = 0; m < 2; ++m) {
    for (std::uint32_t n = 0; n < across(t); ++n) {
      line("coopStoreT(o{}_{}, &scores[place], PITCH_S);\nworkgroupBarrier();", m, n);
      if (out) {
        line("write_rows(place, strip + {}u, side * {}u + {}u, row_at, rows, lane);", m * t.unit,
             across(t) * t.unit / 4, n * t.unit / 4);
      } else {
        line("scale_rows(place, strip + {}u, lane);\nworkgroupBarrier();", m * t.unit);
        line("o{}_{} = coopLoadT<Sum>(&scores[place], PITCH_S);", m, n);
      }
      line("workgroupBarrier();");
    }
  }
  return line.take();
}

void replace(std::string& text, std::string_view mark, const std::string& by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size())) {
    text.replace(at, mark.size(), by);
  }
}

}  // namespace

std::string attention_matrix_text(const schedule::AttentionVariant& v) {
  const AttentionTile t = v.tile();
  Lines head;
  head("alias Left = coop_mat{0}x{0}<f16, A>;\nalias Right = coop_mat{0}x{0}<f16, B>;", t.unit);
  head("alias Sum = coop_mat{0}x{0}<f32, C>;", t.unit);
  head("const D4 = {}u;\nconst UNIT = {}u;\nconst LANES = {}u;\nconst ROWS = {}u;\nconst COLS = {}u;", t.d / 4, t.unit,
       t.lanes, t.rows(), t.cols());
  head("const PARTS = {}u;\nconst STRIP = {}u;\nconst THREADS = {}u;\nconst MASKED = {};", AttentionTile::kParts,
       t.strip(), t.threads(), v.masked);
  std::string text(kernels::wgsl("attention_matrix"));
  replace(text, "/*sink*/", v.sinks ? "\n  top = sink_of(h);\n  if (part == 0u) { total = 1.0; }" : "");
  replace(text, "/*scaled*/",
          v.softcap
              ? "x[i] = vec4<f32>(softcapped(x[i].x), softcapped(x[i].y), softcapped(x[i].z), softcapped(x[i].w));"
              : "x[i] *= params.scale;");
  for (const std::string_view name : {"k", "v"}) {
    const std::string at = fmt::format("{}_at(start, batch, min(n0 + slot / D4, last_key)) + slot % D4", name);
    if (v.scaled != 0) replace(text, fmt::format("{}[{}]", name, at), fmt::format("vec4<f16>(load_{}({}))", name, at));
  }
  replace(text, "/*queries*/", queries(t));
  replace(text, "/*results*/", results(t));
  replace(text, "/*scores*/", scores(t));
  replace(text, "/*weighted_values*/", weighted_values(t));
  replace(text, "/*rescale*/", through_memory(t, false));
  replace(text, "/*output*/", through_memory(t, true));
  return head.take() + text;
}

}  // namespace tessera::codegen
