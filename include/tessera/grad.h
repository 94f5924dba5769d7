// Gradients: functions that differentiate functions. A gradient is a graph of the same ops, so it fuses, runs on any
// device and can be differentiated again. Tensor::requires_grad() and backward() are the other style.
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
/// The results of f, and how they change along the tangents of the arguments; by two reverse passes.
std::pair<Tensors, Tensors> jvp(const TensorFunction& f, const Tensors& arguments, const Tensors& tangents);
/// The value of f, which must be a single number, and its gradient with respect to each argument.
std::pair<Tensor, Tensors> value_and_grad_of(const std::function<Tensor(const Tensors&)>& f, const Tensors& arguments);

/// The same value, which no gradient goes past.
Tensor stop_gradient(const Tensor& x);

/// f, whose intermediate values are not kept for the backward pass but computed again there, with the same random
/// numbers. f must depend on variables through its arguments alone: Error of kind value where it does not.
TensorFunction checkpoint(TensorFunction f);

/// f with a gradient of your own: `gradient` gets the arguments, the results and the gradients of the results (an empty
/// Tensor where nothing uses one), and gives one for each argument (an empty Tensor: none).
using GradientFunction =
    std::function<Tensors(const Tensors& arguments, const Tensors& results, const Tensors& gradients)>;
TensorFunction custom_vjp(TensorFunction f, GradientFunction gradient);

/// While one lives, nothing that its thread makes is tracked.
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

/// A function with the arguments of f that gives its value and its gradients: value_and_grad(f)(x) is a pair of the
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
