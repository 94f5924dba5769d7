// Blocks on the host: known values, PyPI's gguf (points.json, by make_points.py), repacking, and hostile numbers.
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ops/quant/quant.h"
#include "quant/support.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

const nlohmann::json& points() {
  static const nlohmann::json all = [] {
    std::ifstream file(std::string(TESSERA_SOURCE_DIR) + "/tests/quant/points.json");
    return file ? nlohmann::json::parse(file) : nlohmann::json::object();
  }();
  return all;
}

Bytes from_hex(const std::string& text) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

TEST(Blocks, DequantizeAsGguf) {
  ASSERT_TRUE(points().contains("dequantize")) << "tests/quant/points.json is missing: run make_points.py";
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    const auto& row = points().at("dequantize").at(std::string(t.name));
    const Bytes blocks = from_hex(row.at(0));
    const Bytes bits = from_hex(row.at(1));
    const std::vector<float> got = dequantize_blocks(t.dtype, blocks);
    ASSERT_EQ(got.size() * 4, bits.size()) << t.name;
    for (std::size_t i = 0; i < got.size(); ++i) {
      float want = 0;
      std::memcpy(&want, bits.data() + 4 * i, 4);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(got[i]), std::bit_cast<std::uint32_t>(want))
          << t.name << " element " << i << ": " << got[i] << ", expected " << want;
    }
  }
}

/// elements() of make_points.py.
std::vector<float> elements(int count) {
  std::uint32_t state = 1;
  std::vector<float> all;
  for (int row = 0; row < count; ++row) {
    const float scale = std::ldexp(1.0F, row * 5 % 31 - 17);
    std::vector<float> x;
    for (int i = 0; i < 32; ++i) {
      state = state * 1664525U + 1013904223U;
      x.push_back((static_cast<float>(state >> 8U) / 8388608.0F - 1) * scale);
    }
    switch (row % 8) {
      case 1:
        for (float& v : x) v = std::nearbyint(v / scale * 16) / 16;
        break;
      case 2:
        x.assign(32, 0);
        break;
      case 3:
        x.assign(32, x[5]);
        break;
      case 4:
        for (float& v : x) v = std::abs(v);
        break;
      case 5:
        x[7] = std::nextafter(4 * scale, 0.0F);
        break;
      case 6:
        x.assign(32, 0);
        x[31] = -scale;
        break;
      default:
        break;
    }
    all.insert(all.end(), x.begin(), x.end());
  }
  return all;
}

TEST(Blocks, QuantizeAsGguf) {
  const std::vector<float> x = elements(24);
  int made = 0;
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    ASSERT_EQ(ops::quantizes_by_formula(t.dtype), points().at("quantize").contains(std::string(t.name))) << t.name;
    if (!ops::quantizes_by_formula(t.dtype)) continue;
    ++made;
    const Bytes want = from_hex(points().at("quantize").at(std::string(t.name)));
    const Bytes got = quantize_blocks(t.dtype, x);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(static_cast<int>(got[i]), static_cast<int>(want[i]))
          << t.name << " block " << i / t.size << " byte " << i % t.size;
    }
  }
  EXPECT_EQ(made, 6);
}

TEST(Blocks, RepackingLosesNothing) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 5U, 8U}) {
      Bytes blocks(count * t.size);
      std::mt19937 random(7);
      for (std::byte& b : blocks) b = static_cast<std::byte>(random());
      const ops::Planes planes = ops::repack(t.dtype, blocks);
      EXPECT_EQ(ops::unpack(t.dtype, planes, count), blocks) << t.name << " " << count;
    }
  }
}

