// Written by tools/members.py: the members of Tensor that are ops of tessera/quant.h, which includes this at its end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline Tensor Members::matmul(const QuantizedTensor& q) const { return tessera::matmul(self(), q); }

}  // namespace detail
}  // namespace tessera
