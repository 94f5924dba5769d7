// What the kernels over windows of planes (schedule/calls/window_kernels.h) do, on the host.
#pragma once

#include "graph/custom.h"

namespace tessera::ops {

/// Words of their params that all of them share: the count, then two each of in, out, taps, stride, dilation and low.
inline constexpr std::size_t kWindowWords = 13;

/// x and weights to y; more params are the outputs of a channel and all channels of y.
void depthwise_host(const CustomHostCall& call);
/// x to the maxima and, with a second output, the tap of each.
void window_max_host(const CustomHostCall& call);
/// Taps and the gradients of the windows to the gradients of the elements.
void window_max_gradient_host(const CustomHostCall& call);

}  // namespace tessera::ops
