// Written by tools/members.py: the members of Tensor that are ops of tessera/norms.h, which includes this at its end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline Tensor Members::batch_norm(const Tensor& mean, const Tensor& var, const Tensor& weight = {},
                                  const Tensor& bias = {}, double eps = 1e-5) const {
  return tessera::batch_norm(self(), mean, var, weight, bias, eps);
}
inline BatchNorm Members::batch_norm_training(const Tensor& running_mean, const Tensor& running_var,
                                              const Tensor& weight = {}, const Tensor& bias = {}, double momentum = 0.1,
                                              double eps = 1e-5) const {
  return tessera::batch_norm_training(self(), running_mean, running_var, weight, bias, momentum, eps);
}
inline Tensor Members::group_norm(std::int64_t groups, const Tensor& weight = {}, const Tensor& bias = {},
                                  double eps = 1e-5) const {
  return tessera::group_norm(self(), groups, weight, bias, eps);
}
inline Tensor Members::instance_norm(const Tensor& weight = {}, const Tensor& bias = {}, double eps = 1e-5) const {
  return tessera::instance_norm(self(), weight, bias, eps);
}
inline Tensor Members::layer_norm(const Tensor& weight = {}, const Tensor& bias = {}, double eps = 1e-5) const {
  return tessera::layer_norm(self(), weight, bias, eps);
}
inline Tensor Members::local_response_norm(std::int64_t size, double alpha = 1e-4, double beta = 0.75,
                                           double k = 1) const {
  return tessera::local_response_norm(self(), size, alpha, beta, k);
}
inline Tensor Members::normalize(double p = 2, int axis = 1, double eps = 1e-12) const {
  return tessera::normalize(self(), p, axis, eps);
}
inline Tensor Members::rms_norm(const Tensor& weight = {}, double eps = 1e-5) const {
  return tessera::rms_norm(self(), weight, eps);
}

}  // namespace detail
}  // namespace tessera
