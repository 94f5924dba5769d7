// The arguments that convolution and pooling share: checked, and one number for each axis.
#pragma once

#include <string_view>

#include "ops/conv/conv.h"
#include "tessera/conv.h"

namespace tessera {

/// The node of a tensor that must be given.
const NodePtr& given(std::string_view what, std::string_view which, const Tensor& t);
/// One value for each of `rank` axes, none below `least`.
ops::Sizes per_axis(std::string_view what, std::string_view which, const PerAxis& values, int rank, std::int64_t least);
/// How far the taps of one window reach along each axis.
ops::Sizes spans_of(std::string_view what, const ops::Sizes& taps, const ops::Sizes& dilation);
/// Steps that are never taken become 1, so that what follows computes with sizes of tensors only.
void drop_unused_steps(const ops::Sizes& count, ops::Sizes& step);
/// The padding before and after each axis; `spans` are how far the taps of one window reach, for "same".
std::pair<ops::Sizes, ops::Sizes> padding_of(std::string_view what, const Padding& padding, const ops::Sizes& spans,
                                             const ops::Sizes& stride);

/// x as [N, C, spatial..]: without a batch it gets one, and channels that come last are moved.
struct Images {
  NodePtr node;
  bool batched = true;
  bool channels_last = false;
  int spatial = 0;
  /// A result of the same kind, in the layout that x had.
  [[nodiscard]] Tensor back(NodePtr y) const;
};
Images images_of(std::string_view what, const Tensor& x, int spatial, ImageLayout layout);

/// Whether f32 tensors of so many elements can be bound whole where x is.
bool binds_whole(const NodePtr& x, std::int64_t elements);

}  // namespace tessera
