// Quantized weights by number, as JavaScript holds them.
#pragma once

#include <cstdint>

#include <tessera/quant.h>

namespace tessera::web {

/// Error of kind value where the number stands for none: it was disposed.
const QuantizedTensor& quantized_of(std::int32_t number);

}  // namespace tessera::web
