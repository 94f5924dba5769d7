// A graph that is rebuilt bottom-up: nodes are looked up by structure, so that equal ones become one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/compute.h"
#include "base/ints.h"
#include "graph/graph.h"
#include "graph/op.h"
#include "schedule/device_model.h"
#include "schedule/simplify/simplify.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

/// What rewrites build with, and what they ask about the device.
class Rewriter {
 public:
  Rewriter(const DeviceInfo& device, std::int64_t longest_row)
      : device_(device), model_(device), longest_row_(longest_row) {}

  [[nodiscard]] const DeviceInfo& device() const { return device_; }
  [[nodiscard]] const DeviceModel& model() const { return model_; }
  [[nodiscard]] bool gpu() const { return model_.gpu; }
  [[nodiscard]] std::int64_t longest_row() const { return longest_row_; }
  /// What is built so far. Entries move when more are added.
  [[nodiscard]] const Graph& graph() const { return out_; }
  Graph take() { return std::move(out_); }

  /// The position of an equal node, or of this one as a new entry.
  int add(Graph::Entry entry);
  int make(Op op, DType dtype, const Shape& shape, std::vector<int> inputs, Attrs attrs = {});
  /// The axes of `input` as strided dims over what lies under its view, for a new view to be made of.
  [[nodiscard]] SplitView split(int input) const;
  /// A view of `input` whose dims come from split(input).
  int make_view_of(int input, std::vector<Dim> dims, const SplitView& from, const Shape& shape);
  /// The same with the dims for its shape.
  int make_view_of(int input, std::vector<Dim> dims, const SplitView& from);
  int reshape(int input, const Shape& shape);
  /// Rebuilds nodes outside of the graph with the rules; `leaves` are those that stand for positions.
  std::vector<int> import(std::span<const NodePtr> roots, std::span<const NodePtr> leaves,
                          std::span<const int> positions);
  /// A result of the call is a root.
  void note_root(const Call& call) { roots_.insert(&call); }
  /// Whether the node that is rebuilt is stored with channels last (channels_last.h). Returns what was set before.
  bool set_channels_last(bool last) { return std::exchange(channels_last_, last); }
  [[nodiscard]] bool channels_last() const { return channels_last_; }
  /// What is at this position is read whole, if only in parts by several views.
  void note_whole(int position) { whole_.insert(position); }
  [[nodiscard]] bool read_whole(int position) const { return whole_.contains(position); }
  /// A copy that is the position of no other one: it has memory of its own.
  int separate_copy(int input);
  /// The positions of the results of a call, which is lowered once.
  const std::vector<int>& lowered(const std::shared_ptr<const Call>& call, std::span<const int> inputs);

 private:
  const DeviceInfo& device_;
  DeviceModel model_;
  std::int64_t longest_row_;
  Graph out_;
  std::unordered_multimap<std::uint64_t, int> seen_;
  struct LoweredAt {
    std::shared_ptr<const Call> call;  // so that its address is not used again
    std::vector<int> inputs, results;
  };
  std::unordered_map<const Call*, LoweredAt> lowered_;
  std::unordered_set<const Call*> roots_;
  std::unordered_set<int> whole_;
  bool channels_last_ = false;
};

/// The scalar that all elements of a node are; null: it is something else.
const Scalar* constant(const Graph& graph, int n);

/// The largest divisor of n up to `most`.
std::int64_t divisor(std::int64_t n, std::int64_t most);

/// Reduces [pieces, rows] over the pieces to the result of `e`.
int second_stage(Rewriter& out, Op op, const Graph::Entry& e, int parts, std::int64_t rows, std::int64_t pieces);

/// A rewrite of one node while a graph is rebuilt bottom-up. `e` is the node with inputs that are positions in what is
/// built so far. A rule is a file of its own with a line in rewrite_rules.cpp and a test in tests/schedule.
struct RewriteRule {
  std::string_view name;
  /// By ops and the shape of the expression.
  bool (*matches)(const Rewriter& out, const Graph::Entry& e);
  /// Whether device and sizes allow it: the value stays the same, and it pays.
  bool (*legal)(const Rewriter& out, const Graph::Entry& e);
  /// The position of what takes the node's place; -1: none was found, and the next rule has its turn.
  int (*rewrite)(Rewriter& out, const Graph::Entry& e);
};
inline bool always_legal(const Rewriter&, const Graph::Entry&) { return true; }

/// The list of rules, in the order in which they are tried.
std::span<const RewriteRule> rewrite_rules();
/// What the first rule that applies makes of a node; where none does, the node itself.
int apply_rules(Rewriter& out, const Graph::Entry& e);

}  // namespace tessera::schedule
