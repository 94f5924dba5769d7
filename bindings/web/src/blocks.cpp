// What the package's JavaScript calls for tensors of block dtypes.
#include <span>
#include <vector>

#include <emscripten/emscripten.h>
#include <tessera/quant.h>

#include "guarded.h"
#include "handles.h"

namespace tessera::web {

namespace {

Shape shape_of(const double* sizes, std::int32_t rank) {
  std::vector<std::int64_t> all;
  for (std::int32_t i = 0; i < rank; ++i) all.push_back(static_cast<std::int64_t>(sizes[i]));
  return Shape(all);
}

}  // namespace

extern "C" {

/// The tensor of these blocks, as a GGUF file has them; null stands for bytes of 0.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_from_blocks(std::int32_t dtype, const void* blocks, double bytes,
                                                      const double* sizes, std::int32_t rank) {
  return guarded([&] {
    const Shape shape = shape_of(sizes, rank);
    if (blocks == nullptr) {
      const std::vector<std::byte> zeros(byte_size(static_cast<DType>(dtype), shape.numel()));
      return keep(from_blocks(static_cast<DType>(dtype), zeros, shape));
    }
    const std::span all(static_cast<const std::byte*>(blocks), static_cast<std::size_t>(bytes));
    return keep(from_blocks(static_cast<DType>(dtype), all, shape));
  });
}
/// The tensor in a block dtype, from its elements.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_quantize(std::int32_t dtype, const float* elements, const double* sizes,
                                                   std::int32_t rank) {
  return guarded([&] {
    const Shape shape = shape_of(sizes, rank);
    const std::span all(elements, static_cast<std::size_t>(shape.numel()));
    const std::vector<std::byte> blocks = quantize_blocks(static_cast<DType>(dtype), all);
    return keep(from_blocks(static_cast<DType>(dtype), blocks, shape));
  });
}
}

}  // namespace tessera::web
