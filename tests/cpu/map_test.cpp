// Maps on the CPU device: element types, views, windows, casts, random bits, aliases, batches.
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/philox.h"
#include "base/thread_pool.h"
#include "cpu/kernel_run.h"
#include "graph/op.h"
#include "tessera/error.h"

namespace tessera {
namespace {

class Map : public KernelRun {
 protected:
  static constexpr std::uint32_t kSizes[] = {1, 5, 1023, 1024, 1025, 100000};

  template <class T>
  static std::vector<T> ramp(std::size_t n) {
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(i % 1000) - static_cast<T>(500);
    return x;
  }
};

TEST_F(Map, ChainOfOpsWithAScalar) {
  Kernel k;
  k.inputs = {{0, f32}, {1, f32}};
  k.outputs = {{2, f32}, {3, f32}};
  k.indices = {{}};
  k.instrs = {load(f32, 0),
              load(f32, 1),
              op(Op::kMultiply, f32, {0, 1}),
              scalar(f32),
              op(Op::kAdd, f32, {2, 3}),
              op(Op::kNegative, f32, {3}, true),
              op(Op::kMaximum, f32, {4, 5})};
  k.stores = {{6, 0, false}, {2, 1, false}};
  for (const std::uint32_t n : kSizes) {
    const auto x = ramp<float>(n);
    runtime::Buffer* out = room<float>(n);
    runtime::Buffer* product = room<float>(n);
    run(k, {n, bits(3.0F)}, {buffer(x), buffer(x), out, product});
    const auto got = read<float>(out, n);
    const auto squares = read<float>(product, n);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(got[i], std::max(x[i] * x[i] + 3, -3.0F));
      ASSERT_EQ(squares[i], x[i] * x[i]);
    }
  }
  EXPECT_EQ(device_->compile_stats().misses, 1U);
  EXPECT_EQ(device_->compile_stats().hits, std::size(kSizes) - 1);
}

TEST_F(Map, AScalarFillsAnOutput) {
  Kernel k;
  k.outputs = {{0, f64}};
  k.indices = {{}};
  k.instrs = {scalar(f64)};
  k.stores = {{0, 0, false}};
  const auto word = std::bit_cast<std::uint64_t>(-2.5);
  runtime::Buffer* out = room<double>(5000);
  run(k, {5000, static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32U)}, {out});
  EXPECT_EQ(read<double>(out, 5000), std::vector<double>(5000, -2.5));
}

TEST_F(Map, SmallIntegersWrap) {
  Kernel k;
  k.inputs = {{0, i8}};
  k.outputs = {{1, i8}, {2, i32}};
  k.indices = {{}};
  k.instrs = {load(i8, 0), op(Op::kMultiply, i8, {0, 0}), op(Op::kAdd, i8, {1, 1}), op(Op::kCast, i32, {2})};
  k.stores = {{2, 0, false}, {3, 1, false}};
  std::vector<std::int8_t> x(256);
  std::iota(x.begin(), x.end(), std::int8_t{-128});
  runtime::Buffer* small = room<std::int8_t>(256);
  runtime::Buffer* wide = room<std::int32_t>(256);
  run(k, {256}, {buffer(x), small, wide});
  const auto got = read<std::int8_t>(small, 256);
  const auto got32 = read<std::int32_t>(wide, 256);
  for (std::size_t i = 0; i < 256; ++i) {
    const auto want = static_cast<std::int8_t>(2 * x[i] * x[i]);
    ASSERT_EQ(got[i], want);
    ASSERT_EQ(got32[i], want);
  }
}

