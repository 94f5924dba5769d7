// Finds the op and the module that made the first NaN or infinity of a step.
#pragma once

#include <functional>
#include <string>

#include "tessera/export.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace train {

struct Anomaly {
  bool found = false;
  std::string module;  // the innermost module that ran the op: "layers.3.norm"; empty: outside of all modules
  std::string op;      // "log", "divide", "matmul"
  bool backward = false;  // the op is part of the backward pass
  /// A full sentence: "log made the first non-finite value, -inf at [3, 7] of [8, 16] f32, in module 'head'; its operand
  /// ranges from 0 to 1."
  std::string text;
};

/// Runs loss() and its gradients with respect to the trainable parameters op by op, without compile and without changing
/// the model, and stops at the first value that is not finite while all operands are. Slow: for one step.
Anomaly detect_anomaly(nn::Module& model, const std::function<Tensor()>& loss);

}  // namespace train
}  // namespace tessera
