// Dynamic axes of compiled functions: their names and sizes, and the sizes that one trace serves.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/transforms/symbolic_graph.h"
#include "tessera/compile.h"

namespace tessera {

/// CompileOptions::dynamic_axes, by name.
class DynamicAxes {
 public:
  DynamicAxes() = default;
  explicit DynamicAxes(std::vector<DynamicAxis> axes);

  [[nodiscard]] bool empty() const { return axes_.empty(); }
  /// The number of names.
  [[nodiscard]] std::size_t count() const { return names_.size(); }
  /// "length, batch".
  [[nodiscard]] std::string names() const;
  /// The size of each name. Error of kind value or shape if an axis is not there or is listed twice, a name is empty,
  /// or two axes of one name have different sizes.
  [[nodiscard]] Sizes sizes_of(std::span<const Tensor> arguments) const;
  /// The shape of an argument with other sizes.
  [[nodiscard]] Shape with_sizes(std::size_t argument, Shape shape, const Sizes& sizes) const;

 private:
  std::vector<DynamicAxis> axes_;
  std::vector<std::size_t> name_of_;  // by axis: the position in names_
  std::vector<std::string> names_;
};

/// A symbolic graph and the sizes that it serves: those on its grid between bounds at which the function itself gave
/// the same graph. Sizes 0 and 1 are served alone, since broadcasting and functions treat them differently.
class DynamicGraph {
 public:
  /// Calls the function on placeholders of these sizes; null if it throws.
  using Probe = std::function<std::shared_ptr<const TracedGraph>(const Sizes&)>;
  struct Found {
    std::shared_ptr<const DynamicGraph> graph;  // null: there is none
    std::string reason;                         // of that, as the end of a sentence
  };
  /// Finds the graph around the sizes of a call, at which the function gave `traced`.
  static Found find(const Sizes& given, const std::shared_ptr<const TracedGraph>& traced, const Probe& probe);

  [[nodiscard]] bool serves(const Sizes& sizes) const;
  [[nodiscard]] TracedGraph at(const Sizes& sizes) const { return graph_->at(sizes); }
  /// The same graph for these sizes too, at which the function gave `traced`; null if that is another graph.
  [[nodiscard]] std::shared_ptr<const DynamicGraph> widened(const Sizes& sizes,
                                                            const std::shared_ptr<const TracedGraph>& traced,
                                                            const Probe& probe) const;

 private:
  class Search;

  std::shared_ptr<const SymbolicGraph> graph_;
  Sizes lowest_;
  Sizes highest_;
  // Sizes between the bounds with another graph; -1 stands for any. Functions compare shapes, so sizes that equal other
  // extents are looked at, and names of equal size.
  std::vector<Sizes> except_;
  std::vector<std::pair<std::size_t, std::size_t>> unequal_;  // names that must have different sizes
};

}  // namespace tessera
