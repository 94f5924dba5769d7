// Numbers at the ends of their types, on every device: scalars, casts, reads, ranges, draws, and raw bytes of bool.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include <gtest/gtest.h>

#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr std::uint64_t kPast63 = (std::uint64_t{1} << 63U) + 5;  // no int64_t holds it

using Ints = std::vector<std::int32_t>;

class Numbers : public DeviceTest {};

TEST_P(Numbers, ItemIsExact) {
  EXPECT_EQ(Tensor(std::vector<std::int32_t>{16777217}, {1}).item<double>(), 16777217.0);
  EXPECT_EQ(Tensor(std::vector<std::uint32_t>{4294967295U}, {1}).item<double>(), 4294967295.0);
  EXPECT_EQ(Tensor(std::vector<std::int64_t>{(1LL << 53) - 1}, {1}).item<double>(), 9007199254740991.0);
  EXPECT_EQ(Tensor(std::vector<std::uint64_t>{kPast63}, {1}).item<std::uint64_t>(), kPast63);
  EXPECT_EQ(Tensor(std::vector<std::uint64_t>{kPast63}, {1}).item<double>(), 0x1p63);
  EXPECT_EQ(Tensor(std::vector<float>{0.5F}, {1}).item<bool>(), true);
  EXPECT_EQ(Tensor(std::vector<float>{300.7F}, {1}).item<std::uint8_t>(), 44);  // 300, of which the low bits
  EXPECT_EQ(Tensor(std::vector<float>{std::nanf("")}, {1}).item<int>(), 0);
}

TEST_P(Numbers, ItemAndTextAreWhatIsStored) {
  for (const DType t : {f16, bf16}) {
    const auto third = [&] { return cast(Tensor(std::vector<float>{1}, {1}), t) / cast(tessera::full({1}, 3), t); };
    const Tensor stored = third();
    stored.eval();
    const double value = cast(stored, f32).item<double>();
    EXPECT_EQ(third().item<double>(), value) << name(t);
    EXPECT_EQ(third().str(), stored.str()) << name(t);
  }
}

TEST_P(Numbers, ScalarsOfUnsigned64Bits) {
  const Tensor x(std::vector<std::uint64_t>{0, 1, kPast63}, {3});
  EXPECT_EQ((x + kPast63).to_vector<std::uint64_t>(), (std::vector<std::uint64_t>{kPast63, kPast63 + 1, 10}));
  EXPECT_EQ(equal(x, kPast63).to_vector<bool>(), (std::vector<bool>{false, false, true}));
  EXPECT_EQ(tessera::full({2}, kPast63).to_vector<std::uint64_t>(), (std::vector<std::uint64_t>{kPast63, kPast63}));
  EXPECT_EQ(tessera::full({2}, kPast63, f32).to_vector<float>(), (std::vector<float>{0x1p63F, 0x1p63F}));
  EXPECT_EQ(tessera::full({}, ~std::uint64_t{0}).item<std::uint64_t>(), ~std::uint64_t{0});
  const Error e = error_of([&] { static_cast<void>(cast(x, i64) + kPast63); });
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  EXPECT_NE(std::string(e.what()).find("9223372036854775813"), std::string::npos) << e.what();
  EXPECT_EQ((Tensor(std::vector<bool>{true}, {1}) + (1LL << 40)).item<std::int64_t>(), (1LL << 40) + 1);
}

