// Written by tools/members.py: the members of Tensor that are ops of tessera/quant.h, which includes this at its end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline Tensor Members::dequantize(DType dtype = f32) const { return tessera::dequantize(self(), dtype); }
inline Tensor Members::quantize(DType dtype) const { return tessera::quantize(self(), dtype); }

}  // namespace detail
}  // namespace tessera
