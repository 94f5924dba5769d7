// compile(f): traces a function once per signature of its arguments, then replays its plan.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/structure.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// An axis of an argument whose size varies from call to call; of an argument with several tensors, the axis of each.
struct DynamicAxis {
  int argument = 0;
  int axis = 0;  // negative: from the end
  /// Axes of one name have one size. An empty name is an Error of kind value at the call.
  std::string name;
};

struct CompileOptions {
  /// Positions of arguments that the caller gives up: results may be written into their memory. Their tensors have no
  /// values after the call. If others share the data of one (tied weights), it is copied first. In a function from a
  /// list to a list, these are positions in the list.
  std::vector<int> donate = {};
  /// How many traces are kept, one for each signature of arguments; past them, the least recently used one goes. With
  /// dynamic axes, as many sizes keep their bound plans.
  std::size_t max_traces = 64;
  /// Axes whose sizes are not part of the signature: one trace serves all of their sizes. The first call calls the
  /// function at about twenty sizes, on placeholders, and finds the numbers of its graph as polynomials of the sizes;
  /// a later call with other sizes computes the numbers and binds the plan, without calling the function.
  ///
  /// Sizes 0 and 1 have traces of their own. A trace ends at the sizes where the function throws or starts to compute
  /// something else; past them, it is traced again. If no polynomials are found (a loop over the size, data of that
  /// size from the host), every size is traced, which is logged as a warning once. A function must not do something
  /// else at single sizes between others (if n == 100).
  std::vector<DynamicAxis> dynamic_axes = {};
};

/// The device memory that a compiled function needs, by its plan.
struct MemoryEstimate {
  struct Holder {
    /// Of state by its name, "layers.0.weight"; "argument 1", "result 0"; of an intermediate value the kernel that
    /// writes it, "matmul_gelu f32 [8, 64]".
    std::string name;
    std::string kind;  // "parameters", "optimizer", "arguments", "constants", "results" or "intermediates"
    /// Of one tensor, or of a buffer that several intermediate values use one after the other.
    std::uint64_t bytes = 0;
  };
  std::uint64_t parameters = 0;     // and buffers of modules; of a compiled step
  std::uint64_t optimizer = 0;      // and other state of a compiled step
  std::uint64_t arguments = 0;      // the others
  std::uint64_t constants = 0;      // captured tensors
  std::uint64_t results = 0;        // without those that are written into donated arguments
  std::uint64_t intermediates = 0;  // activations, gradients and workspace
  std::uint64_t peak = 0;           // all of them
  std::vector<Holder> holders;      // all, the largest first
  /// A table of the sums and of the largest holders.
  [[nodiscard]] std::string str(std::size_t most = 10) const;
};

/// A compiled function from a list of tensors to a list. Calls with arguments of known shapes and dtypes replay a plan:
/// nothing is traced, planned or compiled, and nothing is allocated on the host. Tensors and numbers that the function
/// captures are constants, evaluated once when it is traced: pass what changes from call to call as an argument, or
/// keep it in a captured Buffer, which is read at each call. Random draws differ from call to call and equal those that
/// the function itself would make.
///
/// If a graph is being recorded around the call, the function itself is called and becomes part of that graph, and
/// nothing is donated: inside another compiled function, inside grad, vjp and jvp, and if an argument or a captured
/// tensor is a variable. A function may call itself with other shapes or dtypes; a call of itself with the same
/// signature is an Error of kind value. Any thread may call it, also concurrently.
class Compiled {
 public:
  using Function = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;
  /// Results, and something that the function said about them in the call that was traced: their form.
  struct Formed {
    std::vector<Tensor> results = {};
    std::shared_ptr<const void> form = {};
  };
  using FormedFunction = std::function<Formed(const std::vector<Tensor>&)>;
  Compiled(Function function, CompileOptions options);
  Compiled(FormedFunction function, CompileOptions options);

  std::vector<Tensor> operator()(const std::vector<Tensor>& arguments) const;
  [[nodiscard]] Formed formed(const std::vector<Tensor>& arguments) const;
  /// The same with existing handles; results.size() must be the number of results.
  void run(std::span<const Tensor> arguments, std::span<Tensor> results) const;

