// The plainest loops for what is tested here, in f64, with how far rounding may take each result.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/values.h"

namespace tessera::test {

/// Numbers of any shape; `room` is the sum of the terms' magnitudes: errors are in proportion to it.
struct Numbers {
  Shape shape;
  std::vector<double> value;
  std::vector<double> room;
  explicit Numbers(Shape s) : shape(std::move(s)), value(index(shape.numel())), room(value) {}
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] std::size_t at(const std::vector<std::int64_t>& i) const;
  void add(const std::vector<std::int64_t>& i, double term);
};

/// Geometry of the loops, for two spatial axes; one axis has a first one of size 1.
struct Loop {
  std::int64_t stride[2] = {1, 1};
  std::int64_t dilation[2] = {1, 1};
  std::int64_t low[2] = {0, 0};
  std::int64_t high[2] = {0, 0};
  std::int64_t groups = 1;
};

Numbers numbers_of(const Tensor& t);
/// [N, C, H, W] and [O, C / groups, KH, KW].
Numbers loop_conv(const Numbers& x, const Numbers& w, const Loop& g);
/// [N, C, H, W] and [C, O / groups, KH, KW]; `more` is the output padding.
Numbers loop_conv_transpose(const Numbers& x, const Numbers& w, const Loop& g, std::int64_t more_h,
                            std::int64_t more_w);

/// Compares: a result may be off by half an ulp of its type and by `terms` roundings of its room in the type that it is
/// computed in.
void expect_near(const std::string& what, const Tensor& got, const Numbers& want, double terms);

/// Compares <gradient, direction> of each input with the central difference of sum(f * weights) along the direction, in
/// f64 on the CPU. `f` is at most quadratic where `exact`, so that the difference has no error of its own.
void expect_gradients(const std::string& what, const std::function<Tensor(const std::vector<Tensor>&)>& f,
                      const std::vector<Tensor>& inputs,
                      const std::function<std::vector<Tensor>(const std::vector<Tensor>&, const Tensor&)>& gradients);

}  // namespace tessera::test
