// Gradients: transforms that differentiate functions. A gradient is a graph of the same ops, so it fuses, runs on any
// device and can be differentiated again. Tensor::requires_grad() and backward() are the imperative alternative.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/structure.h"
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

/// The arguments that value_and_grad(f, argnums<0, 2>) differentiates with respect to, counted from 0.
template <std::size_t... I>
struct Argnums {};
template <std::size_t... I>
inline constexpr Argnums<I...> argnums{};  // NOLINT(readability-identifier-naming): named as in JAX

/// The result of value_and_grad where f returns a pair of the value and something else.
template <class Gradients, class Aux>
struct ValueGradAux {
  Tensor value;
  Gradients gradients;
  Aux aux;
};

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

template <class T>
inline constexpr bool kHasAux = false;
template <class Aux>
inline constexpr bool kHasAux<std::pair<Tensor, Aux>> = true;

/// The value, which is the first result of f, with its other results, and the gradients of the value. The history of
/// all of them ends with the call.
std::pair<Tensors, Tensors> value_and_grad_of_first(const TensorFunction& f, const Tensors& arguments);
/// Error of kind dtype unless all tensors of an argument are floats.
void check_variables(std::size_t argument, std::span<const Tensor> tensors);

/// An argument to differentiate with respect to: a structure, or a tensor if it is something else, such as a number.
template <class T, bool kSelected>
using VariableOf = std::conditional_t<kSelected && !Structure<T>, Tensor, T>;
template <std::size_t K, std::size_t... I>
inline constexpr bool kIsOneOf = ((K == I) || ...);

template <class T>
void append_variables(std::size_t argument, const T& value, Tensors& to) {
  const std::size_t before = to.size();
  append_tensors(value, to);
  check_variables(argument, std::span(to).subspan(before));
}

/// The gradients of the chosen arguments: one by itself, several tensors as an array, other structures as a tuple.
template <class Given, std::size_t... I>
auto gradients_of(Given& given, Argnums<I...> /*chosen*/) {
  if constexpr (sizeof...(I) == 1) {
    return (std::move(std::get<I>(given)), ...);
  } else if constexpr ((std::same_as<std::tuple_element_t<I, Given>, Tensor> && ...)) {
    return std::array<Tensor, sizeof...(I)>{std::move(std::get<I>(given))...};
  } else {
    return std::tuple(std::move(std::get<I>(given))...);
  }
}

template <class F, class Given, std::size_t... I>
auto value_and_grad_at(const F& f, Given given, Argnums<I...> chosen) {
  Tensors variables;
  (append_variables(I, std::get<I>(given), variables), ...);
  using Result = std::remove_cvref_t<decltype(std::apply(f, std::as_const(given)))>;
  std::optional<Result> result;
  const auto [values, gradients] = value_and_grad_of_first(
      [&](const Tensors& x) {
        std::span<const Tensor> rest(x);
        (replace_tensors(std::get<I>(given), rest), ...);
        result.emplace(std::apply(f, std::as_const(given)));
        if constexpr (!kHasAux<Result>) {
          return Tensors{Tensor(*result)};
        } else {
          Tensors all{result->first};
          if constexpr (ArgumentStructure<typename Result::second_type>) append_tensors(result->second, all);
          return all;
        }
      },
      variables);
  std::span<const Tensor> rest(gradients);
  (replace_tensors(std::get<I>(given), rest), ...);
  auto all = gradients_of(given, chosen);
  if constexpr (kHasAux<Result>) {
    return ValueGradAux<decltype(all), typename Result::second_type>{values[0], std::move(all),
                                                                     std::move(result->second)};
  } else {
    return std::pair<Tensor, decltype(all)>(values[0], std::move(all));
  }
}

/// The arguments of a call, with variables in place of the chosen ones.
template <std::size_t... I, std::size_t... K, class... Args>
auto with_variables(Argnums<I...> /*chosen*/, std::index_sequence<K...> /*each*/, const Args&... arguments) {
  static_assert(((I < sizeof...(Args)) && ...), "value_and_grad: argnums has a position that the call does not have");
  static_assert(((!kIsOneOf<K, I...> || Structure<Args> || std::convertible_to<const Args&, Tensor>) && ...),
                "value_and_grad: an argument to differentiate with respect to is a structure of tensors");
  return std::tuple<VariableOf<Args, kIsOneOf<K, I...>>...>(arguments...);
}

template <std::size_t... K>
Argnums<K...> all_of(std::index_sequence<K...> /*each*/) {
  return {};
}

}  // namespace detail

/// A function with the arguments of f that returns its value, a float scalar, and its gradients, in the form of the
/// arguments. Arguments are tensors and structures of them (tessera/structure.h): the gradients of a Tree are a Tree.
///
///   auto [loss, dw] = value_and_grad(f)(w);
///   auto [loss, gradients] = value_and_grad(f)(w, b);                       // with respect to each: an array
///   auto [loss, gradients] = value_and_grad(f, argnums<0>)(params, x, y);   // to the first alone
///
/// Several gradients are an array if all of them are tensors, else a tuple. Arguments that `argnums` does not list may
/// be anything: integers, numbers, objects. If f returns a pair of the value and something else, the result has a third
/// member, aux: auto [loss, gradients, logits] = ...
template <class F, std::size_t... I>
auto value_and_grad(F f, Argnums<I...> chosen) {
  static_assert(sizeof...(I) > 0, "value_and_grad: argnums is empty");
  return [f = std::move(f), chosen](const auto&... arguments) {
    constexpr auto kEach = std::make_index_sequence<sizeof...(arguments)>();
    return detail::value_and_grad_at(f, detail::with_variables(chosen, kEach, arguments...), chosen);
  };
}
/// The same with respect to all arguments.
template <class F>
auto value_and_grad(F f) {
  return [f = std::move(f)](const auto&... arguments) {
    constexpr auto kEach = std::make_index_sequence<sizeof...(arguments)>();
    const auto chosen = detail::all_of(kEach);
    return detail::value_and_grad_at(f, detail::with_variables(chosen, kEach, arguments...), chosen);
  };
}

/// The same without the value: the gradients, or a pair of the gradients and aux.
template <class F, class... Chosen>
auto grad(F f, Chosen... chosen) {
  return [g = value_and_grad(std::move(f), chosen...)](const auto&... arguments) {
    auto result = g(arguments...);
    if constexpr (requires { result.aux; }) {
      return std::pair(std::move(result.gradients), std::move(result.aux));
    } else {
      return std::move(result.second);
    }
  };
}

}  // namespace tessera
