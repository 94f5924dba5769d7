// Compares what a device computes with the oracle: many tensors in one evaluation.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/bounds.h"
#include "support/values.h"

namespace tessera::test {

/// Reads tensors (of one device) with one wait.
std::vector<reference::Value> read_values(const std::vector<Tensor>& tensors);

/// What may differ from the oracle beside the error bound.
struct Leniency {
  bool flush = false;      // denormals, of arguments and results, may be taken for zero
  bool zero_sign = false;  // a zero may have either sign
};

/// Collects expressions, then evaluates them together and compares each with the oracle; what differs is a test failure
/// that names the case, the index, the arguments there, what came and what was expected.
class Checker {
 public:
  explicit Checker(Device device) : device_(std::move(device)) {}
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;
  ~Checker() { run(); }

  void add(std::string name, Tensor tensor, bool zero_sign_matters = true);
  /// The same, with a line more in the failure's text: what the arguments were.
  void run();
  [[nodiscard]] std::size_t size() const { return cases_.size(); }
  /// Elements compared so far, and those of which nothing is known.
  std::size_t compared = 0;
  std::size_t unknown = 0;
  std::size_t failed = 0;
  std::function<void(const std::string&)> report;  // instead of a test failure

 private:
  struct Case {
    std::string name;
    Tensor tensor;
    bool zero_sign_matters;
  };
  Device device_;
  std::vector<Case> cases_;
};

/// The first element of `got` that is wrong, -1 where all are right.
std::int64_t first_wrong(const reference::Value& got, const Bounded& expected, const Bounded& flushed,
                         const Leniency& allow, std::size_t& unknown);

}  // namespace tessera::test
