// Indexing against loops over the flat tensor, on every device.
#include <numeric>

#include "autograd/support.h"
#include "support/devices.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

using Ints = std::vector<std::int32_t>;

class Indexing : public DeviceTest {
 protected:
  /// 0, 1, 2, ...
  [[nodiscard]] Tensor count(const Shape& shape, DType dtype = f32) const {
    return cast(reshape(arange(0, static_cast<double>(shape.numel()), 1, i32, device_), shape), dtype);
  }
  [[nodiscard]] Tensor ints(const Ints& v, const Shape& shape) const { return {v, shape, device_}; }
  [[nodiscard]] Tensor ints(const Ints& v) const { return ints(v, {static_cast<std::int64_t>(v.size())}); }
  static Ints read(const Tensor& t) { return cast(t, i32).to_vector<std::int32_t>(); }
};

TEST_P(Indexing, BasicGet) {
  const Tensor x = count({3, 4});
  EXPECT_EQ(read(index(x, {1})), (Ints{4, 5, 6, 7}));
  EXPECT_EQ(read(index(x, {-1, 2})), (Ints{10}));
  EXPECT_EQ(index(x, {-1, 2}).shape(), Shape{});
  EXPECT_EQ(read(index(x, {Slice{{}, {}, -2}, Slice{1, 3}})), (Ints{9, 10, 1, 2}));
  EXPECT_EQ(index(x, {Ellipsis{}, NewAxis{}, 0}).shape(), (Shape{3, 1}));
  EXPECT_EQ(index(x, {NewAxis{}, Ellipsis{}}).shape(), (Shape{1, 3, 4}));
  EXPECT_EQ(index(x, {Slice{2, 1}}).shape(), (Shape{0, 4}));
  const Tensor nothing = count({2, 0, 3});
  EXPECT_EQ(index(nothing, {Slice{1, {}}, Slice{1, {}}, 0}).shape(), (Shape{1, 0}));
  EXPECT_EQ(read(index(nothing, {Slice{}, Slice{{}, {}, -1}})), Ints{});
  EXPECT_EQ(index_set(nothing, {Slice{1, {}}}, Tensor(1.0)).shape(), nothing.shape());
}

TEST_P(Indexing, AdvancedGet) {
  const Tensor x = count({3, 4, 5});
  EXPECT_EQ(read(index(x, {ints({2, 0}), ints({1, -1}), ints({0, 4})})), (Ints{45, 19}));
  EXPECT_EQ(index(x, {ints({0, 1, 2, 0}, {2, 2})}).shape(), (Shape{2, 2, 4, 5}));
  // Side by side: in place; apart: to the front.
  EXPECT_EQ(index(x, {Slice{}, ints({0, 1, 3}), ints({0, 1, 2})}).shape(), (Shape{3, 3}));
  EXPECT_EQ(read(index(x, {Slice{0, 2}, ints({0, 3}), ints({1, 2})})), (Ints{1, 17, 21, 37}));
  EXPECT_EQ(index(x, {ints({0, 1}), Slice{}, ints({0, 1})}).shape(), (Shape{2, 4}));
  EXPECT_EQ(read(index(x, {ints({0, 1}), Slice{0, 2}, ints({3, 4})})), (Ints{3, 8, 24, 29}));
  EXPECT_EQ(index(x, {0, Slice{}, ints({0, 1, 2})}).shape(), (Shape{3, 4}));  // the number counts as an array
  EXPECT_EQ(read(index(x, {ints({0, 2}, {2, 1}), ints({1, 3}), 0})), (Ints{5, 15, 45, 55}));
  EXPECT_EQ(read(index(transpose(count({2, 3})), {ints({2, 0})})), (Ints{2, 5, 0, 3}));
}

TEST_P(Indexing, MasksGet) {
  const Tensor x = count({2, 3});
  EXPECT_EQ(read(index(x, {greater(x, 2.5)})), (Ints{3, 4, 5}));
  EXPECT_EQ(index(x, {greater(x, 99.0)}).shape(), (Shape{0}));
  EXPECT_EQ(read(index(x, {Slice{}, Tensor(std::vector<bool>{true, false, true}, {3}, device_)})), (Ints{0, 2, 3, 5}));
}

