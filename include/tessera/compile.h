// compile(f): traces a function once for each signature of its arguments, then replays its plan.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

struct CompileOptions {
  /// Positions of arguments whose memory the results may take over. Such an argument has no value after the call.
  std::vector<int> donate;
};

/// A compiled function. Calls with arguments of known shapes and types replay a plan: nothing is traced, planned or
/// compiled, and nothing is allocated on the host. Tensors and numbers that the function captures are fixed when it is
/// traced, and computed once: what changes from call to call is passed as an argument, or lies in a captured Buffer,
/// which is read at each call. Random draws differ from call to call and are those that the function itself would make.
///
/// Where a graph is being recorded around the call, the function itself is called and becomes part of it, and nothing
/// is donated: inside of another compiled function, inside of grad, vjp and jvp, and where an argument or something
/// that is captured is a variable. A function may call itself with other shapes or types; Error of kind value where it
/// calls itself with the same. Any thread may call it, several at once too.
class Compiled {
 public:
  using Function = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;
  Compiled(Function function, CompileOptions options);

  std::vector<Tensor> operator()(const std::vector<Tensor>& arguments) const;
  /// The same into handles that are reused; results.size() is the number of results.
  void run(std::span<const Tensor> arguments, std::span<Tensor> results) const;

  /// How many signatures have been traced to be replayed.
  [[nodiscard]] std::size_t traces() const;
  /// Kernels of the latest trace.
  [[nodiscard]] std::size_t kernel_count() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

Compiled compile(Compiled::Function function, CompileOptions options = {});

}  // namespace tessera
