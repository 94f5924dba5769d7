// The error analysis: one function for each kind of node.
#include "support/bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/compute.h"
#include "graph/op.h"
#include "ops/elementwise/elementwise.h"
#include "schedule/calls/calls.h"

namespace tessera::test {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Ulps of the compute type by which an op may miss the true result: half of one where IEEE rounds, WGSL's own bounds
/// where it uses a built-in (division 2.5, sqrt and inverseSqrt 2.5), and what the preludes promise for the rest.
double ulps_of(Op op) {
  switch (op) {
    case Op::kNegative:
    case Op::kAbs:
    case Op::kSign:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kRound:
    case Op::kTrunc:
    case Op::kMaximum:
    case Op::kMinimum:
    case Op::kWhere:
      return 0;
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kSquare:
    case Op::kRemainder:
      return 0.5;
    case Op::kDivide:
    case Op::kFloorDivide:
    case Op::kReciprocal:
    case Op::kSqrt:
    case Op::kRsqrt:
      return 2.5;
    case Op::kErfinv:
    case Op::kLgamma:
    case Op::kDigamma:
      return 8;
    default:
      return 4;
  }
}

/// Ops that may jump to infinity inside an interval around 0 of this argument.
bool has_pole(Op op, std::size_t arg) {
  switch (op) {
    case Op::kDivide:
    case Op::kFloorDivide:
    case Op::kRemainder:
      return arg == 1;
    case Op::kReciprocal:
    case Op::kRsqrt:
    case Op::kLog:
    case Op::kLog2:
    case Op::kLog10:
      return true;
    case Op::kPower:
      return arg == 0;
    default:
      return false;
  }
}

/// Ops that turn within an interval of about this width.
bool turns(Op op) { return op == Op::kSin || op == Op::kCos || op == Op::kTan; }

class Analysis {
 public:
  Analysis(const Graph& graph, std::vector<reference::Value> values, bool flush)
      : graph_(graph), values_(std::move(values)), flush_(flush) {
    errors_.resize(values_.size());
  }

  std::vector<Bounded> run() {
    for (int i = 0; i < graph_.size(); ++i) {
      errors_[at(i)].assign(at(graph_.node(i).numel()), 0);
      if (!graph_[i].inputs.empty()) node(i);
    }
    std::vector<Bounded> result;
    for (const int r : graph_.roots) result.push_back({values_[at(r)], errors_[at(r)]});
    return result;
  }

 private:
  using Errors = std::vector<double>;

  void node(int i) {
    const Graph::Entry& e = graph_[i];
    Errors& out = errors_[at(i)];
    switch (e.op()) {
      case Op::kView:
        for (std::int64_t k = 0; k < e.node->numel(); ++k)
          out[at(k)] = errors_[at(e.inputs[0])][at(e.node->view().map(k))];
        return;
      case Op::kMark:
      case Op::kCopy:
        out = errors_[at(e.inputs[0])];
        return;
      case Op::kPad:
        pad(i);
        return;
      case Op::kPack: {
        auto to = out.begin();
        for (const int in : e.inputs) to = std::ranges::copy(errors_[at(in)], to).out;
        return;
      }
      case Op::kCast:
        cast(i);
        return;
      case Op::kCustom: {                                  // nobody looks inside: exact integers stay exact
        if (e.node->custom().call->kernel->dequantizes) {  // quant * scale - low, which are of the largest's size
          double most = 0;
          for (const double v : values_[at(i)].f) most = std::max(most, std::abs(v));
          std::fill(out.begin(), out.end(), 4 * unit_roundoff(DType::kF32) * most);
          return;
        }
        bool exact = !is_float(e.node->dtype());
        for (const int in : e.inputs) {
          exact = exact && std::all_of(errors_[at(in)].begin(), errors_[at(in)].end(), [](double x) { return x == 0; });
        }
        std::fill(out.begin(), out.end(), exact ? 0 : kUnknown);
        return;
      }
      case Op::kGather: {
        const std::vector<std::int64_t>& from = values_[at(e.inputs[1])].i;
        for (std::size_t k = 0; k < from.size(); ++k)
          errors_[at(i)][k] = error(e.inputs[0], static_cast<std::size_t>(from[k]));
        return;
      }
      case Op::kMatmul:
        matmul(i);
        break;
      default:
        if (is_reduction(e.op())) {
          reduce(i);
        } else {
          elementwise_op(i);
        }
    }
    round(i);
  }

