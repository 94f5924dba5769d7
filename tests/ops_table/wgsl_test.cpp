// The WGSL of every row and every conversion of the preludes, run on a device and compared with the table's reference.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/op.h"
#include "ops/elementwise/elementwise.h"
#include "ops_table/wgsl_runner.h"
#include "runtime/reference/reference.h"

namespace tessera {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kSmallest = std::numeric_limits<float>::min();

/// The largest error that is let pass, in units of the last place.
double allowed_ulps(const ElementwiseOp& row) {
  static const std::map<Op, double> few{
      {Op::kExp, 4},        {Op::kLog, 4},        {Op::kTanh, 4},       {Op::kErf, 4},      {Op::kSigmoid, 4},
      {Op::kDivide, 4},     {Op::kRsqrt, 4},      {Op::kSqrt, 4},       {Op::kSquare, 0.5}, {Op::kAdd, 0.5},
      {Op::kSubtract, 0.5}, {Op::kMultiply, 0.5}, {Op::kFloor, 0},      {Op::kCeil, 0},     {Op::kRound, 0},
      {Op::kTrunc, 0},      {Op::kAbs, 0},        {Op::kNegative, 0},   {Op::kSign, 0},     {Op::kMaximum, 0},
      {Op::kMinimum, 0},    {Op::kWhere, 0},      {Op::kRemainder, 0.5}};
  const auto found = few.find(row.op);
  return found == few.end() ? 8 : found->second;
}

std::string with_operands(std::string_view text, const std::string& type) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      out += text[i];
    } else if (text[++i] == 'T') {
      out += type;
    } else {
      out += 'x';
      out += text[i];
    }
  }
  return out;
}

bool gives_bool(TypeRule rule) {
  return rule == TypeRule::kCompare || rule == TypeRule::kTest || rule == TypeRule::kLogical;
}

Words bits_of(const std::vector<float>& values) {
  Words words;
  words.reserve(values.size());
  for (const float v : values) words.push_back(std::bit_cast<std::uint32_t>(v));
  return words;
}

const std::vector<float>& special_floats() {
  static const std::vector<float> values{0.0F,
                                         -0.0F,
                                         1.0F,
                                         -1.0F,
                                         kInf,
                                         -kInf,
                                         kNan,
                                         0.5F,
                                         -0.5F,
                                         2.0F,
                                         -2.0F,
                                         3.0F,
                                         -3.0F,
                                         1.5F,
                                         -1.5F,
                                         2.5F,
                                         -2.5F,
                                         1e-30F,
                                         -1e30F,
                                         1e30F,
                                         1e10F,
                                         -1e10F,
                                         88.7F,
                                         88.75F,
                                         -87.3F,
                                         -105.0F,
                                         128.0F,
                                         -150.0F,
                                         8388609.0F,
                                         16777216.0F,
                                         0.99999994F,
                                         1.0000001F,
                                         std::numeric_limits<float>::max(),
                                         std::numeric_limits<float>::lowest(),
                                         std::numeric_limits<float>::min()};
  return values;
}

/// Dense where functions bend, then all over the range. No subnormals: a device may take them for zero.
std::vector<float> sweep(std::uint32_t seed, bool shuffle) {
  std::vector<float> values;
  for (int i = -20000; i <= 20000; ++i) {
    values.push_back(static_cast<float>(i) * 2e-4F);
    values.push_back(static_cast<float>(i) * 5.1e-3F);
  }
  std::mt19937 random(seed);
  while (values.size() < 160000) {
    const float v = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isnormal(v)) values.push_back(v);
  }
  if (shuffle) std::shuffle(values.begin(), values.end(), random);
  return values;
}

