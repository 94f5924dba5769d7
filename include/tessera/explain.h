// The kernels that would compute given tensors, without running them.
#pragma once

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

}  // namespace tessera