  /// An argument's error; unknown where its value may have overflowed on the way, all of it where it may have been
  /// taken for zero.
  [[nodiscard]] double error(int node, std::size_t k) const {
    const reference::Value& v = values_[at(node)];
    const double e = errors_[at(node)][k];
    if (!is_float(v.dtype) || !std::isfinite(v.f[k])) return e;
    if (std::abs(v.f[k]) + e > largest(v.dtype)) return kUnknown;
    const bool may_vanish = flush_ && std::abs(v.f[k]) < smallest_normal(DType::kF32) && !graph_[node].inputs.empty();
    return may_vanish ? std::max(e, std::abs(v.f[k])) : e;
  }

  /// f16 and bf16 are rounded where they are stored, which fusion decides.
  void round(int i) {
    const reference::Value& v = values_[at(i)];
    if (v.dtype != DType::kF16 && v.dtype != DType::kBF16) return;
    if (graph_[i].op() == Op::kMax || graph_[i].op() == Op::kMin) return;
    const Op op = graph_[i].op();
    const bool exact = is_elementwise(op) && ulps_of(op) == 0;
    for (std::size_t k = 0; k < v.f.size(); ++k) {
      double& e = errors_[at(i)][k];
      if ((e == 0 && (exact || v.f[k] == 0)) || !std::isfinite(v.f[k])) continue;
      // What is rounded is the device's value, which may lie on the other side of a jump.
      e += std::max(std::abs(v.f[k]) + e, smallest_normal(v.dtype)) * unit_roundoff(v.dtype);
    }
  }

  void pad(int i) {
    const Graph::Entry& e = graph_[i];
    const Shape& outer = e.node->shape();
    const Shape& inner = graph_.node(e.inputs[0]).shape();
    for (std::int64_t k = 0; k < e.node->numel(); ++k) {
      std::int64_t rest = k;
      std::int64_t from = 0;
      std::int64_t stride = 1;
      bool inside = true;
      for (int axis = outer.rank() - 1; axis >= 0; --axis) {
        const std::int64_t c = rest % outer[axis] - e.node->pad_low().low[at(axis)];
        rest /= outer[axis];
        inside = inside && c >= 0 && c < inner[axis];
        from += c * stride;
        stride *= inner[axis];
      }
      errors_[at(i)][at(k)] = inside ? errors_[at(e.inputs[0])][at(from)] : errors_[at(e.inputs[1])][at(k)];
    }
  }

  void cast(int i) {
    const int in = graph_[i].inputs[0];
    const reference::Value& x = values_[at(in)];
    const reference::Value& y = values_[at(i)];
    for (std::size_t k = 0; k < errors_[at(i)].size(); ++k) {
      const double e = error(in, k);
      if (e == 0) continue;
      double& out = errors_[at(i)][k];
      if (!std::isfinite(e)) {
        out = kUnknown;
      } else if (is_float(y.dtype)) {
        const double v = is_float(x.dtype) ? x.f[k] : static_cast<double>(x.i[k]);
        out = e + std::max(std::abs(v) + e, smallest_normal(y.dtype)) * unit_roundoff(y.dtype) * 2;
      } else if (is_float(x.dtype)) {
        const auto low = static_cast<double>(reference::to_integer(x.f[k] - e, y.dtype));
        const auto high = static_cast<double>(reference::to_integer(x.f[k] + e, y.dtype));
        const auto mid = static_cast<double>(y.i[k]);
        out = std::max(std::abs(low - mid), std::abs(high - mid));
        if (y.dtype == DType::kBool) {
          out = std::abs(x.f[k]) <= e ? 1 : 0;
        } else if (std::abs(x.f[k]) + e > range(y.dtype)) {
          out = kUnknown;  // it may wrap
        }
      } else {
        out = y.dtype == DType::kBool ? 1 : e;
        if (std::abs(static_cast<double>(x.i[k])) + e > range(y.dtype)) out = y.dtype == DType::kBool ? 1 : kUnknown;
      }
    }
  }