TEST(Blocks, ScalesThatAreNotFinite) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    Bytes b = random_blocks(t.dtype, t.elements, 3);
    for (const int bits : {0x7e00, 0x7c00}) {  // NaN and infinity
      if (t.dtype == mxfp4) {
        b[0] = std::byte{255};  // the NaN of E8M0
      } else {
        const std::size_t at = scale_at(t.dtype);
        b[at] = static_cast<std::byte>(bits & 255);
        b[at + 1] = static_cast<std::byte>(bits >> 8);
      }
      for (const float v : dequantize_blocks(t.dtype, b)) {
        if (bits == 0x7e00 || t.dtype == mxfp4) {
          EXPECT_TRUE(std::isnan(v)) << t.name;
        } else {
          EXPECT_FALSE(std::isfinite(v)) << t.name;
        }
      }
    }
  }
}

TEST(Blocks, ExponentsOfMXFP4) {
  Bytes b(17);
  b[1] = std::byte{0x07};  // element 0: 6, element 16: 0
  const auto first = [&](int e) {
    b[0] = static_cast<std::byte>(e);
    return dequantize_blocks(mxfp4, b)[0];
  };
  EXPECT_EQ(first(127), 6.0F);
  EXPECT_EQ(first(128), 12.0F);
  EXPECT_EQ(first(1), 6 * 0x1p-126F);
  EXPECT_EQ(first(0), 6 * 0x1p-127F);
  EXPECT_EQ(first(252), 6 * 0x1p125F);
  EXPECT_TRUE(std::isinf(first(254)));
  EXPECT_TRUE(std::isnan(first(255)));
}

TEST(Blocks, QuantizeSmallNumbers) {
  // A scale below the subnormals of f16 is 0, and so are the elements; no infinity comes from its inverse.
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    const auto n = static_cast<std::size_t>(t.elements);
    for (const float size : {1e-45F, 1e-39F, 1e-30F, 1e-9F, 1e-7F}) {
      std::vector<float> x(n);
      for (std::size_t i = 0; i < n; ++i) x[i] = size * (static_cast<float>(i % 32) / 16 - 1);
      for (const float v : dequantize_blocks(t.dtype, quantize_blocks(t.dtype, x))) {
        EXPECT_LE(std::abs(v), 4 * std::max(size, 0x1p-24F)) << t.name << " " << size;
      }
    }
  }
}

TEST(Blocks, QuantizeRefusesNumbersOutOfRange) {
  const auto text = [](const auto& f) { return std::string(error_of(f).what()); };
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    const auto n = static_cast<std::size_t>(t.elements);
    EXPECT_TRUE(quantize_blocks(t.dtype, {}).empty());
    for (const float bad : {INFINITY, -INFINITY, std::nanf("")}) {
      std::vector<float> x(2 * n, 1);
      x[39] = bad;
      EXPECT_NE(text([&] { quantize_blocks(t.dtype, x); }).find("element 39"), std::string::npos) << t.name;
    }
    std::vector<float> x(2 * n, 1);
    x[39] = -1e30F;
    if (t.dtype == mxfp4) {
      EXPECT_NEAR(dequantize_blocks(t.dtype, quantize_blocks(t.dtype, x))[39] / -1e30F, 1, 0.25);
    } else {
      EXPECT_NE(text([&] { quantize_blocks(t.dtype, x); }).find("element 39"), std::string::npos) << t.name;
    }
  }
  EXPECT_NE(text([&] { quantize_blocks(f16, {}); }).find("q4_0"), std::string::npos);
  EXPECT_NE(text([&] { dequantize_blocks(f32, {}); }).find("block dtype"), std::string::npos);
}

/// The root of the mean squared error, relative to that of the elements.
double relative_rmse(DType dtype, const std::vector<float>& x) {
  const std::vector<float> y = dequantize_blocks(dtype, quantize_blocks(dtype, x));
  double error = 0;
  double all = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error += std::pow(static_cast<double>(x[i]) - static_cast<double>(y[i]), 2);
    all += std::pow(static_cast<double>(x[i]), 2);
  }
  return std::sqrt(error / all);
}

