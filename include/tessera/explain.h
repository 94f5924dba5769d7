// What a graph becomes: the kernels that would compute some tensors, without running them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// One kernel of a plan.
struct KernelText {
  std::string label;             // made of the ops inside it
  std::string kind;              // the loop nest: "map", "reduce", "matmul", "custom" (a text of its own) or "batch"
  std::vector<std::string> ops;  // what was fused into it, in order
  std::string text;              // the loop nest, one step a line
  std::string wgsl;  // as the tensors' device runs it; for the CPU as a WebGPU device with standard limits would
};

/// The steps that the tensors' values still need.
struct Explanation {
  std::string graph;  // one node a line
  std::vector<KernelText> kernels;
};

Explanation explain(std::span<const Tensor> tensors);
inline Explanation explain(const Tensor& tensor) { return explain(std::span(&tensor, 1)); }

}  // namespace tessera
