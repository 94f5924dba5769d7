// Maps: every invocation computes a quad of elements, so that packed types own whole words.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/ints.h"
#include "codegen/kernels/quant.h"
#include "codegen/writers.h"
#include "graph/op.h"

namespace tessera::codegen {

namespace {

/// Stores only the elements of a quad whose load is inside the binding range; the others keep their value.
std::string store_what_is_inside(Body& body, int load, const std::array<ElementNames, 4>& places,
                                 const BufferForm& form, std::array<std::string, 4> values, std::string& out) {
  for (std::size_t t = 0; t < 4; ++t) out += fmt::format("let w{} = {};\n", t, body.in_range(load, places[t], out));
  for (std::size_t t = 0; t < 4; ++t) values[t] = fmt::format("select(old{0}, {1}, w{0})", t, values[t]);
  return "if (w0 || w1 || w2 || w3) {\n" + form.load_quad("q", "old") + form.store_quad("q", values) + "}\n";
}

/// Stores the elements of a quad at computed positions: those before the end, and inside a binding range.
std::string store_at(Body& body, int at, const std::array<ElementNames, 4>& places, const BufferForm& form,
                     const std::array<std::string, 4>& values, std::string& out) {
  std::string stores;
  for (std::size_t t = 0; t < 4; ++t) {
    const std::string position = fmt::format("u32({})", body.value(at, places[t], out));
    const std::string store = form.store(position, values[t]);
    std::string inside = t == 0 ? "" : fmt::format("4u * q + {}u <= last", t);
    if (form.range_at >= 0) inside += (inside.empty() ? "" : " && ") + form.in_range(position);
    stores += inside.empty() ? store : fmt::format("if ({}) {{ {} }}\n", inside, store);
  }
  return stores;
}

/// fn map<i>(q: u32): the quad q of one map.
std::string map_function(const Kernel& k, const Written& forms, std::size_t first_in, std::size_t first_out,
                         int first_param, std::size_t number, const MapShape& shape) {
  std::vector<BufferForm> inputs(forms.inputs.begin() + static_cast<std::ptrdiff_t>(first_in),
                                 forms.inputs.begin() + static_cast<std::ptrdiff_t>(first_in + k.inputs.size()));
  Body body(k, inputs, first_param);
  body.set_whole(shape.whole);
  body.set_joint(shape.joint);
  std::string out = fmt::format("fn map{}(q: u32) {{\nlet last = {} - 1u;\n", number, param(first_param));
  std::array<ElementNames, 4> places;
  for (int t = 0; t < 4; ++t) {
    out += t == 0 ? "let e0 = 4u * q;\n" : fmt::format("let e{} = min(4u * q + {}u, last);\n", t, t);
    places[as_index(t)] = {fmt::format("_{}", t), fmt::format("e{}", t), "0u", fmt::format("e{}", t), "q", t, {}};
  }
  std::string stores;
  for (const Store& s : k.stores) {
    std::array<std::string, 4> values;
    for (std::size_t t = 0; t < 4; ++t) values[t] = body.value(s.instr, places[t], out);
    const BufferForm& form = forms.outputs[first_out + as_index(s.slot)];
    if (s.at >= 0) {
      stores += store_at(body, s.at, places, form, values, out);
      continue;
    }
    stores += k.in_ranges && form.range_at >= 0 ? store_what_is_inside(body, s.instr, places, form, values, out)
                                                : form.store_quad("q", values);
  }
  return out + stores + "}\n";
}

/// The sizes of the last two dims of level 0 of a view, whose parameter words start at `at`.
struct TiledMatrix {
  std::int64_t rows, cols;
};
TiledMatrix tiled_matrix(const Index& view, int at, const Binding& binding) {
  const int rank = view.layout.levels()[0].rank();
  return {binding.params[as_index(at + 2 * (rank - 2))], binding.params[as_index(at + 2 * (rank - 1))]};
}

/// Whether four elements from a multiple of four on are always an aligned quad behind the view: its rows are contiguous
/// and have whole quads.
bool keeps_quads(const Index& view, int at, const Binding& binding) {
  const auto levels = view.layout.levels();
  if (view.kind != Index::Kind::kView || view.parent != 0 || levels.size() != 1 || !levels[0].contiguous())
    return false;
  const int rank = levels[0].rank();
  const auto word = [&](int i) { return binding.params[as_index(at + i)]; };
  bool whole = word(2 * (rank - 1)) % kQuad == 0 && word(2 * rank) % kQuad == 0;
  for (int d = 0; d + 1 < rank; ++d) whole = whole && word(2 * d + 1) % kQuad == 0;
  return whole;
}

/// Whether four elements from a multiple of four on are always one element behind the view: its last dim is broadcast
/// and has whole quads.
bool repeats_quads(const Index& view, int at, const Binding& binding) {
  const auto levels = view.layout.levels();
  if (view.kind != Index::Kind::kView || view.parent != 0 || levels.size() != 1 || levels[0].rank() == 0) return false;
  const int rank = levels[0].rank();
  return levels[0].strides.ends_with(StrideClass::kZero) && binding.params[as_index(at + 2 * (rank - 1))] % kQuad == 0;
}

/// What is known of an integer at the four elements of a quad.
enum class AcrossQuad : std::uint8_t {
  kUnknown,
  kSame,          // one value
  kSameMultiple,  // one value, a multiple of four
  kConsecutive,   // x, x + 1, x + 2, x + 3, and x is a multiple of four
};

/// Of an instr, from what is known of its arguments.
AcrossQuad across_quad(const Kernel& kernel, const ParamLayout& layout, const Binding& binding, int instr,
                       const std::vector<AcrossQuad>& known) {
  using enum AcrossQuad;
  const Instr& x = kernel.instrs[as_index(instr)];
  const auto at_index = [&](auto&& test) {
    return x.index > 0 && test(kernel.indices[as_index(x.index)], layout.index_at[as_index(x.index)], binding);
  };
  const auto same = [](AcrossQuad a) { return a == kSame || a == kSameMultiple; };
  if (x.kind == Instr::Kind::kLoad) return at_index(repeats_quads) ? kSame : kUnknown;
  if (x.kind == Instr::Kind::kScalar) {
    const bool multiple =
        is_integer(x.dtype) && binding.params[as_index(layout.instr_at[as_index(instr)])] % kQuad == 0;
    return multiple ? kSameMultiple : kSame;
  }
  if (x.kind == Instr::Kind::kIota) {
    if (at_index(repeats_quads)) return kSame;
    return is_integer(x.dtype) && (x.index == 0 || at_index(keeps_quads)) ? kConsecutive : kUnknown;
  }
  if (x.kind != Instr::Kind::kOp) return kUnknown;
  const AcrossQuad a = known[as_index(x.args[0])];
  const AcrossQuad b = known[as_index(x.args.back())];
  const bool integers = x.dtype == DType::kI32 || x.dtype == DType::kU32;
  if (integers && x.op == Op::kMultiply && same(a) && same(b) && (a == kSameMultiple || b == kSameMultiple)) {
    return kSameMultiple;
  }
  const auto one = [&](int arg) {  // the step of arange
    const Instr& y = kernel.instrs[as_index(arg)];
    return y.kind == Instr::Kind::kScalar && binding.params[as_index(layout.instr_at[as_index(arg)])] == 1;
  };
  if (integers && x.op == Op::kMultiply && a == kConsecutive && one(x.args.back())) return kConsecutive;
  if (integers && x.op == Op::kAdd) {
    if (a == kSameMultiple && b == kSameMultiple) return kSameMultiple;
    if ((a == kConsecutive && b == kSameMultiple) || (a == kSameMultiple && b == kConsecutive)) return kConsecutive;
  }
  return std::ranges::all_of(x.args, [&](int i) { return same(known[as_index(i)]); }) ? kSame : kUnknown;
}

/// A bit for each kAt index whose loads are all whole quads of their buffers: gathers of rows of whole quads.
std::uint64_t gathers_of_quads(const Kernel& kernel, const ParamLayout& layout, const Binding& binding) {
  const auto gathers = [&](const Instr& x) {
    return x.kind == Instr::Kind::kLoad && kernel.indices[as_index(x.index)].kind == Index::Kind::kAt;
  };
  if (kernel.table.is_dequantized() || std::ranges::none_of(kernel.instrs, gathers)) return 0;
  std::vector<AcrossQuad> known;
  std::uint64_t whole = 0;
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < kernel.instrs.size(); ++i) {
    const Instr& x = kernel.instrs[i];
    known.push_back(across_quad(kernel, layout, binding, static_cast<int>(i), known));
    if (!gathers(x) || x.index >= 64) continue;
    const bool consecutive = known[as_index(x.args[0])] == AcrossQuad::kConsecutive;
    (consecutive ? whole : others) |= std::uint64_t{1} << x.index;
  }
  return whole & ~others;
}

/// A bit for each view of the elements whose last dim has the size of that of the lowest one of them.
std::uint64_t views_of_one_size(const Kernel& kernel, const ParamLayout& layout, const Binding& binding) {
  std::uint64_t views = 0;
  std::uint32_t size = 0;
  for (std::size_t i = 1; i < std::min<std::size_t>(kernel.indices.size(), 64); ++i) {
    const Index& x = kernel.indices[i];
    if (x.kind != Index::Kind::kView || x.parent != 0 || x.layout.levels()[0].rank() < 2) continue;
    const std::uint32_t own = binding.params[as_index(last_size_at(x, layout.index_at[i]))];
    if (views == 0) size = own;
    if (own == size) views |= std::uint64_t{1} << i;
  }
  return std::popcount(views) > 1 ? views : 0;
}

}  // namespace

