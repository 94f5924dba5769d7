// The kernels that would compute given tensors, without running them; and which op made a value that is not finite.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// One kernel of a plan.
struct KernelText {
  std::string label;             // made from the fused ops
  std::string kind;              // the loop nest: "map", "reduce", "matmul", "custom" (hand-written) or "batch"
  std::vector<std::string> ops;  // the fused ops, in order
  std::string text;              // the loop nest, one step per line
  std::string wgsl;              // for the tensors' device; on the CPU, for a WebGPU device with default limits
};

/// The kernels still needed to compute the tensors.
struct Explanation {
  std::string graph;  // one node per line
  std::vector<KernelText> kernels;
};

Explanation explain(std::span<const Tensor> tensors);
inline Explanation explain(const Tensor& tensor) { return explain(std::span(&tensor, 1)); }

namespace detail {

/// What made the first value that is not finite.
struct NonFinite {
  bool found = false;
  std::size_t group = 0, root = 0;         // the first result that is not finite
  std::string op;                          // "log"; "input" for a tensor that no op made, "constant" for a number
  int label = -1;                          // that of the op
  bool backward = false;                   // the op is part of a gradient
  std::string gradient_of;                 // then the op that it differentiates
  std::string value;                       // "-inf at [3, 7] of [8, 16] f32"
  bool from_infinite = false;              // a NaN that the op made of an infinite operand
  std::vector<std::string> operands = {};  // "ranges from 0 to 1", "is 0"
  int known = -1;                          // of an input: its index among the known tensors
};

/// Records the ops of its thread with labels, and calls the functions of loops step by step; then computes results op
/// by op to find what made a NaN or an infinity of them.
class OpLog {
 public:
  OpLog();
  ~OpLog();
  OpLog(const OpLog&) = delete;
  OpLog& operator=(const OpLog&) = delete;
  /// The label of ops from now on, 0 or more; -1: none. Returns the one before.
  int set_label(int label);
  /// Ends the recording. Groups are computed in order, until one has a result that is not finite. An infinite input
  /// that is not known is no fault by itself, such as a mask: the op that makes a NaN of it is reported.
  NonFinite first_non_finite(std::span<const std::vector<Tensor>> groups, std::span<const Tensor> known);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace detail

}  // namespace tessera
