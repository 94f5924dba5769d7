// What a matmul's shapes would roughly cost, so that only the likely ones are measured, and how they are called.
#pragma once

#include <string>
#include <vector>

#include "codegen/matmul/matmul_shape.h"

namespace tessera::codegen {

/// The tile alone, without what follows from sizes and layouts: "matrix 16, 128x128x32 of 64x64", "plain 64x64x16 by
/// 16x16".
std::string tile_text(const MatmulShape& shape);

/// A modelled time in arbitrary units: rounds over a device that runs so many workgroups at once, of tiles that compute
/// or load, with what hangs over the edges.
double matmul_cost(const MatmulShape& shape, const Binding& binding, const DeviceInfo& device);

/// The candidates that may be the fastest, the likely ones first; the first candidate, the suggested one, stays first.
std::vector<MatmulShape> worth_measuring(const std::vector<MatmulShape>& candidates, const Binding& binding,
                                         const DeviceInfo& device);

}  // namespace tessera::codegen
