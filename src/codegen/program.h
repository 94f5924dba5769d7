// The result of codegen for a kernel: WGSL text with its bindings, parameters and grid.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "codegen/loop_shape.h"
#include "codegen/matmul/matmul_shape.h"
#include "schedule/device_model.h"
#include "schedule/kernel.h"
#include "tessera/device_info.h"

namespace tessera {

/// The choices that depend on sizes: few values each, part of the program's key together with the kernel's signature.
/// A plan serves many sizes, so the variant is not part of it: it is chosen once for each binding, when the device
/// compiles the kernel or finds the program, and stays in Program::variant, where the grid finds it.
struct Variant {
  std::uint32_t workgroup = 256;  // invocations
  std::string key;                // all choices as text; equal keys and signatures mean equal programs
  /// By the kind of loop nest; a custom kernel has none.
  std::variant<std::monostate, codegen::MapShape, codegen::ReduceShape, codegen::MatmulShape> shape;

  [[nodiscard]] const codegen::MapShape& map() const { return std::get<codegen::MapShape>(shape); }
  [[nodiscard]] const codegen::ReduceShape& reduce() const { return std::get<codegen::ReduceShape>(shape); }
  [[nodiscard]] const codegen::MatmulShape& matmul() const { return std::get<codegen::MatmulShape>(shape); }
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

/// The variant for the binding's sizes. Cheap. `model` is that of `device`.
Variant choose_variant(const Kernel& kernel, const Binding& binding, const DeviceInfo& device,
                       const schedule::DeviceModel& model);
/// The variant of a matmul with a given shape.
Variant variant_of(const MatmulShape& shape);
Program generate(const Kernel& kernel, const Binding& binding, const Variant& variant, const DeviceInfo& device);
/// Workgroups for one run of a program with this variant, whose binding may have other sizes.
void grid_of(const Kernel& kernel, const Variant& variant, const Binding& binding, const DeviceInfo& device,
             std::uint32_t out[3]);

}  // namespace codegen
}  // namespace tessera
