// The result of codegen for a kernel: WGSL text with its bindings, parameters and grid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/matmul/matmul_shape.h"
#include "schedule/kernel.h"
#include "tessera/device_info.h"

namespace tessera {

/// The choices that depend on sizes: few values each, part of the program's key together with the kernel's signature.
struct Variant {
  std::uint32_t workgroup = 256;  // invocations
  std::string key;                // all choices as text; equal keys and signatures mean equal programs
  codegen::MatmulShape matmul;    // of a matmul kernel
};

struct Program {
  std::string label;
  std::string wgsl;
  std::string entry_point = "main";
  int header_lines = 0;        // lines in front of the user's text; error positions count from there
  bool trusted = true;         // indices are proven to be in bounds
  bool zero_fill = true;       // workgroup memory starts as zero; trusted programs may disable it
  std::vector<bool> writable;  // one per storage binding, in order; binding i has number i
  std::vector<int> buffer_of;  // per storage binding: its index in Dispatch::buffers (inputs, then outputs)
  int param_words = 0;         // the uniform's size; it is the binding after the last storage buffer
  bool reports = false;        // writes indices out of bounds to binding 0 of group 1: [count, index, size]
  Variant variant;
};

namespace codegen {

/// The variant for the binding's sizes. Cheap.
Variant choose_variant(const Kernel& kernel, const Binding& binding, const DeviceInfo& device);
/// The variant of a matmul with a given shape.
Variant variant_of(const MatmulShape& shape);
Program generate(const Kernel& kernel, const Binding& binding, const Variant& variant, const DeviceInfo& device);
/// Workgroups for one run of a program.
void grid_of(const Kernel& kernel, const Variant& variant, const Binding& binding, const DeviceInfo& device,
             std::uint32_t out[3]);

}  // namespace codegen
}  // namespace tessera
