// Updates of slices: values against loops, in place and on copies, in every dtype and binding range.
#include <functional>
#include <numeric>
#include <thread>

#include "autograd/support.h"
#include "support/check.h"
#include "support/devices.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

class Updates : public DeviceTest {
 protected:
  [[nodiscard]] Tensor count(const Shape& shape, DType dtype = f32, double from = 0) const {
    return cast(reshape(arange(from, from + static_cast<double>(shape.numel()), 1, i32, device_), shape), dtype);
  }
  [[nodiscard]] Tensor ints(const Ints& v) const { return {v, {static_cast<std::int64_t>(v.size())}, device_}; }
  static Floats read(const Tensor& t) { return cast(t, f32).to_vector<float>(); }

  /// x[starts..] = values, by a loop.
  static Floats expected(Floats x, const Shape& shape, const Floats& values, const Shape& part, const Ints& starts) {
    for (std::int64_t i = 0; i < part.numel(); ++i) {
      std::int64_t rest = i;
      std::int64_t at = 0;
      std::int64_t stride = 1;
      for (int d = shape.rank() - 1; d >= 0; --d) {
        at += (rest % part[d] + starts[static_cast<std::size_t>(d)]) * stride;
        rest /= part[d];
        stride *= shape[d];
      }
      x[static_cast<std::size_t>(at)] = values[static_cast<std::size_t>(i)];
    }
    return x;
  }
};

TEST_P(Updates, EveryDtypeInPlaceAndOnACopy) {
  const Shape shape{3, 5, 7};
  const Shape part{2, 3, 3};
  const Ints starts{1, 0, 3};
  for (const DType t : {f32, f16, bf16, i8, u8, i16, u16, i32, u32, i64, u64, boolean}) {
    const Tensor values = t == boolean ? greater(count(part), 8) : count(part, t, 3);
    const Tensor x = t == boolean ? less(count(shape), 50) : count(shape, t);
    eval({x, values});
    const Floats before = read(x);
    const Floats want = expected(before, shape, read(values), part, starts);
    EXPECT_EQ(read(slice_update(x, values, {1, 0, 3}, {0, 1, 2})), want) << name(t);
    EXPECT_EQ(read(slice_update(x, values, ints(starts), {0, 1, 2})), want) << name(t);
    EXPECT_EQ(read(slice_update(x, values, ints({-4, -2}), {2, 0})), want) << name(t);
    EXPECT_EQ(read(x), before) << name(t) << ": x is used again";
    // Nobody else holds a temporary, evaluated or not.
    Tensor y = x + zeros({}, t, device_);
    y = slice_update(cast(y, t), values, ints(starts), {0, 1, 2});
    y.eval();
    y = slice_update(y, values, ints({0, 0, 0}), {0, 1, 2});
    EXPECT_EQ(read(y), expected(want, shape, read(values), part, {0, 0, 0})) << name(t);
  }
}

