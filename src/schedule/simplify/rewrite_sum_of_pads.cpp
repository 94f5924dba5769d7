// Rewrite rule: a sum of tensors that are padded with zeros and do not overlap is their concatenation. The gradient of
// a split is one: q, k and v that were cut out of the result of one matmul.
#include <algorithm>
#include <functional>

#include "base/ints.h"
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

constexpr std::size_t kMostPieces = 8;  // of one concatenation, which is a chain of so many pads

/// A tensor and its offset in a larger one. Neighbouring axes are one where the inner of them is covered whole, so
/// that pads of different shapes can be compared.
struct Piece {
  int source = -1;
  std::vector<std::int64_t> low, size, whole;  // for each axis
};

/// What lies under reshapes.
int under_reshapes(const Graph& graph, int n) {
  while (graph[n].op() == Op::kView && graph[n].inputs.size() == 1 && graph.node(n).view().identity())
    n = graph[n].inputs[0];
  return n;
}

bool is_zero(const Graph& graph, int n) {
  const Scalar* value = constant(graph, n);
  return value != nullptr && value->as_complex() == 0.0;
}

Piece piece_of(const Graph& graph, int pad) {
  const int source = graph[pad].inputs[0];
  const Shape& inner = graph.node(source).shape();
  const Shape& outer = graph.node(pad).shape();
  Piece piece{source, {}, {}, {}};
  for (int axis = 0; axis < outer.rank(); ++axis) {
    const bool covered = inner[axis] == outer[axis];
    if (outer[axis] == 1 && covered) continue;
    if (covered && !piece.whole.empty()) {
      for (auto* sizes : {&piece.low, &piece.size, &piece.whole}) sizes->back() *= outer[axis];
    } else {
      piece.low.push_back(graph.node(pad).pad_low().low[as_index(axis)]);
      piece.size.push_back(inner[axis]);
      piece.whole.push_back(outer[axis]);
    }
  }
  return piece;
}

/// The pieces of a chain of pads, each the background of the one before, over zeros; none where `n` is something else.
std::vector<Piece> pieces_of(const Graph& graph, int n) {
  std::vector<Piece> pieces;
  for (n = under_reshapes(graph, n); graph[n].op() == Op::kPad; n = under_reshapes(graph, graph[n].inputs[1])) {
    if (pieces.size() == kMostPieces) return {};
    pieces.push_back(piece_of(graph, n));
  }
  return is_zero(graph, n) ? pieces : std::vector<Piece>{};
}

bool disjoint(const Piece& a, const Piece& b) {
  for (std::size_t axis = 0; axis < a.low.size(); ++axis) {
    if (a.low[axis] + a.size[axis] <= b.low[axis] || b.low[axis] + b.size[axis] <= a.low[axis]) return true;
  }
  return false;
}

/// Both sides' pieces.
std::vector<Piece> all_pieces(const Graph& graph, const Graph::Entry& sum) {
  std::vector<Piece> left = pieces_of(graph, sum.inputs[0]);
  const std::vector<Piece> right = left.empty() ? left : pieces_of(graph, sum.inputs[1]);
  if (right.empty()) return {};
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

bool matches(const Rewriter& out, const Graph::Entry& e) {
  return e.op() == Op::kAdd && !all_pieces(out.graph(), e).empty();
}

/// No two pieces overlap. Gaps stay zero.
bool legal(const Rewriter& out, const Graph::Entry& e) {
  const std::vector<Piece> pieces = all_pieces(out.graph(), e);
  if (pieces.size() > kMostPieces) return false;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].whole != pieces[0].whole) return false;
    for (std::size_t k = 0; k < i; ++k) {
      if (!disjoint(pieces[i], pieces[k])) return false;
    }
  }
  return true;
}

/// As ops::concat() makes it.
int rewrite(Rewriter& out, const Graph::Entry& e) {
  const DType t = e.node->dtype();
  std::vector<Piece> pieces = all_pieces(out.graph(), e);
  std::ranges::stable_sort(pieces, std::greater<>(), &Piece::low);
  const Shape whole(pieces[0].whole);
  const int zero = out.make(Op::kScalar, t, {}, {}, Scalar{std::int64_t{0}});
  int result = out.make_view_of(zero, {{whole.numel(), 0}}, out.split(zero), whole);
  for (const Piece& piece : pieces) {
    const int source = out.reshape(piece.source, Shape(piece.size));
    result = out.make(Op::kPad, t, whole, {source, result}, PadLow{piece.low});
  }
  return out.reshape(result, e.node->shape());
}

}  // namespace

extern const RewriteRule kSumOfPads{"sum of pads", matches, legal, rewrite};

}  // namespace tessera::schedule