MapShape map_shape(const Kernel& kernel, const Binding& binding, const DeviceInfo& device) {
  MapShape s;
  s.workgroup = std::min(device.workgroup_size != 0 ? device.workgroup_size : 256U, device.limits.max_workgroup_size);
  s.chunked = binding.chunked;
  if (kernel.kind != Kernel::Kind::kMap || s.workgroup % kTileRows != 0) return s;
  const ParamLayout layout(kernel);
  for (std::size_t i = 1; i < std::min<std::size_t>(kernel.indices.size(), 64); ++i) {
    if (!s.chunked && keeps_quads(kernel.indices[i], layout.index_at[i], binding)) s.whole |= std::uint64_t{1} << i;
  }
  if (const std::uint64_t gathers = s.chunked ? 0 : gathers_of_quads(kernel, layout, binding); gathers != 0) {
    s.whole |= gathers;
    s.joint = views_of_one_size(kernel, layout, binding);
  }
  for (const Instr& x : kernel.instrs) {
    if (x.kind != Instr::Kind::kLoad || x.index <= 0) continue;
    const Index& index = kernel.indices[as_index(x.index)];
    if (index.kind != Index::Kind::kView || index.parent != 0) continue;
    if (!index.layout.levels()[0].transposed()) continue;
    const auto [rows, cols] = tiled_matrix(index, layout.index_at[as_index(x.index)], binding);
    if (cols % 4 != 0 || cols < kTileRows || rows < kTileRows) continue;
    s.tiled = x.index;
    break;
  }
  return s;
}

