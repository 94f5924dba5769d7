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
  /// "log", "divide", "matmul"; "parameter" or "buffer" for a tensor of the model that is not finite itself, whose
  /// module is that which has it; "input" for another tensor that the loss function uses, and "constant" for a number.
  std::string op;
  bool backward = false;  // the op is part of the backward pass
  /// A full sentence: "log made the first value that is not finite, -inf at [3, 7] of [8, 16] f32, in module 'head';
  /// its operand ranges from 0 to 1."
  std::string text;
};

/// Runs loss() and its gradients with respect to the trainable parameters op by op, without compile, and looks at the
/// loss, then at the gradients, then at the new values of buffers: of the first that is not finite, the op that made
/// the first NaN or infinity on the way to it. Infinities that do not reach a result, such as those of a mask, are no
/// anomalies. Tensors and modes of the model, and the random generators, are afterwards as they were. For one step: it
/// is slow, and needs memory for each intermediate value in turn. Error of kind value inside of a compiled function;
/// exceptions of loss() pass through.
Anomaly detect_anomaly(nn::Module& model, const std::function<Tensor()>& loss);

}  // namespace train
}  // namespace tessera