TEST_F(Map, HalfPrecisionRoundsAtStoresAndCasts) {
  for (const DType t : {f16, bf16}) {
    Kernel k;
    k.inputs = {{0, t}, {1, f32}};
    k.outputs = {{2, t}, {3, f32}};
    k.indices = {{}};
    k.instrs = {load(t, 0), load(f32, 1), op(Op::kMultiply, t, {0, 0}), op(Op::kCast, t, {1}), op(Op::kCast, f32, {3})};
    k.stores = {{2, 0, false}, {4, 1, false}};
    const auto to_bits = [&](float v) { return t == f16 ? Half(v).bits : BFloat16(v).bits; };
    const auto from_bits = [&](std::uint16_t b) {
      Half h;
      h.bits = b;
      BFloat16 g;
      g.bits = b;
      return t == f16 ? static_cast<float>(h) : static_cast<float>(g);
    };
    constexpr std::uint32_t kCount = 1 << 16;
    std::vector<std::uint16_t> all(kCount);
    std::vector<float> single(kCount);
    for (std::uint32_t i = 0; i < kCount; ++i) {
      all[i] = static_cast<std::uint16_t>(i);
      single[i] = std::ldexp(1.0F + static_cast<float>(i) / 65536, static_cast<int>(i % 40) - 26);
    }
    runtime::Buffer* square = room<std::uint16_t>(kCount);
    runtime::Buffer* rounded = room<float>(kCount);
    run(k, {kCount}, {buffer(all), buffer(single), square, rounded});
    const auto got = read<std::uint16_t>(square, kCount);
    const auto got32 = read<float>(rounded, kCount);
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const float x = from_bits(all[i]);
      if (std::isnan(x)) {
        ASSERT_TRUE(std::isnan(from_bits(got[i])));
      } else {
        ASSERT_EQ(got[i], to_bits(x * x)) << x;
      }
      ASSERT_EQ(got32[i], from_bits(to_bits(single[i])));
    }
  }
}

