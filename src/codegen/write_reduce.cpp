// Row kernels: several invocations share a row, reduce it in one or more passes, and map over it with the results.
#include <algorithm>
#include <bit>
#include <set>

#include <fmt/format.h>

#include "base/ints.h"
#include "codegen/writers.h"
#include "graph/op.h"

namespace tessera::codegen {

namespace {

bool is_arg(Op op) { return op == Op::kArgMax || op == Op::kArgMin; }

Op combiner(Op op) {
  switch (op) {
    case Op::kSum:
      return Op::kAdd;
    case Op::kProd:
      return Op::kMultiply;
    case Op::kMax:
      return Op::kMaximum;
    default:
      return Op::kMinimum;
  }
}

std::string identity(Op op, DType t) {
  const Compute c = compute_type(t);
  const bool lowest = op == Op::kMax || op == Op::kArgMax;
  if (op == Op::kSum || op == Op::kProd) {
    const int v = op == Op::kProd ? 1 : 0;
    if (c == Compute::kI64 || c == Compute::kU64) return fmt::format("vec2<u32>({}u, 0u)", v);
    if (c == Compute::kBool) return v == 1 ? "true" : "false";
    return fmt::format("{}({})", value_type(t), v);
  }
  switch (c) {
    case Compute::kBool:
      return lowest ? "false" : "true";
    // Of the dtype itself: values between steps are wrapped to it.
    case Compute::kI32:
      if (size_of(t) == 4) return lowest ? "bitcast<i32>(0x80000000u)" : "0x7fffffffi";
      return fmt::format("i32({})", lowest ? -(1 << (8 * size_of(t) - 1)) : (1 << (8 * size_of(t) - 1)) - 1);
    case Compute::kU32:
      return lowest ? "0u" : fmt::format("{}u", 0xffffffffU >> (32 - 8 * size_of(t)));
    case Compute::kI64:
      return lowest ? "vec2<u32>(0u, 0x80000000u)" : "vec2<u32>(0xffffffffu, 0x7fffffffu)";
    case Compute::kU64:
      return lowest ? "vec2<u32>(0u, 0u)" : "vec2<u32>(0xffffffffu, 0xffffffffu)";
    default:
      return lowest ? "(-inf_f32())" : "inf_f32()";
  }
}

std::string combine(Op op, DType t, const std::string& a, const std::string& b) {
  if (t == DType::kBool) return fmt::format("({} {} {})", a, op == Op::kMax || op == Op::kSum ? "||" : "&&", b);
  return op_text(combiner(op), t, t, {a, b});
}

/// Whether candidate (v, i) beats (w, j): NaN beats all, and of equal values the first.
std::string beats(Op op, DType t, const std::string& v, const std::string& i, const std::string& w,
                  const std::string& j) {
  std::string x = v;
  std::string y = w;
  DType type = t;
  if (t == DType::kBool) {
    x = fmt::format("select(0u, 1u, {})", v);
    y = fmt::format("select(0u, 1u, {})", w);
    type = DType::kU32;
  }
  const std::string wins = op_text(op == Op::kArgMax ? Op::kGreater : Op::kLess, type, DType::kBool, {x, y});
  const std::string same = op_text(Op::kEqual, type, DType::kBool, {x, y});
  if (compute_type(t) == Compute::kF32) {
    return fmt::format(
        "({1} != 0xffffffffu && ({3} == 0xffffffffu || (is_nan_f32({0}) && !is_nan_f32({2})) || (!is_nan_f32({2}) && "
        "{4}) || "
        "(({5} || (is_nan_f32({0}) && is_nan_f32({2}))) && {1} < {3})))",
        v, i, w, j, wins, same);
  }
  return fmt::format("({1} != 0xffffffffu && ({3} == 0xffffffffu || {4} || ({5} && {1} < {3})))", v, i, w, j, wins,
                     same);
}

class ReduceWriter {
 public:
  ReduceWriter(const Kernel& kernel, const ReduceShape& shape, bool native_f16, std::uint32_t subgroup)
      : kernel_(kernel), shape_(shape), subgroup_(subgroup), written_(plain_forms(kernel, native_f16, shape.chunked)) {
    for (std::size_t i = 0; i < kernel_.inputs.size(); ++i) {
      written_.inputs[i].quad = shape_.quads && Body::loads_quad(kernel_, static_cast<int>(i));
    }
    for (const Store& s : kernel_.stores) {
      BufferForm& form = written_.outputs[as_index(s.slot)];
      form.quad = shape_.quads && !s.row;
      form.atomic = form.packed() && !form.quad;
    }
    find_passes();
  }

