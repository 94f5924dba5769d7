// Written by tools/members.py: the members of Tensor that are ops of tessera/attention.h, which includes this at its
// end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline Tensor Members::rope(const Tensor& positions, const RopeOptions& options = {}) const {
  return tessera::rope(self(), positions, options);
}
inline Tensor Members::rope(std::int64_t offset = 0, const RopeOptions& options = {}) const {
  return tessera::rope(self(), offset, options);
}
inline Tensor Members::scaled_dot_product_attention(const Tensor& k, const Tensor& v,
                                                    const AttentionOptions& options = {}) const {
  return tessera::scaled_dot_product_attention(self(), k, v, options);
}

}  // namespace detail
}  // namespace tessera
