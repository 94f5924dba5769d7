// Counts the owners of inputs, and keeps a list of the nodes whose storages are being overwritten.
#include "runtime/eval/ownership.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "base/fail.h"
#include "base/ints.h"
#include "graph/op.h"
#include "runtime/memory/new_storage.h"

namespace tessera::runtime {

namespace {

struct Claims {
  std::mutex mutex;
  std::condition_variable released;
  std::unordered_map<const Node*, std::thread::id> nodes;
  std::atomic<std::size_t> count = 0;  // of nodes, to be read without the lock
  static Claims& all() {
    static Claims claims;
    return claims;
  }
};

/// What a put writes to, under reshapes; -1 if it is computed in this graph.
int updated_input(const Graph& graph, int put) {
  int n = graph[put].inputs[0];
  while (graph[n].op() == Op::kView && graph.node(n).view().identity() && graph[n].inputs.size() == 1)
    n = graph[n].inputs[0];
  return graph[n].op() == Op::kInput ? n : -1;
}

}  // namespace

std::vector<NodePtr> inputs_to_overwrite(const Graph& graph) {
  constexpr std::size_t kLarge = std::size_t{1} << 20U;  // bytes; a plan of its own is not worth less
  std::vector<int> candidates;
  for (int n = 0; n < graph.size(); ++n) {
    const Graph::Entry& e = graph[n];
    if (e.op() == Op::kPut) {
      if (const int in = updated_input(graph, n); in >= 0 && graph[in].storage != nullptr) candidates.push_back(in);
    } else if (e.op() == Op::kInput && e.storage != nullptr &&
               storage_bytes(e.node->numel(), e.node->dtype()) >= kLarge) {
      candidates.push_back(n);
    }
  }
  if (candidates.empty()) return {};
  std::ranges::sort(candidates);
  candidates.erase(std::ranges::unique(candidates).begin(), candidates.end());
  std::vector<char> root(graph.entries.size(), 0);
  for (const int r : graph.roots) root[as_index(r)] = 1;
  // References from nodes that drop their inputs when the roots are published, and that of the snapshot.
  std::vector<long> known(graph.entries.size(), 1);
  for (int n = graph.size() - 1; n >= 0; --n) {
    const Graph::Entry& e = graph[n];
    if (e.op() == Op::kInput || e.node->tracked()) continue;
    if (root[as_index(n)] == 0 && e.node.use_count() != known[as_index(n)]) continue;
    for (const int in : e.inputs) ++known[as_index(in)];
  }
  std::vector<NodePtr> nodes;
  for (const int n : candidates) {
    if (root[as_index(n)] == 0 && graph[n].node.use_count() == known[as_index(n)]) nodes.push_back(graph[n].node);
  }
  return nodes;
}

Claim::Claim(std::vector<NodePtr> nodes) {
  if (nodes.empty()) return;
  Claims& claims = Claims::all();
  bool released = false;
  for (NodePtr& node : nodes) {
    {
      const std::lock_guard lock(claims.mutex);
      if (!claims.nodes.emplace(node.get(), std::this_thread::get_id()).second) continue;
      claims.count = claims.nodes.size();
    }
    std::shared_ptr<Storage> storage = node->take_storage();
    // From here on nobody gets it from the node. Its owners are the snapshot and this claim, or somebody else too, as
    // of the memory of a range.
    if (storage.use_count() == 2 && storage->parent() == nullptr) {
      nodes_.push_back(std::move(node));
      storages_.push_back(std::move(storage));
      continue;
    }
    node->replace_storage(std::move(storage));
    const std::lock_guard lock(claims.mutex);
    claims.nodes.erase(node.get());
    claims.count = claims.nodes.size();
    released = true;
  }
  if (released) claims.released.notify_all();
}

Claim::~Claim() { release(); }

void Claim::release() {
  if (nodes_.empty()) return;
  if (!consumed_) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i]->replace_storage(std::move(storages_[i]));
  }
  Claims& claims = Claims::all();
  {
    const std::lock_guard lock(claims.mutex);
    for (const NodePtr& node : nodes_) claims.nodes.erase(node.get());
    claims.count = claims.nodes.size();
  }
  claims.released.notify_all();
  nodes_.clear();
}

void wait_for_claim(const Node& node) {
  Claims& claims = Claims::all();
  if (claims.count == 0) return;
  std::unique_lock lock(claims.mutex);
  const auto it = claims.nodes.find(&node);
  if (it == claims.nodes.end()) return;
  if (it->second == std::this_thread::get_id()) {
    fail(ErrorKind::kValue,
         "A tensor of shape {} is being updated in place by an evaluation that this one runs inside of.",
         node.shape().str());
  }
  claims.released.wait(lock, [&] { return !claims.nodes.contains(&node); });
}

}  // namespace tessera::runtime
