// The variants of the fused linear kernel, which schedule/calls chooses and codegen/kernels writes.
#pragma once

#include <tuple>
#include <vector>

#include "ops/matmul/fused_linear.h"

namespace tessera::schedule {

struct FusedLinearVariant {
  std::vector<std::int64_t> dtypes = {};  // of the weights
  int rows = 1;                           // of x at most
  int outputs = 4;                        // of a workgroup for each of these rows
  int units = 1;                          // of 16 elements of a weight's row in flight at once
  bool norm = false, biases = false;
  ops::LinearEpilogue epilogue = ops::LinearEpilogue::kNone;
  int threads = 64;
  int subgroup = 0;           // its size, if sums use subgroups
  int lanes = 8;              // else: how many invocations first share a sum
  DType cache = DType::kF32;  // kQkv
  bool interleaved = false;
  bool packed = false;  // x is rounded to 8 bits for weights of block dtypes, whose dot products are of integers
  static auto fields(auto& s) {
    return std::tie(s.dtypes, s.rows, s.outputs, s.units, s.norm, s.biases, s.epilogue, s.threads, s.subgroup, s.lanes,
                    s.cache, s.interleaved, s.packed);
  }
};

}  // namespace tessera::schedule
