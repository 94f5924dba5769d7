// Kernels: their signature and label, and the numbers that one run binds to them.
#include "schedule/kernel.h"

#include <algorithm>
#include <bit>

#include "base/compute.h"
#include "base/fail.h"
#include "base/numbers.h"
#include "graph/op.h"
#include "graph/op_name.h"
#include "schedule/lower/operand.h"

namespace tessera {

namespace {

int operand_words(const Operand& x) {
  if (!x.is_im2col()) return 2 * x.layout.strided().batch_axes + 3;
  const Im2colLayout& layout = x.layout.im2col();
  const int tests = layout.test_count();
  return layout.dims() * (3 + tests) + 1 + 2 * tests;
}

/// Words of a scalar.
int scalar_words(DType t) {
  switch (compute_type(t)) {
    case Compute::kI64:
    case Compute::kU64:
    case Compute::kF64:
    case Compute::kC64:
      return 2;
    case Compute::kC128:
      return 4;
    default:
      return 1;
  }
}

}  // namespace

std::string Index::layout_text() const {
  return kind == Kind::kPadded ? std::string(static_cast<std::size_t>(pad_axes), 'w') : layout.str();
}

std::string Kernel::signature() const {
  std::string s = fmt::format("{}", static_cast<int>(kind));
  for (const Slot& x : inputs) s += fmt::format(" i{}", name(x.dtype));
  for (const Slot& x : outputs) s += fmt::format(" o{}", name(x.dtype));
  for (const Index& x : indices) {
    s += fmt::format(" x{},{},{},{}", static_cast<int>(x.kind), x.parent, x.layout_text(), x.split);
  }
  for (const Instr& x : instrs) {
    s += fmt::format(" {},{},{},{},{},{}:{}", static_cast<int>(x.kind), static_cast<int>(x.op), name(x.dtype),
                     x.row ? 'r' : 'e', x.index, x.slot, fmt::join(x.args, ","));
  }
  for (const Store& x : stores) s += fmt::format(" s{},{},{},{}", x.instr, x.slot, x.row ? 'r' : 'e', x.at);
  if (kind == Kind::kMatmul) s += fmt::format(" a{},{} b{},{}", a.slot, a.layout.str(), b.slot, b.layout.str());
  if (b.is_dequantized()) s += fmt::format(" d{} {}", b.dequantizer->id, name(b.dtype));
  if (table.is_dequantized()) s += fmt::format(" t{} {}", table.dequantizer->id, table.slot);
  for (const Operand* x : {&a, &b}) {
    if (!x->is_computed()) continue;
    s += fmt::format(" {}{{{}}} {} {}", x == &a ? 'A' : 'B', x->computed->signature(), fmt::join(x->sources, ","),
                     name(x->dtype));
  }
  if (custom != nullptr) s += fmt::format(" c{}", custom->id);
  for (const auto& [in, out] : aliases) s += fmt::format(" ={},{}", in, out);
  if (in_ranges) s += " in_ranges";
  for (const Kernel& part : parts) s += " {" + part.signature() + "}";
  if (matmuls().size() > 1) {
    for (std::size_t i = 0; i < inputs.size(); ++i) s += fmt::format(" {}", shared_input(i));
  }
  return s;
}

bool Kernel::updates(int output) const {
  return std::ranges::any_of(stores, [&](const Store& x) { return x.slot == output && x.at >= 0; });
}

std::span<const Kernel> Kernel::matmuls() const {
  if (kind == Kind::kMatmul) return {this, 1};
  if (kind == Kind::kGrouped && parts[0].kind == Kind::kMatmul) return parts;
  return {};
}

std::size_t Kernel::shared_input(std::size_t i) const {
  if (matmuls().size() < 2) return i;
  return static_cast<std::size_t>(std::ranges::find(inputs, inputs[i].node, &Slot::node) - inputs.begin());
}

std::string Kernel::label() const {
  std::string s;
  switch (kind) {
    case Kind::kMap:
      s = table.is_dequantized() ? fmt::format("map_{}", table.dequantizer->name) : "map";
      break;
    case Kind::kReduce:
      s = "reduce";
      break;
    case Kind::kMatmul:
      for (const Operand* x : {&a, &b}) {
        if (x->is_computed()) s += x->computed->label().substr(4) + "_";  // without its "map_"
      }
      s += b.is_dequantized() ? fmt::format("matmul_{}", b.dequantizer->name) : "matmul";
      break;
    case Kind::kCustom:
      return custom->name;
    case Kind::kGrouped:
      return fmt::format("grouped_{}x_{}", parts.size(), parts[0].label());
  }
  if (in_ranges) return s + "_ranges";
  if (std::ranges::any_of(stores, [](const Store& x) { return x.at >= 0; })) s += "_put";
  int shown = 0;
  for (const Instr& x : instrs) {
    if (x.kind != Instr::Kind::kOp && x.kind != Instr::Kind::kReduce && x.kind != Instr::Kind::kPad) continue;
    if (++shown > 8) return s + "_etc";
    s += fmt::format("_{}", x.kind == Instr::Kind::kPad ? "pad" : op_name(x.op));
  }
  return s == "map" ? "copy" : s;
}

ParamLayout::ParamLayout(const Kernel& kernel) {
  switch (kernel.kind) {
    case Kernel::Kind::kMap:
      words = 1;
      break;
    case Kernel::Kind::kReduce:
      words = 2;
      break;
    case Kernel::Kind::kMatmul:
      words = 4;
      operand_at[0] = words;
      operand_at[1] = words + operand_words(kernel.a);
      words = operand_at[1] + operand_words(kernel.b);
      for (const int i : {0, 1}) {
        const Operand& x = i == 0 ? kernel.a : kernel.b;
        if (!x.is_computed()) continue;
        prologue_at[i] = words;
        words += ParamLayout(*x.computed).words;
      }
      break;
    case Kernel::Kind::kCustom:
      words = kernel.custom->param_words;
      break;
    case Kernel::Kind::kGrouped:
      break;
  }
  for (const Index& x : kernel.indices) {
    int count = 0;
    for (const LevelLayout& level : x.layout.levels()) count += 2 * level.rank() + 1;
    if (x.kind == Index::Kind::kPadded) count = 3 * x.pad_axes;
    index_at.push_back(count != 0 ? words : -1);
    words += count;
  }
  for (const Instr& x : kernel.instrs) {
    int count = 0;
    if (x.kind == Instr::Kind::kScalar) count = scalar_words(x.dtype);
    if (x.kind == Instr::Kind::kRandom) count = 4;
    instr_at.push_back(count != 0 ? words : -1);
    words += count;
  }
  ranges_at = words + (kernel.kind == Kernel::Kind::kMatmul ? 5 : 1);
}

namespace {

class Binder {
 public:
  Binder(const Kernel& kernel, const Graph& graph) : kernel_(kernel), graph_(graph) {}

