// Written by tools/members.py: the members of Tensor that are ops of tessera/index.h, which includes this at its end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline Tensor Members::embedding(const Tensor& weights) const { return tessera::embedding(self(), weights); }
inline Tensor Members::gather(int axis, const Tensor& indices) const { return tessera::gather(self(), axis, indices); }
inline Tensor Members::index(const std::vector<At>& at) const { return tessera::index(self(), at); }
inline Tensor Members::index_add(const std::vector<At>& at, const Tensor& values) const {
  return tessera::index_add(self(), at, values);
}
inline Tensor Members::index_set(const std::vector<At>& at, const Tensor& values) const {
  return tessera::index_set(self(), at, values);
}
inline Tensor Members::masked_fill(const Tensor& mask, const Tensor& value) const {
  return tessera::masked_fill(self(), mask, value);
}
inline Tensor Members::one_hot(std::int64_t classes, DType dtype = f32) const {
  return tessera::one_hot(self(), classes, dtype);
}
inline Tensor Members::repeat(std::int64_t times, std::optional<int> axis = {}) const {
  return tessera::repeat(self(), times, axis);
}
inline Tensor Members::roll(const std::vector<std::int64_t>& shifts, const Axes& axes = {}) const {
  return tessera::roll(self(), shifts, axes);
}
inline Tensor Members::rot90(int times = 1, int first = 0, int second = 1) const {
  return tessera::rot90(self(), times, first, second);
}
inline Tensor Members::slice_update(const Tensor& values, const std::vector<std::int64_t>& starts,
                                    const Axes& axes) const {
  return tessera::slice_update(self(), values, starts, axes);
}
inline Tensor Members::slice_update(const Tensor& values, const Tensor& starts, const Axes& axes) const {
  return tessera::slice_update(self(), values, starts, axes);
}
inline Tensor Members::slice_update(const Tensor& values, std::initializer_list<std::int64_t> starts,
                                    const Axes& axes) const {
  return tessera::slice_update(self(), values, starts, axes);
}
inline Tensor Members::take(const Tensor& indices, std::optional<int> axis = {}) const {
  return tessera::take(self(), indices, axis);
}
inline Tensor Members::take_along_axis(const Tensor& indices, int axis = -1) const {
  return tessera::take_along_axis(self(), indices, axis);
}
inline Tensor Members::tile(const std::vector<std::int64_t>& times) const { return tessera::tile(self(), times); }

}  // namespace detail
}  // namespace tessera
