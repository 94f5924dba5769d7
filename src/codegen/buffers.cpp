// The layout of each dtype in storage buffers, and conversions between dtypes.
#include "codegen/buffers.h"

#include <fmt/format.h>

namespace tessera::codegen {

std::string param(int i) { return fmt::format("p[{}].{}", i / 4, "xyzw"[i % 4]); }

std::string value_type(DType t) {
  switch (compute_type(t)) {
    case Compute::kBool:
      return "bool";
    case Compute::kI32:
      return "i32";
    case Compute::kU32:
      return "u32";
    case Compute::kI64:
    case Compute::kU64:
      return "vec2<u32>";
    default:
      return "f32";
  }
}

std::string declare_binding(const KernelBinding& b, DType dtype, int binding, bool writable, bool native_f16) {
  if (b.words) {
    return fmt::format("@group(0) @binding({}) var<storage, {}> {}: array<{}>;\n", binding,
                       writable ? "read_write" : "read", b.name,
                       b.width == 1 ? "u32" : fmt::format("vec{}<u32>", b.width));
  }
  if (b.width == 1) {
    BufferForm form{b.name, dtype, false, false, native_f16, writable};
    form.pinned = b.pinned;
    return form.declare(binding);
  }
  const bool half = size_of(dtype) == 2;
  // Converted halves are two words for four, which every device has.
  const std::string type = half && b.convert ? "vec2<u32>" : fmt::format("vec{}<{}>", b.width, name(dtype));
  std::string text = fmt::format("@group(0) @binding({}) var<storage, {}> {}: array<{}>;\n", binding,
                                 writable || b.pinned ? "read_write" : "read", b.name, type);
  if (!b.convert) return text;
  if (writable) {
    text += fmt::format("fn store_{}(i: u32, v: vec4<f32>) {{\n", b.name);
    const std::string pack = dtype == DType::kF16 ? "f16_pack" : "bf16_pack";
    return text + (half ? fmt::format("  {0}[i] = vec2<u32>({1}(v.xy), {1}(v.zw));\n}}\n", b.name, pack)
                        : fmt::format("  {}[i] = v;\n}}\n", b.name));
  }
  text += fmt::format("fn load_{}(i: u32) -> vec4<f32> {{\n", b.name);
  if (dtype == DType::kF16) {
    text += fmt::format("  let w = {}[i];\n  return vec4<f32>(unpack2x16float(w.x), unpack2x16float(w.y));\n", b.name);
  } else if (half) {
    text += fmt::format(
        "  let w = {}[i];\n  return bitcast<vec4<f32>>(vec4<u32>(w.x << 16u, w.x & 0xffff0000u, w.y << 16u, w.y & "
        "0xffff0000u));\n",
        b.name);
  } else {
    text += fmt::format("  return {}[i];\n", b.name);
  }
  return text + "}\n";
}

BufferForm dequantized_form() {
  return {.name = "dequantize_quad", .dtype = DType::kF32, .quad = true, .dequantized = true};
}

std::string BufferForm::declare(int binding) const {
  std::string element;
  if (packed()) {
    element = atomic ? "atomic<u32>" : "u32";
  } else {
    switch (dtype) {
      case DType::kF16:
        element = "f16";
        break;
      case DType::kI64:
      case DType::kU64:
        element = "vec2<u32>";
        break;
      default:
        element = value_type(dtype);
        break;
    }
    if (quad && has_vec4()) element = fmt::format("vec4<{}>", element);
  }
  return fmt::format("@group(0) @binding({}) var<storage, {}> {}: array<{}>;\n", binding,
                     writable || pinned ? "read_write" : "read", name, element);
}

std::string BufferForm::in_range(const std::string& index) const {
  return fmt::format("({} - {} <= {})", index, param(range_at), param(range_at + 1));
}

// Below the range the difference wraps to a large number.
std::string BufferForm::to_load(const std::string& index) const {
  return range_at < 0 ? index : fmt::format("min({} - {}, {})", index, param(range_at), param(range_at + 1));
}

std::string BufferForm::to_store(const std::string& index) const {
  return range_at < 0 ? index : fmt::format("({} - {})", index, param(range_at));
}

std::string BufferForm::quad_to_load(const std::string& q) const {
  return range_at < 0 ? q : fmt::format("min({} - ({} >> 2u), {} >> 2u)", q, param(range_at), param(range_at + 1));
}

std::string BufferForm::quad_to_store(const std::string& q) const {
  return range_at < 0 ? q : fmt::format("({} - ({} >> 2u))", q, param(range_at));
}

std::string BufferForm::quad_at(const std::string& q) const {
  return fmt::format("{}{}{}{}", name, dequantized ? '(' : '[', q, dequantized ? ')' : ']');
}

std::string BufferForm::word_of(const std::string& index) const {
  const std::string word = fmt::format("{}[{} >> {}u]", name, index, size_of(dtype) == 1 ? 2 : 1);
  return atomic ? fmt::format("atomicLoad(&{})", word) : word;
}

std::string BufferForm::decode(const std::string& word, const std::string& shift) const {
  switch (dtype) {
    case DType::kBool:
      return fmt::format("((({} >> {}) & 0xffu) != 0u)", word, shift);
    case DType::kU8:
      return fmt::format("(({} >> {}) & 0xffu)", word, shift);
    case DType::kU16:
      return fmt::format("(({} >> {}) & 0xffffu)", word, shift);
    case DType::kI8:
      return fmt::format("(bitcast<i32>(({} >> {}) << 24u) >> 24u)", word, shift);
    case DType::kI16:
      return fmt::format("(bitcast<i32>(({} >> {}) << 16u) >> 16u)", word, shift);
    case DType::kF16:
      return fmt::format("f16_to_f32(({} >> {}) & 0xffffu)", word, shift);
    default:
      return fmt::format("bf16_to_f32(({} >> {}) & 0xffffu)", word, shift);
  }
}

std::string BufferForm::encode(const std::string& value) const {
  switch (dtype) {
    case DType::kBool:
      return fmt::format("select(0u, 1u, {})", value);
    case DType::kU8:
      return fmt::format("({} & 0xffu)", value);
    case DType::kU16:
      return fmt::format("({} & 0xffffu)", value);
    case DType::kI8:
      return fmt::format("(bitcast<u32>({}) & 0xffu)", value);
    case DType::kI16:
      return fmt::format("(bitcast<u32>({}) & 0xffffu)", value);
    case DType::kF16:
      return fmt::format("f16_from_f32({})", value);
    default:
      return fmt::format("bf16_from_f32({})", value);
  }
}

std::string BufferForm::load(const std::string& at) const {
  if (dequantized && !quad) return fmt::format("{}({})", name, at);
  const std::string index = to_load(at);
  if (packed()) {
    const std::string shift =
        size_of(dtype) == 1 ? fmt::format("(({} & 3u) << 3u)", index) : fmt::format("(({} & 1u) << 4u)", index);
    return decode(word_of(index), shift);
  }
  std::string element = quad && has_vec4() ? fmt::format("{}[{} & 3u]", quad_at(fmt::format("{} >> 2u", index)), index)
                                           : fmt::format("{}[{}]", name, index);
  return dtype == DType::kF16 ? fmt::format("f32({})", element) : element;
}

std::string BufferForm::load_quad(const std::string& at, const std::string& prefix) const {
  static constexpr std::array<char, 4> kLane{'x', 'y', 'z', 'w'};
  const std::string q = quad_to_load(at);
  std::string s;
  if (packed()) {
    const bool bytes = size_of(dtype) == 1;
    if (bytes) {
      s += fmt::format("let {}w = {}[{}];\n", prefix, name, q);
    } else {
      s += fmt::format("let {}w = {}[2u * {}];\nlet {}v = {}[2u * {} + 1u];\n", prefix, name, q, prefix, name, q);
    }
    for (int t = 0; t < 4; ++t) {
      const std::string word = fmt::format("{}{}", prefix, bytes || t < 2 ? 'w' : 'v');
      s += fmt::format("let {}{} = {};\n", prefix, t, decode(word, fmt::format("{}u", bytes ? 8 * t : 16 * (t & 1))));
    }
    return s;
  }
  if (quad && has_vec4()) {
    s += fmt::format("let {}v = {};\n", prefix,
                     dtype == DType::kF16 ? fmt::format("vec4<f32>({})", quad_at(q)) : quad_at(q));
    for (int t = 0; t < 4; ++t)
      s += fmt::format("let {}{} = {}v.{};\n", prefix, t, prefix, kLane[static_cast<std::size_t>(t)]);
    return s;
  }
  for (int t = 0; t < 4; ++t)
    s += fmt::format("let {}{} = {};\n", prefix, t, load(fmt::format("(4u * {} + {}u)", at, t)));
  return s;
}

std::string BufferForm::store(const std::string& at, const std::string& value) const {
  const std::string index = to_store(at);
  if (packed()) {
    const bool bytes = size_of(dtype) == 1;
    const std::string word = fmt::format("&{}[{} >> {}u]", name, index, bytes ? 2 : 1);
    const std::string shift = bytes ? fmt::format("(({} & 3u) << 3u)", index) : fmt::format("(({} & 1u) << 4u)", index);
    // Each element has one writer, so clearing and setting its own bits needs no lock.
    return fmt::format("atomicAnd({}, ~({} << {})); atomicOr({}, {} << {});\n", word, bytes ? "0xffu" : "0xffffu",
                       shift, word, encode(value), shift);
  }
  const std::string v = dtype == DType::kF16 ? fmt::format("f16({})", value) : value;
  if (quad && has_vec4()) return fmt::format("{}[{} >> 2u][{} & 3u] = {};\n", name, index, index, v);
  return fmt::format("{}[{}] = {};\n", name, index, v);
}

std::string BufferForm::store_quad(const std::string& at, const std::array<std::string, 4>& v) const {
  const std::string q = quad_to_store(at);
  if (packed()) {
    if (size_of(dtype) == 1) {
      return fmt::format("{}[{}] = {} | ({} << 8u) | ({} << 16u) | ({} << 24u);\n", name, q, encode(v[0]), encode(v[1]),
                         encode(v[2]), encode(v[3]));
    }
    return fmt::format("{}[2u * {}] = {} | ({} << 16u);\n{}[2u * {} + 1u] = {} | ({} << 16u);\n", name, q, encode(v[0]),
                       encode(v[1]), name, q, encode(v[2]), encode(v[3]));
  }
  if (quad && has_vec4()) {
    const std::string vec = fmt::format("vec4<{}>({}, {}, {}, {})", value_type(dtype), v[0], v[1], v[2], v[3]);
    return fmt::format("{}[{}] = {};\n", name, q, dtype == DType::kF16 ? fmt::format("vec4<f16>({})", vec) : vec);
  }
  std::string s;
  for (std::size_t t = 0; t < 4; ++t) s += store(fmt::format("(4u * {} + {}u)", at, t), v[t]);
  return s;
}

std::string wrap(const std::string& value, DType t) {
  switch (t) {
    case DType::kI8:
      return fmt::format("(({} << 24u) >> 24u)", value);
    case DType::kI16:
      return fmt::format("(({} << 16u) >> 16u)", value);
    case DType::kU8:
      return fmt::format("({} & 0xffu)", value);
    case DType::kU16:
      return fmt::format("({} & 0xffffu)", value);
    default:
      return value;
  }
}

std::string convert(const std::string& v, DType from, DType to, bool round) {
  const Compute a = compute_type(from);
  const Compute b = compute_type(to);
  const auto wide = [](Compute c) { return c == Compute::kI64 || c == Compute::kU64; };
  const auto prefix = [](Compute c) { return c == Compute::kI64 ? "i64" : "u64"; };
  std::string r = v;
  if (a == b || (wide(a) && wide(b))) {
    r = v;  // the same bits; small integers wrap below
  } else if (wide(a)) {
    r = fmt::format("{}_to_{}({})", prefix(a), value_type(to), v);
  } else if (wide(b)) {
    r = fmt::format("{}_from_{}({})", prefix(b), value_type(from), v);
  } else if (b == Compute::kBool) {
    r = a == Compute::kF32 ? fmt::format("bool_from_f32({})", v) : fmt::format("({} != {}(0))", v, value_type(from));
  } else if (a == Compute::kF32) {
    r = fmt::format("{}_from_f32({})", value_type(to), v);
  } else if (a == Compute::kBool) {
    r = b == Compute::kF32 ? fmt::format("select(0.0, 1.0, {})", v)
                           : fmt::format("select({0}(0), {0}(1), {1})", value_type(to), v);
  } else if (b == Compute::kF32) {
    r = from == DType::kU32 ? fmt::format("f32_from_u32({})", v) : fmt::format("f32({})", v);
  } else {
    r = fmt::format("bitcast<{}>({})", value_type(to), v);
  }
  if (round && from != to) {
    if (to == DType::kF16) r = fmt::format("f16_to_f32(f16_from_f32({}))", r);
    if (to == DType::kBF16) r = fmt::format("bf16_to_f32(bf16_from_f32({}))", r);
  }
  return is_subword_integer(to) ? wrap(r, to) : r;
}

}  // namespace tessera::codegen