  Written run() {
    Body body(kernel_, written_.inputs, 0);
    std::string out;
    row_place_ = {"", "0u", "row", "0u", {}, 0, {}};
    for (int pass = 0; pass <= last_; ++pass) {
      row_values(body, pass, out);
      write_pass(body, pass, out);
    }
    row_values(body, last_ + 1, out);
    std::string stores;
    for (const Store& s : kernel_.stores) {
      if (!s.row) continue;
      const std::string v = body.value(s.instr, row_place_, out);
      stores += written_.outputs[as_index(s.slot)].store("row", v);
    }
    if (!stores.empty()) out += fmt::format("if (lane == 0u && row_is_real) {{\n{}}}\n", stores);
    for (const std::string& type : shared_) {
      written_.text +=
          fmt::format("var<workgroup> shared_{}: array<{}, {}>;\n", tag(type), shared_type(type), shape_.workgroup);
    }
    const std::uint32_t rows = shape_.workgroup / shape_.lanes;
    written_.text += fmt::format(
        "@compute @workgroup_size({})\nfn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: "
        "vec3<u32>,\n        @builtin(local_invocation_index) local: u32) {{\nlet rows = {};\nlet cols = {};\nlet lane "
        "= "
        "local % {}u;\nlet asked = {}(id.y * count.x + id.x) * {}u + local / {}u;\nlet row_is_real = asked < "
        "rows;\nlet "
        "row = "
        "min(asked, rows - 1u);\n",
        shape_.workgroup, param(0), param(1), shape_.lanes,
        shape_.chunked ? param(ParamLayout(kernel_).words) + " + " : "", rows, shape_.lanes);
    if (shape_.quads) written_.text += "let units = cols >> 2u;\nlet first = row * units;\n";
    if (!shape_.quads) written_.text += "let units = cols;\nlet first = row * cols;\n";
    written_.text += out + "}\n";
    return std::move(written_);
  }

 private:
  static std::string tag(const std::string& type) { return type == "vec2<u32>" ? "pair" : type; }
  /// Some drivers miscompile arrays of bool in workgroup memory: they are kept as u32.
  static std::string shared_type(const std::string& type) { return type == "bool" ? "u32" : type; }

  /// avail[j]: the pass in which an instr can be evaluated; a reduction's result comes one pass after its argument.
  void find_passes() {
    avail_.assign(kernel_.instrs.size(), 0);
    for (std::size_t j = 0; j < kernel_.instrs.size(); ++j) {
      const Instr& x = kernel_.instrs[j];
      for (const int a : x.args) avail_[j] = std::max(avail_[j], avail_[as_index(a)]);
      if (x.kind == Instr::Kind::kReduce) {
        last_ = std::max(last_, avail_[j]);
        ++avail_[j];
      }
    }
    for (const Store& s : kernel_.stores) {
      if (!s.row) last_ = std::max(last_, avail_[as_index(s.instr)]);
    }
  }

  /// Row-level values are written in the outer scope, before a loop could shadow them.
  void row_values(Body& body, int pass, std::string& out) {
    for (std::size_t j = 0; j < kernel_.instrs.size(); ++j) {
      const Instr& x = kernel_.instrs[j];
      if (x.row && x.kind != Instr::Kind::kReduce && avail_[j] == pass)
        body.value(static_cast<int>(j), row_place_, out);
    }
  }

  /// The places of one unit: a quad of columns, or a single column.
  [[nodiscard]] std::vector<ElementNames> unit(const std::string& stem, const std::string& number,
                                               std::string& out) const {
    std::vector<ElementNames> places;
    if (!shape_.quads) {
      out += fmt::format("let e{0}_0 = first + {1};\n", stem, number);
      places.push_back({fmt::format("{}_0", stem), fmt::format("e{}_0", stem), "row", number, {}, 0, {}});
      return places;
    }
    out += fmt::format("let q{} = first + {};\n", stem, number);
    for (int t = 0; t < 4; ++t) {
      out += fmt::format("let e{0}_{1} = 4u * q{0} + {1}u;\nlet k{0}_{1} = 4u * {2} + {1}u;\n", stem, t, number);
      places.push_back({fmt::format("{}_{}", stem, t),
                        fmt::format("e{}_{}", stem, t),
                        "row",
                        fmt::format("k{}_{}", stem, t),
                        fmt::format("q{}", stem),
                        t,
                        {}});
    }
    return places;
  }