  Binding run() {
    switch (kernel_.kind) {
      case Kernel::Kind::kMap:
        out_.rows = 1;
        out_.cols = graph_.node(kernel_.domain).numel();
        size(out_.cols);
        break;
      case Kernel::Kind::kReduce: {
        const Graph::Entry& e = graph_[kernel_.domain];
        out_.rows = reduce_rows(*e.node);
        out_.cols = reduce_cols(*e.node, graph_.node(e.inputs[0]));
        check(out_.rows * out_.cols);
        size(out_.rows);
        size(out_.cols);
        break;
      }
      case Kernel::Kind::kMatmul:
        matmul();
        break;
      case Kernel::Kind::kCustom:
        out_.custom = graph_.node(kernel_.domain).custom().call;
        out_.params = out_.custom->params;
        return std::move(out_);
      case Kernel::Kind::kGrouped:
        for (const Kernel& part : kernel_.parts) out_.parts.push_back(bind(part, graph_));
        for (const Binding& part : out_.parts) {
          out_.cols += part.cols;
          out_.params.insert(out_.params.end(), part.params.begin(), part.params.end());
        }
        out_.rows = 1;
        if (!kernel_.matmuls().empty()) {
          out_.batch = out_.parts[0].batch;
          out_.m = out_.parts[0].m;
          out_.k = out_.parts[0].k;
          out_.n = out_.cols;
        }
        return std::move(out_);
    }
    for (const Index& x : kernel_.indices) index(x);
    for (const Instr& x : kernel_.instrs) {
      if (x.kind == Instr::Kind::kScalar) scalar(graph_.node(x.node).scalar(), x.dtype);
      if (x.kind == Instr::Kind::kRandom) {
        const RandomState& r = graph_.node(x.node).random();
        word64(r.seed);
        word64(r.counter);
      }
    }
    return std::move(out_);
  }

 private:
  static void check(std::int64_t n) {
    if (n < 0 || n > 0xffffffffLL) {
      throw Error(ErrorKind::kLimit,
                  fmt::format("A kernel over {} elements was asked for; indices reach at most {}.", n, 0xffffffffLL),
                  {.requested = static_cast<std::uint64_t>(n), .available = 0xffffffffULL});
    }
  }
  void word(std::int64_t v) { out_.params.push_back(static_cast<std::uint32_t>(v)); }
  void word64(std::uint64_t v) {
    word(static_cast<std::int64_t>(v & 0xffffffffULL));
    word(static_cast<std::int64_t>(v >> 32U));
  }
  void size(std::int64_t n) {
    check(n);
    word(n);
  }

