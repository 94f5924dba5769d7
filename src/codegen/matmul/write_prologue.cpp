// Prologues: operands computed on load, as a WGSL function of the position in the buffer that is never written.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "codegen/writers.h"

namespace tessera::codegen {

namespace {

/// The WGSL type of the operand's values.
DType computed_type(DType t) {
  switch (compute_type(t)) {
    case Compute::kI32:
      return DType::kI32;
    case Compute::kU32:
      return DType::kU32;
    default:
      return DType::kF32;
  }
}

/// The value after rounding to the operand's dtype, as if it had been stored.
std::string stored(const std::string& value, DType t, bool half) {
  if (t == DType::kF16 && !half) return fmt::format("f16_to_f32(f16_from_f32({}))", value);
  if (t == DType::kBF16) return fmt::format("bf16_to_f32(bf16_from_f32({}))", value);
  return value;
}

bool needs_rows(const Kernel& map) {
  return std::ranges::any_of(map.indices, [](const Index& x) {
    return x.kind == Index::Kind::kRow || x.kind == Index::Kind::kCol || x.split >= 0;
  });
}

}  // namespace

BufferForm prologue_form(const Operand& x, const std::string& name, bool quads) {
  return {.name = name, .dtype = computed_type(x.dtype), .quad = quads, .dequantized = true};
}

std::string prologue_function(const Operand& x, const BufferForm& form, std::vector<BufferForm> inputs, int words,
                              bool half) {
  const Kernel& map = *x.computed;
  Body body(map, std::move(inputs), words);
  const std::string type = value_type(form.dtype);
  const std::string cols = param(words);
  const int result = map.stores[0].instr;
  const bool rows = needs_rows(map);
  if (!form.quad) {
    std::string s = fmt::format("fn {}(e: u32) -> {} {{\n", form.name, type);
    if (rows) s += fmt::format("let row = e / {0};\nlet col = e - row * {0};\n", cols);
    const std::string value = body.value(result, {"_e", "e", "row", "col", {}, 0, {}}, s);
    return s + fmt::format("return {};\n}}\n", stored(value, x.dtype, half));
  }
  std::string s = fmt::format("fn {}(q: u32) -> vec4<{}> {{\nlet e0 = 4u * q;\n", form.name, type);
  if (rows) s += fmt::format("let row0 = e0 / {0};\nlet col0 = e0 - row0 * {0};\n", cols);
  std::array<std::string, 4> values;
  for (int t = 0; t < 4; ++t) {
    if (t > 0) s += fmt::format("let e{0} = e0 + {0}u;\n", t);
    if (t > 0 && rows) {  // a quad may continue in the next row
      s += fmt::format(
          "let end{0} = col{1} + 1u == {2};\nlet row{0} = select(row{1}, row{1} + 1u, end{0});\n"
          "let col{0} = select(col{1} + 1u, 0u, end{0});\n",
          t, t - 1, cols);
    }
    const auto name = [&](const char* what) { return fmt::format("{}{}", what, t); };
    const ElementNames place{fmt::format("_{}", t), name("e"), name("row"), name("col"), "q", t, {}};
    values[static_cast<std::size_t>(t)] = stored(body.value(result, place, s), x.dtype, half);
  }
  return s + fmt::format("return vec4<{}>({}, {}, {}, {});\n}}\n", type, values[0], values[1], values[2], values[3]);
}

}  // namespace tessera::codegen
