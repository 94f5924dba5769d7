#include "conv/loops.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "support/bounds.h"
#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {

std::size_t Numbers::at(const std::vector<std::int64_t>& i) const {
  std::int64_t place = 0;
  for (std::size_t d = 0; d < i.size(); ++d) place = place * shape[static_cast<int>(d)] + i[d];
  return index(place);
}

void Numbers::add(const std::vector<std::int64_t>& i, double term) {
  value[at(i)] += term;
  room[at(i)] += std::abs(term);
}

Numbers numbers_of(const Tensor& t) {
  Numbers n(t.shape());
  const reference::Value v = read_values({t})[0];
  for (std::size_t i = 0; i < n.value.size(); ++i)
    n.value[i] = is_float(v.dtype) ? v.f[i] : static_cast<double>(v.i[i]);
  return n;
}

Numbers loop_conv(const Numbers& x, const Numbers& w, const Loop& g) {
  const std::int64_t channels = w.shape[1];
  const std::int64_t outputs = w.shape[0] / g.groups;
  std::int64_t size[2];
  for (int i = 0; i < 2; ++i) {
    size[i] = (x.shape[2 + i] + g.low[i] + g.high[i] - g.dilation[i] * (w.shape[2 + i] - 1) - 1) / g.stride[i] + 1;
  }
  Numbers y({x.shape[0], w.shape[0], size[0], size[1]});
  for (std::int64_t n = 0; n < x.shape[0]; ++n)
    for (std::int64_t o = 0; o < w.shape[0]; ++o)
      for (std::int64_t i = 0; i < size[0]; ++i)
        for (std::int64_t j = 0; j < size[1]; ++j)
          for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t a = 0; a < w.shape[2]; ++a)
              for (std::int64_t b = 0; b < w.shape[3]; ++b) {
                const std::int64_t h = i * g.stride[0] + a * g.dilation[0] - g.low[0];
                const std::int64_t v = j * g.stride[1] + b * g.dilation[1] - g.low[1];
                if (h < 0 || v < 0 || h >= x.shape[2] || v >= x.shape[3]) continue;
                y.add({n, o, i, j}, x.value[x.at({n, o / outputs * channels + c, h, v})] * w.value[w.at({o, c, a, b})]);
              }
  return y;
}

Numbers loop_conv_transpose(const Numbers& x, const Numbers& w, const Loop& g, std::int64_t more_h,
                            std::int64_t more_w) {
  const std::int64_t inputs = x.shape[1] / g.groups;
  const std::int64_t outputs = w.shape[1];
  const std::int64_t more[2] = {more_h, more_w};
  std::int64_t size[2];
  for (int i = 0; i < 2; ++i) {
    size[i] =
        (x.shape[2 + i] - 1) * g.stride[i] - g.low[i] - g.high[i] + g.dilation[i] * (w.shape[2 + i] - 1) + 1 + more[i];
  }
  Numbers y({x.shape[0], g.groups * outputs, size[0], size[1]});
  for (std::int64_t n = 0; n < x.shape[0]; ++n)
    for (std::int64_t c = 0; c < x.shape[1]; ++c)
      for (std::int64_t o = 0; o < outputs; ++o)
        for (std::int64_t i = 0; i < x.shape[2]; ++i)
          for (std::int64_t j = 0; j < x.shape[3]; ++j)
            for (std::int64_t a = 0; a < w.shape[2]; ++a)
              for (std::int64_t b = 0; b < w.shape[3]; ++b) {
                const std::int64_t h = i * g.stride[0] + a * g.dilation[0] - g.low[0];
                const std::int64_t v = j * g.stride[1] + b * g.dilation[1] - g.low[1];
                if (h < 0 || v < 0 || h >= size[0] || v >= size[1]) continue;
                y.add({n, c / inputs * outputs + o, h, v}, x.value[x.at({n, c, i, j})] * w.value[w.at({c, o, a, b})]);
              }
  return y;
}

void expect_near(const std::string& what, const Tensor& got, const Numbers& want, double terms) {
  ASSERT_EQ(got.shape().str(), want.shape.str()) << what;
  const Numbers v = numbers_of(got);
  const double own = unit_roundoff(got.dtype());
  const double inner = got.dtype() == f64 ? unit_roundoff(f64) : unit_roundoff(f32);
  for (std::size_t i = 0; i < want.value.size(); ++i) {
    const double allowed = 2 * own * std::abs(want.value[i]) + (terms + 2) * inner * want.room[i] +
                           (got.dtype() == f64 ? 0 : smallest_normal(got.dtype()) * 0.01);
    if (std::isnan(want.value[i]) ? std::isnan(v.value[i]) : v.value[i] == want.value[i]) continue;
    ASSERT_LE(std::abs(v.value[i] - want.value[i]), allowed)
        << what << ": element " << i << " of " << want.shape.str() << " is " << v.value[i] << ", not " << want.value[i];
  }
}

void expect_gradients(const std::string& what, const std::function<Tensor(const std::vector<Tensor>&)>& f,
                      const std::vector<Tensor>& inputs,
                      const std::function<std::vector<Tensor>(const std::vector<Tensor>&, const Tensor&)>& gradients) {
  const Device cpu = inputs[0].device();
  const Tensor y = f(inputs);
  const Tensor weights = make_tensor(plain(f64, y.shape(), 991), cpu);
  const std::vector<Tensor> grads = gradients(inputs, weights);
  ASSERT_EQ(grads.size(), inputs.size()) << what;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!grads[i].defined()) continue;
    ASSERT_EQ(grads[i].shape().str(), inputs[i].shape().str()) << what;
    const Tensor direction = make_tensor(plain(f64, inputs[i].shape(), 17 + static_cast<std::uint32_t>(i)), cpu);
    constexpr double kStep = 1e-5;
    std::vector<Tensor> up = inputs;
    std::vector<Tensor> down = inputs;
    up[i] = inputs[i] + direction * kStep;
    down[i] = inputs[i] - direction * kStep;
    const Tensor difference = sum((f(up) - f(down)) * weights) / (2 * kStep);
    const Tensor slope = sum(grads[i] * direction);
    const double size = sum(abs(grads[i] * direction)).item<double>() + 1;
    EXPECT_NEAR(slope.item<double>(), difference.item<double>(), 1e-7 * size) << what << ", input " << i;
  }
}

}  // namespace tessera::test