TEST_P(Indexing, TypesOfIndicesAndElements) {
  for (const DType t : {boolean, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32}) {
    const Tensor x = cast(count({7}), t);
    for (const DType k : {i8, u8, i16, u16, i32, u32, i64, u64}) {
      const Ints expected = t == boolean ? Ints{1, 0, 1} : Ints{6, 0, 3};
      EXPECT_EQ(read(take(x, cast(ints({6, 0, 3}), k))), expected) << name(t) << " at " << name(k);
    }
  }
}

TEST_P(Indexing, Set) {
  const Tensor x = count({3, 4});
  EXPECT_EQ(read(index_set(x, {1}, -1.0)), (Ints{0, 1, 2, 3, -1, -1, -1, -1, 8, 9, 10, 11}));
  EXPECT_EQ(read(index_set(x, {Slice{1, 3}, Slice{-2, {}}}, ints({7, 8}))), (Ints{0, 1, 2, 3, 4, 5, 7, 8, 8, 9, 7, 8}));
  EXPECT_EQ(read(index_set(x, {Slice{{}, {}, 2}, 0}, ints({-5, -6}))), (Ints{-5, 1, 2, 3, 4, 5, 6, 7, -6, 9, 10, 11}));
  EXPECT_EQ(read(index_set(x, {ints({2, 0, 2}), ints({0, 1, 0})}, ints({20, 21, 22}))),
            (Ints{0, 21, 2, 3, 4, 5, 6, 7, 22, 9, 10, 11}));  // the last one stays
  EXPECT_EQ(read(index_set(x, {greater(x, 8.5)}, 0.0)), (Ints{0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0}));
  EXPECT_EQ(read(index_add(x, {ints({2, 0, 2}), 0}, 100.0)), (Ints{100, 1, 2, 3, 4, 5, 6, 7, 208, 9, 10, 11}));
  EXPECT_EQ(read(index_add(x, {Slice{0, 1}}, 1.0)), (Ints{1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(read(index_set(x, {Slice{2, 2}}, 1.0)), read(x));
}

TEST_P(Indexing, TakeAndGather) {
  const Tensor x = count({3, 4});
  EXPECT_EQ(read(take(x, ints({11, 0}))), (Ints{11, 0}));
  EXPECT_EQ(read(take(x, ints({2, 0}), 0)), (Ints{8, 9, 10, 11, 0, 1, 2, 3}));
  EXPECT_EQ(read(take(x, ints({3, 3}), 1)), (Ints{3, 3, 7, 7, 11, 11}));
  EXPECT_EQ(read(gather(x, 1, ints({0, 3, 2, 1}, {2, 2}))), (Ints{0, 3, 6, 5}));
  EXPECT_EQ(read(take_along_axis(x, ints({3, 2, 1}, {3, 1}), 1)), (Ints{3, 6, 9}));
  EXPECT_EQ(read(take_along_axis(x, ints({1}, {1, 1}), 0)), (Ints{4, 5, 6, 7}));
  EXPECT_EQ(read(embedding(ints({1, 1, 0}, {1, 3}), x)), (Ints{4, 5, 6, 7, 4, 5, 6, 7, 0, 1, 2, 3}));
  EXPECT_EQ(read(one_hot(ints({1, 0}), 3)), (Ints{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(read(masked_fill(x, greater(x, 9.5), -1.0)), (Ints{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1}));
}

TEST_P(Indexing, Moving) {
  const Tensor x = count({2, 3});
  EXPECT_EQ(read(roll(x, {1})), (Ints{5, 0, 1, 2, 3, 4}));
  EXPECT_EQ(read(roll(x, {1, -1}, {0, 1})), (Ints{4, 5, 3, 1, 2, 0}));
  EXPECT_EQ(read(rot90(x)), (Ints{2, 5, 1, 4, 0, 3}));
  EXPECT_EQ(read(rot90(x, 3)), (Ints{3, 0, 4, 1, 5, 2}));
  EXPECT_EQ(read(rot90(x, -2)), (Ints{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(read(repeat(x, 2, 1)), (Ints{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
  EXPECT_EQ(read(repeat(ints({7, 8}), 2)), (Ints{7, 7, 8, 8}));
  EXPECT_EQ(read(tile(x, {1, 2})), (Ints{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(tile(x, {2, 1, 1}).shape(), (Shape{2, 2, 3}));
  const auto grid = meshgrid({ints({1, 2}), ints({3, 4, 5})});
  EXPECT_EQ(read(grid[0]), (Ints{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(read(grid[1]), (Ints{3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(meshgrid({ints({1, 2}), ints({3, 4, 5})}, false)[0].shape(), (Shape{3, 2}));
}

TEST_P(Indexing, OutOfBoundsIsAnErrorAtTheNextWait) {
  const Tensor x = count({3, 4});
  for (const auto& bad : {ints({0, 3}), ints({-4, 0}), cast(ints({1, 1}), i64) * Tensor(std::int64_t{1} << 33)}) {
    const Error e = error_of([&] { static_cast<void>(take(x, bad, 0).to_vector<float>()); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    EXPECT_NE(std::string(e.what()).find("axis of size 3"), std::string::npos) << e.what();
    EXPECT_EQ(read(take(x, ints({1}), 0)), (Ints{4, 5, 6, 7})) << "the next read is not touched";
  }
}

TEST_P(Indexing, BadInput) {
  const Tensor x = count({3, 4});
  const auto kind = [&](auto f) { return error_of(f).kind(); };
  EXPECT_EQ(kind([&] { index(x, {3}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { index(x, {0, 0, 0}); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { index(x, {Ellipsis{}, Ellipsis{}}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { index(x, {Slice{0, 1, 0}}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { index(x, {count({2})}); }), ErrorKind::kDType);
  EXPECT_EQ(kind([&] { index(x, {ints({0, 1}), ints({0, 1, 2})}); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { index(x, {Tensor(std::vector<bool>{true}, {1}, device_)}); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { index_set(x, {0}, count({3})); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { take(x, ints({0}), 2); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { gather(x, 0, ints({0})); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { embedding(ints({0}), count({3})); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { one_hot(ints({0}), 0); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { masked_fill(x, x, 0.0); }), ErrorKind::kDType);
  EXPECT_EQ(kind([&] { roll(x, {1, 2}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { rot90(x, 1, 0, 0); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { repeat(x, -1); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { take(count({0}), ints({0})).eval(); }), ErrorKind::kValue);
}

TESSERA_ON_ALL_DEVICES(Indexing);
TESSERA_ON_REDUCED_DEVICES(Indexing);

TEST(IndexGradients, MatchDifferences) {
  const Tensor x = random_f64({3, 4}, 1);
  const Tensor rows(std::vector<std::int32_t>{2, 0, 2}, {3}, cpu());
  const Tensor cols(std::vector<std::int32_t>{1, 1, -1}, {3}, cpu());
  const auto check = [&](const char* name, const std::function<Tensor(const Tensor&)>& f) {
    check_gradient(name, [&](const Tensors& a) { return square(f(a[0])); }, {x});
  };
  check("take", [&](const Tensor& t) { return take(t, rows, 0); });
  check("advanced", [&](const Tensor& t) { return index(t, {rows, cols}); });
  check("gather", [&](const Tensor& t) { return gather(t, 0, reshape(rows, {1, 3})); });
  check("take_along_axis", [&](const Tensor& t) { return take_along_axis(t, reshape(cols, {3, 1}), 1); });
  check("roll", [&](const Tensor& t) { return roll(t, {1, 1}, {0, 1}); });
  check("rot90", [&](const Tensor& t) { return rot90(t); });
  check("repeat", [&](const Tensor& t) { return repeat(t, 2, 0); });
  check("tile", [&](const Tensor& t) { return tile(t, {2, 2}); });
  check("masked_fill", [&](const Tensor& t) { return masked_fill(t, greater(t, 0.0), 1.0); });
  const auto set = [&](const char* name, const std::vector<At>& at, const Shape& shape) {
    check_gradient(name, [&](const Tensors& a) { return square(index_set(a[0], at, a[1])); },
                   {x, random_f64(shape, 2)});
  };
  set("set a row", {1}, {4});
  set("set a range", {Slice{0, 2}, Slice{1, 3}}, {2, 2});
  check_gradient("index_add", [&](const Tensors& a) { return square(index_add(a[0], {rows}, a[1])); },
                 {x, random_f64({3, 4}, 3)});
}

}  // namespace
}  // namespace tessera::test
