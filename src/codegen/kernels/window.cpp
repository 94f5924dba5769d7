// The text of the kernel for the maxima of windows, with one result or two.
#include "codegen/kernels/kernel_text.h"
#include "kernels/kernels.h"
#include "schedule/calls/window_kernels.h"

namespace tessera::codegen {

namespace {

std::string write_window_max(const Attributes& variant) {
  const bool taps = from_attributes<schedule::WindowMaxVariant>(variant).taps;
  return std::string("fn store_best(e: u32, best: f32, tap: u32) {\n  y[e] = best;\n") +
         (taps ? "  taps[e] = i32(tap);\n}\n" : "}\n") + std::string(kernels::wgsl("window_max"));
}

}  // namespace

extern const KernelText kWindowMaxText{"window_max", write_window_max};

}  // namespace tessera::codegen