  void reduce(int i) {
    const Graph::Entry& e = graph_[i];
    const int in = e.inputs[0];
    const reference::Value& x = values_[at(in)];
    const std::size_t rows = errors_[at(i)].size();
    const std::size_t cols = rows == 0 ? 0 : at(x.shape.numel()) / rows;
    const double u = unit_roundoff(compute(e.node->dtype()));
    const auto number = [&](std::size_t k) { return is_float(x.dtype) ? x.f[k] : static_cast<double>(x.i[k]); };
    for (std::size_t r = 0; r < rows; ++r) {
      double errors = 0;
      double magnitude = 0;
      double relative = 0;
      std::size_t first = r * cols;
      for (std::size_t k = first; k < first + cols; ++k) {
        const double own = error(in, k);
        errors += own;
        magnitude += std::abs(number(k));
        relative += own == 0 ? 0 : own / std::abs(number(k));
      }
      double& out = errors_[at(i)][r];
      switch (e.op()) {
        case Op::kSum:
          out = errors;
          if (is_float(x.dtype) && cols > 1) out += roundings(cols) * u * magnitude;
          if (!is_float(x.dtype) && errors > 0 && magnitude + errors > range(e.node->dtype())) out = kUnknown;
          if (magnitude > 0) out += static_cast<double>(cols) * spacing(e.node->dtype());
          break;
        case Op::kProd:
          if (is_float(x.dtype)) {
            const double v = std::abs(values_[at(i)].f[r]);
            const double total = relative + (cols > 1 ? static_cast<double>(cols) * u : 0);
            out = v == 0 && errors == 0 ? 0 : v * std::expm1(total);
            if (relative > 1) out = kUnknown;
          } else {
            out = errors == 0 ? 0 : kUnknown;
          }
          break;
        case Op::kMax:
        case Op::kMin: {
          const double sign = e.op() == Op::kMax ? 1 : -1;
          const double v = is_float(x.dtype) ? values_[at(i)].f[r] : static_cast<double>(values_[at(i)].i[r]);
          double low = -kUnknown;
          double high = -kUnknown;
          for (std::size_t k = first; errors != 0 && k < first + cols; ++k) {
            low = std::max(low, sign * number(k) - error(in, k));
            high = std::max(high, sign * number(k) + error(in, k));
          }
          out = errors == 0 ? 0 : std::max(high - sign * v, sign * v - low);
          if (std::isnan(out)) out = std::isfinite(errors) ? 0 : kUnknown;
          break;
        }
        default: {  // positions: unknown where another element may win
          const auto best = first + at(values_[at(i)].i[r]);
          const double sign = e.op() == Op::kArgMax ? 1 : -1;
          for (std::size_t k = first; errors != 0 && k < first + cols; ++k) {
            const double both = error(in, k) + error(in, best);
            if (k != best && !(sign * number(k) + both < sign * number(best))) out = both == 0 ? out : kUnknown;
          }
        }
      }
      if (std::isnan(out)) out = std::isfinite(errors) && !std::isfinite(magnitude) ? 0 : kUnknown;
      if (e.op() == Op::kSum && !std::isfinite(magnitude)) out = std::isfinite(errors) ? 0 : kUnknown;
    }
  }

  void matmul(int i) {
    const Graph::Entry& e = graph_[i];
    const int ia = e.inputs[0];
    const int ib = e.inputs[1];
    const reference::Value& a = values_[at(ia)];
    const reference::Value& b = values_[at(ib)];
    const std::int64_t m = a.shape[a.shape.rank() - 2];
    const std::int64_t depth = a.shape.back();
    const std::int64_t n = b.shape.back();
    const bool floats = is_float(a.dtype);
    const double u = unit_roundoff(compute(a.dtype));
    for (std::int64_t k = 0; k < e.node->numel(); ++k) {
      const std::int64_t row = k / n;
      double errors = 0;
      double magnitude = 0;
      for (std::int64_t x = 0; x < depth; ++x) {
        const std::size_t fa = at(row * depth + x);
        const std::size_t fb = at((row / m * depth + x) * n + k % n);
        const double va = std::abs(floats ? a.f[fa] : static_cast<double>(a.i[fa]));
        const double vb = std::abs(floats ? b.f[fb] : static_cast<double>(b.i[fb]));
        const double ea = error(ia, fa);
        const double eb = error(ib, fb);
        if (ea != 0 || eb != 0) errors += ea * vb + va * eb + ea * eb;
        magnitude += va * vb;
      }
      double& out = errors_[at(i)][at(k)];
      out = errors;
      if (floats) out += roundings(at(depth)) * u * magnitude;
      if (!floats && errors > 0 && magnitude + errors > range(e.node->dtype())) out = kUnknown;
      if (magnitude > 0) out += static_cast<double>(depth) * spacing(e.node->dtype());
      if (std::isnan(out) || !std::isfinite(magnitude)) out = std::isfinite(errors) ? 0 : kUnknown;
    }
  }

