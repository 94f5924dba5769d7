// A cost model of matmul tiles, so that only promising ones are measured, and their names in tuning.json.
#pragma once

#include <string>
#include <vector>

#include "codegen/matmul/matmul_shape.h"

namespace tessera::codegen {

/// The tile alone, without the fields that follow from sizes and layouts: "matrix 16, 128x128x32 of 64x64", "plain
/// 64x64x16 by 16x16".
std::string tile_text(const MatmulShape& shape);

/// A modeled time in arbitrary units: waves of workgroups over the device, times the time of one tile (compute-bound or
/// memory-bound). Partial tiles at the edges count in full.
double matmul_cost(const MatmulShape& shape, const Binding& binding, const schedule::DeviceModel& model);

/// The candidates that may be the fastest, most promising first. The first candidate is the suggested shape and stays
/// first.
std::vector<MatmulShape> worth_measuring(const std::vector<MatmulShape>& candidates, const Binding& binding,
                                         const schedule::DeviceModel& model);

}  // namespace tessera::codegen
