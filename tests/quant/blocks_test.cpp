// Blocks on the host: known values, PyPI's gguf (points.json, by make_points.py), repacking, and hostile numbers.
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>

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
    ASSERT_EQ(ops::can_quantize(t.dtype), points().at("quantize").contains(std::string(t.name))) << t.name;
    if (!ops::can_quantize(t.dtype)) continue;
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
    if (!ops::can_quantize(t.dtype)) continue;
    for (const float size : {1e-39F, 1e-30F, 1e-9F, 1e-7F}) {
      std::vector<float> x(32);
      for (std::size_t i = 0; i < 32; ++i) x[i] = size * (static_cast<float>(i) / 16 - 1);
      for (const float v : dequantize_blocks(t.dtype, quantize_blocks(t.dtype, x))) {
        EXPECT_LE(std::abs(v), 4 * std::max(size, 0x1p-24F)) << t.name << " " << size;
      }
    }
  }
}

TEST(Blocks, QuantizeRefusesNumbersOutOfRange) {
  const auto text = [](const auto& f) { return std::string(error_of(f).what()); };
  for (const DTypeInfo& t : kBlockDTypeInfo) {
    if (!ops::can_quantize(t.dtype)) {
      EXPECT_NE(text([&] { quantize_blocks(t.dtype, {}); }).find(t.name), std::string::npos);
      continue;
    }
    for (const float bad : {INFINITY, -INFINITY, std::nanf("")}) {
      std::vector<float> x(64, 1);
      x[39] = bad;
      EXPECT_NE(text([&] { quantize_blocks(t.dtype, x); }).find("element 39"), std::string::npos) << t.name;
    }
    std::vector<float> x(64, 1);
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

}  // namespace
}  // namespace tessera::test
