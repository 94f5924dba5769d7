// Evaluation on a device beside the oracle, and the comparison of single elements.
#include "support/check.h"

#include <cmath>
#include <future>
#include <unordered_map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/op.h"
#include "graph/op_name.h"

namespace tessera::test {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

bool right(double g, double v, double e, DType t, const Leniency& allow) {
  if (std::isnan(v) || std::isnan(g)) return std::isnan(v) && std::isnan(g);
  const double r = reference::round_to(v, t);
  if (std::isinf(g) || std::isinf(r)) {
    if (std::signbit(g) != std::signbit(v)) return false;
    if (std::isinf(g) && std::isinf(r)) return true;
    if (std::isinf(v)) return false;
    // Close to where the type ends, both the end and infinity are right.
    return std::isinf(g) ? std::isinf(reference::round_to(std::abs(v) + e, t)) : std::abs(g - v) <= e;
  }
  if (g == 0 && allow.flush && std::abs(v) <= smallest_normal(t)) return true;
  if (v == 0 && e == 0) return g == 0 && (allow.zero_sign || std::signbit(g) == std::signbit(v));
  if (e == 0) return g == r;
  return std::abs(g - v) <= e + (std::abs(v) < smallest_normal(t) ? smallest_normal(t) * unit_roundoff(t) : 0);
}

std::string text_of(const reference::Value& v, std::size_t k) {
  if (is_float(v.dtype)) return fmt::format("{:.9g}", v.f[k]);
  return v.dtype == DType::kU64 ? fmt::format("{}", static_cast<std::uint64_t>(v.i[k])) : fmt::format("{}", v.i[k]);
}

/// Leaf data without denormals of f32, which a GPU may take for zero.
reference::Value without_denormals(reference::Value v) {
  for (double& x : v.f) {
    if (std::abs(x) < smallest_normal(DType::kF32)) x = std::copysign(0.0, x);
  }
  return v;
}

}  // namespace

std::vector<reference::Value> read_values(const std::vector<Tensor>& tensors) {
  std::promise<std::vector<std::vector<std::byte>>> promise;
  read_all(tensors, [&](std::vector<std::vector<std::byte>> bytes, std::exception_ptr error) {
    if (error) {
      promise.set_exception(error);
    } else {
      promise.set_value(std::move(bytes));
    }
  });
  if (!tensors.empty()) tensors[0].device().synchronize();
  const auto bytes = promise.get_future().get();
  std::vector<reference::Value> values;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    values.push_back(decode(tensors[i].dtype(), tensors[i].shape(), bytes[i]));
  }
  return values;
}

std::int64_t first_wrong(const reference::Value& got, const Bounded& expected, const Bounded& flushed,
                         const Leniency& allow, std::size_t& unknown) {
  for (std::size_t k = 0; k < at(got.shape.numel()); ++k) {
    const double e = expected.error[k];
    if (!std::isfinite(e)) {
      ++unknown;
      continue;
    }
    if (is_float(got.dtype)) {
      if (right(got.f[k], expected.value.f[k], e, got.dtype, allow)) continue;
      if (allow.flush && right(got.f[k], flushed.value.f[k], flushed.error[k], got.dtype, allow)) continue;
    } else {
      if (got.i[k] == expected.value.i[k]) continue;
      if (e > 0 && std::abs(static_cast<double>(got.i[k]) - static_cast<double>(expected.value.i[k])) <= e) continue;
      if (allow.flush && got.i[k] == flushed.value.i[k]) continue;
    }
    return static_cast<std::int64_t>(k);
  }
  return -1;
}

void Checker::add(std::string name, Tensor tensor, bool zero_sign_matters) {
  cases_.push_back({std::move(name), std::move(tensor), zero_sign_matters});
}

void Checker::run() {
  if (cases_.empty()) return;
  std::vector<Tensor> tensors;
  std::vector<NodePtr> nodes;
  for (const Case& c : cases_) {
    tensors.push_back(c.tensor);
    nodes.push_back(c.tensor.node());
  }
  // The data of the leaves, and the oracle's arguments of each case, before evaluation drops the graph.
  std::vector<Tensor> leaves;
  for (const Graph::Entry& e : snapshot(nodes).entries) {
    if (e.storage != nullptr) leaves.emplace_back(e.node);
  }
  std::unordered_map<const Node*, reference::Value> data;
  const auto leaf_values = read_values(leaves);
  for (std::size_t i = 0; i < leaves.size(); ++i) data.emplace(leaves[i].node().get(), leaf_values[i]);
  const auto input = [&](const Node& n) { return data.at(&n); };
  const auto flushed_input = [&](const Node& n) { return without_denormals(data.at(&n)); };
  const bool gpu = device_.info().type != DeviceType::kCpu;
  const std::vector<Bounded> expected = evaluate_bounded(nodes, input, gpu);
  const std::vector<Bounded> flushed = gpu ? evaluate_bounded(nodes, flushed_input, gpu) : expected;
  std::vector<std::shared_ptr<const Node::Inputs>> inputs;
  for (const NodePtr& n : nodes) inputs.push_back(n->storage() == nullptr ? n->inputs() : nullptr);

  const auto tell = [&](const std::string& text) {
    ++failed;
    if (report) {
      report(text);
    } else {
      ADD_FAILURE() << text;
    }
  };
  std::vector<reference::Value> got;
  try {
    got = read_values(tensors);
  } catch (const std::exception& e) {
    std::string names;
    for (const Case& c : cases_) names += "\n  " + c.name;
    cases_.clear();
    tell(fmt::format("evaluation threw: {}\nof these cases:{}", e.what(), names));
    return;
  }
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    const Leniency allow{gpu, !cases_[i].zero_sign_matters};
    std::size_t nothing_known = 0;
    const std::int64_t k = first_wrong(got[i], expected[i], flushed[i], allow, nothing_known);
    compared += at(got[i].shape.numel());
    unknown += nothing_known;
    if (k < 0) {
      if (!report && nothing_known > 0 && nothing_known == at(got[i].shape.numel())) {
        tell(fmt::format("{}: the error bound of every element is infinite, so nothing was tested", cases_[i].name));
      }
      continue;
    }
    std::string args;
    if (inputs[i] != nullptr && is_elementwise(nodes[i]->op())) {
      // Arguments that are cases themselves have been evaluated meanwhile.
      const auto argument = [&](const Node& n) {
        for (std::size_t j = 0; j < nodes.size(); ++j) {
          if (nodes[j].get() == &n) return expected[j].value;
        }
        return data.at(&n);
      };
      const auto values = reference::evaluate(*inputs[i], argument);
      for (const reference::Value& v : values) args += fmt::format(" {} {}", name(v.dtype), text_of(v, at(k)));
    }
    std::size_t more = 0;
    for (std::size_t other = at(k); other < at(got[i].shape.numel()); ++other) {
      const bool same = is_float(got[i].dtype) ? got[i].f[other] == expected[i].value.f[other]
                                               : got[i].i[other] == expected[i].value.i[other];
      if (!same) ++more;
    }
    tell(fmt::format("{} ({}{}): element {}{} is {}, expected {} within {:.3g} ({} of {} elements differ)",
                     cases_[i].name, name(got[i].dtype), got[i].shape.str(), k, args.empty() ? "" : " of" + args,
                     text_of(got[i], at(k)), text_of(expected[i].value, at(k)), expected[i].error[at(k)], more,
                     got[i].shape.numel()));
  }
  cases_.clear();
}

}  // namespace tessera::test
