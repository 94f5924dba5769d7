// Contractions of any number of operands: parsed from an equation, lowered to one matmul for each pair.
#include <algorithm>
#include <map>
#include <string>

#include "base/fail.h"
#include "ops/autocast.h"
#include "ops/linalg/linalg.h"

namespace tessera::ops {

namespace {

/// Labels of axes: letters, and numbers below 'A' for the axes of "...".
using Labels = std::string;

struct EinsumOperand {
  NodePtr node;
  Labels labels;
};

bool has(const Labels& labels, char label) { return labels.find(label) != Labels::npos; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The parts of an equation as written: "..." is one '.'.
struct Equation {
  std::vector<Labels> inputs;
  Labels output;
  bool has_output = false;
};

Equation parse(std::string_view text) {
  Equation e;
  e.inputs.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    Labels& now = e.has_output ? e.output : e.inputs.back();
    const char c = text[i];
    if (c == ' ') continue;
    if (is_letter(c)) {
      now += c;
    } else if (c == ',' && !e.has_output) {
      e.inputs.emplace_back();
    } else if (text.substr(i, 3) == "..." && !has(now, '.')) {
      now += '.';
      i += 2;
    } else if (text.substr(i, 2) == "->" && !e.has_output) {
      e.has_output = true;
      ++i;
    } else {
      fail(ErrorKind::kValue, "einsum: the equation '{}' is not understood at place {}: '{}'.", text, i,
           text.substr(i, 1));
    }
  }
  return e;
}

/// The label of the i-th axis from the end among those of "...".
char ellipsis_label(int from_end) { return static_cast<char>(1 + from_end); }

Labels expand(const Labels& labels, int axes) {
  Labels result;
  for (const char c : labels) {
    if (c != '.') {
      result += c;
      continue;
    }
    for (int i = axes; i > 0; --i) result += ellipsis_label(i - 1);
  }
  return result;
}

EinsumOperand permuted(const EinsumOperand& x, const Labels& order) {
  std::vector<int> axes;
  for (const char c : order) axes.push_back(static_cast<int>(x.labels.find(c)));
  return {permute(x.node, axes), order};
}

/// Takes diagonals for labels that occur twice.
EinsumOperand without_repeats(EinsumOperand x) {
  for (std::size_t i = 0; i < x.labels.size(); ++i) {
    const std::size_t j = x.labels.find(x.labels[i], i + 1);
    if (j == Labels::npos) continue;
    const char label = x.labels[i];
    x.node = diagonal("einsum", x.node, 0, static_cast<int>(i), static_cast<int>(j));
    x.labels.erase(j, 1);
    x.labels.erase(i, 1);
    x.labels += label;
    i = static_cast<std::size_t>(-1);  // restart from the front
  }
  return x;
}

/// Sums over the labels that are not in `keep`.
EinsumOperand summed(const EinsumOperand& x, const Labels& keep) {
  std::vector<int> axes;
  Labels left;
  for (std::size_t i = 0; i < x.labels.size(); ++i) {
    if (has(keep, x.labels[i])) {
      left += x.labels[i];
    } else {
      axes.push_back(static_cast<int>(i));
    }
  }
  // Small integers keep their dtype, as in a matmul of two operands.
  return axes.empty() ? x : EinsumOperand{cast(sum(x.node, axes, false), x.node->dtype()), left};
}

/// One matmul; labels of both operands that are not in `keep` are contracted.
EinsumOperand contract(const EinsumOperand& a, const EinsumOperand& b, const Labels& keep) {
  Labels batch;
  Labels inner;
  Labels rows;
  Labels cols;
  for (const char c : a.labels) {
    if (!has(b.labels, c)) {
      rows += c;
    } else if (has(keep, c)) {
      batch += c;
    } else {
      inner += c;
    }
  }
  for (const char c : b.labels) {
    if (!has(a.labels, c)) cols += c;
  }
  const EinsumOperand x = permuted(a, batch + rows + inner);
  const EinsumOperand y = permuted(b, batch + inner + cols);
  const auto size = [](const EinsumOperand& of, const Labels& labels) {
    std::int64_t n = 1;
    for (const char c : labels) n *= of.node->shape()[static_cast<int>(of.labels.find(c))];
    return n;
  };
  const NodePtr contracted = matmul(reshape(x.node, {size(x, batch), size(x, rows), size(x, inner)}),
                                    reshape(y.node, {size(y, batch), size(y, inner), size(y, cols)}));
  Shape shape;
  for (const char c : batch + rows) shape.push_back(x.node->shape()[static_cast<int>(x.labels.find(c))]);
  for (const char c : cols) shape.push_back(y.node->shape()[static_cast<int>(y.labels.find(c))]);
  return {reshape(contracted, shape), batch + rows + cols};
}

}  // namespace

NodePtr einsum(std::string_view text, std::span<const NodePtr> operands) {
  Equation e = parse(text);
  if (e.inputs.size() != operands.size()) {
    fail(ErrorKind::kValue, "einsum: '{}' names {} operands; {} were given.", text, e.inputs.size(), operands.size());
  }
  // The number of axes of "...": the most of any operand; the others broadcast.
  std::vector<int> own(operands.size(), 0);
  int most = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const int rank = operands[i]->shape().rank();
    const bool dots = has(e.inputs[i], '.');
    const int named = static_cast<int>(e.inputs[i].size()) - (dots ? 1 : 0);
    if (dots ? rank < named : rank != named) {
      fail(ErrorKind::kShape, "einsum: '{}' names {} axes of operand {}, whose shape is {}.", text, named, i,
           operands[i]->shape().str());
    }
    own[i] = dots ? rank - named : 0;
    most = std::max(most, own[i]);
  }
  std::vector<EinsumOperand> list;
  std::map<char, std::int64_t> sizes;
  std::vector<DType> dtypes;
  for (const NodePtr& x : operands) dtypes.push_back(x->dtype());
  const DType dtype = low_dtype(dtypes);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    EinsumOperand x{cast(operands[i], dtype), expand(e.inputs[i], own[i])};
    for (std::size_t axis = 0; axis < x.labels.size(); ++axis) {
      const std::int64_t size = x.node->shape()[static_cast<int>(axis)];
      std::int64_t& known = sizes.try_emplace(x.labels[axis], size).first->second;
      if (known == 1 && !is_letter(x.labels[axis])) known = size;
      if (known != size && (is_letter(x.labels[axis]) || size != 1)) {
        fail(ErrorKind::kShape,
             "einsum: axis {} of operand {}, whose shape is {}, has size {}; {} is expected from "
             "the operands before it in '{}'.",
             axis, i, x.node->shape().str(), size, known, text);
      }
    }
    list.push_back(std::move(x));
  }
  for (EinsumOperand& x : list) {  // axes of "..." of size 1 broadcast
    Shape shape;
    for (const char c : x.labels) shape.push_back(sizes.at(c));
    x = without_repeats({broadcast_to(x.node, shape), x.labels});
  }

  Labels output = expand(e.output, most);
  if (!e.has_output) {  // "..." first, then the letters that come once, in the order of the alphabet
    Labels all;
    for (const Labels& labels : e.inputs) all += labels;
    for (int i = most; i > 0; --i) output += ellipsis_label(i - 1);
    Labels once;
    for (const char c : all) {
      if (is_letter(c) && std::count(all.begin(), all.end(), c) == 1) once += c;
    }
    std::sort(once.begin(), once.end());
    output += once;
  }
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (sizes.find(output[i]) == sizes.end() || output.find(output[i], i + 1) != Labels::npos) {
      fail(ErrorKind::kValue,
           "einsum: each index of the output of '{}' must come once there and in some operand; '{}' does not.", text,
           output.substr(i, 1));
    }
  }

  while (list.size() > 1) {
    // The pair with the fewest multiply-adds.
    std::size_t first = 0;
    std::size_t second = 1;
    double least = -1;
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (std::size_t j = i + 1; j < list.size(); ++j) {
        double work = 1;
        for (const char c : list[i].labels) work *= static_cast<double>(sizes.at(c));
        for (const char c : list[j].labels) work *= has(list[i].labels, c) ? 1.0 : static_cast<double>(sizes.at(c));
        if (least >= 0 && work >= least) continue;
        least = work;
        first = i;
        second = j;
      }
    }
    const auto needed = [&](bool with_first, bool with_second) {
      Labels keep = output;
      for (std::size_t i = 0; i < list.size(); ++i) {
        if ((i != first || with_first) && (i != second || with_second)) keep += list[i].labels;
      }
      return keep;
    };
    const EinsumOperand a = summed(list[first], needed(false, true));
    const EinsumOperand b = summed(list[second], needed(true, false));
    EinsumOperand contracted = contract(a, b, needed(false, false));
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(second));
    list[first] = std::move(contracted);
  }
  return permuted(summed(list[0], output), output).node;
}

