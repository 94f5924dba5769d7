// Gradients: transforms that differentiate functions. A gradient is a graph of the same ops, so it fuses, runs on any
// device and can be differentiated again. Tensor::requires_grad() and backward() are the imperative alternative.
#pragma once

#include <array>
#include <concepts>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

using Tensors = std::vector<Tensor>;
/// A function of several tensors with several results.
using TensorFunction = std::function<Tensors(const Tensors&)>;

/// The results of f, and the gradients of sum(result[i] * cotangents[i]) with respect to each argument.
std::pair<Tensors, Tensors> vjp(const TensorFunction& f, const Tensors& arguments, const Tensors& cotangents);
/// The results of f, and their directional derivatives along the tangents of the arguments; uses two reverse passes.
std::pair<Tensors, Tensors> jvp(const TensorFunction& f, const Tensors& arguments, const Tensors& tangents);
/// The value of f, which must be a scalar, and its gradient with respect to each argument.
std::pair<Tensor, Tensors> value_and_grad_of(const std::function<Tensor(const Tensors&)>& f, const Tensors& arguments);

/// The same value; no gradient passes through it.
Tensor stop_gradient(const Tensor& x);

/// f with gradient checkpointing: intermediate values are not stored for the backward pass but recomputed there, with
/// the same random numbers. f must depend on variables only through its arguments: otherwise Error of kind value.
TensorFunction checkpoint(TensorFunction f);

/// f with a user-defined gradient: `gradient` receives the arguments, the results and the gradients of the results (an
/// empty Tensor if a result is unused), and returns one for each argument (an empty Tensor: none).
using GradientFunction =
    std::function<Tensors(const Tensors& arguments, const Tensors& results, const Tensors& gradients)>;
TensorFunction custom_vjp(TensorFunction f, GradientFunction gradient);

/// Disables gradient tracking on its thread during its lifetime.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool was_;
};

namespace detail {

template <class F, std::size_t... I>
Tensor call_with(const F& f, const Tensors& x, std::index_sequence<I...>) {
  return f(x[I]...);
}

template <class F, class... Args>
auto value_and_grad_at(const F& f, const Args&... arguments) {
  if constexpr (sizeof...(Args) == 1 && (std::same_as<Args, Tensors> && ...)) {
    return value_and_grad_of([&](const Tensors& x) { return f(x); }, arguments...);
  } else {
    static_assert((std::convertible_to<const Args&, Tensor> && ...), "the arguments are tensors, or one Tensors");
    constexpr std::size_t kCount = sizeof...(Args);
    auto [value, gradients] = value_and_grad_of(
        [&](const Tensors& x) { return call_with(f, x, std::make_index_sequence<kCount>()); }, Tensors{arguments...});
    if constexpr (kCount == 1) {
      return std::pair<Tensor, Tensor>(std::move(value), std::move(gradients[0]));
    } else {
      std::array<Tensor, kCount> each;
      for (std::size_t i = 0; i < kCount; ++i) each[i] = std::move(gradients[i]);
      return std::pair<Tensor, std::array<Tensor, kCount>>(std::move(value), std::move(each));
    }
  }
}

}  // namespace detail

/// A function with the arguments of f that returns its value and its gradients: value_and_grad(f)(x) is a pair of the
/// value and one gradient; with several tensors the second is an array; with a std::vector of tensors, a vector.
template <class F>
auto value_and_grad(F f) {
  return [f = std::move(f)](const auto&... arguments) { return detail::value_and_grad_at(f, arguments...); };
}

/// The same without the value.
template <class F>
auto grad(F f) {
  return [g = value_and_grad(std::move(f))](const auto&... arguments) { return g(arguments...).second; };
}

}  // namespace tessera
