// Lists of tensors with the planes of block dtypes, and back.
#include "api/transforms/block_lists.h"

#include "ops/quant/quant.h"

namespace tessera {

BlockEntries block_entries(std::span<const Tensor> tensors) {
  BlockEntries entries;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].defined() || !is_block(tensors[i].dtype())) continue;
    const Node& node = *tensors[i].node();
    std::shared_ptr<const Node::Inputs> hold;
    entries.push_back({i, node.dtype(), node.shape(), ops::is_transposed(node), ops::planes_of(node, hold).size()});
  }
  return entries;
}

std::vector<Tensor> with_planes(std::span<const Tensor> tensors, const BlockEntries& entries) {
  std::vector<Tensor> all(tensors.begin(), tensors.end());
  for (const BlockEntry& e : entries) {
    std::shared_ptr<const Node::Inputs> hold;
    const std::vector<NodePtr>& planes = ops::planes_of(*tensors[e.index].node(), hold);
    all[e.index] = Tensor(planes[0]);
    for (std::size_t i = 1; i < planes.size(); ++i) all.emplace_back(planes[i]);
  }
  return all;
}

std::vector<Tensor> without_planes(std::vector<Tensor> planes, const BlockEntries& entries) {
  std::size_t extra = 0;
  for (const BlockEntry& e : entries) extra += e.planes - 1;
  std::size_t at = planes.size() - extra;
  for (const BlockEntry& e : entries) {
    std::vector<NodePtr> own{planes[e.index].node()};
    for (std::size_t i = 1; i < e.planes; ++i) own.push_back(planes[at++].node());
    planes[e.index] = Tensor(ops::blocks(e.dtype, e.shape, std::move(own), e.transposed));
  }
  planes.resize(planes.size() - extra);
  return planes;
}

}  // namespace tessera