  void write_pass(Body& body, int pass, std::string& out) {
    std::vector<int> reductions;
    std::vector<const Store*> stores;
    for (std::size_t j = 0; j < kernel_.instrs.size(); ++j) {
      if (kernel_.instrs[j].kind == Instr::Kind::kReduce && avail_[j] == pass + 1)
        reductions.push_back(static_cast<int>(j));
    }
    for (const Store& s : kernel_.stores) {
      if (!s.row && avail_[as_index(s.instr)] == pass) stores.push_back(&s);
    }
    if (reductions.empty() && stores.empty()) return;
    for (const int r : reductions) {
      const Instr& x = kernel_.instrs[as_index(r)];
      const DType t = kernel_.instrs[as_index(x.args[0])].dtype;
      const DType acc = is_arg(x.op) ? t : x.dtype;
      out += fmt::format("var acc{}: {} = {};\n", r, value_type(acc), identity(x.op, acc));
      if (is_arg(x.op)) out += fmt::format("var at{}: u32 = 0xffffffffu;\n", r);
    }
    if (shape_.units > 0) {
      for (std::uint32_t i = 0; i < shape_.units; ++i) {
        const std::string stem = fmt::format("_{}", i);
        if (seen_units_.insert(i).second) {
          out += fmt::format(
              "let raw{0} = lane + {1}u;\nlet real{0} = raw{0} < units;\nlet n{0} = min(raw{0}, units - 1u);\n", stem,
              i * shape_.lanes);
          cached_.push_back(unit(stem, fmt::format("n{}", stem), out));
        }
        element_work(body, cached_[i], reductions, stores, fmt::format("real{}", stem), out);
      }
    } else {
      out += fmt::format("for (var c = lane; c < units; c += {}u) {{\n", shape_.lanes);
      std::string inner;
      const std::vector<ElementNames> places = unit("", "c", inner);
      element_work(body, places, reductions, stores, {}, inner);
      out += inner + "}\n";
      body.leave_scope();
    }
    for (const int r : reductions) combine_lanes(body, r, out);
  }

  void element_work(Body& body, const std::vector<ElementNames>& places, const std::vector<int>& reductions,
                    const std::vector<const Store*>& stores, const std::string& real, std::string& out) {
    for (const int r : reductions) {
      const Instr& x = kernel_.instrs[as_index(r)];
      const DType t = kernel_.instrs[as_index(x.args[0])].dtype;
      for (const ElementNames& place : places) {
        const std::string v = body.value(x.args[0], place, out);
        if (is_arg(x.op)) {
          const std::string at = real.empty() ? place.col : fmt::format("select(0xffffffffu, {}, {})", place.col, real);
          out +=
              fmt::format("if ({}) {{ acc{} = {}; at{} = {}; }}\n",
                          beats(x.op, t, v, at, fmt::format("acc{}", r), fmt::format("at{}", r)), r, v, r, place.col);
        } else {
          const std::string used =
              real.empty() ? v : fmt::format("select({}, {}, {})", identity(x.op, x.dtype), v, real);
          out += fmt::format("acc{} = {};\n", r, combine(x.op, x.dtype, fmt::format("acc{}", r), used));
        }
      }
    }
    std::string writes;
    for (const Store* s : stores) {
      const BufferForm& form = written_.outputs[as_index(s->slot)];
      std::array<std::string, 4> values;
      for (std::size_t t = 0; t < places.size(); ++t) values[t] = body.value(s->instr, places[t], out);
      writes += places.size() == 4 ? form.store_quad(places[0].quad, values) : form.store(places[0].element, values[0]);
    }
    if (!writes.empty()) {
      out += fmt::format("if (row_is_real{}) {{\n{}}}\n", real.empty() ? "" : " && " + real, writes);
    }
  }