TEST_P(Updates, RowsWithStartsOfTheirOwn) {
  const Shape shape{3, 2, 6, 2};
  const Shape part{3, 2, 2, 1};
  const Tensor x = count(shape).eval();
  const Tensor values = count(part, f32, 100).eval();
  const Tensor starts(Ints{4, 1, 0, 0, -5, -1}, {3, 2}, device_);  // of axes 2 and 3
  Floats want = read(x);
  const Ints first{4, 0, 1};
  const Ints second{1, 0, 1};
  for (std::int64_t i = 0; i < part.numel(); ++i) {
    const std::int64_t row = i / 4;
    const auto r = static_cast<std::size_t>(row);
    const std::int64_t at = ((row * 2 + i / 2 % 2) * 6 + first[r] + i % 2) * 2 + second[r];
    want[static_cast<std::size_t>(at)] = 100.0F + static_cast<float>(i);
  }
  EXPECT_EQ(read(slice_update(x, values, starts, {2, 3})), want);
  EXPECT_EQ(error_of([&] { (void)slice_update(x, values, starts, {2}); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { (void)slice_update(x, slice(values, {Slice{0, 2}}), starts, {2, 3}); }).kind(),
            ErrorKind::kShape);
  EXPECT_EQ(
      error_of([&] { read(slice_update(x, values, Tensor(Ints{4, 1, 0, 0, 5, 1}, {3, 2}, device_), {2, 3})); }).kind(),
      ErrorKind::kValue);
}

// Starts along the first axis too: pages of a cache. There may be more rows of values than of x.
TEST_P(Updates, RowsAnywhere) {
  const Shape shape{3, 2, 6, 2};
  const Shape part{4, 2, 2, 1};
  const Tensor x = count(shape).eval();
  const Tensor values = count(part, f32, 100).eval();
  Floats want = read(x);
  const Ints page{2, 0, 1, 2};
  const Ints place{4, 0, 1, 0};
  for (std::int64_t i = 0; i < part.numel(); ++i) {
    const auto r = static_cast<std::size_t>(i / 4);
    const std::int64_t at = ((page[r] * 2 + i / 2 % 2) * 6 + place[r] + i % 2) * 2;
    want[static_cast<std::size_t>(at)] = 100.0F + static_cast<float>(i);
  }
  const auto at = [&](const Ints& starts, std::int64_t rows) { return Tensor(starts, {rows, 2}, device_); };
  EXPECT_EQ(read(slice_update(x, values, at({2, 4, 0, 0, -2, 1, -1, -6}, 4), {0, 2})), want);
  EXPECT_EQ(error_of([&] { (void)slice_update(x, values, at({2, 4, 0, 0, 1, 1}, 3), {0, 2}); }).kind(),
            ErrorKind::kShape);
  for (const int past : {3, -4}) {
    EXPECT_EQ(error_of([&] { read(slice_update(x, values, at({past, 4, 0, 0, 1, 1, 2, 0}, 4), {0, 2})); }).kind(),
              ErrorKind::kValue);
  }
}

TEST_P(Updates, ALongTensorInManyRanges) {
  // With bindings of 4 KiB this has several ranges, and the rows that are written lie in different ones.
  const Shape shape{40, 130};
  for (const DType t : {f32, bf16, u8}) {
    Tensor x = remainder(count(shape, i32), 100).eval();
    Floats want = read(x);
    x = cast(x, t).eval();
    for (const std::int32_t row : {0, 7, 8, 39, 15}) {
      const Tensor values = (count({1, 100}, t, 5)).eval();
      want = expected(want, shape, read(values), {1, 100}, {row, 30});
      x = slice_update(x, values, ints({row, 30}), {0, 1});
      x.eval();
      const Tensor added = full({40, 3}, 2.0, t, device_).eval();
      x = index_add(x, {Slice{}, Slice{10, 13}}, added);
      x.eval();
      for (std::int64_t r = 0; r < 40; ++r) {
        for (std::int64_t c = 10; c < 13; ++c) want[static_cast<std::size_t>(r * 130 + c)] += 2;
      }
      EXPECT_EQ(read(x), want) << name(t) << " row " << row;
    }
  }
}

TEST_P(Updates, CompiledWithDonationOneTraceForAllPositions) {
  const Compiled step = compile(
      [](const Tensors& in) {
        const Tensor cache = slice_update(in[0], reshape(in[2] * 2.0, {1, 4}), in[1], {0});
        return Tensors{cache, in[1] + 1, sum(cache)};
      },
      {.donate = {0, 1}});
  Tensor cache = zeros({16, 4}, f32, device_);
  Tensor at = ints({0});
  Floats want(64, 0.0F);
  float total = 0;
  for (int i = 0; i < 16; ++i) {
    const auto out = step({cache, at, count({4}, f32, i)});
    cache = out[0];
    at = out[1];
    for (int c = 0; c < 4; ++c) total += want[static_cast<std::size_t>(4 * i + c)] = 2.0F * static_cast<float>(i + c);
    EXPECT_EQ(out[2].item<float>(), total);
  }
  EXPECT_EQ(read(cache), want);
  EXPECT_EQ(step.traces(), 1U);
}

TEST_P(Updates, ReadersOfTheOldValueSeeIt) {
  const Tensor x = count({8}).eval();
  const Tensor y = x * 1.0;
  const Tensor z = slice_update(y, full({2}, -1.0, f32, device_), {3}, {0});
  const Tensor mixed = y + z;                                                 // before and after
  const Tensor swapped = slice_update(z, slice(y, {Slice{0, 2}}), {6}, {0});  // reads what another update changed
  eval({mixed, swapped});
  EXPECT_EQ(read(mixed), (Floats{0, 2, 4, 2, 3, 10, 12, 14}));
  EXPECT_EQ(read(swapped), (Floats{0, 1, 2, -1, -1, 5, 0, 1}));
  // Values that overlap with what is written, shifted by one.
  Tensor s = count({8}) * 1.0;
  s = slice_update(s, slice(s, {Slice{0, 6}}), {1}, {0});
  EXPECT_EQ(read(s), (Floats{0, 0, 1, 2, 3, 4, 5, 7}));
  const Compiled shift =
      compile([](const Tensors& in) { return Tensors{slice_update(in[0], slice(in[0], {Slice{0, 6}}), {1}, {0})}; },
              {.donate = {0}});
  EXPECT_EQ(read(shift({count({8})})[0]), (Floats{0, 0, 1, 2, 3, 4, 5, 7}));
  // Two updates of one tensor.
  const Tensor two = count({4}) * 1.0;
  const Tensor a = slice_update(two, ones({1}, f32, device_), {0}, {0});
  const Tensor b = slice_update(two, ones({1}, f32, device_), {3}, {0});
  eval({a, b});
  EXPECT_EQ(read(a), (Floats{1, 1, 2, 3}));
  EXPECT_EQ(read(b), (Floats{0, 1, 2, 1}));
}

class Ownership : public Updates {};

// In eager evaluation: the result of a map or of a matmul's epilogue takes the memory of a large input that nobody
// else holds.
TEST_P(Ownership, ResultsTakeTheMemoryOfWhatNobodyElseHolds) {
  const std::int64_t n = 512;  // 1 MiB
  const auto allocations = [&] {
    const MemoryStats s = device_.memory_stats();
    return s.hits + s.misses;
  };
  const Tensor column = count({n, 8}).eval();
  const Tensor row = count({8, n}).eval();
  const std::vector<std::function<Tensor(const Tensor&)>> steps{
      [](const Tensor& x) { return x * 2.0 + 1.0; }, [&](const Tensor& x) { return matmul(column, row) + x; },
      [](const Tensor& x) { return x + flip(x, {0}); },  // reads other elements than it writes
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Tensor start = count({n, n}).eval();
    const Floats want = read(steps[i](start));
    Tensor x = (start * 1.0).eval();
    std::uint64_t before = allocations();
    x = steps[i](x);
    x.eval();
    const std::uint64_t alone = allocations() - before;
    EXPECT_EQ(read(x), want) << i;
    x = (start * 1.0).eval();
    const Tensor part = slice(x, {Slice{1, 2}});  // holds x, and has no value of its own
    before = allocations();
    x = steps[i](x);
    x.eval();
    EXPECT_EQ(allocations() - before, alone + (i < 2 ? 1 : 0)) << i;
    EXPECT_EQ(read(x), want) << i;
    EXPECT_EQ(read(part), read(slice(start, {Slice{1, 2}}))) << i;
  }
}

TEST_P(Updates, IndexSetAndAddAtSlicesAndOneRow) {
  Tensor x = count({3, 4});
  x = index_set(x, {Slice{}, Slice{0, {}, 2}}, -1.0);
  EXPECT_EQ(read(x), (Floats{-1, 1, -1, 3, -1, 5, -1, 7, -1, 9, -1, 11}));
  x = index_add(x, {ints({1}), Slice{}}, ones({4}, f32, device_));
  EXPECT_EQ(read(x), (Floats{-1, 1, -1, 3, 0, 6, 0, 8, -1, 9, -1, 11}));
  x = index_set(x, {Tensor(std::int32_t{-1}), Slice{1, 3}}, Tensor(Floats{50, 60}, {2}, device_));
  EXPECT_EQ(read(x), (Floats{-1, 1, -1, 3, 0, 6, 0, 8, -1, 50, 60, 11}));
  EXPECT_EQ(read(index_add(count({4}, u8), {Slice{1, 3}}, count({2}, u8, 5))), (Floats{0, 6, 8, 3}));
}

TEST_P(Updates, StartsOutOfBoundsAreReported) {
  const Tensor x = count({4, 3}).eval();
  const Tensor row = ones({2, 3}, f32, device_);
  for (const std::int32_t bad : {3, 4, -5, 1000}) {
    const Error e = error_of([&] { static_cast<void>(read(slice_update(x, row, ints({bad}), {0}))); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue) << bad;
    EXPECT_NE(std::string(e.what()).find(std::to_string(bad)), std::string::npos) << e.what();
  }
  EXPECT_EQ(error_of([&] { slice_update(x, row, {3}, {0}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { slice_update(x, row, {0, 0}, {0}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { slice_update(x, row, {0, 0}, {0, -2}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { slice_update(x, row, {0}, {2}); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { slice_update(x, ones({3}, f32, device_), {0}, {0}); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { slice_update(x, ones({5, 3}, f32, device_), {0}, {0}); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { slice_update(x, row, ints({0, 0}), {0}); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { slice_update(x, row, ones({1}, f32, device_), {0}); }).kind(), ErrorKind::kDType);
  EXPECT_EQ(read(slice_update(x, zeros({0, 3}, f32, device_), {4}, {0})), read(x));
  EXPECT_EQ(read(slice_update(x, row, ints({2}), {0})), (Floats{0, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1}));
}

TEST_P(Updates, ThreadsThatShareWhatIsUpdated) {
  for (int round = 0; round < 20; ++round) {
    Tensor x = (count({64}) * 1.0).eval();
    Tensor y = index_add(x, {Slice{0, 32}}, ones({32}, f32, device_));
    x = {};
    std::vector<Floats> got(4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < got.size(); ++t) {
      threads.emplace_back([&, t] { got[t] = (t % 2 == 0 ? y : y + 1.0).to_vector<float>(); });
    }
    for (std::thread& t : threads) t.join();
    for (std::size_t t = 0; t < got.size(); ++t) {
      for (std::size_t i = 0; i < 64; ++i) {
        ASSERT_EQ(got[t][i], static_cast<float>(i + (i < 32 ? 1 : 0) + t % 2)) << t << ' ' << i;
      }
    }
  }
}

TESSERA_ON_ALL_DEVICES(Updates);
TESSERA_ON_ALL_DEVICES(Ownership);
TESSERA_ON_REDUCED_DEVICES(Updates);
INSTANTIATE_TEST_SUITE_P(Chunked, Updates, testing::ValuesIn(chunked_devices()), device_name);

TEST(UpdateGradients, AgainstFiniteDifferences) {
  const Tensor at(Ints{1}, {1}, cpu());
  check_gradient("update 1", [&](const Tensors& in) { return slice_update(in[0], in[1], at, {0}); },
                 {random_f64({4, 3}, 1), random_f64({2, 3}, 2)});
  check_gradient("update 2",
                 [&](const Tensors& in) { return square(slice_update(in[0] * 2.0, sin(in[1]), {1, 0}, {1, 0})); },
                 {random_f64({4, 3}, 3), random_f64({2, 2}, 4)});
  check_gradient("update 3", [&](const Tensors& in) { return index_add(in[0], {Slice{1, 3}}, in[1]); },
                 {random_f64({4}, 5), random_f64({2}, 6)});
}

}  // namespace
}  // namespace tessera::test
