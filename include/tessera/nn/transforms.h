// Transforms of functions that use modules: value_and_grad(model, f), compile(step, state..), functional_call.
#pragma once

#include <concepts>
#include <functional>
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

/// An object whose tensors a compiled step takes and gives back.
class StateRef {
 public:
  StateRef(Stateful& object) : object_(&object) {}  // NOLINT(google-explicit-constructor)
  StateRef(Tree& tree) : object_(&tree) {}          // NOLINT(google-explicit-constructor)
  void visit(const std::function<void(const std::string& name, Tensor&)>& f) const;
  /// All groups of Stateful::together(), of the object and its parts.
  [[nodiscard]] std::vector<NameLists> together() const;
  /// What a trace depends on besides the tensors.
  [[nodiscard]] std::string mode() const;
  /// Whether it is a module, or a tree: parameters, and no state of an optimizer.
  [[nodiscard]] bool is_module() const;

 private:
  std::variant<Stateful*, Tree*> object_;
};

/// A compiled function with state. See compile(step, state..).
class CompiledStep {
 public:
  using Function = std::function<Tensors(const Tensors&)>;
  CompiledStep(Function step, std::vector<StateRef> state, CompileOptions options = {});
  Tensors operator()(const Tensors& arguments) const;
  /// What a call would need, before the first one: parameters and optimizer state by name, and the largest intermediate
  /// values by kernel. See Compiled::memory.
  [[nodiscard]] MemoryEstimate memory(const Tensors& arguments = {}) const;
  [[nodiscard]] std::size_t traces() const;
  [[nodiscard]] std::size_t kernel_count() const;

 protected:
  explicit CompiledStep(std::vector<StateRef> state, CompileOptions options = {});
  /// Calls the function that `make` gives for arguments of this structure.
  [[nodiscard]] Compiled::Formed formed(const tessera::detail::FlatCall& arguments,
                                        const std::function<Compiled::FormedFunction()>& make) const;
  [[nodiscard]] MemoryEstimate estimate(const tessera::detail::FlatCall& arguments,
                                        const std::function<Compiled::FormedFunction()>& make) const;

 private:
  struct State;
  [[nodiscard]] Compiled::FormedFunction list_function() const;
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

/// Reports a call of a module while it lives, as Module::operator() does: for bindings, whose modules are called
/// elsewhere.
class CallScope {
 public:
  explicit CallScope(const Module& module);
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

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

/// Calls of a step of structures.
template <class F>
class StepCalls : public CompiledStep {
 public:
  StepCalls(F step, std::vector<StateRef> state)
      : CompiledStep(std::move(state)), step_(std::make_shared<F>(std::move(step))) {}

 protected:
  template <class... Args>
  [[nodiscard]] MemoryEstimate estimate_of(const Args&... arguments) const {
    return estimate(tessera::detail::FlatCall(arguments...),
                    [&] { return tessera::detail::flat_function(step_, arguments...); });
  }
  template <class... Args>
  auto call(const Args&... arguments) const {
    using Result = std::remove_cvref_t<std::invoke_result_t<F&, Args...>>;
    return tessera::detail::structured<Result>(formed(
        tessera::detail::FlatCall(arguments...), [&] { return tessera::detail::flat_function(step_, arguments...); }));
  }

 private:
  std::shared_ptr<F> step_;
};

}  // namespace detail

/// A compiled step with the arguments and the result of the function it was made of.
template <class F>
using CompiledStepOf = tessera::detail::CallsWith<detail::StepCalls<F>, typename tessera::detail::SignatureOf<F>::Type>;

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
    if constexpr (detail::kHasAux<Result>) {
      using Aux = typename Result::second_type;
      std::optional<Aux> aux;
      auto [value, gradients] = nn::detail::value_and_grad_of(model, [&]() -> Tensor {
        Result both = f(arguments...);
        aux.emplace(std::move(both.second));
        return std::move(both.first);
      });
      Tensors all = gradients.tensors();
      all.push_back(value);
      if constexpr (detail::ArgumentStructure<Aux>) {
        detail::visit_tensors(*aux, [](Tensor& t) { nn::detail::detach(t); });
        detail::append_tensors(*aux, all);
      }
      nn::detail::start(model, std::move(all));
      return ValueGradAux<Tree, Aux>{std::move(value), std::move(gradients), std::move(*aux)};
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
/// arguments are those of compile(f), and so is the result, which may also be nothing. The objects are referred to:
/// they must exist as long as the step. It is traced again for other shapes, dtypes, structures of arguments, training
/// modes and frozen parameters. A module whose gradients the step computes, and an object that it updates, must be part
/// of the state: otherwise Error of kind value. Calls of one step must not overlap.
template <class F, nn::StepState First, nn::StepState... Rest>
auto compile(F step, First& first, Rest&... rest) {
  return nn::CompiledStepOf<F>(std::move(step), std::vector<nn::StateRef>{nn::StateRef(first), nn::StateRef(rest)...});
}

}  // namespace tessera
