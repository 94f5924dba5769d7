// Parts of a snapshot.
#include "graph/part.h"

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

}  // namespace tessera