/// One list for each operand: all pairs of special values, then the sweeps.
std::vector<std::vector<float>> float_operands(int arity) {
  const std::vector<float>& special = special_floats();
  if (arity == 1) {
    std::vector<float> all = sweep(1, false);
    all.insert(all.end(), special.begin(), special.end());
    return {all};
  }
  std::vector<float> a = sweep(2, true);
  std::vector<float> b = sweep(3, true);
  for (const float x : special) {
    for (const float y : special) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  return {a, b};
}

double spacing(double v) {
  const float f = std::clamp(static_cast<float>(std::abs(v)), std::numeric_limits<float>::min(), 0x1p127F);
  return static_cast<double>(std::nextafter(f, kInf)) - static_cast<double>(f);
}

/// How far apart, in ulps of the wanted value; infinite where a special value is missed.
double distance(const ElementwiseOp& row, float got, double want, double arg) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  if (std::isnan(want)) return std::isnan(got) ? 0 : kFar;
  const auto nearest = static_cast<float>(want);
  if (std::isinf(nearest)) return got == nearest || std::abs(want) < 3.40283e38 ? 0 : kFar;
  if (std::isinf(got)) return std::abs(want) > 3.40282e38 ? 0 : kFar;
  if (want == 0 && row.op != Op::kLgamma && row.op != Op::kMaximum && row.op != Op::kMinimum) {
    return got == 0 && std::signbit(got) == std::signbit(want) ? 0 : kFar;
  }
  // Sums of terms of either sign are good to so much of the terms.
  const bool sums = row.op == Op::kLgamma || row.op == Op::kDigamma;
  if (sums && std::isfinite(got))
    return std::abs(static_cast<double>(got) - want) / spacing(std::max(std::abs(want), 2 + 2 * std::abs(arg)));
  // Results below the normal range may be flushed to zero.
  if (std::abs(want) < kSmallest) return std::abs(got) <= kSmallest ? 0 : kFar;
  return std::isnan(got) ? kFar : std::abs(static_cast<double>(got) - want) / spacing(want);
}

class WgslOps : public runtime::WebGpuTest {
 protected:
  void SetUp() override {
    runtime::WebGpuTest::SetUp();
    if (!IsSkipped()) runner_ = std::make_unique<WgslRunner>();
  }
  std::unique_ptr<WgslRunner> runner_;
};

TEST_F(WgslOps, FloatsAreCloseToTheReference) {
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (row.wgsl.empty() || row.reference == nullptr || row.rule == TypeRule::kLogical || row.arity > 2) continue;
    const auto operands = float_operands(row.arity);
    std::vector<Words> inputs;
    for (const auto& o : operands) inputs.push_back(bits_of(o));
    const bool to_bool = gives_bool(row.rule);
    const Words got = runner_->run(with_operands(row.wgsl, "f32"), std::vector<std::string>(inputs.size(), "f32"),
                                   to_bool ? "bool" : "f32", inputs);
    double worst = 0;
    std::size_t where = 0;
    for (std::size_t k = 0; k < got.size(); ++k) {
      const double args[2] = {operands[0][k], operands.back()[k]};
      // Division is only promised for divisors up to 2^126.
      const double divisor = row.op == Op::kReciprocal ? args[0] : args[1];
      if ((row.op == Op::kDivide || row.op == Op::kReciprocal) && std::abs(divisor) > 0x1p126 &&
          std::isfinite(divisor)) {
        continue;
      }
      const double want = row.reference(args);
      const double d = to_bool ? std::abs(static_cast<double>(got[k]) - want)
                               : distance(row, std::bit_cast<float>(got[k]), want, args[0]);
      if (d > worst) {
        worst = d;
        where = k;
      }
    }
    RecordProperty(std::string(row.name), fmt::format("{:.2f}", worst));
    EXPECT_LE(worst, to_bool ? 0 : allowed_ulps(row))
        << row.name << " of " << operands[0][where] << ", " << operands.back()[where] << " gave "
        << std::bit_cast<float>(got[where]);
    fmt::print("{:14} worst {:.2f} ulp at {}, {}\n", row.name, worst, operands[0][where], operands.back()[where]);
  }
}

