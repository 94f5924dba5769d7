// The normalizations of [N, C, ..] against plain loops.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conv/loops.h"
#include "support/devices.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

class Norms : public DeviceTest {
 protected:
  Tensor data(DType t, const Shape& shape, std::uint32_t seed) const {
    return make_tensor(plain(t, shape, seed, -2, 2), device_);
  }
};
TESSERA_ON_ALL_DEVICES(Norms);

TEST_P(Norms, EqualLoops) {
  const std::int64_t n = 4, c = 6, s = 15;
  const Tensor x = data(f32, {n, c, 3, 5}, 3);
  const Tensor w = data(f32, {c}, 4);
  const Tensor b = data(f32, {c}, 5);
  const Numbers nx = numbers_of(x), nw = numbers_of(w), nb = numbers_of(b);
  const auto at = [&](std::int64_t i, std::int64_t k, std::int64_t j) { return Numbers::index((i * c + k) * s + j); };
  // Statistics over images [i0, i1) and channels [k0, k1).
  const auto stats = [&](std::int64_t i0, std::int64_t i1, std::int64_t k0, std::int64_t k1) {
    double total = 0, squares = 0;
    const auto count = static_cast<double>((i1 - i0) * (k1 - k0) * s);
    for (std::int64_t i = i0; i < i1; ++i)
      for (std::int64_t k = k0; k < k1; ++k)
        for (std::int64_t j = 0; j < s; ++j) total += nx.value[at(i, k, j)];
    for (std::int64_t i = i0; i < i1; ++i)
      for (std::int64_t k = k0; k < k1; ++k)
        for (std::int64_t j = 0; j < s; ++j) squares += std::pow(nx.value[at(i, k, j)] - total / count, 2);
    return std::pair(total / count, squares / count);
  };
  Numbers batch(x.shape()), group(x.shape()), instance(x.shape()), response(x.shape());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t k = 0; k < c; ++k) {
      const auto [bm, bv] = stats(0, n, k, k + 1);
      const auto [gm, gv] = stats(i, i + 1, k / 2 * 2, k / 2 * 2 + 2);
      const auto [im, iv] = stats(i, i + 1, k, k + 1);
      for (std::int64_t j = 0; j < s; ++j) {
        const double v = nx.value[at(i, k, j)];
        const auto set = [&](Numbers& to, double m, double var) {
          to.value[at(i, k, j)] =
              (v - m) / std::sqrt(var + 1e-5) * nw.value[Numbers::index(k)] + nb.value[Numbers::index(k)];
          to.room[at(i, k, j)] = 8;
        };
        set(batch, bm, bv), set(group, gm, gv), set(instance, im, iv);
        double near = 0;
        for (std::int64_t d = k - 2; d <= k + 1; ++d) near += d >= 0 && d < c ? std::pow(nx.value[at(i, d, j)], 2) : 0;
        response.value[at(i, k, j)] = v / std::pow(2 + 0.3 * near / 4, 0.75);
        response.room[at(i, k, j)] = 8;
      }
    }
  }
  const Tensor mean = zeros({c}) + 0.5, var = ones({c}) * 2.0;
  const BatchNorm trained = batch_norm_training(x, mean, var, w, b, 0.25);
  expect_near("batch_norm, training", trained.result, batch, 32);
  Numbers moved_mean({c}), moved_var({c});
  for (std::int64_t k = 0; k < c; ++k) {
    const auto [m, v] = stats(0, n, k, k + 1);
    moved_mean.value[Numbers::index(k)] = 0.75 * 0.5 + 0.25 * m;
    moved_var.value[Numbers::index(k)] = 0.75 * 2 + 0.25 * v * 60 / 59;
    moved_mean.room[Numbers::index(k)] = moved_var.room[Numbers::index(k)] = 4;
  }
  expect_near("running mean", trained.mean, moved_mean, 64);
  expect_near("running variance", trained.var, moved_var, 64);
  Numbers fixed(x.shape());
  for (std::int64_t i = 0; i < fixed.shape.numel(); ++i) {
    const std::size_t k = Numbers::index(i / s % c);
    fixed.value[Numbers::index(i)] =
        (nx.value[Numbers::index(i)] - 0.5) / std::sqrt(2 + 1e-5) * nw.value[k] + nb.value[k];
    fixed.room[Numbers::index(i)] = 4;
  }
  expect_near("batch_norm", batch_norm(x, mean, var, w, b), fixed, 16);
  expect_near("group_norm", group_norm(x, 3, w, b), group, 32);
  expect_near("instance_norm", instance_norm(x, w, b), instance, 32);
  expect_near("local_response_norm", local_response_norm(x, 4, 0.3, 0.75, 2), response, 32);
  EXPECT_EQ(group_norm(data(f16, {2, 4, 3}, 6), 2).dtype(), f16);
  for (const double p : {1.0, 2.0, 3.0, static_cast<double>(INFINITY)}) {
    Numbers unit(x.shape());
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < s; ++j) {
        double norm = 0;
        for (std::int64_t k = 0; k < c; ++k) {
          const double v = std::abs(nx.value[at(i, k, j)]);
          norm = std::isinf(p) ? std::max(norm, v) : norm + std::pow(v, p);
        }
        if (!std::isinf(p)) norm = std::pow(norm, 1 / p);
        for (std::int64_t k = 0; k < c; ++k)
          unit.value[at(i, k, j)] = nx.value[at(i, k, j)] / norm, unit.room[at(i, k, j)] = 1;
      }
    }
    expect_near(fmt::format("normalize, p = {}", p), normalize(x, p), unit, 64);
  }
}

TEST_P(Norms, BadArguments) {
  const Tensor x = zeros({2, 4, 8, 8});
  const auto text = [](auto f) { return std::string(error_of(f).what()); };
  const auto has = [&](auto f, const char* part) { EXPECT_NE(text(f).find(part), std::string::npos) << text(f); };
  has([&] { return group_norm(x, 3); }, "do not divide into 3 groups");
  has([&] { return batch_norm(x, zeros({3}), ones({4})); }, "the mean has shape [3]; [4]");
  has([&] { return batch_norm_training(zeros({1, 4}), {}, {}).result; }, "training needs at least 2");
  has([&] { return normalize(x, 0); }, "p is 0");
  has([&] { return local_response_norm(x, 0); }, "the size is 0");
}

}  // namespace
}  // namespace tessera::test