  /// Combines the accumulators of a row's lanes; every lane gets the result.
  void combine_lanes(Body& body, int r, std::string& out) {
    const Instr& x = kernel_.instrs[as_index(r)];
    const DType t = is_arg(x.op) ? kernel_.instrs[as_index(x.args[0])].dtype : x.dtype;
    const std::string type = value_type(t);
    const std::string name = fmt::format("r{}", r);
    if (shape_.lanes == 1) {
      out += fmt::format("let {} = {};\n", name,
                         is_arg(x.op) ? fmt::format("bitcast<i32>(at{})", r) : fmt::format("acc{}", r));
    } else if (shape_.subgroups && by_subgroup(x.op, t)) {
      const char* fn = x.op == Op::kSum ? "subgroupAdd" : (x.op == Op::kMax ? "subgroupMax" : "subgroupMin");
      if (x.op != Op::kSum && t != DType::kI32 && compute_type(t) == Compute::kF32) {
        out += fmt::format(
            "let nan{0} = subgroupAny(is_nan_f32(acc{0}));\nlet best{0} = {1}(select(acc{0}, {2}, "
            "is_nan_f32(acc{0})));\nlet sub{0} = select(best{0}, nan_f32(), nan{0});\n",
            r, fn, identity(x.op, t));
      } else {
        out += fmt::format("let sub{0} = {1}(acc{0});\n", r, fn);
      }
      if (shape_.lanes == subgroup_) {
        out += fmt::format("let {} = sub{};\n", name, r);
      } else {
        // One slot per subgroup of the row; all lanes then combine the slots in the same order.
        const std::uint32_t parts = shape_.lanes / subgroup_;
        shared_.insert(type);
        out += fmt::format("if (local % {0}u == 0u) {{ shared_{1}[local / {0}u] = sub{2}; }}\nworkgroupBarrier();\n",
                           subgroup_, tag(type), r);
        out += fmt::format("let base{0} = (local - lane) / {1}u;\nvar all{0} = shared_{2}[base{0}];\n", r, subgroup_,
                           tag(type));
        out += fmt::format(
            "for (var i = 1u; i < {}u; i++) {{ all{} = {}; }}\nlet {} = all{};\nworkgroupBarrier();\n", parts, r,
            combine(x.op, t, fmt::format("all{}", r), fmt::format("shared_{}[base{} + i]", tag(type), r)), name, r);
      }
    } else {
      tree(x, t, type, r, name, out);
    }
    body.define(r, is_subword_integer(x.dtype) ? wrap(name, x.dtype) : name);
  }

  static bool by_subgroup(Op op, DType t) {
    const Compute c = compute_type(t);
    return (op == Op::kSum || op == Op::kMax || op == Op::kMin) &&
           (c == Compute::kF32 || c == Compute::kI32 || c == Compute::kU32);
  }

  void tree(const Instr& x, DType t, const std::string& type, int r, const std::string& name, std::string& out) {
    const std::string sh = fmt::format("shared_{}", tag(type));
    shared_.insert(type);
    const bool flag = type == "bool";
    const auto get = [&](const std::string& at) {
      return flag ? fmt::format("({}[{}] != 0u)", sh, at) : fmt::format("{}[{}]", sh, at);
    };
    const auto set = [&](const std::string& at, const std::string& v) {
      return fmt::format("{}[{}] = {};", sh, at, flag ? fmt::format("select(0u, 1u, {})", v) : v);
    };
    const std::string mine = get("local");
    const std::string other = get("local + s");
    std::string step = set("local", combine_or_empty(x.op, t, mine, other));
    out += set("local", fmt::format("acc{}", r)) + "\n";
    if (is_arg(x.op)) {
      // Positions have their own array: a u32 value may need the other one at the same time.
      shared_positions_ = true;
      out += fmt::format("shared_at[local] = at{};\n", r);
      step = fmt::format("if ({}) {{ {} shared_at[local] = shared_at[local + s]; }}",
                         beats(x.op, t, other, "shared_at[local + s]", mine, "shared_at[local]"), set("local", other));
    }
    out += fmt::format(
        "workgroupBarrier();\nfor (var s = {}u; s > 0u; s >>= 1u) {{\nif (lane < s) {{ {} "
        "}}\nworkgroupBarrier();\n}}\n",
        shape_.lanes / 2, step);
    out += fmt::format("let {} = {};\nworkgroupBarrier();\n", name,
                       is_arg(x.op) ? "bitcast<i32>(shared_at[local - lane])" : get("local - lane"));
    if (shared_positions_ && !declared_positions_) {
      declared_positions_ = true;
      written_.text += fmt::format("var<workgroup> shared_at: array<u32, {}>;\n", shape_.workgroup);
    }
  }