TEST_F(WgslOps, IntegersEqualTheReference) {
  std::mt19937_64 random(4);
  Words low, high, low2, high2;
  for (const std::uint64_t edge :
       {0x0ULL, 0x1ULL, 0x2ULL, 0x3ULL, 0x7ULL, 0x1fULL, 0x20ULL, 0x21ULL, 0x3fULL, 0x40ULL, 0x7fffffffULL,
        0x80000000ULL, 0xffffffffULL, 0x100000000ULL, 0x7fffffffffffffffULL, 0x8000000000000000ULL,
        0xffffffff80000000ULL, 0xfffffffffffffffdULL, 0xffffffffffffffffULL}) {
    low.push_back(static_cast<std::uint32_t>(edge));
    high.push_back(static_cast<std::uint32_t>(edge >> 32U));
  }
  std::vector<std::uint64_t> a;
  std::vector<std::uint64_t> b;
  for (std::size_t i = 0; i < low.size(); ++i) {
    for (std::size_t j = 0; j < low.size(); ++j) {
      a.push_back(low[i] | std::uint64_t{high[i]} << 32U);
      b.push_back(low[j] | std::uint64_t{high[j]} << 32U);
    }
  }
  for (int i = 0; i < 20000; ++i) {
    // Of any width, and of either sign.
    a.push_back(std::bit_cast<std::uint64_t>(std::bit_cast<std::int64_t>(random()) >> (random() % 64)));
    b.push_back(std::bit_cast<std::uint64_t>(std::bit_cast<std::int64_t>(random()) >> (random() % 64)));
  }
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (row.wgsl_int.empty() || row.arity > 2 || row.rule == TypeRule::kIndex) continue;
    for (const DType dtype : {i32, u32, i64, u64}) {
      const bool wide = size_of(dtype) == 8;
      const bool is_unsigned = !is_signed(dtype);
      std::vector<Words> inputs(static_cast<std::size_t>(row.arity));
      for (int o = 0; o < row.arity; ++o) {
        for (const std::uint64_t v : o == 0 ? a : b) {
          inputs[static_cast<std::size_t>(o)].push_back(static_cast<std::uint32_t>(v));
          if (wide) inputs[static_cast<std::size_t>(o)].push_back(static_cast<std::uint32_t>(v >> 32U));
        }
      }
      const std::string type(name(dtype));
      const std::string operand_type = wide ? (is_unsigned ? "U64" : "I64") : type;
      const std::string text = wide ? fmt::format("{}_{}({})", type, row.name, row.arity == 1 ? "x0" : "x0, x1")
                                    : with_operands(row.wgsl_int == "=" ? row.wgsl : row.wgsl_int, type);
      const bool to_bool = gives_bool(row.rule);
      const Words got = runner_->run(text, std::vector<std::string>(inputs.size(), operand_type),
                                     to_bool ? "bool" : operand_type, inputs);
      for (std::size_t k = 0; k < a.size(); ++k) {
        const std::int64_t args[2] = {reference::wrap_to(std::bit_cast<std::int64_t>(a[k]), dtype),
                                      reference::wrap_to(std::bit_cast<std::int64_t>(b[k]), dtype)};
        const std::int64_t want = reference::wrap_to(row.reference_int(args, is_unsigned), to_bool ? boolean : dtype);
        const std::uint64_t found = wide && !to_bool ? got[2 * k] | std::uint64_t{got[2 * k + 1]} << 32U : got[k];
        ASSERT_EQ(reference::wrap_to(std::bit_cast<std::int64_t>(found), to_bool ? u32 : dtype), want)
            << row.name << " of " << type << ": " << args[0] << ", " << args[1];
      }
    }
  }
}

TEST_F(WgslOps, BoolsEqualTheReference) {
  const std::vector<Words> inputs{{0, 0, 1, 1}, {0, 1, 0, 1}};
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (row.rule != TypeRule::kLogical && row.rule != TypeRule::kBits) continue;
    const auto arity = static_cast<std::size_t>(row.arity);
    const Words got = runner_->run(with_operands(row.wgsl, ""), std::vector<std::string>(arity, "bool"), "bool",
                                   {inputs.begin(), inputs.begin() + row.arity});
    for (std::size_t k = 0; k < 4; ++k) {
      const std::int64_t args[2] = {inputs[0][k], inputs[1][k]};
      EXPECT_EQ(got[k], static_cast<std::uint32_t>(row.reference_int(args, true) & 1)) << row.name;
    }
  }
}

TEST_F(WgslOps, WhereSelects) {
  const ElementwiseOp& row = elementwise(Op::kWhere);
  const Words got = runner_->run(with_operands(row.wgsl, ""), {"bool", "u32", "u32"}, "u32", {{1, 0}, {3, 4}, {5, 6}});
  EXPECT_EQ(got, (Words{3, 6}));
}

TEST_F(WgslOps, ConversionsToIntegers) {
  std::vector<float> values = sweep(5, false);
  values.insert(values.end(), special_floats().begin(), special_floats().end());
  for (const float edge : {0x1p31F, -0x1p31F, 0x1p32F, 0x1p63F, -0x1p63F, 0x1p64F, 2147483520.0F, 4294967040.0F}) {
    values.push_back(edge);
  }
  for (const DType dtype : {i32, u32, i64, u64}) {
    const bool wide = size_of(dtype) == 8;
    const std::string type(name(dtype));
    const Words got = runner_->run(type + "_from_f32(x0)", {"f32"}, wide ? "I64" : type, {bits_of(values)});
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::uint64_t found = wide ? got[2 * k] | std::uint64_t{got[2 * k + 1]} << 32U : got[k];
      ASSERT_EQ(reference::wrap_to(std::bit_cast<std::int64_t>(found), dtype), reference::to_integer(values[k], dtype))
          << type << " from " << values[k];
    }
  }
}

