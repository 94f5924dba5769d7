// Steps of a plan that the host runs between submissions, such as replayed loops.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tessera {

class Storage;
struct RandomState;

/// What a call does that is not a list of kernels. A plan with such calls is cut at them, and runs them in the order in
/// which they were made: other processes may run the same ones in that order. So a step is made after the inputs of its
/// call.
class HostStep {
 public:
  HostStep() = default;
  virtual ~HostStep() = default;
  HostStep(const HostStep&) = delete;
  HostStep& operator=(const HostStep&) = delete;

  /// Its plans and memory, for one run at a time.
  class Bound {
   public:
    Bound() = default;
    virtual ~Bound() = default;
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;

    /// Runs with one storage per input of the call, which it may take, and the positions of the draws of the function
    /// around it; `outputs` gets a storage per result, null for one that is not used.
    virtual void run(std::span<std::shared_ptr<Storage>> inputs, std::span<const RandomState> drawn,
                     std::span<std::shared_ptr<Storage>> outputs) = 0;
    /// Of an asynchronous step, instead of run(): start() when the kernels that make the inputs are submitted, and
    /// finish() before anything reads a result, writes into an input's memory, or the run ends, also by an exception.
    virtual void start(std::span<std::shared_ptr<Storage>> /*inputs*/) {}
    virtual void finish(std::span<std::shared_ptr<Storage>> /*outputs*/) {}
    /// For each input: whether a run writes into its memory.
    [[nodiscard]] virtual std::span<const char> overwritten() const = 0;
    [[nodiscard]] virtual std::size_t kernel_count() const = 0;
    /// For a concurrent run.
    [[nodiscard]] virtual std::unique_ptr<Bound> twin() const = 0;
  };
  /// `used`: for each result, whether anything reads it. `drawn`: positions of draws at the time of the trace; a run
  /// gets others in their order.
  [[nodiscard]] virtual std::unique_ptr<Bound> bind(std::span<const char> used,
                                                    std::span<const RandomState> drawn) const = 0;

  /// Whether kernels and other such steps may run beside it.
  [[nodiscard]] virtual bool asynchronous() const { return false; }
  /// Its position among all steps in the order of creation.
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  static inline std::atomic<std::uint64_t> made_ = 0;
  const std::uint64_t number_ = made_++;
};

}  // namespace tessera