  void matmul() {
    const Graph::Entry& e = graph_[kernel_.domain];
    const Shape& a = graph_.node(e.inputs[0]).shape();
    const Shape& c = e.node->shape();
    out_.batch_rank = c.rank() - 2;
    out_.m = c[c.rank() - 2];
    out_.n = c.back();
    out_.k = a.back();
    out_.batch = 1;
    for (int i = 0; i < out_.batch_rank; ++i) out_.batch *= c[i];
    out_.rows = out_.batch * out_.m;
    out_.cols = out_.n;
    check(e.node->numel());
    size(out_.batch);
    size(out_.m);
    size(out_.n);
    size(out_.k);
    operand(kernel_.a);
    operand(kernel_.b);
    for (const Operand* x : {&kernel_.a, &kernel_.b}) {
      if (!x->is_computed()) continue;
      const std::vector<std::uint32_t> own = bind(*x->computed, graph_).params;
      const Shape& shape = graph_.node(x->computed->domain).shape();
      size(shape.rank() > 0 ? shape.back() : 1);
      out_.params.insert(out_.params.end(), own.begin() + 1, own.end());
    }
  }

  void im2col_operand(const Operand& x) {
    const Im2colView map = *im2col_view(graph_, x.node, kernel_.inputs[static_cast<std::size_t>(x.slot)].node);
    for (const auto& axis : map.dims) {
      for (const Im2colView::Dim& d : axis) {
        size(d.size);
        word(std::bit_cast<std::uint32_t>(1.0F / static_cast<float>(d.size)));
        word(d.stride);
        for (const std::int64_t step : d.steps) word(step);
      }
    }
    word(map.offset);
    for (const Im2colView::Test& t : map.tests) {
      word(t.start);
      size(t.size);
    }
  }

  void operand(const Operand& x) {
    if (x.is_im2col()) return im2col_operand(x);
    const Node& node = graph_.node(x.node);
    const bool is_view = graph_[x.node].op() == Op::kView;
    const View plain;
    const SplitView s = split_view(is_view ? node.view() : plain, node.shape());
    const int rank = node.shape().rank();
    for (int i = 0; i < rank; ++i) {
      const Dim& d = s.dims[static_cast<std::size_t>(i)];
      if (i < rank - 2) word(d.size);
      word(d.stride);
    }
    word(s.offset);
  }

  void index(const Index& x) {
    if (x.kind == Index::Kind::kView) {
      for (const ViewLevel& level : graph_.node(x.node).view().levels) {
        for (const Dim& d : level.dims) {
          size(d.size);
          word(d.stride);
        }
        word(level.offset);
      }
    } else if (x.kind == Index::Kind::kPadded) {
      const Graph::Entry& e = graph_[x.node];
      const Shape& outer = e.node->shape();
      const Shape& inner = graph_.node(e.inputs[0]).shape();
      for (int i = 0; i < outer.rank(); ++i) {
        size(outer[i]);
        word(e.node->pad_low().low[static_cast<std::size_t>(i)]);
        size(inner[i]);
      }
    }
  }

  void scalar(const Scalar& s, DType t) {
    switch (compute_type(t)) {
      case Compute::kF64:
        word64(std::bit_cast<std::uint64_t>(s.as_double()));
        break;
      case Compute::kF32: {
        auto v = static_cast<float>(s.as_double());
        if (!s.weak) v = rounded_to_half(v, t);
        word(std::bit_cast<std::uint32_t>(v));
        break;
      }
      case Compute::kC64:
        word(std::bit_cast<std::uint32_t>(static_cast<float>(s.as_complex().real())));
        word(std::bit_cast<std::uint32_t>(static_cast<float>(s.as_complex().imag())));
        break;
      case Compute::kC128:
        word64(std::bit_cast<std::uint64_t>(s.as_complex().real()));
        word64(std::bit_cast<std::uint64_t>(s.as_complex().imag()));
        break;
      case Compute::kI64:
      case Compute::kU64:
        word64(std::bit_cast<std::uint64_t>(s.as_int()));
        break;
      case Compute::kBool:
        word(s.as_double() != 0 ? 1 : 0);
        break;
      case Compute::kI32:
      case Compute::kU32: {
        std::int64_t v = s.as_int();
        if (t == DType::kI8) v = static_cast<std::int8_t>(v);
        if (t == DType::kU8) v = static_cast<std::uint8_t>(v);
        if (t == DType::kI16) v = static_cast<std::int16_t>(v);
        if (t == DType::kU16) v = static_cast<std::uint16_t>(v);
        word(v);
        break;
      }
    }
  }

  const Kernel& kernel_;
  const Graph& graph_;
  Binding out_;
};

}  // namespace

Binding bind(const Kernel& kernel, const Graph& graph) { return Binder(kernel, graph).run(); }

}  // namespace tessera