NodePtr tensordot(const NodePtr& a, const NodePtr& b, std::span<const int> axes_a, std::span<const int> axes_b) {
  if (axes_a.size() != axes_b.size()) {
    fail(ErrorKind::kValue, "tensordot: {} axes of a and {} of b were given; each needs its partner.", axes_a.size(),
         axes_b.size());
  }
  const auto checked = [](const NodePtr& x, std::span<const int> axes) {
    return axes.empty() ? std::vector<int>{} : normal_axes("tensordot", axes, x->shape().rank());
  };
  // Sorted by normal_axes, which must keep pairs together.
  checked(a, axes_a);
  checked(b, axes_b);
  EinsumOperand x{a, {}};
  EinsumOperand y{b, {}};
  char next = 'A';
  for (int i = 0; i < a->shape().rank(); ++i) x.labels += next++;
  for (int i = 0; i < b->shape().rank(); ++i) y.labels += next++;
  Labels keep = x.labels + y.labels;
  for (std::size_t i = 0; i < axes_a.size(); ++i) {
    const int p = normal_axis("tensordot", axes_a[i], a->shape().rank());
    const int q = normal_axis("tensordot", axes_b[i], b->shape().rank());
    if (a->shape()[p] != b->shape()[q]) {
      fail(ErrorKind::kShape, "tensordot: axis {} of {} and axis {} of {} have different sizes.", p, a->shape().str(),
           q, b->shape().str());
    }
    const char label = x.labels[static_cast<std::size_t>(p)];
    y.labels[static_cast<std::size_t>(q)] = label;
    keep.erase(keep.find(label), 1);
  }
  return contract(x, y, keep).node;
}

}  // namespace tessera::ops
