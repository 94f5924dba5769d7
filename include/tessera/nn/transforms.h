// Transforms of functions that use modules: value_and_grad(model, f), compile(step, state..), functional_call.
#pragma once

#include <algorithm>
#include <concepts>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tessera/compile.h"
#include "tessera/export.h"
#include "tessera/grad.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace nn {

/// The result of value_and_grad(model, f) where f returns a pair of the loss and something else.
template <class Aux>
struct ValueGradAux {
  Tensor value;
  Tree gradients;
  Aux aux;
};

/// An object whose tensors a compiled step takes and gives back.
class StateRef {
 public:
  StateRef(Stateful& object) : object_(&object) {}  // NOLINT(google-explicit-constructor)
  StateRef(Tree& tree) : object_(&tree) {}          // NOLINT(google-explicit-constructor)
  void visit(const std::function<void(const std::string& name, Tensor&)>& f) const;
  /// What a trace depends on besides the tensors.
  [[nodiscard]] std::string mode() const;

 private:
  std::variant<Stateful*, Tree*> object_;
};

/// A compiled function with state. See compile(step, state..).
class CompiledStep {
 public:
  using Function = std::function<Tensors(const Tensors&)>;
  CompiledStep(Function step, std::vector<StateRef> state, CompileOptions options = {});
  Tensors operator()(const Tensors& arguments) const;
  [[nodiscard]] std::size_t traces() const;
  [[nodiscard]] std::size_t kernel_count() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// f() with other tensors in the module, by name; afterwards the module has its own again.
Tensor functional_call(Module& module, const Tree& tensors, const std::function<Tensor()>& f);
inline Tensor functional_call(Module& module, const Tree& tensors, const Tensor& x) {
  return functional_call(module, tensors, [&] { return module(x); });
}

namespace detail {

/// While it lives, the tensors of an object may be written in a trace on this thread: for bindings, which call a copy
/// of a module and take over what it wrote.
class WriteScope {
 public:
  explicit WriteScope(Stateful& object);
  ~WriteScope();
  WriteScope(const WriteScope&) = delete;
  WriteScope& operator=(const WriteScope&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The value of f and the gradients with respect to the trainable parameters.
std::pair<Tensor, Tree> value_and_grad_of(Module& model, const std::function<Tensor()>& f);
/// Starts computing these tensors and the buffers of the model in one submission, unless they are part of a graph that
/// is being recorded.
void start(Module& model, Tensors tensors);

inline void detach(Tensor& x) {
  if (x.defined() && x.is_tracked()) x = x.detach();
}
inline void detach(Tensors& all) {
  for (Tensor& x : all) detach(x);
}
inline void detach(Tree& tree) {
  tree = tree.map([](const Tensor& x) { return x.defined() && x.is_tracked() ? x.detach() : x; });
}
template <class T>
void detach(T& /*other*/) {}

/// The tensors among other results, where their class is known.
inline Tensors tensors_of(const Tensor& x) { return {x}; }
inline Tensors tensors_of(const Tensors& all) { return all; }
inline Tensors tensors_of(const Tree& tree) { return tree.tensors(); }
template <class T>
Tensors tensors_of(const T& /*other*/) {
  return {};
}

template <class T>
inline constexpr bool kIsPair = false;
template <class Aux>
inline constexpr bool kIsPair<std::pair<Tensor, Aux>> = true;

template <class F, std::size_t... I>
auto call_each(F& f, const Tensors& x, std::index_sequence<I...>) {
  return f(x[I]...);
}

/// How many tensors f takes: 0 to 8; -1: a list.
template <class F, std::size_t N, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return std::invocable<F&, decltype((static_cast<void>(I), std::declval<const Tensor&>()))...>;
}
template <class F, std::size_t N = 0>
constexpr int arity() {
  if constexpr (N > 8) {
    static_assert(N <= 8, "compile: the step takes tensors (at most 8), or one std::vector<Tensor>");
    return 0;
  } else if constexpr (takes<F, N>(std::make_index_sequence<N>())) {
    return static_cast<int>(N);
  } else {
    return arity<F, N + 1>();
  }
}

/// The results of a step as a list, and the list as the result.
template <class R>
struct Results {
  static_assert(sizeof(R) == 0, "compile: the step returns nothing, a Tensor or a std::vector<Tensor>");
};
template <>
struct Results<void> {
  template <class C>
  static Tensors list(C&& call) {
    call();
    return {};
  }
  static void back(Tensors /*all*/) {}
};
template <>
struct Results<Tensor> {
  template <class C>
  static Tensors list(C&& call) {
    return {call()};
  }
  static Tensor back(Tensors all) { return std::move(all[0]); }
};
template <>
struct Results<Tensors> {
  template <class C>
  static Tensors list(C&& call) {
    return call();
  }
  static Tensors back(Tensors all) { return all; }
};

}  // namespace detail

/// A compiled step with the arguments and the result of the function it was made of.
template <class Result, bool kList>
class CompiledStepOf : public CompiledStep {
 public:
  using CompiledStep::CompiledStep;
  Result operator()(const Tensors& arguments) const
    requires kList
  {
    return detail::Results<Result>::back(CompiledStep::operator()(arguments));
  }
  template <std::convertible_to<Tensor>... Args>
    requires(!kList)
  Result operator()(const Args&... arguments) const {
    return detail::Results<Result>::back(CompiledStep::operator()(Tensors{Tensor(arguments)...}));
  }
};

/// What compile() takes as state.
template <class T>
concept StepState = std::derived_from<T, Stateful> || std::same_as<T, Tree>;

}  // namespace nn

/// A function with the arguments of f that returns its value, which must be a float scalar, and its gradients with
/// respect to the trainable parameters of the model, as a Tree of their names:
///
///   auto [loss, gradients] = value_and_grad(model, [&](const Tensor& x, const Tensor& y) {
///     return cross_entropy(model(x), y);
///   })(x, y);
///
/// f uses the model itself, whose parameters are variables during the call. Buffers that f updates keep their new
/// values. If f returns a pair of the loss and something else, the result has a third member, aux. Outside of compile
/// the call starts computing all of them in one submission, as backward() does, and does not wait.
template <std::derived_from<nn::Module> M, class F>
auto value_and_grad(M& model, F f) {
  return [&model, f = std::move(f)](auto&&... arguments) mutable {
    using Result = std::invoke_result_t<F&, decltype(arguments)...>;
    if constexpr (nn::detail::kIsPair<Result>) {
      using Aux = typename Result::second_type;
      std::optional<Aux> aux;
      auto [value, gradients] = nn::detail::value_and_grad_of(model, [&]() -> Tensor {
        Result both = f(arguments...);
        aux.emplace(std::move(both.second));
        return std::move(both.first);
      });
      nn::detail::detach(*aux);
      Tensors all = gradients.tensors();
      all.push_back(value);
      std::ranges::copy(nn::detail::tensors_of(*aux), std::back_inserter(all));
      nn::detail::start(model, std::move(all));
      return nn::ValueGradAux<Aux>{std::move(value), std::move(gradients), std::move(*aux)};
    } else {
      auto result = nn::detail::value_and_grad_of(model, [&]() -> Tensor { return f(arguments...); });
      Tensors all = result.second.tensors();
      all.push_back(result.first);
      nn::detail::start(model, std::move(all));
      return result;
    }
  };
}

/// A step that is traced once and replayed, and updates modules, optimizers and trees:
///
///   auto step = compile([&](const Tensor& x, const Tensor& y) {
///     auto [loss, gradients] = value_and_grad(model, loss_of)(x, y);
///     optimizer.update(model, gradients);
///     return loss;
///   }, model, optimizer);
///   Tensor loss = step(x, y);
///
/// All tensors of the state are arguments of the compiled function, donated, and after a call the objects have the
/// results; a tensor that somebody else holds too (a copy of the model) is copied first and keeps its value. The other
/// arguments are tensors, or one list of them; the result is a Tensor, a list, or nothing. The objects are referred to:
/// they must exist as long as the step. It is traced again for other shapes, dtypes, training modes and frozen
/// parameters. A module whose gradients the step computes, and an object that it updates, must be part of the state:
/// otherwise Error of kind value.
/// Calls of one step must not overlap.
template <class F, nn::StepState First, nn::StepState... Rest>
auto compile(F step, First& first, Rest&... rest) {
  std::vector<nn::StateRef> state{nn::StateRef(first), nn::StateRef(rest)...};
  if constexpr (std::invocable<F&, const Tensors&> && !std::invocable<F&, const Tensor&>) {
    using Result = std::decay_t<std::invoke_result_t<F&, const Tensors&>>;
    return nn::CompiledStepOf<Result, true>(
        [step = std::move(step)](const Tensors& in) mutable {
          return nn::detail::Results<Result>::list([&]() -> Result { return step(in); });
        },
        std::move(state));
  } else {
    constexpr int kCount = nn::detail::arity<F>();
    using Indices = std::make_index_sequence<static_cast<std::size_t>(kCount)>;
    using Result = decltype(nn::detail::call_each(std::declval<F&>(), std::declval<const Tensors&>(), Indices()));
    return nn::CompiledStepOf<Result, false>(
        [step = std::move(step)](const Tensors& in) mutable {
          return nn::detail::Results<Result>::list(
              [&]() -> Result { return nn::detail::call_each(step, in, Indices()); });
        },
        std::move(state));
  }
}

}  // namespace tessera