std::uint64_t map_groups(const Kernel& kernel, const MapShape& s, const Binding& binding) {
  const std::int64_t first = binding.first;
  const std::int64_t elements = binding.cols;
  const auto count = [](std::int64_t a, std::int64_t b) { return static_cast<std::uint64_t>(ceil_div(a, b)); };
  if (s.tiled < 0) return count(elements, static_cast<std::int64_t>(s.workgroup) * kQuad);
  const auto [rows, cols] =
      tiled_matrix(kernel.indices[as_index(s.tiled)], ParamLayout(kernel).index_at[as_index(s.tiled)], binding);
  // Whole bands of rows, from that of the first element to that of the last.
  const auto band = [rows, cols, count](std::int64_t element) {
    const std::int64_t row = element / cols;
    return static_cast<std::uint64_t>(row / rows) * count(rows, kTileRows) +
           static_cast<std::uint64_t>(row % rows / kTileRows);
  };
  if (elements == 0) return 0;
  return (band(first + elements - 1) - band(first) + 1) * count(cols / kQuad, s.workgroup / kTileRows);
}

namespace {

/// The quad of an invocation inside a square of the tiled view.
std::string tiled_quad(const Kernel& kernel, const MapShape& s, const std::string& first_quad) {
  const int rank = kernel.indices[as_index(s.tiled)].layout.levels()[0].rank();
  const int at = ParamLayout(kernel).index_at[as_index(s.tiled)];
  const std::string number = s.chunked ? "tile" : "group";
  std::string text = fmt::format(
      "let rows = {0};\nlet quads = {1} >> 2u;\nlet across = (quads + {2}u) / {3}u;\nlet down = (rows + {4}u) / "
      "{5}u;\n",
      param(at + 2 * (rank - 2)), param(at + 2 * (rank - 1)), s.workgroup / kTileRows - 1, s.workgroup / kTileRows,
      kTileRows - 1, kTileRows);
  if (s.chunked) {
    text += fmt::format(
        "let start = {} / quads;\nlet tile = group + (start / rows * down + start % rows / {}u) * across;\n",
        first_quad, kTileRows);
  }
  text += fmt::format(
      "let row = ({0} / across) % down * {2}u + lane % {2}u;\nlet quad = {0} % across * {1}u + lane / {2}u;\n", number,
      s.workgroup / kTileRows, kTileRows);
  const std::string q = fmt::format("({} / (across * down) * rows + row) * quads + quad", number);
  if (!s.chunked) return text + fmt::format("if (row < rows && quad < quads) {{ map0({}); }}\n", q);
  return text + fmt::format("let q = {};\nif (row < rows && quad < quads && q >= {} && 4u * q < {}) {{ map0(q); }}\n",
                            q, first_quad, param(0));
}

}  // namespace