TEST_P(Numbers, CastsOfScalarsAreThoseOfTensors) {
  EXPECT_EQ(tessera::full({}, 300, u8).item<int>(), 44);
  EXPECT_EQ((cast(Tensor(0.1), f16) * cast(Tensor(std::vector<float>{1000}, {1}), f32)).item<float>(),
            static_cast<float>(Half(0.1F)) * 1000);
  if (!on_cpu()) return;  // casts of tensors are compared with the oracle elsewhere; scalars are converted on the host
  const std::vector<DType> types{boolean, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64, c64, c128};
  const std::vector<double> values{0,    1,     -1,      0.5,   -0.5,    2.5,         127,    128,      255,
                                   256,  300,   -129,    32768, 65519.9, 65520,       70000,  16777217, -16777219,
                                   1e10, -1e10, 3e38,    1e39,  -1e39,   1e-8,        0x1p63, -0x1p63,  1.9e19,
                                   0.1,  1e300, 33000.7, kInf,  -kInf,   std::nan("")};
  for (const DType from : types) {
    std::vector<Tensor> scalars;
    for (const double v : values) {
      // What the first type makes of the number, once as a scalar and once as a tensor that holds it.
      scalars.push_back(cast(Tensor(v), from));
    }
    std::vector<Tensor> spread;
    for (const Tensor& s : scalars) spread.push_back(tessera::full({1}, s));
    const Tensor tensor = contiguous(concat(spread)).eval();
    for (const DType to : types) {
      if (is_complex(from) && !is_complex(to) && to != boolean) continue;
      const HostView want = host_view(cast(tensor, to).eval());
      std::vector<Tensor> cast_scalars;
      for (const Tensor& s : scalars) cast_scalars.push_back(tessera::full({1}, cast(s, to)));
      const HostView got = host_view(concat(cast_scalars));
      ASSERT_EQ(got.bytes.size(), want.bytes.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t size = size_of(to);
        if (std::isnan(values[i]) && (is_float(to) || is_complex(to))) continue;  // of which bits there are many
        EXPECT_EQ(std::memcmp(got.bytes.data() + i * size, want.bytes.data() + i * size, size), 0)
            << values[i] << " from " << name(from) << " to " << name(to);
      }
    }
  }
}

TEST_P(Numbers, RangesOfIntegersAreExact) {
  EXPECT_EQ(linspace(16777216, 16777219, 4, i32).to_vector<std::int32_t>(),
            (Ints{16777216, 16777217, 16777218, 16777219}));
  EXPECT_EQ(linspace(-2147483648.0, 2147483647, 4, i32).to_vector<std::int32_t>(),
            (Ints{INT32_MIN, -715827883, 715827882, INT32_MAX}));
  EXPECT_EQ(linspace(0, 1, 50, i32).to_vector<std::int32_t>().back(), 1);
  EXPECT_EQ(linspace(0, 10, 5, i32).to_vector<std::int32_t>(), (Ints{0, 2, 5, 7, 10}));  // NumPy's
  EXPECT_EQ(linspace(10, -1, 4, i32).to_vector<std::int32_t>(), (Ints{10, 6, 2, -1}));
  EXPECT_EQ(linspace(-0.5, 2.5, 4, i32).to_vector<std::int32_t>(), (Ints{-1, 0, 1, 2}));
  EXPECT_EQ(linspace(3.9, 7, 1, i32).to_vector<std::int32_t>(), (Ints{3}));
  EXPECT_EQ(linspace(0, 0x1p62, 3, i64).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{0, std::int64_t{1} << 61, std::int64_t{1} << 62}));
  EXPECT_EQ(linspace(0, 0x1p63, 2, u64).to_vector<std::uint64_t>(),
            (std::vector<std::uint64_t>{0, std::uint64_t{1} << 63U}));
  EXPECT_EQ(error_of([] { linspace(0, 256, 4, u8); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { arange(0, 300, 1, u8); }).kind(), ErrorKind::kValue);
}

TEST_P(Numbers, FractionsMakeARangeOfFloats) {
  const Tensor x = arange(0, 1, 0.25);
  EXPECT_EQ(x.dtype(), f32);
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{0, 0.25F, 0.5F, 0.75F}));
  EXPECT_EQ(arange(0.5, 3).to_vector<float>(), (std::vector<float>{0.5F, 1.5F, 2.5F}));
  EXPECT_EQ(arange(0, 3).dtype(), i32);
  EXPECT_EQ(arange(0x1p40, 0x1p40 + 2).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{std::int64_t{1} << 40, (std::int64_t{1} << 40) + 1}));
}

TEST_P(Numbers, AnyByteOtherThanZeroIsTrue) {
  const std::array<std::uint8_t, 5> raw{2, 0, 255, 1, 128};
  const auto bytes = std::as_bytes(std::span(raw));
  const Buffer buffer = Buffer::allocate(device_, {.size = raw.size()});
  buffer.copy_to(bytes);
  const Tensor uploaded = Tensor::from_bytes(raw.data(), raw.size(), boolean, {5}, device_);
  const Tensor lent = from_host({bytes, nullptr}, boolean, {5}, device_);
  for (const Tensor& x : {uploaded, lent, buffer.tensor({5}, boolean)}) {
    EXPECT_EQ(sum(x).item<int>(), 4);
    EXPECT_EQ(cast(x, f32).to_vector<float>(), (std::vector<float>{1, 0, 1, 1, 1}));
    EXPECT_EQ(sum(equal(x, logical_not(logical_not(x)))).item<int>(), 5);
    EXPECT_EQ(sum(cast(flip(x), i32) * 2).item<int>(), 8);
    EXPECT_EQ(logical_xor(x, true).to_vector<bool>(), (std::vector<bool>{false, true, false, false, false}));
    EXPECT_EQ(where(x, 1, 0).to_vector<std::int32_t>(), (Ints{1, 0, 1, 1, 1}));
    EXPECT_EQ(cumsum(x, 0).to_vector<std::int32_t>(), (Ints{1, 1, 2, 3, 4}));
    EXPECT_EQ(sort(x).to_vector<bool>(), (std::vector<bool>{false, true, true, true, true}));
    EXPECT_EQ(max(x).item<bool>(), true);
    EXPECT_EQ(nonzero(x).numel(), 4);
    EXPECT_EQ(slice(x, {{0, {}, 2}}).to_vector<bool>(), (std::vector<bool>{true, true, true}));
  }
}

