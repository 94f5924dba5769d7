// Tensors of block dtypes among the arguments and results of compiled functions: plans bind their planes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tessera/tensor.h"

namespace tessera {

/// A tensor of a block dtype in a list.
struct BlockEntry {
  std::size_t index = 0;
  DType dtype = DType::kQ4_0;
  Shape shape;
  bool transposed = false;
  std::size_t planes = 0;
  friend bool operator==(const BlockEntry&, const BlockEntry&) = default;
};
using BlockEntries = std::vector<BlockEntry>;

BlockEntries block_entries(std::span<const Tensor> tensors);
/// The list with the first plane of each such tensor in its place, so that indices stay, and its other planes at the
/// end.
std::vector<Tensor> with_planes(std::span<const Tensor> tensors, const BlockEntries& entries);
/// The reverse.
std::vector<Tensor> without_planes(std::vector<Tensor> planes, const BlockEntries& entries);

}  // namespace tessera