TEST(Blocks, ErrorsOfQuantization) {
  struct Bound {
    DType dtype;
    double normal, heavy;  // Gaussian numbers, and Student's t of 3 degrees of freedom
  };
  constexpr std::array kBounds{Bound{q4_0, 0.088, 0.150},   Bound{q4_1, 0.080, 0.115},   Bound{q5_0, 0.044, 0.080},
                               Bound{q5_1, 0.039, 0.058},   Bound{q8_0, 0.0056, 0.010},  Bound{mxfp4, 0.118, 0.155},
                               Bound{q2_k, 0.268, 0.310},   Bound{q3_k, 0.146, 0.195},   Bound{q4_k, 0.0715, 0.100},
                               Bound{q5_k, 0.0354, 0.050},  Bound{q6_k, 0.0173, 0.0265}, Bound{iq4_nl, 0.0745, 0.105},
                               Bound{iq4_xs, 0.0750, 0.107}};
  static_assert(kBounds.size() == kBlockDTypeInfo.size());
  std::mt19937 random(5);
  std::vector<float> normal(std::size_t{256} * 256);
  std::vector<float> heavy(normal.size());
  std::normal_distribution<float> gauss;
  std::student_t_distribution<float> student(3);
  for (float& v : normal) v = gauss(random);
  for (float& v : heavy) v = student(random);
  for (const Bound& b : kBounds) {
    EXPECT_LT(relative_rmse(b.dtype, normal), b.normal) << name(b.dtype);
    EXPECT_LT(relative_rmse(b.dtype, heavy), b.heavy) << name(b.dtype);
  }
}

TEST(Blocks, QuantizeBlocksAtTheEdges) {
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    const auto n = static_cast<std::size_t>(t.elements);
    for (const float v : dequantize_blocks(t.dtype, quantize_blocks(t.dtype, std::vector<float>(n, 0.0F)))) {
      EXPECT_EQ(v, 0.0F) << t.name;
    }
    // One value everywhere: the largest code of some scale. MXFP4 has its scales in powers of two.
    for (const float value : {1.0F, -1.0F, 0.37F, -12345.0F, 60000.0F}) {
      const std::vector<float> x(n, value);
      EXPECT_LT(relative_rmse(t.dtype, x), t.dtype == mxfp4 ? 0.2 : 0.002) << t.name << " " << value;
    }
    // One element far from the others.
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i % 7) - 3;
    x[n - 5] = -30000;
    const std::vector<float> y = dequantize_blocks(t.dtype, quantize_blocks(t.dtype, x));
    EXPECT_NEAR(y[n - 5] / x[n - 5], 1, t.dtype == mxfp4 ? 0.25 : 0.01) << t.name;
    // The largest numbers that the f16 scales reach, and twice of them.
    if (t.dtype == mxfp4) continue;
    float reach = 1;
    const auto fits = [&](float size) {
      std::vector<float> some(n, 0.0F);
      some[3] = size;
      some[9] = -size;
      try {
        for (const float v : dequantize_blocks(t.dtype, quantize_blocks(t.dtype, some))) EXPECT_TRUE(std::isfinite(v));
        return true;
      } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::kValue);
        return false;
      }
    };
    while (fits(reach) && reach < 1e30F) reach *= 2;
    EXPECT_GT(reach, 65504.0F) << t.name;
    EXPECT_LT(reach, 1e12F) << t.name;
  }
}

TEST(Blocks, QuantizeBeatsTheNearestScales) {
  // The search is not worse than scales from the largest elements: the formula of Q4_1 in sub-blocks of 32.
  std::mt19937 random(11);
  std::normal_distribution<float> gauss(0.3F);
  std::vector<float> x(std::size_t{256} * 64);
  for (float& v : x) v = gauss(random);
  EXPECT_LT(relative_rmse(q4_k, x), relative_rmse(q4_1, x));
  EXPECT_LT(relative_rmse(q5_k, x), relative_rmse(q5_1, x));
  EXPECT_LT(relative_rmse(iq4_nl, x), relative_rmse(q4_0, x));
  EXPECT_LT(relative_rmse(q6_k, x), relative_rmse(q5_0, x) / 2);
}

}  // namespace
}  // namespace tessera::test