TEST_F(WgslOps, ConversionsOfLongIntegers) {
  std::mt19937_64 random(6);
  std::vector<std::uint64_t> values{0, 1, ~0ULL, 1ULL << 63U, (1ULL << 63U) - 1, (1ULL << 53U) + (1ULL << 29U) + 1};
  for (int i = 0; i < 50000; ++i) {
    values.push_back(random() >> (random() % 64));
    values.push_back(((random() & 0x1ffffffU) | 1U) << (random() % 39));  // halfway between two floats
  }
  Words pairs;
  for (const std::uint64_t v : values) {
    pairs.push_back(static_cast<std::uint32_t>(v));
    pairs.push_back(static_cast<std::uint32_t>(v >> 32U));
  }
  for (const DType dtype : {i64, u64}) {
    const std::string type(name(dtype));
    const Words floats = runner_->run(type + "_to_f32(x0)", {"I64"}, "f32", {pairs});
    const Words bools = runner_->run(type + "_to_bool(x0)", {"I64"}, "bool", {pairs});
    const Words words = runner_->run(type + "_from_u32(" + type + "_to_u32(x0))", {"I64"}, "I64", {pairs});
    const Words signed_words = runner_->run(type + "_from_i32(" + type + "_to_i32(x0))", {"I64"}, "I64", {pairs});
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double want = reference::to_float(std::bit_cast<std::int64_t>(values[k]), dtype == u64, f32);
      ASSERT_EQ(std::bit_cast<float>(floats[k]), want) << type << " " << values[k];
      ASSERT_EQ(bools[k] != 0, values[k] != 0);
      ASSERT_EQ(words[2 * k] | std::uint64_t{words[2 * k + 1]} << 32U, values[k] & 0xffffffffU);
      const auto extended = static_cast<std::int64_t>(static_cast<std::int32_t>(values[k]));
      ASSERT_EQ(std::bit_cast<std::int64_t>(signed_words[2 * k] | std::uint64_t{signed_words[2 * k + 1]} << 32U),
                extended);
    }
  }
}

TEST_F(WgslOps, SmallFloats) {
  Words all(65536);
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  const Words halves = runner_->run("f16_to_f32(x0)", {"u32"}, "f32", {all});
  const Words brains = runner_->run("bf16_to_f32(x0)", {"u32"}, "f32", {all});
  std::vector<float> values = sweep(7, false);
  values.insert(values.end(), special_floats().begin(), special_floats().end());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    Half h;
    h.bits = static_cast<std::uint16_t>(i);
    const auto want = static_cast<float>(h);
    const auto got = std::bit_cast<float>(halves[i]);
    ASSERT_TRUE(got == want || (std::isnan(got) && std::isnan(want))) << i;
    ASSERT_EQ(brains[i], i << 16U);
    if (std::isfinite(want)) {
      // The value, and the middles between it and its neighbours with what lies next to them.
      h.bits = static_cast<std::uint16_t>(i + 1);
      const auto next = static_cast<float>(h);
      const float middle = std::isfinite(next) ? (want + next) / 2 : 65520.0F;
      for (const float v : {want, middle, std::nextafter(middle, kInf), std::nextafter(middle, -kInf)})
        values.push_back(v);
    }
  }
  const Words to_half = runner_->run("f16_from_f32(x0)", {"f32"}, "u32", {bits_of(values)});
  const Words to_brain = runner_->run("bf16_from_f32(x0)", {"f32"}, "u32", {bits_of(values)});
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isnan(values[k])) {
      EXPECT_GT(to_half[k] & 0x7fffU, 0x7c00U);
      EXPECT_GT(to_brain[k] & 0x7fffU, 0x7f80U);
    } else {
      ASSERT_EQ(to_half[k], Half(values[k]).bits) << values[k];
      ASSERT_EQ(to_brain[k], BFloat16(values[k]).bits) << values[k];
    }
  }
  const Words packed = runner_->run("f16_pack(f16_unpack(x0)) ^ bf16_pack(bf16_unpack(x0))", {"u32"}, "u32",
                                    {Words{0x3c00c000U, 0x7bff0001U, 0x04000000U}});
  EXPECT_EQ(packed, Words(3, 0));
}

TEST_F(WgslOps, PhiloxEqualsTheOracle) {
  Words index;
  for (std::uint32_t i = 0; i < 4000; ++i) index.push_back(i * 1073741U);
  const Words got = runner_->run("philox(x0, 0x12345678u, 0x9abcdef0u, 7u, 3u)", {"u32"}, "u32", {index});
  for (std::size_t k = 0; k < index.size(); ++k) {
    ASSERT_EQ(got[k], reference::philox(index[k], 0x9abcdef012345678, 0x0000000300000007)) << index[k];
  }
}

}  // namespace
}  // namespace tessera
