// Mixed precision: a scope in which matmuls, convolutions and attention compute in f16 or bf16, and the rest in f32.
#pragma once

#include <optional>
#include <utility>

#include "tessera/dtype.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {

/// While it lives, ops that its thread calls cast their f32, f16 and bf16 operands by their class (the column
/// "autocast" of docs/ops.md): "low" ops compute in `dtype`, "f32" ops in f32, and the others in the dtype of their
/// operands. f64, integer and complex operands stay as they are. Parameters stay f32, and so do their gradients: the
/// gradient of a cast casts back. Scopes nest; none disables the one around it:
///
///   auto [loss, gradients] = value_and_grad(model, [&](const Tensor& x, const Tensor& y) {
///     const Autocast scope(f16);
///     return cross_entropy(model(x), y);
///   })(x, y);
///
/// A backward pass runs in the dtypes of its forward pass, whatever scope is active. Compiled functions are traced
/// again under another scope. Error of kind dtype if `dtype` is neither f16 nor bf16.
class Autocast {
 public:
  explicit Autocast(std::optional<DType> dtype);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;
  /// The low dtype of the innermost scope of this thread.
  static std::optional<DType> dtype();

 private:
  std::optional<DType> was_;
};

/// f inside of a scope: autocast(f16, f)(x) computes f(x).
template <class F>
auto autocast(std::optional<DType> dtype, F f) {
  return [dtype, f = std::move(f)](auto&&... arguments) mutable -> decltype(auto) {
    const Autocast scope(dtype);
    return f(std::forward<decltype(arguments)>(arguments)...);
  };
}

}  // namespace tessera