  void elementwise_op(int i) {
    const Graph::Entry& e = graph_[i];
    const ElementwiseOp& row = elementwise(e.op());
    const reference::Value& typed = values_[at(e.inputs.back())];
    const reference::Value& result = values_[at(i)];
    const bool floats = is_float(typed.dtype) || row.rule == TypeRule::kFloat;
    const double ulp = 2 * unit_roundoff(compute(result.dtype));
    const double least = smallest_normal(compute(result.dtype));
    for (std::size_t k = 0; k < errors_[at(i)].size(); ++k) {
      double& out = errors_[at(i)][k];
      std::array<double, 3> errors{};
      bool any = false;
      for (std::size_t a = 0; a < e.inputs.size(); ++a) {
        errors[a] = error(e.inputs[a], k);
        any = any || errors[a] != 0;
      }
      if (any) out = spread(i, k, row, floats, is_unsigned(typed.dtype), errors);
      // Signs of zeros are not kept by every device, and turn the result around.
      if (e.op() == Op::kAtan2 && argument(e, 0, k) == 0 && argument(e, 1, k) <= 0) out = kUnknown;
      if (is_float(result.dtype) && std::isfinite(result.f[k])) {
        const double v = std::abs(result.f[k]);
        const double own = ulps_of(e.op());
        // Sums of terms of either sign: near their zeros they are good to so much of the terms.
        if (e.op() == Op::kLgamma || e.op() == Op::kDigamma) out += own * ulp * 2 * (1 + std::abs(argument(e, 0, k)));
        // Where arguments may lie on either side of a jump, the other side's result is rounded as well.
        if (v != 0 || out != 0) out += own * ulp * std::max(v + out, least);
      }
    }
  }

  [[nodiscard]] double argument(const Graph::Entry& e, std::size_t which, std::size_t k) const {
    const reference::Value& x = values_[at(e.inputs[which])];
    return is_float(x.dtype) ? x.f[k] : static_cast<double>(x.i[k]);
  }

  /// How far the op's result moves when its arguments move within their errors.
  double spread(int i, std::size_t k, const ElementwiseOp& row, bool floats, bool is_unsigned,
                const std::array<double, 3>& errors) const {
    const Graph::Entry& e = graph_[i];
    const std::size_t arity = e.inputs.size();
    const reference::Value& result = values_[at(i)];
    const double centre = is_float(result.dtype) ? result.f[k] : static_cast<double>(result.i[k]);
    std::array<double, 3> f{};
    std::array<std::int64_t, 3> n{};
    for (std::size_t a = 0; a < arity; ++a) {
      const reference::Value& x = values_[at(e.inputs[a])];
      if (!std::isfinite(errors[a])) {
        if (result.dtype == DType::kBool) return 1;
        return kUnknown;
      }
      f[a] = is_float(x.dtype) ? x.f[k] : static_cast<double>(x.i[k]);
      if (!is_float(x.dtype)) n[a] = x.i[k];
      if (errors[a] > 0 && ((has_pole(e.op(), a) && std::abs(f[a]) <= errors[a]) || (turns(e.op()) && errors[a] > 0.3)))
        return kUnknown;
    }
    // Jumps that lie inside the intervals, where their ends need not show them.
    if ((e.op() == Op::kEqual || e.op() == Op::kNotEqual) && std::abs(f[0] - f[1]) <= errors[0] + errors[1]) return 1;
    if (e.op() == Op::kAtan2 && std::abs(f[0]) <= errors[0] && f[1] - errors[1] < 0) return kUnknown;
    double most = 0;
    const Op op = e.op();
    if (op == Op::kSign || op == Op::kLogicalNot || op == Op::kLogicalAnd || op == Op::kLogicalOr ||
        op == Op::kLogicalXor) {
      for (std::size_t a = 0; a < arity; ++a) most = errors[a] > 0 && std::abs(f[a]) <= errors[a] ? 1 : most;
    }
    int corners = 1;
    for (std::size_t a = 0; a < arity; ++a) corners *= 3;
    for (int c = 0; c < corners; ++c) {
      std::array<double, 3> g = f;
      std::array<std::int64_t, 3> m = n;
      int rest = c;
      for (std::size_t a = 0; a < arity; ++a, rest /= 3) {
        const double step = (rest % 3 - 1) * errors[a];
        g[a] += step;
        m[a] += static_cast<std::int64_t>(step);
        if (values_[at(e.inputs[a])].dtype == DType::kBool) {
          m[a] = std::clamp<std::int64_t>(m[a], 0, 1);
          g[a] = static_cast<double>(m[a]);
        }
      }
      double v = 0;
      if (floats) {
        v = row.reference(g.data());
      } else {
        const std::int64_t whole = row.reference_int(m.data(), is_unsigned);
        const std::int64_t wrapped = reference::wrap_to(whole, result.dtype);
        if (result.dtype != DType::kBool && (wrapped != whole || std::abs(static_cast<double>(whole)) > 0x1p62)) {
          return kUnknown;
        }
        v = static_cast<double>(wrapped);
      }
      if (std::isnan(v) != std::isnan(centre) || std::isinf(v) != std::isinf(centre)) return kUnknown;
      if (std::isfinite(v)) most = std::max(most, std::abs(v - centre));
    }
    return most;
  }

