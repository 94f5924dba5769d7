// The nodes that a thread creates, with their inputs and labels: for a search of what an op was given and who ran it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

#include "graph/node.h"

namespace tessera {

/// While it lives, records the nodes that its thread creates, and keeps their inputs, which evaluated nodes drop.
class NodeLog {
 public:
  struct Made {
    std::size_t order = 0;  // ascending in the order of creation
    int label = -1;         // at the creation; -1: none
    std::shared_ptr<const Node::Inputs> inputs;
    std::shared_ptr<const std::string> gradient_of;  // of a node of the reverse pass: the op that it differentiates
  };

  NodeLog();
  ~NodeLog();
  NodeLog(const NodeLog&) = delete;
  NodeLog& operator=(const NodeLog&) = delete;

  /// Whether this thread records.
  static bool recording();
  /// Stops recording; the recorded nodes stay.
  void stop();
  /// The label of nodes from now on; returns the one before.
  int set_label(int label);
  /// Null for a node that was created elsewhere.
  [[nodiscard]] const Made* find(const Node* node) const;

  /// While it lives, its thread's nodes belong to the gradient of a node, and have its label.
  class GradientOf {
   public:
    GradientOf(const Node& node, const std::string* rule);
    ~GradientOf();
    GradientOf(const GradientOf&) = delete;
    GradientOf& operator=(const GradientOf&) = delete;

   private:
    NodeLog* log_;
    int label_ = -1;
    std::shared_ptr<const std::string> before_;
  };

 private:
  friend class Node;
  void add(const Node* node, std::shared_ptr<const Node::Inputs> inputs);

  std::unordered_map<const Node*, Made> nodes_;
  std::size_t count_ = 0;
  int label_ = -1;
  std::shared_ptr<const std::string> gradient_of_;
  NodeLog* outer_;
};

/// What an op is called in messages: "add", or the name of the call or the kernel.
std::string op_name_of(const Node& node);

}  // namespace tessera
