// Random programs: their steps applied to tensors, printing and shrinking.
#include "program.h"

#include <algorithm>

#include <fmt/format.h>

#include "autograd/reverse.h"
#include "graph/op_name.h"
#include "ops/build.h"

namespace tessera::test {

// ---- Extents ----

Extent Extent::make(char kind, std::array<std::int64_t, 3> numbers, std::vector<Extent> args, std::string text) {
  Extent e;
  e.rule_ = std::make_shared<const Rule>(Rule{kind, numbers, std::move(args), std::move(text)});
  return e;
}
Extent Extent::one() { return make('1', {}, {}, "1"); }
Extent Extent::base(int which) { return make('v', {which}, {}, std::string(1, static_cast<char>('A' + which))); }
Extent Extent::constant(std::int64_t n) { return make('k', {n}, {}, fmt::format("{}", n)); }
Extent Extent::product(const Extent& a, const Extent& b) {
  return make('*', {}, {a, b}, fmt::format("({}*{})", a.text(), b.text()));
}
Extent Extent::sum(const Extent& a, const Extent& b) {
  return make('+', {}, {a, b}, fmt::format("({}+{})", a.text(), b.text()));
}
Extent Extent::slice(const Extent& x, std::int64_t start, std::int64_t cut, std::int64_t step) {
  return make('s', {start, cut, std::abs(step)}, {x},
              fmt::format("{}[{}:-{}:{}]", x.text(), start, cut, std::abs(step)));
}

std::int64_t Extent::size(const Sizes& sizes) const {
  const auto arg = [&](std::size_t i) { return rule_->args[i].size(sizes); };
  switch (rule_->kind) {
    case '1':
      return 1;
    case 'v':
      return sizes[at(rule_->numbers[0])];
    case 'k':
      return rule_->numbers[0];
    case '*':
      return arg(0) * arg(1);
    case '+':
      return arg(0) + arg(1);
    default: {
      const auto& [start, cut, step] = rule_->numbers;
      return std::max<std::int64_t>(0, (arg(0) - start - cut + step - 1) / step);
    }
  }
}

// ---- Steps on tensors ----

namespace {

Shape shape_of(const Extents& extents, const Sizes& sizes) {
  Shape shape;
  for (const Extent& e : extents) shape.push_back(e.size(sizes));
  return shape;
}

Tensor composite(int which, const Tensor& x) {
  switch (which) {
    case 0:
      return relu(x);
    case 1:
      return gelu(x);
    case 2:
      return silu(x);
    case 3:
      return softplus(x);
    case 4:
      return sqrt(abs(x) + 0.5);
    case 5:
      return log(abs(x) + 0.5);
    case 6:
      return Tensor(1.0) / (abs(x) + 0.5);
    default:
      return clamp(x, -1.0, 1.5);
  }
}
constexpr const char* kComposites[] = {"relu",           "gelu",          "silu",           "softplus",
                                       "sqrt(|x| + .5)", "log(|x| + .5)", "1 / (|x| + .5)", "clamp"};

Tensor reduction(const Step& s, const Tensor& x) {
  switch (s.which) {
    case 0:
      return sum(x, s.axes, s.keep);
    case 1:
      return mean(x, s.axes, s.keep);
    case 2:
      return max(x, s.axes, s.keep);
    case 3:
      return min(x, s.axes, s.keep);
    case 4:
      return var(x, s.axes, s.keep);
    case 5:
      return logsumexp(x, s.axes, s.keep);
    case 6:
      return argmax(x, s.axes[0], s.keep);
    case 7:
      return any(x, s.axes, s.keep);
    case 8:
      return softmax(x, s.axes[0]);
    case 9:
      return log_softmax(x, s.axes[0]);
    default:
      return layer_norm(x);
  }
}
constexpr const char* kReductions[] = {"sum",    "mean", "max",     "min",         "var",       "logsumexp",
                                       "argmax", "any",  "softmax", "log_softmax", "layer_norm"};

Tensor apply(const Step& s, std::size_t number, const std::vector<Tensor>& made, const Sizes& sizes,
             const Device& device) {
  const auto arg = [&](std::size_t i) -> const Tensor& { return made[at(s.args[i])]; };
  switch (s.kind) {
    case Step::Kind::kInput:
      return make_tensor(plain(s.dtype, shape_of(s.extents, sizes), static_cast<std::uint32_t>(number) + 1, -2, 2),
                         device);
    case Step::Kind::kElementwise: {
      std::vector<NodePtr> nodes;
      for (std::size_t i = 0; i < s.args.size(); ++i) nodes.push_back(arg(i).node());
      return Tensor(ops::elementwise(s.op, nodes));
    }
    case Step::Kind::kComposite:
      return composite(s.which, arg(0));
    case Step::Kind::kWithNumber: {
      const Tensor n = is_float(arg(0).dtype()) ? Tensor(s.number) : Tensor(static_cast<int>(s.number));
      return Tensor(
          ops::elementwise(s.op, s.keep ? std::vector{arg(0).node(), n.node()} : std::vector{n.node(), arg(0).node()}));
    }
    case Step::Kind::kCast:
      return cast(arg(0), s.dtype);
    case Step::Kind::kPermute:
      return permute(arg(0), s.axes);
    case Step::Kind::kMerge:
    case Step::Kind::kSplit:
      return reshape(arg(0), shape_of(s.extents, sizes));
    case Step::Kind::kExpand:
      return expand_dims(arg(0), s.axis);
    case Step::Kind::kSqueeze:
      return squeeze(arg(0), {s.axis});
    case Step::Kind::kBroadcast:
      return broadcast_to(arg(0), shape_of(s.extents, sizes));
    case Step::Kind::kSlice: {
      const std::int64_t n = arg(0).size(s.axis);
      const auto [start, cut, step] = s.range;
      std::vector<Slice> ranges(at(s.axis) + 1);
      if (step > 0) {
        ranges.back() = {start, std::max(n - cut, start), step};
      } else {
        ranges.back() = {n - 1 - start, cut > 0 ? std::optional(cut - 1) : std::nullopt, step};
        if (n - 1 - start < cut) ranges.back() = {0, 0, 1};
      }
      return slice(arg(0), ranges);
    }
    case Step::Kind::kPad: {
      std::vector<std::pair<std::int64_t, std::int64_t>> widths(at(arg(0).rank()));
      widths[at(s.axis)] = {s.range[0], s.range[1]};
      return pad(arg(0), widths, is_float(arg(0).dtype()) ? Tensor(s.number) : Tensor(1));
    }
    case Step::Kind::kConcat:
      return concat({arg(0), arg(1)}, s.axis);
    case Step::Kind::kStack:
      return stack({arg(0), arg(1)}, s.axis);
    case Step::Kind::kReduce:
      return reduction(s, arg(0));
    case Step::Kind::kMatmul:
      return matmul(arg(0), s.keep ? transpose(arg(1)) : arg(1));
    case Step::Kind::kContiguous:
      return contiguous(arg(0));
    case Step::Kind::kRange: {
      const Shape shape = shape_of(s.extents, sizes);
      return reshape(arange(0, static_cast<double>(shape.numel()), 1, s.dtype, device), shape);
    }
    case Step::Kind::kUniform: {
      const NodePtr bits = ops::random_bits(shape_of(s.extents, sizes), {7, number}, device.impl());
      return Tensor(ops::random_uniform(bits, Tensor(-1.0).node(), Tensor(1.0).node(), s.dtype));
    }
    case Step::Kind::kTake: {
      const std::int64_t count = shape_of(s.extents, sizes)[s.axis];
      const std::int64_t n = arg(0).size(s.axis);
      if (n == 0) throw Error(ErrorKind::kValue, "nothing to take from");
      const Tensor places = arange(0, static_cast<double>(count), 1, i32, device) * 7 + s.which;
      return take(arg(0), remainder(places, static_cast<int>(n)), s.axis);
    }
    case Step::Kind::kScan:
      return cumsum(arg(0), s.axis);
    case Step::Kind::kSort:
      return sort(arg(0), s.axis, s.keep);
  }
  return {};
}

std::string text_of(const Extents& extents) {
  std::string text = "[";
  for (const Extent& e : extents) text += (text.size() > 1 ? ", " : "") + e.text();
  return text + "]";
}

std::string what_of(const Step& s) {
  switch (s.kind) {
    case Step::Kind::kInput:
      return fmt::format("input {}", name(s.dtype));
    case Step::Kind::kElementwise:
      return std::string(op_name(s.op));
    case Step::Kind::kComposite:
      return kComposites[s.which];
    case Step::Kind::kWithNumber:
      return fmt::format("{} with {} on the {}", op_name(s.op), s.number, s.keep ? "right" : "left");
    case Step::Kind::kCast:
      return fmt::format("cast to {}", name(s.dtype));
    case Step::Kind::kPermute:
      return fmt::format("permute [{}]", fmt::join(s.axes, ", "));
    case Step::Kind::kMerge:
    case Step::Kind::kSplit:
      return "reshape";
    case Step::Kind::kExpand:
      return fmt::format("expand_dims {}", s.axis);
    case Step::Kind::kSqueeze:
      return fmt::format("squeeze {}", s.axis);
    case Step::Kind::kBroadcast:
      return "broadcast";
    case Step::Kind::kSlice:
      return fmt::format("slice axis {} [{}:-{}:{}]", s.axis, s.range[0], s.range[1], s.range[2]);
    case Step::Kind::kPad:
      return fmt::format("pad axis {} by {} and {} with {}", s.axis, s.range[0], s.range[1], s.number);
    case Step::Kind::kConcat:
      return fmt::format("concat along {}", s.axis);
    case Step::Kind::kStack:
      return fmt::format("stack along {}", s.axis);
    case Step::Kind::kReduce:
      return fmt::format("{} over [{}]{}", kReductions[s.which], fmt::join(s.axes, ", "), s.keep ? " kept" : "");
    case Step::Kind::kMatmul:
      return s.keep ? "matmul with the transpose" : "matmul";
    case Step::Kind::kContiguous:
      return "contiguous";
    case Step::Kind::kRange:
      return fmt::format("range {}", name(s.dtype));
    case Step::Kind::kUniform:
      return fmt::format("uniform {}", name(s.dtype));
    case Step::Kind::kTake:
      return fmt::format("take along {} from {}", s.axis, s.which);
    case Step::Kind::kScan:
      return fmt::format("cumsum along {}", s.axis);
    case Step::Kind::kSort:
      return fmt::format("sort along {}{}", s.axis, s.keep ? " descending" : "");
  }
  return {};
}

}  // namespace

std::vector<Tensor> Program::build(const Sizes& sizes, const Device& device,
                                   const std::function<Tensor(const Tensor&)>& input) const {
  std::vector<Tensor> made;
  std::vector<NodePtr> variables;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    made.push_back(apply(steps[i], i, made, sizes, device));
    if (input && steps[i].kind == Step::Kind::kInput) made.back() = input(made.back());
    if (gradients && steps[i].kind == Step::Kind::kInput && is_float(steps[i].dtype)) {
      made.back() = Tensor(autograd::variable(made.back().node()));
      variables.push_back(made.back().node());
    }
    if (!(made.back().shape() == shape_of(steps[i].extents, sizes))) {
      throw std::logic_error(fmt::format("step {} ({}) has shape {}, not {}", i, what_of(steps[i]),
                                         made.back().shape().str(), shape_of(steps[i].extents, sizes).str()));
    }
  }
  std::vector<Tensor> result;
  for (const int r : roots) result.push_back(made[at(r)]);
  std::vector<NodePtr> outputs;
  std::vector<NodePtr> seeds;
  for (const int r : roots) {
    const Tensor& y = made[at(r)];
    if (!y.is_tracked() || !is_float(y.dtype()) || y.numel() == 0) continue;
    outputs.push_back(y.node());
    seeds.push_back((full(y.shape(), 1.0 / static_cast<double>(y.numel()), y.dtype(), device)).node());
  }
  try {
    for (const NodePtr& g : autograd::reverse(outputs, seeds, variables)) result.emplace_back(g);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kUnsupported) throw;  // only through what has none
  }
  std::vector<NodePtr> all;
  for (const Tensor& t : result) all.push_back(t.node());
  autograd::retire(variables, all);
  return result;
}

