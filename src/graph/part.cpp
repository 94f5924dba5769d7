// Parts of a snapshot.
#include "graph/part.h"

#include <algorithm>
#include <numeric>

#include "base/ints.h"

namespace tessera {

Graph part_of(const Graph& graph, std::span<const int> roots, std::span<const NodePtr> leaves) {
  const auto leaf = [&](std::size_t i) { return leaves.empty() ? nullptr : leaves[i]; };
  std::vector<char> used(graph.entries.size(), 0);
  for (const int r : roots) used[as_index(r)] = 1;
  std::vector<int> stack(roots.begin(), roots.end());
  while (!stack.empty()) {
    const auto i = as_index(stack.back());
    stack.pop_back();
    if (leaf(i) != nullptr) continue;
    for (const int in : graph.entries[i].inputs) {
      if (used[as_index(in)] != 0) continue;
      used[as_index(in)] = 1;
      stack.push_back(in);
    }
  }
  std::vector<int> position(graph.entries.size(), -1);
  Graph part;
  for (std::size_t i = 0; i < graph.entries.size(); ++i) {
    if (used[i] == 0) continue;
    position[i] = part.size();
    if (NodePtr node = leaf(i); node != nullptr) {
      part.entries.push_back({std::move(node), {}, nullptr});
      continue;
    }
    Graph::Entry e = graph.entries[i];
    for (int& in : e.inputs) in = position[as_index(in)];
    part.entries.push_back(std::move(e));
  }
  for (const int r : roots) part.roots.push_back(position[as_index(r)]);
  return part;
}

Graph ordered_by(const Graph& graph, std::span<const int> roots) {
  std::vector<std::size_t> needed_by(graph.entries.size(), roots.size());  // the first root that needs the entry
  for (std::size_t k = roots.size(); k-- > 0;) needed_by[as_index(graph.roots[as_index(roots[k])])] = k;
  for (std::size_t i = graph.entries.size(); i-- > 0;) {
    for (const int in : graph.entries[i].inputs)
      needed_by[as_index(in)] = std::min(needed_by[as_index(in)], needed_by[i]);
  }
  std::vector<std::size_t> order(graph.entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return needed_by[i]; });
  std::vector<int> position(graph.entries.size());
  Graph ordered;
  for (const std::size_t i : order) {
    position[i] = ordered.size();
    Graph::Entry e = graph.entries[i];
    for (int& in : e.inputs) in = position[as_index(in)];
    ordered.entries.push_back(std::move(e));
  }
  for (const int r : graph.roots) ordered.roots.push_back(position[as_index(r)]);
  return ordered;
}

}  // namespace tessera