  /// What a call with such arguments would need: the function is traced and planned, but not run, and nothing is
  /// allocated for it but its constants. Of the arguments, only dtypes, shapes and the device are used.
  [[nodiscard]] MemoryEstimate memory(const std::vector<Tensor>& arguments) const;

  /// The number of signatures traced for replay; a trace with dynamic axes is one, whatever its sizes.
  [[nodiscard]] std::size_t traces() const;
  /// The number of kernels of the latest trace.
  [[nodiscard]] std::size_t kernel_count() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

namespace detail {

/// The signature of a callable that has one; void for a generic lambda and for overloaded calls.
template <class M>
struct CallOf {};
template <class C, class R, class... Args>
struct CallOf<R (C::*)(Args...)> {
  using Type = R(Args...);
};
template <class C, class R, class... Args>
struct CallOf<R (C::*)(Args...) const> {
  using Type = R(Args...);
};
template <class C, class R, class... Args>
struct CallOf<R (C::*)(Args...) noexcept> {
  using Type = R(Args...);
};
template <class C, class R, class... Args>
struct CallOf<R (C::*)(Args...) const noexcept> {
  using Type = R(Args...);
};
template <class F>
struct SignatureOf {
  using Type = void;
};
template <class F>
  requires requires { typename CallOf<decltype(&F::operator())>::Type; }
struct SignatureOf<F> {
  using Type = typename CallOf<decltype(&F::operator())>::Type;
};
template <class R, class... Args>
struct SignatureOf<R (*)(Args...)> {
  using Type = R(Args...);
};
template <class R, class... Args>
struct SignatureOf<R (*)(Args...) noexcept> {
  using Type = R(Args...);
};

template <class Signature>
inline constexpr bool kListToList = false;
template <class R, class Argument>
inline constexpr bool kListToList<R(Argument)> = std::same_as<std::remove_cvref_t<R>, std::vector<Tensor>> &&
                                                 std::same_as<std::remove_cvref_t<Argument>, std::vector<Tensor>>;

/// The arguments of one call as a list.
struct FlatCall {
  std::string key;                  // of the structures
  std::vector<Tensor> tensors;      // of all arguments
  std::vector<std::size_t> counts;  // the number of tensors of each argument

  template <class... Args>
  explicit FlatCall(const Args&... arguments) : key(typeid(std::tuple<Args...>).name()) {
    static_assert(
        (ArgumentStructure<Args> && ...),
        "compile: an argument is a tensor, a structure of tensors (tessera/structure.h), a number or a string; "
        "modules and optimizers are state: compile(step, model, optimizer)");
    (add(arguments), ...);
  }

 private:
  template <class T>
  void add(const T& argument) {
    const std::size_t before = tensors.size();
    describe(argument, key);
    append_tensors(argument, tensors);
    counts.push_back(tensors.size() - before);
  }
};

/// f as a function of the list of a FlatCall with arguments of these structures. Their tensors are not kept.
template <class F, class... Args>
Compiled::FormedFunction flat_function(std::shared_ptr<F> f, const Args&... arguments) {
  static_assert(std::invocable<F&, Args...>,
                "compile: the function takes its arguments by value or by const reference");
  return [f = std::move(f), outlines = std::tuple<Args...>(outline(arguments)...)](const std::vector<Tensor>& in) {
    std::tuple<Args...> given = outlines;
    std::span<const Tensor> rest(in);
    std::apply([&](Args&... parts) { (replace_tensors(parts, rest), ...); }, given);
    using Result = std::remove_cvref_t<std::invoke_result_t<F&, Args...>>;
    Compiled::Formed formed;
    if constexpr (std::is_void_v<Result>) {
      std::apply(*f, std::move(given));
    } else {
      static_assert(Structure<Result>,
                    "compile: the result is a structure of tensors (tessera/structure.h), or nothing");
      const Result result = std::apply(*f, std::move(given));
      append_tensors(result, formed.results);
      formed.form = std::make_shared<const Result>(outline(result));
    }
    return formed;
  };
}

/// The results of a flat function in their form.
template <class Result>
Result structured(const Compiled::Formed& formed) {
  if constexpr (!std::is_void_v<Result>) {
    Result result = *static_cast<const Result*>(formed.form.get());
    std::span<const Tensor> rest(formed.results);
    replace_tensors(result, rest);
    return result;
  }
}

/// Options that count tensors from those that count arguments: `counts` tensors each, behind `before` others.
CompileOptions flat_options(CompileOptions options, std::span<const std::size_t> counts, std::size_t before = 0);

/// Compiled functions by a key, the most recently used ones. Thread-safe.
class CompiledSet {
 public:
  explicit CompiledSet(std::size_t most);
  /// `make` is called for a new key.
  Compiled at(const std::string& key, const std::function<Compiled()>& make) const;
  [[nodiscard]] std::size_t traces() const;        // of all of them
  [[nodiscard]] std::size_t kernel_count() const;  // of the latest trace of the one used last

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Calls of a function of structures.
template <class F>
class CompiledCalls {
 public:
  CompiledCalls(F function, CompileOptions options)
      : function_(std::make_shared<F>(std::move(function))),
        options_(std::move(options)),
        compiled_(options_.max_traces) {}
  /// The number of signatures traced for replay, and the number of kernels of the latest trace.
  [[nodiscard]] std::size_t traces() const { return compiled_.traces(); }
  [[nodiscard]] std::size_t kernel_count() const { return compiled_.kernel_count(); }

