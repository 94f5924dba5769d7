// Measuring which program computes a matmul or a convolution fastest on a device, once for all later runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/conv.h"
#include "tessera/device.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {

/// A matmul [m, k] x [k, n], or so many of them.
struct MatmulSizes {
  DType dtype = DType::kF32;  // f32, f16 or bf16
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t batch = 1;
  bool transposed = false;  // the second matrix lies as [n, k], as a linear layer's weights do
};

/// A convolution conv2d(images, weights, {}, options).
struct ConvSizes {
  DType dtype = DType::kF32;  // f32, f16 or bf16
  Shape images, weights;
  ConvOptions options;
};

/// What the measurement of one matmul found.
struct TuneResult {
  std::string matmul;                // as the file names it: "matmul f16 4096x4096x4096 batch 1 a:n1 b:n1"
  std::string suggested;             // the tile that is taken without a measurement
  double suggested_us = 0;           // 0: it must not be used
  std::string winner;                // the tile that is taken from now on
  double winner_us = 0;              // its best time
  std::size_t candidates = 0;        // that the device can run
  std::size_t measured = 0;          // that a model of their cost let through
  std::vector<std::string> demoted;  // tiles that gave a wrong answer or none: never taken on this device again
};

/// Measures the programs that may be the fastest for a matmul, and keeps the winner in the file of tuning_status(): a
/// later matmul of these sizes, or of near ones, takes it. Takes memory for the matrices and some tens of milliseconds
/// to seconds. Errors: unsupported (the CPU, or a matmul with nothing to choose), value, limit, out_of_memory.
TuneResult tune_matmul(const Device& device, const MatmulSizes& sizes);
/// The same for the matmul that a convolution is computed as. Errors: conv2d's, too.
TuneResult tune_conv2d(const Device& device, const ConvSizes& sizes);

/// What is known about a device's matmuls.
struct TuningStatus {
  std::string file;  // empty: nothing is kept
  std::size_t matmuls = 0;
  std::size_t demoted = 0;
};
TuningStatus tuning_status(const DeviceInfo& device);

}  // namespace tessera
