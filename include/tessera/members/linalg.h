// Written by tools/members.py: the members of Tensor that are ops of tessera/linalg.h, which includes this at its end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline Tensor Members::addmm(const Tensor& a, const Tensor& b, double beta = 1, double alpha = 1) const {
  return tessera::addmm(self(), a, b, beta, alpha);
}
inline Tensor Members::cross(const Tensor& b, int axis = -1) const { return tessera::cross(self(), b, axis); }
inline Tensor Members::diagonal(std::int64_t offset = 0, int axis_a = -2, int axis_b = -1) const {
  return tessera::diagonal(self(), offset, axis_a, axis_b);
}
inline Tensor Members::dot(const Tensor& b) const { return tessera::dot(self(), b); }
inline Tensor Members::kron(const Tensor& b) const { return tessera::kron(self(), b); }
inline Tensor Members::outer(const Tensor& b) const { return tessera::outer(self(), b); }
inline Tensor Members::tensordot(const Tensor& b, int axes = 2) const { return tessera::tensordot(self(), b, axes); }
inline Tensor Members::tensordot(const Tensor& b, const std::vector<int>& axes_a,
                                 const std::vector<int>& axes_b) const {
  return tessera::tensordot(self(), b, axes_a, axes_b);
}
inline Tensor Members::trace(std::int64_t offset = 0, int axis_a = -2, int axis_b = -1) const {
  return tessera::trace(self(), offset, axis_a, axis_b);
}
inline Tensor Members::tril(std::int64_t diagonal = 0) const { return tessera::tril(self(), diagonal); }
inline Tensor Members::triu(std::int64_t diagonal = 0) const { return tessera::triu(self(), diagonal); }
inline Tensor Members::vdot(const Tensor& b) const { return tessera::vdot(self(), b); }

}  // namespace detail
}  // namespace tessera