TEST_F(Map, Casts) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> x{0, -0.5F, 2.9F, -2.9F, 300, -300, 3e9F, -3e9F, 1e20F, inf, -inf, std::nanf("")};
  const auto convert = [&]<class T>(T, DType t) {
    Kernel k;
    k.inputs = {{0, f32}};
    k.outputs = {{1, t}};
    k.indices = {{}};
    k.instrs = {load(f32, 0), op(Op::kCast, t, {0})};
    k.stores = {{1, 0, false}};
    runtime::Buffer* out = room<T>(x.size());
    run(k, {static_cast<std::uint32_t>(x.size())}, {buffer(x), out});
    return read<T>(out, x.size());
  };
  constexpr auto kLow = std::numeric_limits<std::int32_t>::min();
  constexpr auto kHigh = std::numeric_limits<std::int32_t>::max();
  constexpr auto kTop = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(convert(std::int32_t{}, i32),
            (std::vector<std::int32_t>{0, 0, 2, -2, 300, -300, kHigh, kLow, kHigh, kHigh, kLow, 0}));
  EXPECT_EQ(convert(std::uint32_t{}, u32),
            (std::vector<std::uint32_t>{0, 0, 2, 0, 300, 0, 3000000000U, 0, kTop, kTop, 0, 0}));
  EXPECT_EQ(convert(std::int8_t{}, i8), (std::vector<std::int8_t>{0, 0, 2, -2, 44, -44, -1, 0, -1, -1, 0, 0}));
  EXPECT_EQ(convert(std::int64_t{}, i64), (std::vector<std::int64_t>{0, 0, 2, -2, 300, -300, 3000000000, -3000000000,
                                                                     INT64_MAX, INT64_MAX, INT64_MIN, 0}));
  EXPECT_EQ(convert(std::uint8_t{}, boolean), (std::vector<std::uint8_t>{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
}

TEST_F(Map, IntegerCastsKeepLowBits) {
  Kernel k;
  k.inputs = {{0, i64}};
  k.outputs = {{1, u8}, {2, i16}, {3, u64}, {4, f32}, {5, boolean}};
  k.indices = {{}};
  k.instrs = {load(i64, 0),
              op(Op::kCast, u8, {0}),
              op(Op::kCast, i16, {0}),
              op(Op::kCast, u64, {0}),
              op(Op::kCast, f32, {0}),
              op(Op::kCast, boolean, {0})};
  k.stores = {{1, 0, false}, {2, 1, false}, {3, 2, false}, {4, 3, false}, {5, 4, false}};
  const std::vector<std::int64_t> x{0, -1, 257, 40000, std::int64_t{1} << 40U};
  runtime::Buffer* out[] = {room<std::uint8_t>(5), room<std::int16_t>(5), room<std::uint64_t>(5), room<float>(5),
                            room<std::uint8_t>(5)};
  run(k, {5}, {buffer(x), out[0], out[1], out[2], out[3], out[4]});
  EXPECT_EQ(read<std::uint8_t>(out[0], 5), (std::vector<std::uint8_t>{0, 255, 1, 64, 0}));
  EXPECT_EQ(read<std::int16_t>(out[1], 5), (std::vector<std::int16_t>{0, -1, 257, -25536, 0}));
  EXPECT_EQ(read<std::uint64_t>(out[2], 5), (std::vector<std::uint64_t>{0, ~std::uint64_t{0}, 257, 40000, 1ULL << 40}));
  EXPECT_EQ(read<float>(out[3], 5), (std::vector<float>{0, -1, 257, 40000, 0x1p40F}));
  EXPECT_EQ(read<std::uint8_t>(out[4], 5), (std::vector<std::uint8_t>{0, 1, 1, 1, 1}));
}

TEST_F(Map, Views) {
  // x is [30, 40]; transposed, a flipped slice with steps, a row broadcast, one element everywhere.
  constexpr std::uint32_t kRows = 30;
  constexpr std::uint32_t kCols = 40;
  constexpr std::uint32_t kCount = kRows * kCols;
  struct Case {
    const char* layout;
    Words words;
    std::function<std::uint32_t(std::uint32_t)> map;
  };
  const Case cases[] = {
      {"[1n]", {kCols, 1, kRows, kCols, 0}, [](std::uint32_t i) { return i % kRows * kCols + i / kRows; }},
      {"[n+]", {kCount, 0xffffffffU, kCount - 1}, [](std::uint32_t i) { return kCount - 1 - i; }},
      {"[01+]", {kRows, 0, kCols, 1, 80}, [](std::uint32_t i) { return 80 + i % kCols; }},
      {"[n0]", {kRows, kCols, kCols, 0, 0}, [](std::uint32_t i) { return i / kCols * kCols; }},
      {"[+]", {77}, [](std::uint32_t) { return 77U; }},
      {"[nnn+]", {5, 80, 12, 3, 20, 0, 2}, [](std::uint32_t i) { return 2 + i / 240 * 80 + i / 20 % 12 * 3; }},
      // Two levels: a transposition over a flipped one.
      {"[1n][n+]",
       {kCols, 1, kRows, kCols, 0, kCount, 0xffffffffU, kCount - 1},
       [](std::uint32_t i) { return kCount - 1 - (i % kRows * kCols + i / kRows); }},
  };
  const auto check = [&]<class T>(T, DType t) {
    std::vector<T> x(kCount);
    for (std::uint32_t i = 0; i < kCount; ++i) x[i] = static_cast<T>(i % 251);
    runtime::Buffer* in = buffer(x);
    for (const Case& c : cases) {
      Kernel k;
      k.inputs = {{0, t}};
      k.outputs = {{1, t}, {2, i32}};
      k.indices = {{}, view(c.layout)};
      k.instrs = {load(t, 0, 1), {Instr::Kind::kIota, Op::kIota, i32, false, 1, -1, -1, {}}};
      k.stores = {{0, 0, false}, {1, 1, false}};
      Words words{kCount};
      words.insert(words.end(), c.words.begin(), c.words.end());
      runtime::Buffer* out = room<T>(kCount);
      runtime::Buffer* where = room<std::int32_t>(kCount);
      run(k, words, {in, out, where});
      const auto got = read<T>(out, kCount);
      const auto at = read<std::int32_t>(where, kCount);
      for (std::uint32_t i = 0; i < kCount; ++i) {
        ASSERT_EQ(at[i], static_cast<std::int32_t>(c.map(i))) << c.layout << " at " << i;
        ASSERT_EQ(got[i], x[c.map(i)]) << c.layout << " at " << i;
      }
    }
  };
  check(float{}, f32);
  check(double{}, f64);
  check(std::uint8_t{}, u8);
  check(std::int16_t{}, i16);
  check(std::uint16_t{}, bf16);
}

TEST_F(Map, AViewOfAView) {
  Kernel k;
  k.inputs = {{0, f32}};
  k.outputs = {{1, f32}};
  k.indices = {{}, view("[1n]"), view("[01]", 1)};
  k.instrs = {load(f32, 0, 2)};
  k.stores = {{0, 0, false}};
  // [6, 7] transposed, of a [6, 7] broadcast from [7].
  runtime::Buffer* out = room<float>(42);
  run(k, {42, 7, 1, 6, 7, 0, 6, 0, 7, 1, 0}, {buffer(ramp<float>(7)), out});
  const auto got = read<float>(out, 42);
  for (std::size_t i = 0; i < 42; ++i) ASSERT_EQ(got[i], static_cast<float>(i / 6) - 500);
}

TEST_F(Map, Windows) {
  // [4, 3] inside [9, 8] at (2, 4), then inside a long line; the outside is a scalar.
  struct Case {
    std::vector<std::array<std::uint32_t, 3>> axes;  // output size, low, input size
  };
  const Case cases[] = {{{{9, 2, 4}, {8, 4, 3}}},      {{{10000, 4000, 12}}}, {{{3, 1, 1}, {1, 0, 1}, {50, 0, 12}}},
                        {{{9, 5, 4}, {3, 0, 3}}},      {{{5000, 0, 0}}},      {{{12, 0, 12}}},
                        {{{3, 0, 3}, {2000, 1997, 3}}}};
  std::vector<float> x(12);
  std::iota(x.begin(), x.end(), 1.0F);
  for (const bool through_view : {false, true}) {
    for (const Case& c : cases) {
      Words words{1};
      std::uint32_t n = 1;
      for (const auto& axis : c.axes) n *= axis[0];
      words[0] = n;
      Kernel k;
      k.inputs = {{0, f32}};
      k.outputs = {{1, f32}};
      k.indices = {{}};
      int parent = 0;
      if (through_view) {  // the output flipped: positions are no longer consecutive
        k.indices.push_back(view("[n+]"));
        words.insert(words.end(), {n, 0xffffffffU, n - 1});
        parent = 1;
      }
      k.indices.push_back({Index::Kind::kPadded, parent, -1, {}, static_cast<int>(c.axes.size())});
      const int window = parent + 1;
      for (const auto& axis : c.axes) words.insert(words.end(), axis.begin(), axis.end());
      k.instrs = {load(f32, 0, window), scalar(f32), {Instr::Kind::kPad, Op::kPad, f32, false, window, -1, -1, {0, 1}}};
      k.stores = {{2, 0, false}};
      words.push_back(bits(-1));
      runtime::Buffer* out = room<float>(n);
      run(k, words, {buffer(x), out});
      const auto got = read<float>(out, n);
      for (std::uint32_t i = 0; i < n; ++i) {
        std::uint32_t rest = i;
        std::uint32_t at = 0;
        std::uint32_t scale = 1;
        bool inside = true;
        for (std::size_t a = c.axes.size(); a-- > 0;) {
          const auto& [size, low, inner] = c.axes[a];
          const std::uint32_t coordinate = rest % size;
          rest /= size;
          inside = inside && coordinate >= low && coordinate < low + inner;
          at += (coordinate - low) * scale;
          scale *= inner;
        }
        ASSERT_EQ(got[through_view ? n - 1 - i : i], inside ? x[at] : -1) << "at " << i << " of " << n;
      }
    }
  }
}

TEST_F(Map, RandomBitsArePhilox) {
  // Known answers of Random123 for philox4x32-10.
  static_assert(philox({0, 0, 0, 0}, 0, 0) == PhiloxWords{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  static_assert(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0) ==
                PhiloxWords{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  Kernel k;
  k.outputs = {{0, u32}, {1, u32}};
  k.indices = {{}, view("[n+]")};
  k.instrs = {{Instr::Kind::kRandom, Op::kRandom, u32, false, 0, -1, -1, {}},
              {Instr::Kind::kRandom, Op::kRandom, u32, false, 1, -1, -1, {}}};
  k.stores = {{0, 0, false}, {1, 1, false}};
  constexpr std::uint32_t kCount = 5003;
  runtime::Buffer* out = room<std::uint32_t>(kCount);
  runtime::Buffer* flipped = room<std::uint32_t>(kCount);
  run(k, {kCount, kCount, 0xffffffffU, kCount - 1, 7, 9, 11, 13, 7, 9, 11, 13}, {out, flipped});
  const auto got = read<std::uint32_t>(out, kCount);
  const auto back = read<std::uint32_t>(flipped, kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(got[i], philox({i / 4, 0, 11, 13}, 7, 9)[i % 4]);
    ASSERT_EQ(back[kCount - 1 - i], got[i]);
  }
}

TEST_F(Map, AnInputMayShareAnOutputsBuffer) {
  // Both inputs are read in full before either output of the block is written: a, b = a + b, a.
  Kernel k;
  k.inputs = {{0, f32}, {1, f32}};
  k.outputs = {{2, f32}, {3, f32}};
  k.indices = {{}};
  k.instrs = {load(f32, 0), load(f32, 1), op(Op::kAdd, f32, {0, 1})};
  k.stores = {{2, 0, false}, {0, 1, false}};
  k.aliases = {{0, 0}, {1, 1}};
  const auto x = ramp<float>(50000);
  const std::vector<float> ones(50000, 1);
  runtime::Buffer* a = buffer(x);
  runtime::Buffer* b = buffer(ones);
  run(k, {50000}, {a, b, a, b});
  const auto sum = read<float>(a, 50000);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(sum[i], x[i] + 1);
  EXPECT_EQ(read<float>(b, 50000), x);
}

TEST_F(Map, ComparisonsAndWhere) {
  Kernel k;
  k.inputs = {{0, i64}, {1, i64}};
  k.outputs = {{2, boolean}, {3, i64}};
  k.indices = {{}};
  k.instrs = {load(i64, 0), load(i64, 1), op(Op::kLess, boolean, {0, 1}), op(Op::kWhere, i64, {2, 0, 1})};
  k.stores = {{2, 0, false}, {3, 1, false}};
  const std::vector<std::int64_t> a{1, -5, std::int64_t{1} << 40U, 7};
  const std::vector<std::int64_t> b{2, -6, 3, 7};
  runtime::Buffer* less = room<std::uint8_t>(4);
  runtime::Buffer* least = room<std::int64_t>(4);
  run(k, {4}, {buffer(a), buffer(b), less, least});
  EXPECT_EQ(read<std::uint8_t>(less, 4), (std::vector<std::uint8_t>{1, 0, 0, 0}));
  EXPECT_EQ(read<std::int64_t>(least, 4), (std::vector<std::int64_t>{1, -6, 3, 7}));
}

TEST_F(Map, Batch) {
  Kernel first;
  first.inputs = {{0, f32}};
  first.outputs = {{1, f32}};
  first.indices = {{}, view("[n+]")};
  first.instrs = {load(f32, 0, 1), scalar(f32), op(Op::kAdd, f32, {0, 1})};
  first.stores = {{2, 0, false}};
  Kernel second;
  second.inputs = {{2, i32}, {3, i32}};
  second.outputs = {{4, i32}};
  second.indices = {{}};
  second.instrs = {load(i32, 0), load(i32, 1), op(Op::kSubtract, i32, {0, 1})};
  second.stores = {{2, 0, false}};
  Kernel k;
  k.kind = Kernel::Kind::kGrouped;
  k.parts = {first, second, first};
  for (const Kernel& part : k.parts) {
    k.inputs.insert(k.inputs.end(), part.inputs.begin(), part.inputs.end());
    k.outputs.insert(k.outputs.end(), part.outputs.begin(), part.outputs.end());
  }
  const std::vector<float> x{1, 2, 3};
  const std::vector<std::int32_t> a{5, 6, 7, 8};
  const std::vector<std::int32_t> b{1, 1, 2, 2};
  runtime::Buffer* out[] = {room<float>(3), room<std::int32_t>(4), room<float>(2)};
  run(k, {3, 3, 0xffffffffU, 2, bits(10), 4, 2, 2, 0xffffffffU, 1, bits(20)},
      {buffer(x), buffer(a), buffer(b), buffer(x), out[0], out[1], out[2]});
  EXPECT_EQ(read<float>(out[0], 3), (std::vector<float>{13, 12, 11}));
  EXPECT_EQ(read<std::int32_t>(out[1], 4), (std::vector<std::int32_t>{4, 5, 5, 6}));
  EXPECT_EQ(read<float>(out[2], 2), (std::vector<float>{22, 21}));
}

TEST_F(Map, ProfileSaysWhatRan) {
  Kernel k;
  k.inputs = {{0, f32}};
  k.outputs = {{1, f32}};
  k.indices = {{}};
  k.instrs = {load(f32, 0), op(Op::kExp, f32, {0})};
  k.stores = {{1, 0, false}};
  device_->set_profiling(true);
  run(k, {1024}, {room<float>(1024), room<float>(1024)});
  const auto times = device_->times();
  ASSERT_EQ(times.size(), 1U);
  EXPECT_EQ(times[0].label, k.label());
  EXPECT_EQ(times[0].bytes, 8192U);
  EXPECT_EQ(times[0].flops, 1024U);
  EXPECT_GT(times[0].duration_us, 0);
  EXPECT_TRUE(device_->times().empty());
}

TEST_F(Map, DeviceSaysWhatItIs) {
  EXPECT_EQ(device_->info().id, "cpu");
  EXPECT_EQ(device_->info().backend, "CPU");
  EXPECT_EQ(device_->info().type, DeviceType::kCpu);
  EXPECT_FALSE(device_->info().name.empty());
  EXPECT_TRUE(device_->info().features.f64);
  EXPECT_GT(device_->info().limits.max_buffer_size, 1U << 20U);
  const auto fresh = device_->create_buffer(4096);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(fresh->host()) % 64, 0U);
  EXPECT_EQ(read<std::uint8_t>(fresh.get(), 4096), std::vector<std::uint8_t>(4096));
  try {
    device_->create_buffer(std::size_t{1} << 60U);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kLimit);
  }
}

}  // namespace
}  // namespace tessera