TEST_P(Numbers, CloseIntegersAreExact) {
  const Tensor a(std::vector<std::int32_t>{16777217, 16777216, INT32_MAX, INT32_MIN}, {4});
  const Tensor b(std::vector<std::int32_t>{16777216, 16777216, INT32_MIN, INT32_MAX}, {4});
  EXPECT_EQ(isclose(a, b, 0, 0).to_vector<bool>(), (std::vector<bool>{false, true, false, false}));
  EXPECT_EQ(isclose(a, b, 0, 1).to_vector<bool>(), (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(isclose(a, 16777216, 1e-5).to_vector<bool>(), (std::vector<bool>{true, true, false, false}));
  const Tensor c(std::vector<std::uint64_t>{kPast63, 0}, {2});
  EXPECT_EQ(isclose(c, kPast63 - 1, 0, 0.5).to_vector<bool>(), (std::vector<bool>{false, false}));
  EXPECT_EQ(isclose(c, kPast63 - 1, 0, 1).to_vector<bool>(), (std::vector<bool>{true, false}));
  EXPECT_EQ(isclose(cast(a, i8), cast(b, i8), 0, 1).to_vector<bool>(), (std::vector<bool>{true, true, true, true}));
}

TEST_P(Numbers, QuantilesDoNotOverflow) {
  const auto row = [](std::vector<float> v) { return Tensor(v, {static_cast<std::int64_t>(v.size())}); };
  EXPECT_EQ(median(row({kInf, kInf})).item<float>(), kInf);
  EXPECT_EQ(median(row({-kInf, -kInf, 5, -kInf})).item<float>(), -kInf);
  EXPECT_EQ(median(row({3e38F, -3e38F})).item<float>(), 0);
  EXPECT_EQ(median(row({1, kInf})).item<float>(), kInf);
  EXPECT_TRUE(std::isnan(median(row({-kInf, kInf})).item<float>()));  // as NumPy
  EXPECT_EQ(median(row({0.1F, 0.1F})).item<float>(), 0.1F);
  EXPECT_NEAR(quantile(row({-3e38F, 3e38F}), 0.25).item<float>(), -1.5e38F, 1e32F);
  EXPECT_NEAR(quantile(row({-3e38F, 3e38F}), 0.75).item<float>(), 1.5e38F, 1e32F);
  EXPECT_EQ(median(cast(row({-60000, 60000}), f16)).item<float>(), 0);
}

TEST_P(Numbers, UniformStaysBelowHigh) {
  random::set_seed(3);
  const Shape shape{on_cpu() ? 200000 : 20000};  // an f16 in 4,000 rounds up to 1
  const auto inside = [&](const Tensor& x, double low, double high) {
    const std::vector<float> values = cast(x, f32).to_vector<float>();
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    EXPECT_LT(*most, high) << name(x.dtype());
    EXPECT_GE(*least, low) << name(x.dtype());
  };
  for (const DType t : {f16, bf16, f32}) {
    inside(random::uniform(shape, 0.0, 1.0, t), 0, 1);
    inside(random::uniform(shape, -1.0, 0.0, t), -1, 0);
    inside(random::uniform(shape, 100.0, 101.0, t), 100, 101);
    inside(random::uniform(shape, -2.0, -1.0, t), -2, -1);
    inside(random::uniform(shape, tessera::full({1}, 0.0), tessera::full({1}, 1.0), t), 0, 1);
    inside(random::uniform(shape, tessera::full({1}, -1.0), tessera::full({1}, 0.0), t), -1, 0);
  }
  inside(random::uniform(shape, 16777214.0, 16777216.0), 16777214, 16777216);
  EXPECT_EQ(random::uniform({3}, 2.0, 2.0).to_vector<float>(), (std::vector<float>{2, 2, 2}));
}

TEST_P(Numbers, RandintFitsItsType) {
  EXPECT_EQ(error_of([] { random::randint({3}, 0, 257, u8); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { random::randint({3}, -1, 5, u32); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { random::randint({3}, -129, 5, i8); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { random::randint({3}, INT64_MIN, INT64_MAX, i64); }).kind(), ErrorKind::kValue);
  const Tensor x = random::randint({10000}, -128, 128, i8);
  EXPECT_EQ(min(x).item<int>(), -128);
  EXPECT_EQ(max(x).item<int>(), 127);
}

TEST(Quantize, RefusesWhatBlocksDoNotHold) {
  for (const DType format : {q4_0, q8_0}) {
    for (const float bad : {kInf, -kInf, std::nanf(""), 1e10F}) {
      std::vector<float> x(32, 1);
      x[7] = bad;
      const Error e = error_of([&] { quantize_blocks(format, x); });
      EXPECT_EQ(e.kind(), ErrorKind::kValue);
      EXPECT_NE(std::string(e.what()).find("element 7"), std::string::npos) << e.what();
    }
    std::vector<float> x(32, 65504.0F * (format == q8_0 ? 127 : 8));
    const std::vector<float> back = dequantize_blocks(format, quantize_blocks(format, x));
    EXPECT_NEAR(back[0], x[0], x[0] / 8);
    const Tensor infinite = tessera::full({1, 32}, kInf, f32, Device::create({.device = "cpu"}));
    EXPECT_TRUE(std::isnan(dequantize(quantize(infinite, format)).to_vector<float>()[0]));
    EXPECT_EQ(error_of([&] { quantize(tessera::full({1, 256}, kInf), q6_k); }).kind(), ErrorKind::kValue);
  }
}

TESSERA_ON_ALL_DEVICES(Numbers);

/// Tensors past one binding.
class WindowedNumbers : public DeviceTest {};

TEST_P(WindowedNumbers, ScattersGoPastOneBinding) {
  constexpr std::int64_t kRows = 2600;  // 10 KiB of f32: three bindings
  const Tensor x = arange(0, kRows, 1, f32).eval();
  std::vector<float> want = x.to_vector<float>();
  for (std::size_t i = 0; i < want.size(); i += 2) want[i] = -1;
  EXPECT_EQ(index_set(x, {Slice{0, {}, 2}}, -1.0).to_vector<float>(), want);

  // More updates than a binding holds, several for one place: the last stays, and sums add up.
  const Tensor at = remainder(arange(0, 3000, 1, i32) * 7, static_cast<std::int64_t>(kRows)).eval();
  const Tensor values = arange(0, 3000, 1, f32).eval();
  std::vector<float> set = x.to_vector<float>();
  std::vector<float> added = set;
  for (int i = 0; i < 3000; ++i) {
    const auto to = static_cast<std::size_t>(i * 7 % kRows);
    set[to] = static_cast<float>(i);
    added[to] += static_cast<float>(i);
  }
  EXPECT_EQ(index_set(x, {At(at)}, values).to_vector<float>(), set);
  EXPECT_EQ(index_add(x, {At(at)}, values).to_vector<float>(), added);
  EXPECT_EQ(scatter(x, at, values, 0, Scatter::kMax).to_vector<float>(),
            maximum(x, scatter(x, at, values, 0)).to_vector<float>());

  // Rows of a matrix: one row is most of a binding.
  const Tensor m = zeros({6, 900}).eval();
  const Tensor rows = index_add(m, 0, Tensor(std::vector<std::int32_t>{5, 0, 5}, {3}), ones({3, 900}));
  EXPECT_EQ(sum(rows, {1}).to_vector<float>(), (std::vector<float>{900, 0, 0, 0, 0, 1800}));

  // The gradient of taking rows is a scatter, too.
  const auto taken = [&](const Tensor& t) { return sum(take(t, at, 0) * values); };
  std::vector<float> back(static_cast<std::size_t>(kRows));
  for (int i = 0; i < 3000; ++i) back[static_cast<std::size_t>(i * 7 % kRows)] += static_cast<float>(i);
  EXPECT_EQ(grad(taken)(x).to_vector<float>(), back);
}

TESSERA_ON_WINDOWED_DEVICES(WindowedNumbers);

}  // namespace
}  // namespace tessera::test
