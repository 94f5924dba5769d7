// The Autocast scope of a thread, and the dtypes of ops that follow from it.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>

#include "tessera/dtype.h"

namespace tessera::ops {

/// The low dtype of the innermost scope of this thread, f16 or bf16; none outside of scopes and in a disabled one.
std::optional<DType> autocast_dtype();
std::optional<DType> set_autocast_dtype(std::optional<DType> dtype);  // returns the previous one

/// Another low dtype while it lives. None where the dtypes are decided already: inside of compositions, in gradients,
/// and while the scheduler builds nodes.
class AutocastScope {
 public:
  explicit AutocastScope(std::optional<DType> dtype) : was_(set_autocast_dtype(dtype)) {}
  ~AutocastScope() { set_autocast_dtype(was_); }
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  std::optional<DType> was_;
};

/// The dtype of an op of the class "low", such as a matmul: the low dtype if all operands are f32, f16 or bf16, else
/// what promotion gives.
DType low_dtype(std::span<const DType> operands);
inline DType low_dtype(std::initializer_list<DType> operands) {
  return low_dtype(std::span(operands.begin(), operands.size()));
}
/// The dtype of an op of the class "f32", such as a sum: `dtype`, and inside of a scope f32 instead of f16 and bf16.
DType f32_dtype(DType dtype);

}  // namespace tessera::ops
