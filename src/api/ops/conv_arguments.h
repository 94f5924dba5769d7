// The arguments of convolution and pooling: checked, with one number per axis.
#pragma once

#include <string_view>

#include "ops/conv/conv.h"
#include "tessera/conv.h"

namespace tessera {

/// The node of a required tensor.
const NodePtr& given(std::string_view what, std::string_view which, const Tensor& t);
/// One value for each of `rank` axes, none below `least`.
ops::Sizes per_axis(std::string_view what, std::string_view which, const PerAxis& values, int rank, std::int64_t least);
/// The extent of the taps of one window along each axis.
ops::Sizes spans_of(std::string_view what, const ops::Sizes& taps, const ops::Sizes& dilation);
/// Strides that are never used become 1, so that later computations involve only sizes of tensors.
void drop_unused_steps(const ops::Sizes& count, ops::Sizes& step);
/// The padding before and after each axis; `spans` are the extents of one window's taps, for "same".
std::pair<ops::Sizes, ops::Sizes> padding_of(std::string_view what, const Padding& padding, const ops::Sizes& spans,
                                             const ops::Sizes& stride);

/// x as [N, C, spatial..]: a missing batch axis is added, and channels that are last are moved.
struct Images {
  NodePtr node;
  bool batched = true;
  bool channels_last = false;
  int spatial = 0;
  /// A result of the same kind, in x's layout.
  [[nodiscard]] Tensor back(NodePtr y) const;
};
Images images_of(std::string_view what, const Tensor& x, int spatial, ImageLayout layout);

}  // namespace tessera