Written write_map(const Kernel& kernel, const MapShape& shape, bool native_f16) {
  const std::uint32_t workgroup = shape.workgroup;
  Written w = plain_forms(kernel, native_f16, shape.chunked);
  const bool grouped = kernel.kind == Kernel::Kind::kGrouped;
  const std::vector<Kernel> single = grouped ? std::vector<Kernel>{} : std::vector<Kernel>{kernel};
  const std::vector<Kernel>& parts = grouped ? kernel.parts : single;
  std::size_t first_in = 0;
  for (const Kernel& part : parts) {
    for (std::size_t i = 0; i < part.inputs.size(); ++i) {
      w.inputs[first_in + i].quad = Body::loads_quad(part, static_cast<int>(i), shape.whole);
    }
    first_in += part.inputs.size();
  }
  std::size_t output = 0;
  for (const Kernel& part : parts) {
    for (std::size_t i = 0; i < part.outputs.size(); ++i) {
      BufferForm& form = w.outputs[output++];
      form.quad = !part.updates(static_cast<int>(i));
      form.atomic = !form.quad && form.packed();
    }
  }
  if (kernel.table.is_dequantized()) {
    for (std::size_t i = 0; i < kernel.table.dequantizer->inputs.size(); ++i) {
      w.inputs[as_index(kernel.table.slot) + i].name = kernel.table.dequantizer->inputs[i].name;
    }
    w.text += dequantize_functions(*kernel.table.dequantizer);
  }
  for (const auto& [in, out] : kernel.aliases) w.inputs[as_index(in)] = w.outputs[as_index(out)];

  std::string calls;
  first_in = 0;
  std::size_t first_out = 0;
  int first_param = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    w.text += map_function(parts[i], w, first_in, first_out, first_param, i, shape);
    const std::string n = param(first_param);
    if (grouped) {
      calls += fmt::format(
          "let c{0} = ({1} + {2}u) / {3}u;\nif (group < c{0}) {{\nlet q{0} = group * {4}u + lane;\n"
          "if (4u * q{0} < {1}) {{ map{0}(q{0}); }}\nreturn;\n}}\ngroup -= c{0};\n",
          i, n, workgroup * kQuad - 1, workgroup * kQuad, workgroup);
    } else if (shape.tiled >= 0) {
      calls += tiled_quad(kernel, shape, param(ParamLayout(kernel).words));
    } else if (shape.chunked) {
      calls += fmt::format("let q = {} + group * {}u + lane;\nif (4u * q < {}) {{ map0(q); }}\n",
                           param(ParamLayout(kernel).words), workgroup, n);
    } else {
      calls += fmt::format("let q = group * {}u + lane;\nif (4u * q < {}) {{ map0(q); }}\n", workgroup, n);
    }
    first_in += parts[i].inputs.size();
    first_out += parts[i].outputs.size();
    first_param += ParamLayout(parts[i]).words;
  }
  w.text += fmt::format(
      "@compute @workgroup_size({})\nfn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: "
      "vec3<u32>,\n        @builtin(local_invocation_index) lane: u32) {{\n{} group = id.y * count.x + id.x;\n{}}}\n",
      workgroup, grouped ? "var" : "let", calls);
  return w;
}

}  // namespace tessera::codegen
