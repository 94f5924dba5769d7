// Small graphs for the oracle's tests: leaves with data, and one call that evaluates.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "graph/op.h"
#include "runtime/reference/reference.h"

namespace tessera::reference {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class Graphs {
 public:
  NodePtr floats(DType dtype, const Shape& shape, std::vector<double> data) {
    return leaf({dtype, shape, std::move(data), {}});
  }
  NodePtr integers(DType dtype, const Shape& shape, std::vector<std::int64_t> data) {
    return leaf({dtype, shape, {}, std::move(data)});
  }
  NodePtr complexes(DType dtype, const Shape& shape, std::vector<std::complex<double>> data) {
    return leaf({dtype, shape, {}, {}, std::move(data)});
  }
  static NodePtr node(Op op, DType dtype, const Shape& shape, Node::Inputs inputs, Attrs attrs = {}) {
    return std::make_shared<const Node>(op, dtype, shape, nullptr, std::move(inputs), std::move(attrs));
  }
  [[nodiscard]] Value value(const NodePtr& root, Rounding rounding = Rounding::kNone) const {
    const auto input = [this](const Node& n) { return data_.at(&n); };
    return evaluate(std::span(&root, 1), input, rounding)[0];
  }

 private:
  NodePtr leaf(Value value) {
    NodePtr n = node(Op::kInput, value.dtype, value.shape, {});
    data_.emplace(n.get(), std::move(value));
    return n;
  }
  std::map<const Node*, Value> data_;
};

}  // namespace tessera::reference
