// Autotuning: measures the fastest kernel for a matmul or a convolution on a device, and stores it for later runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/conv.h"
#include "tessera/device.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {

/// A matmul [m, k] x [k, n], or a batch of them.
struct MatmulSizes {
  DType dtype = DType::kF32;  // f32, f16 or bf16
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t batch = 1;
  bool transposed = false;  // the second matrix is stored as [n, k], like a linear layer's weights
};

/// A convolution conv2d(images, weights, {}, options).
struct ConvSizes {
  DType dtype = DType::kF32;  // f32, f16 or bf16
  Shape images, weights;
  ConvOptions options;
};

/// The result of tuning one matmul.
struct TuneResult {
  std::string matmul;                // its key in the file: "matmul f16 4096x4096x4096 batch 1 a:n1 b:n1"
  std::string suggested;             // the default tile
  double suggested_us = 0;           // 0: demoted
  std::string winner;                // the tile to use from now on
  double winner_us = 0;              // its best time
  std::size_t candidates = 0;        // number that the device can run
  std::size_t measured = 0;          // number that the cost model did not discard
  std::vector<std::string> demoted;  // tiles with a wrong result or none: never used on this device again
};

/// Measures the kernels that may be the fastest for a matmul, and stores the winner in the file of tuning_status():
/// later matmuls of these sizes, or of similar ones, use it. Allocates the matrices and takes tens of milliseconds to
/// seconds. Errors: unsupported (the CPU, or a matmul with nothing to tune), value, limit, out_of_memory.
TuneResult tune_matmul(const Device& device, const MatmulSizes& sizes);
/// The same for the implicit GEMM of a convolution. Errors: also those of conv2d.
TuneResult tune_conv2d(const Device& device, const ConvSizes& sizes);

/// The tuning results stored for a device.
struct TuningStatus {
  std::string file;  // empty: nothing is stored
  std::size_t matmuls = 0;
  std::size_t demoted = 0;
};
TuningStatus tuning_status(const DeviceInfo& device);

}  // namespace tessera
