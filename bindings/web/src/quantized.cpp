// What the package's JavaScript calls for quantized weights.
#include "quantized.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <emscripten/emscripten.h>

#include "guarded.h"

namespace tessera::web {

namespace {

struct Table {
  std::map<std::int32_t, QuantizedTensor> all;
  std::int32_t next = 1;
};
Table& table() {
  static auto& value = *new Table;
  return value;
}

std::int32_t keep(QuantizedTensor q) {
  table().all.emplace(table().next, std::move(q));
  return table().next++;
}

}  // namespace

const QuantizedTensor& quantized_of(std::int32_t number) {
  const auto found = table().all.find(number);
  if (found == table().all.end()) {
    throw Error(ErrorKind::kValue, "The quantized weights were disposed; expected some that are alive.");
  }
  return found->second;
}

extern "C" {

/// The matrix of these blocks, as a GGUF file has them.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_quantized(std::int32_t format, const void* blocks, double bytes, double rows,
                                                    double columns) {
  return guarded([&] {
    const std::span all(static_cast<const std::byte*>(blocks), static_cast<std::size_t>(bytes));
    return keep(
        QuantizedTensor::from_blocks(static_cast<QuantFormat>(format), all,
                                     Shape({static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)})));
  });
}
/// The matrix in blocks of the format, from its elements.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_quantize(std::int32_t format, const float* elements, double rows,
                                                   double columns) {
  return guarded([&] {
    const Shape shape({static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)});
    const std::span all(elements, static_cast<std::size_t>(shape.numel()));
    const std::vector<std::byte> blocks = quantize_blocks(static_cast<QuantFormat>(format), all);
    return keep(QuantizedTensor::from_blocks(static_cast<QuantFormat>(format), blocks, shape));
  });
}
/// Bytes on the device.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_quantized_bytes(std::int32_t number) {
  return guarded([&] { return static_cast<std::int32_t>(quantized_of(number).bytes()); });
}
EMSCRIPTEN_KEEPALIVE void tessera_quantized_release(std::int32_t number) { table().all.erase(number); }
}

}  // namespace tessera::web
