// Written by tools/members.py: the members of Tensor that are ops of tessera/conv.h, which includes this at its end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline Tensor Members::adaptive_avg_pool(const PerAxis& size) const { return tessera::adaptive_avg_pool(self(), size); }
inline Tensor Members::adaptive_max_pool(const PerAxis& size) const { return tessera::adaptive_max_pool(self(), size); }
inline Tensor Members::avg_pool1d(const PerAxis& kernel, const PoolOptions& options = {}) const {
  return tessera::avg_pool1d(self(), kernel, options);
}
inline Tensor Members::avg_pool2d(const PerAxis& kernel, const PoolOptions& options = {}) const {
  return tessera::avg_pool2d(self(), kernel, options);
}
inline Tensor Members::conv1d(const Tensor& weight, const Tensor& bias = {}, const ConvOptions& options = {}) const {
  return tessera::conv1d(self(), weight, bias, options);
}
inline Tensor Members::conv2d(const Tensor& weight, const Tensor& bias = {}, const ConvOptions& options = {}) const {
  return tessera::conv2d(self(), weight, bias, options);
}
inline Tensor Members::conv_transpose1d(const Tensor& weight, const Tensor& bias = {},
                                        const ConvTransposeOptions& options = {}) const {
  return tessera::conv_transpose1d(self(), weight, bias, options);
}
inline Tensor Members::conv_transpose2d(const Tensor& weight, const Tensor& bias = {},
                                        const ConvTransposeOptions& options = {}) const {
  return tessera::conv_transpose2d(self(), weight, bias, options);
}
inline Tensor Members::fold(const PerAxis& size, const PerAxis& kernel, const UnfoldOptions& options = {}) const {
  return tessera::fold(self(), size, kernel, options);
}
inline Tensor Members::global_avg_pool() const { return tessera::global_avg_pool(self()); }
inline Tensor Members::global_max_pool() const { return tessera::global_max_pool(self()); }
inline Tensor Members::interpolate(const InterpolateOptions& options) const {
  return tessera::interpolate(self(), options);
}
inline Tensor Members::max_pool1d(const PerAxis& kernel, const PoolOptions& options = {}) const {
  return tessera::max_pool1d(self(), kernel, options);
}
inline std::pair<Tensor, Tensor> Members::max_pool1d_with_indices(const PerAxis& kernel,
                                                                  const PoolOptions& options = {}) const {
  return tessera::max_pool1d_with_indices(self(), kernel, options);
}
inline Tensor Members::max_pool2d(const PerAxis& kernel, const PoolOptions& options = {}) const {
  return tessera::max_pool2d(self(), kernel, options);
}
inline std::pair<Tensor, Tensor> Members::max_pool2d_with_indices(const PerAxis& kernel,
                                                                  const PoolOptions& options = {}) const {
  return tessera::max_pool2d_with_indices(self(), kernel, options);
}
inline Tensor Members::pixel_shuffle(std::int64_t factor) const { return tessera::pixel_shuffle(self(), factor); }
inline Tensor Members::pixel_unshuffle(std::int64_t factor) const { return tessera::pixel_unshuffle(self(), factor); }
inline Tensor Members::unfold(const PerAxis& kernel, const UnfoldOptions& options = {}) const {
  return tessera::unfold(self(), kernel, options);
}

}  // namespace detail
}  // namespace tessera
