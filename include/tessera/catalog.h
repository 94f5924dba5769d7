// The op catalog: a row for each op, for documentation, bindings and tools.
#pragma once

#include <string>
#include <vector>

#include "tessera/export.h"

namespace TESSERA_API tessera {

struct OpInfo {
  enum class Made : unsigned char {
    kElementwise,  // a row of the elementwise table: fuses with everything
    kPrimitive,    // a loop nest of the scheduler: views, reductions, matmul, gather
    kComposition,  // a formula of other ops, which are fused into kernels
    kKernel,       // a hand-written kernel on the GPU, a plain function on the CPU
    kLibrary,      // a library on the CPU; GPU tensors are copied there and back
  };
  /// The dtype of the floats that an op computes with, inside of an Autocast scope.
  enum class Autocast : unsigned char {
    kPromote,  // that of its operands, promoted
    kLow,      // the low dtype: matmuls, convolutions, attention
    kF32,      // f32: sums, norms, losses, exponentials and powers
  };
  std::string name;
  std::string family;
  std::string types;  // supported dtypes
  bool gradient = false;
  bool gpu = true;  // runs on the device of its tensors; else always on the CPU
  Made made = Made::kComposition;
  Autocast autocast = Autocast::kPromote;
};

/// All public functions on tensors, by family.
std::vector<OpInfo> op_catalog();
/// The catalog as a page of Markdown: docs/ops.md.
std::string op_catalog_page();

}  // namespace tessera