  static std::string combine_or_empty(Op op, DType t, const std::string& a, const std::string& b) {
    return is_arg(op) ? std::string() : combine(op, t, a, b);
  }

  const Kernel& kernel_;
  ReduceShape shape_;
  std::uint32_t subgroup_;
  Written written_;
  std::vector<int> avail_;
  int last_ = 0;
  ElementNames row_place_;
  std::set<std::string> shared_;
  bool shared_positions_ = false;
  bool declared_positions_ = false;
  std::set<std::uint32_t> seen_units_;
  std::vector<std::vector<ElementNames>> cached_;
};

}  // namespace

ReduceShape reduce_shape(const Kernel& kernel, const Binding& binding, const DeviceInfo& device) {
  ReduceShape s;
  const DeviceLimits& limits = device.limits;
  const auto wanted = [&](std::uint32_t otherwise) {
    return std::min(device.workgroup_size != 0 ? device.workgroup_size : otherwise, limits.max_workgroup_size);
  };
  s.workgroup = wanted(256);
  s.chunked = binding.chunked;
  bool along = false;    // some load is contiguous along the columns
  bool across = false;   // some load is strided along the columns
  bool several = false;  // more than one pass
  bool quads = binding.cols % 4 == 0 && binding.cols > 0;
  std::vector<int> depth(kernel.instrs.size(), 0);
  for (std::size_t j = 0; j < kernel.instrs.size(); ++j) {
    const Instr& x = kernel.instrs[j];
    for (const int a : x.args) depth[j] = std::max(depth[j], depth[as_index(a)]);
    if (x.kind == Instr::Kind::kReduce) ++depth[j];
    if (depth[j] > 1 || (depth[j] == 1 && !x.row)) several = true;
    if (x.kind != Instr::Kind::kLoad || x.row) continue;
    const Index& index = kernel.indices[as_index(x.index)];
    if (index.kind == Index::Kind::kElement) along = true;
    if (index.kind != Index::Kind::kView) continue;
    // Broadcast operands (stride 0) are small; the others decide the order of memory access.
    const LevelLayout& level = index.layout.levels()[0];
    if (level.broadcasts() || level.rank() == 0) continue;
    (level.contiguous() ? along : across) = true;
  }
  const bool strided = across && !along;
  const bool fixed = device.features.subgroups && limits.subgroup_min == limits.subgroup_max && limits.subgroup_min > 1;
  const std::uint32_t sub = fixed ? limits.subgroup_min : 0;
  if (strided && binding.rows >= 512) {
    s.lanes = 1;
    s.quads = false;
    s.units = 0;
    s.workgroup = wanted(64);
    return s;
  }
  const std::int64_t units = quads ? binding.cols / 4 : binding.cols;
  const std::int64_t most = quads ? 8 : 16;  // units in registers
  std::uint32_t lanes = 1;
  while (lanes < s.workgroup && lanes < units) lanes *= 2;
  // Fewer lanes with more units each need fewer steps to combine (none with a barrier inside a subgroup), as long as
  // there are enough rows to fill the device.
  const std::uint32_t fewest = std::max<std::uint32_t>(sub, 32);
  while (lanes > fewest && units <= static_cast<std::int64_t>(lanes / 2) * most && binding.rows * (lanes / 2) >= 65536)
    lanes /= 2;
  s.lanes = lanes;
  s.quads = quads;
  const std::int64_t each = ceil_div(units, lanes);
  // Units in registers are loaded at once and, with several passes, only once. A row of one invocation needs no loop.
  const bool unrolled = several || each > 1 || lanes == 1;
  s.units = each <= most && each > 0 && unrolled ? std::bit_ceil(static_cast<std::uint32_t>(each)) : 0;
  s.subgroups = sub != 0 && lanes >= sub;
  if (lanes > 1 && lanes <= 32) s.workgroup = wanted(128);
  return s;
}

Written write_reduce(const Kernel& kernel, const ReduceShape& shape, bool native_f16, std::uint32_t subgroup) {
  return ReduceWriter(kernel, shape, native_f16, subgroup).run();
}

}  // namespace tessera::codegen
