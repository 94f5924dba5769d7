// Snapshots of graphs, and how a graph is printed.
#include "graph/graph.h"

#include <unordered_map>

#include <fmt/format.h>

#include "base/pass_timer.h"
#include "graph/op.h"
#include "graph/op_name.h"

namespace tessera {

Graph snapshot(std::span<const NodePtr> roots) {
  const PassTimer timer("snapshot");
  struct Frame {
    NodePtr node;
    std::shared_ptr<const Node::Inputs> inputs;  // null: a leaf, or evaluated
    std::shared_ptr<Storage> storage;
    std::size_t next = 0;
  };
  Graph graph;
  std::unordered_map<const Node*, int> position;
  std::vector<Frame> stack;
  const auto enter = [&](const NodePtr& node) {
    if (!position.emplace(node.get(), -1).second) return;
    auto inputs = node->inputs();  // read before storage: dropped inputs mean that the storage is set
    auto storage = node->storage();
    if (storage != nullptr) inputs = nullptr;
    stack.push_back({node, std::move(inputs), std::move(storage), 0});
  };
  for (const NodePtr& root : roots) {
    enter(root);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.inputs != nullptr && top.next < top.inputs->size()) {
        const NodePtr& next = (*top.inputs)[top.next++];
        enter(next);
        continue;
      }
      Graph::Entry entry{std::move(top.node), {}, std::move(top.storage)};
      if (top.inputs != nullptr) {
        for (const NodePtr& input : *top.inputs) entry.inputs.push_back(position.at(input.get()));
      }
      position[entry.node.get()] = graph.size();
      graph.entries.push_back(std::move(entry));
      stack.pop_back();
    }
    graph.roots.push_back(position.at(root.get()));
  }
  return graph;
}

std::string to_text(const Graph& graph) {
  std::string text;
  for (int i = 0; i < graph.size(); ++i) {
    const Graph::Entry& e = graph[i];
    text += fmt::format("%{} = {} {}{}", i, op_name(e.op()), name(e.node->dtype()), e.node->shape().str());
    for (const int in : e.inputs) text += fmt::format(" %{}", in);
    if (e.op() == Op::kScalar) {
      const std::complex<double> v = e.node->scalar().as_complex();
      text += is_complex(e.node->dtype()) ? fmt::format(" {}{:+}i", v.real(), v.imag()) : fmt::format(" {}", v.real());
    }
    if (e.op() == Op::kView)
      text += fmt::format(" {}", e.node->view().identity() ? "reshape" : e.node->view().layout().str());
    if (e.op() == Op::kCall) text += fmt::format(" {} result {}", e.node->call().call->op, e.node->call().output);
    if (e.op() == Op::kCustom)
      text += fmt::format(" {} result {}", e.node->custom().call->kernel->name, e.node->custom().output);
    text += '\n';
  }
  for (const int root : graph.roots) text += fmt::format("return %{}\n", root);
  return text;
}

std::string to_graphviz(const Graph& graph) {
  std::string text = "digraph tessera {\n  rankdir=TB; node [shape=box, fontname=\"monospace\"];\n";
  for (int i = 0; i < graph.size(); ++i) {
    const Graph::Entry& e = graph[i];
    text += fmt::format("  n{} [label=\"{}\\n{}{}\"{}];\n", i, op_name(e.op()), name(e.node->dtype()),
                        e.node->shape().str(), e.op() == Op::kInput ? ", style=filled, fillcolor=lightgrey" : "");
    for (const int in : e.inputs) text += fmt::format("  n{} -> n{};\n", in, i);
  }
  for (const int root : graph.roots) text += fmt::format("  n{} [peripheries=2];\n", root);
  return text + "}\n";
}

}  // namespace tessera