 protected:
  template <class... Args>
  auto call(const Args&... arguments) const {
    const FlatCall flat(arguments...);
    return structured<std::remove_cvref_t<std::invoke_result_t<F&, Args...>>>(
        compiled_for(flat, arguments...).formed(flat.tensors));
  }
  template <class... Args>
  [[nodiscard]] MemoryEstimate estimate_of(const Args&... arguments) const {
    const FlatCall flat(arguments...);
    return compiled_for(flat, arguments...).memory(flat.tensors);
  }

 private:
  template <class... Args>
  Compiled compiled_for(const FlatCall& flat, const Args&... arguments) const {
    return compiled_.at(flat.key, [&] {
      return Compiled(flat_function(function_, arguments...), flat_options(options_, flat.counts));
    });
  }

  std::shared_ptr<F> function_;
  CompileOptions options_;
  CompiledSet compiled_;
};

/// `Calls` with the arguments and the result of a signature; with void, with those of each call (a generic lambda).
template <class Calls, class Signature>
class CallsWith;
template <class Calls, class R, class... Args>
class CallsWith<Calls, R(Args...)> : public Calls {
 public:
  using Calls::Calls;
  std::remove_cvref_t<R> operator()(const std::remove_cvref_t<Args>&... arguments) const {
    return this->call(arguments...);
  }
  /// What such a call would need: see Compiled::memory.
  [[nodiscard]] MemoryEstimate memory(const std::remove_cvref_t<Args>&... arguments) const {
    return this->estimate_of(arguments...);
  }
};
template <class Calls>
class CallsWith<Calls, void> : public Calls {
 public:
  using Calls::Calls;
  template <class... Args>
  auto operator()(const Args&... arguments) const {
    return this->call(arguments...);
  }
  template <class... Args>
  [[nodiscard]] MemoryEstimate memory(const Args&... arguments) const {
    return this->estimate_of(arguments...);
  }
};

}  // namespace detail

/// A compiled function with the arguments and the result of the function it was made of. All of Compiled applies;
/// traces() and kernel_count() are the same. See compile().
template <class F>
using CompiledFunction = detail::CallsWith<detail::CompiledCalls<F>, typename detail::SignatureOf<F>::Type>;

/// Compiles a function of tensors and structures of them (tessera/structure.h), with the same arguments and results:
///
///   auto step = compile([](const Tree& params, const Tensor& x) { return std::pair(loss, updated); }, {.donate =
///   {0}}); auto [loss, updated] = step(params, x);
///
/// Arguments of another structure are traced again, and so are other values of arguments that are numbers, enumerators
/// or strings: pass what changes from call to call as a Tensor. Arguments are taken by value or by const reference.
/// Empty tensors inside of a structure stay empty; members that `fields` does not list have the values of the trace.
///
/// A function from std::vector<Tensor> to std::vector<Tensor> gives a Compiled.
template <class F>
auto compile(F function, CompileOptions options = {}) {
  if constexpr (detail::kListToList<typename detail::SignatureOf<F>::Type>) {
    return Compiled(Compiled::Function(std::move(function)), std::move(options));
  } else {
    return CompiledFunction<F>(std::move(function), std::move(options));
  }
}

}  // namespace tessera
