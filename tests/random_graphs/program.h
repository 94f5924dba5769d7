// Random programs over tensors: made from a seed, built for any sizes, printed, and cut down when they fail.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "graph/op.h"
#include "support/values.h"

namespace tessera::test {

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

using Sizes = std::array<std::int64_t, 3>;  // of the axes A, B, C

/// The size of an axis as a formula over A, B and C: axes with the same text have the same size for all sizes.
class Extent {
 public:
  static Extent one();
  static Extent base(int which);
  static Extent constant(std::int64_t n);
  static Extent product(const Extent& a, const Extent& b);
  static Extent sum(const Extent& a, const Extent& b);
  /// Without `start` elements on one side and `cut` on the other, every `step`th.
  static Extent slice(const Extent& x, std::int64_t start, std::int64_t cut, std::int64_t step);

  [[nodiscard]] std::int64_t size(const Sizes& sizes) const;
  [[nodiscard]] const std::string& text() const { return rule_->text; }
  [[nodiscard]] bool is_one() const { return rule_->kind == '1'; }
  /// The factors of a product; empty for others.
  [[nodiscard]] std::vector<Extent> factors() const { return rule_->kind == '*' ? rule_->args : std::vector<Extent>{}; }
  friend bool operator==(const Extent& a, const Extent& b) { return a.text() == b.text(); }

 private:
  struct Rule {
    char kind;
    std::array<std::int64_t, 3> numbers;
    std::vector<Extent> args;
    std::string text;
  };
  static Extent make(char kind, std::array<std::int64_t, 3> numbers, std::vector<Extent> args, std::string text);
  std::shared_ptr<const Rule> rule_;
};
using Extents = std::vector<Extent>;

struct Step {
  enum class Kind : std::uint8_t {
    kInput,
    kElementwise,
    kComposite,  // number picks one of a few formulas
    kWithNumber,
    kCast,
    kPermute,
    kMerge,
    kSplit,
    kExpand,
    kSqueeze,
    kBroadcast,
    kSlice,
    kPad,
    kConcat,
    kStack,
    kReduce,
    kMatmul,
    kContiguous,
    kRange,
    kUniform,
    kTake,  // elements of the axis at computed places
    kScan,  // a running sum of integers
    kSort,  // of integers
  };
  Kind kind = Kind::kInput;
  std::vector<int> args;  // earlier steps
  Op op = Op::kAdd;
  DType dtype = DType::kF32;
  int axis = 0;
  std::vector<int> axes;
  std::array<std::int64_t, 3> range{};  // slices and pads
  int which = 0;
  double number = 0;
  bool keep = false;
  Extents extents;  // of the result
};

struct Program {
  std::uint32_t seed = 0;
  std::vector<Step> steps;
  std::vector<int> roots;
  bool gradients = false;  // those of the float inputs are results too

  /// The roots as tensors for these sizes. Error where the sizes do not suit (nothing left to take a maximum of, say).
  /// `input` gives what is used in the place of an input.
  [[nodiscard]] std::vector<Tensor> build(const Sizes& sizes, const Device& device,
                                          const std::function<Tensor(const Tensor&)>& input = {}) const;
  [[nodiscard]] std::string text() const;
};

Program make_program(std::uint32_t seed, const Device& device);

/// A smaller program that still fails: roots dropped, steps replaced by inputs, dead steps removed.
Program shrink(const Program& program, const std::function<bool(const Program&)>& fails);

}  // namespace tessera::test
