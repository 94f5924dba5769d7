// Attention, rope and alibi under autograd, and what rope and alibi give.
#include "autograd/support.h"
#include "support.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

TEST(AttentionAutograd, FirstAndSecondDerivatives) {
  const Tensors x{random_f64({1, 4, 3, 4}, 1), random_f64({1, 2, 5, 4}, 2), random_f64({1, 2, 5, 4}, 3)};
  check_gradient(
      "causal", [](const Tensors& t) { return scaled_dot_product_attention(t[0], t[1], t[2], {.causal = true}); }, x);
  const Tensors odd{random_f64({2, 3, 3}, 4), random_f64({2, 4, 3}, 5), random_f64({2, 4, 3}, 6)};  // D is padded
  check_gradient("rank 3", [](const Tensors& t) { return scaled_dot_product_attention(t[0], t[1], t[2]); }, odd);
  const Tensors biased{odd[0], odd[1], odd[2], random_f64({3, 4}, 7)};
  check_gradient(
      "a mask with a gradient",
      [](const Tensors& t) { return scaled_dot_product_attention(t[0], t[1], t[2], {.mask = t[3]}); }, biased);
  for (const bool interleaved : {false, true}) {
    check_gradient("rope", [&](const Tensors& t) { return rope(t[0], 3, {.interleaved = interleaved}); },
                   {random_f64({2, 3, 4}, 8)});
  }
}

class Positions : public DeviceTest {};

TEST_P(Positions, Rope) {
  // Pairs turn by position * base^(-2i / D) / scaling.
  const auto v = plain(f32, {2, 5, 6}, 1);
  const Tensor x = make_tensor(v, device_);
  const Tensor positions(std::vector<int>{7, 1, 0, 100, 3}, {5}, device_);
  for (const bool interleaved : {false, true}) {
    const auto got = rope(x, positions, {.base = 500, .scaling = 2, .interleaved = interleaved}).to_vector<float>();
    const std::vector<double> at{7, 1, 0, 100, 3};
    for (std::size_t row = 0; row < 10; ++row) {
      for (std::size_t i = 0; i < 3; ++i) {
        const double angle = at[row % 5] / 2 * std::pow(500.0, -2.0 * static_cast<double>(i) / 6);
        const std::size_t a = row * 6 + (interleaved ? 2 * i : i);
        const std::size_t b = row * 6 + (interleaved ? 2 * i + 1 : i + 3);
        // The angle's own rounding, times numbers up to 4.
        const double bound = 8 * unit_roundoff(f32) * 4 * (2 + std::abs(angle)) * 2;
        EXPECT_NEAR(got[a], v.f[a] * std::cos(angle) - v.f[b] * std::sin(angle), bound);
        EXPECT_NEAR(got[b], v.f[a] * std::sin(angle) + v.f[b] * std::cos(angle), bound);
      }
    }
  }
  const Tensor next = rope(slice(x, {{}, {1, 3}}), 1);
  const auto whole = rope(x).to_vector<float>();
  const auto part = next.to_vector<float>();
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(part[i], whole[6 + i], 1e-6);
  EXPECT_EQ(rope(x.astype(f16)).dtype(), f16);
  // The largest rank: there is no room for an axis of the pairs.
  for (const bool interleaved : {false, true}) {
    const Tensor many = reshape(x, {2, 1, 1, 1, 1, 1, 5, 6});
    EXPECT_EQ(rope(many, positions, {.interleaved = interleaved}).to_vector<float>(),
              rope(x, positions, {.interleaved = interleaved}).to_vector<float>());
  }
}

TEST_P(Positions, Alibi) {
  // Eight heads: slopes 1/2, 1/4, .., 1/256. Twelve: those, and four of sixteen heads' slopes 2^(-1/2), 2^(-3/2), ..
  const auto eight = alibi(8, 2, 3, f32, device_).to_vector<float>();
  ASSERT_EQ(eight.size(), 48U);
  EXPECT_FLOAT_EQ(eight[0], -0.5F);  // query 0 is at place 1
  EXPECT_FLOAT_EQ(eight[1], 0.0F);
  EXPECT_FLOAT_EQ(eight[3], -1.0F);
  EXPECT_FLOAT_EQ(eight[7 * 6 + 3], -2.0F / 256);
  const auto twelve = alibi(12, 1, 2, f32, device_).to_vector<float>();
  EXPECT_FLOAT_EQ(twelve[2 * 7], -1.0F / 256);
  EXPECT_FLOAT_EQ(twelve[2 * 8], -std::exp2(-0.5F));
  EXPECT_FLOAT_EQ(twelve[2 * 11], -std::exp2(-3.5F));
}

TEST_P(Positions, BadInput) {
  const auto says = [](const auto& f, const char* part) {
    const std::string text = error_of(f).what();
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says([&] { rope(zeros({4, 3}, f32, device_)); }, "even size; it is [4, 3]");
  says([&] { rope(zeros({4}, f32, device_)); }, "it is [4]");
  says([&] { rope(zeros({4, 2}, f32, device_), zeros({5}, i32, device_)); }, "positions of shape [5]");
  says([&] { rope(zeros({4, 2}, f32, device_), 0, {.base = 0}); }, "the base is 0");
  says([&] { rope(zeros({4, 2}, f32, device_), 0, {.scaling = -1}); }, "the scaling is -1");
  says([&] { alibi(0, 1, 1, f32, device_); }, "0 heads");
  says([&] { alibi(1, 1, 1, i32, device_); }, "type is i32");
}

TESSERA_ON_ALL_DEVICES(Positions);

}  // namespace
}  // namespace tessera::test
