// compile(f): traces a function once per signature of its arguments, then replays its plan.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// An axis of an argument whose size varies from call to call.
struct DynamicAxis {
  int argument = 0;
  int axis = 0;  // negative: from the end
  /// Axes of one name have one size. An empty name is an Error of kind value at the call.
  std::string name;
};

struct CompileOptions {
  /// Positions of arguments that the caller gives up: results may be written into their memory. Such an argument has no
  /// value after the call. If others share its data (tied weights), it is copied first.
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

/// A compiled function. Calls with arguments of known shapes and dtypes replay a plan: nothing is traced, planned or
/// compiled, and nothing is allocated on the host. Tensors and numbers that the function captures are constants,
/// evaluated once when it is traced: pass what changes from call to call as an argument, or keep it in a captured
/// Buffer, which is read at each call. Random draws differ from call to call and equal those that the function itself
/// would make.
///
/// If a graph is being recorded around the call, the function itself is called and becomes part of that graph, and
/// nothing is donated: inside another compiled function, inside grad, vjp and jvp, and if an argument or a captured
/// tensor is a variable. A function may call itself with other shapes or dtypes; a call of itself with the same
/// signature is an Error of kind value. Any thread may call it, also concurrently.
class Compiled {
 public:
  using Function = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;
  Compiled(Function function, CompileOptions options);

  std::vector<Tensor> operator()(const std::vector<Tensor>& arguments) const;
  /// The same with existing handles; results.size() must be the number of results.
  void run(std::span<const Tensor> arguments, std::span<Tensor> results) const;

  /// The number of signatures traced for replay; a trace with dynamic axes is one, whatever its sizes.
  [[nodiscard]] std::size_t traces() const;
  /// The number of kernels of the latest trace.
  [[nodiscard]] std::size_t kernel_count() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

Compiled compile(Compiled::Function function, CompileOptions options = {});

}  // namespace tessera