std::string Program::text() const {
  std::string text = fmt::format("seed {}{}\n", seed, gradients ? ", with gradients" : "");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += fmt::format("  {} = {}", i, what_of(steps[i]));
    for (const int a : steps[i].args) text += fmt::format(" %{}", a);
    text += fmt::format(" : {}\n", text_of(steps[i].extents));
  }
  return text + fmt::format("  return {}\n", fmt::join(roots, ", "));
}

// ---- Shrinking ----

namespace {

Program without_dead_steps(const Program& p) {
  std::vector<char> live(p.steps.size(), 0);
  for (const int r : p.roots) live[at(r)] = 1;
  for (std::size_t i = p.steps.size(); i-- > 0;) {
    if (live[i] == 0) continue;
    for (const int a : p.steps[i].args) live[at(a)] = 1;
  }
  Program result{p.seed, {}, {}, p.gradients};
  std::vector<int> to(p.steps.size(), -1);
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    if (live[i] == 0) continue;
    to[i] = static_cast<int>(result.steps.size());
    result.steps.push_back(p.steps[i]);
    for (int& a : result.steps.back().args) a = to[at(a)];
  }
  for (const int r : p.roots) result.roots.push_back(to[at(r)]);
  return result;
}

}  // namespace

Program shrink(const Program& program, const std::function<bool(const Program&)>& fails) {
  Program best = without_dead_steps(program);
  bool smaller = true;
  const auto consider = [&](Program candidate) {
    candidate = without_dead_steps(candidate);
    if (candidate.steps.size() > best.steps.size() || !fails(candidate)) return false;
    best = std::move(candidate);
    return smaller = true;
  };
  while (smaller) {
    smaller = false;
    for (std::size_t r = 0; best.roots.size() > 1 && r < best.roots.size(); ++r) {
      Program candidate = best;
      candidate.roots.erase(candidate.roots.begin() + static_cast<std::ptrdiff_t>(r));
      if (consider(candidate)) break;
    }
    for (std::size_t i = best.steps.size(); i-- > 0;) {
      if (i >= best.steps.size() || best.steps[i].args.empty()) continue;
      Program candidate = best;
      Step& s = candidate.steps[i];
      s.kind = Step::Kind::kInput;
      s.args.clear();
      if (consider(candidate)) continue;
      // Past the step: its argument instead, where that has the same shape.
      for (const int a : best.steps[i].args) {
        if (!(best.steps[at(a)].extents == best.steps[i].extents)) continue;
        candidate = best;
        for (Step& other : candidate.steps) std::replace(other.args.begin(), other.args.end(), static_cast<int>(i), a);
        std::replace(candidate.roots.begin(), candidate.roots.end(), static_cast<int>(i), a);
        if (consider(candidate)) break;
      }
    }
  }
  return best;
}

}  // namespace tessera::test