  /// Units of roundoff in a sum: the order of summation is the device's own, and its roundings wander like a random
  /// walk, a little more where addends are alike, but never add up to more than one for each.
  static double roundings(std::size_t n) {
    const auto count = static_cast<double>(n);
    return std::min(count, 16 + 4 * std::sqrt(count));
  }
  /// The largest integer of a type.
  static double range(DType t) {
    return std::ldexp(1.0, static_cast<int>(8 * size_of(t)) - (is_signed(t) ? 1 : 0)) - 1;
  }
  /// Between denormals of the type that sums are kept in.
  static double spacing(DType t) {
    return is_float(t) ? 2 * smallest_normal(compute(t)) * unit_roundoff(compute(t)) : 0;
  }
  static bool is_unsigned(DType t) { return !is_signed(t); }
  static DType compute(DType t) { return compute_type(t) == Compute::kF32 ? DType::kF32 : t; }

  const Graph& graph_;
  std::vector<reference::Value> values_;
  bool flush_;
  std::vector<Errors> errors_;
};

}  // namespace

double largest(DType t) {
  switch (t) {
    case DType::kF16:
      return 65504;
    case DType::kBF16:
      return 0x1.FEp127;
    case DType::kF32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

double smallest_normal(DType t) {
  switch (t) {
    case DType::kF16:
      return 0x1p-14;
    case DType::kBF16:
    case DType::kF32:
      return 0x1p-126;
    default:
      return std::numeric_limits<double>::min();
  }
}

double unit_roundoff(DType t) {
  switch (t) {
    case DType::kF16:
      return 0x1p-11;
    case DType::kBF16:
      return 0x1p-8;
    case DType::kF32:
      return 0x1p-24;
    default:
      return is_float(t) ? 0x1p-53 : 0;
  }
}

namespace {

/// The same nodes with calls as what they are lowered to on the CPU. `known` maps nodes to what replaces them.
std::vector<NodePtr> with_lowered_calls(std::span<const NodePtr> roots,
                                        std::unordered_map<const Node*, NodePtr>& known) {
  DeviceInfo cpu;
  cpu.type = DeviceType::kCpu;
  const Graph graph = snapshot(roots);
  for (const Graph::Entry& e : graph.entries) {
    if (known.contains(e.node.get())) continue;
    Node::Inputs inputs;
    for (const int in : e.inputs) inputs.push_back(known.at(graph[in].node.get()));
    if (e.op() == Op::kCall) {
      std::vector<TensorSpec> specs;
      for (const NodePtr& in : inputs) specs.push_back({in->dtype(), in->shape()});
      const schedule::LoweredCall lowered = schedule::lower(*e.node->call().call, specs, cpu);
      std::unordered_map<const Node*, NodePtr> given;
      for (std::size_t i = 0; i < inputs.size(); ++i) given[lowered.placeholders[i].get()] = inputs[i];
      const NodePtr& result = lowered.results[at(e.node->call().output)];
      known[e.node.get()] = with_lowered_calls(std::span(&result, 1), given)[0];
      continue;
    }
    bool same = true;
    for (std::size_t i = 0; i < inputs.size(); ++i) same = same && inputs[i] == graph[e.inputs[i]].node;
    known[e.node.get()] = same ? e.node
                               : std::make_shared<const Node>(e.op(), e.node->dtype(), e.node->shape(),
                                                              e.node->device(), inputs, e.node->attrs());
  }
  std::vector<NodePtr> results;
  for (const NodePtr& root : roots) results.push_back(known.at(root.get()));
  return results;
}

}  // namespace

std::vector<Bounded> evaluate_bounded(std::span<const NodePtr> roots, const reference::Input& input, bool flush) {
  std::unordered_map<const Node*, NodePtr> known;
  const Graph graph = snapshot(with_lowered_calls(roots, known));
  std::vector<NodePtr> all;
  all.reserve(graph.entries.size());
  for (const Graph::Entry& e : graph.entries) all.push_back(e.node);
  return Analysis(graph, reference::evaluate(all, input), flush).run();
}

}  // namespace tessera::test
