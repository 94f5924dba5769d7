// The oracle's leaves, views, reductions, contractions and casts against closed forms and numbers of NumPy 2.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "graph/op.h"
#include "reference/graphs.h"
#include "tessera/error.h"

namespace tessera::reference {
namespace {

using Floats = std::vector<double>;
using Integers = std::vector<std::int64_t>;

TEST(Reference, Scalars) {
  const Graphs g;
  EXPECT_EQ(g.value(Graphs::node(Op::kScalar, f32, {2}, {}, Scalar{0.1})).f, Floats(2, 0.1F));
  EXPECT_EQ(g.value(Graphs::node(Op::kScalar, f64, {}, {}, Scalar{0.1})).f, Floats{0.1});
  EXPECT_EQ(g.value(Graphs::node(Op::kScalar, i8, {}, {}, Scalar{std::int64_t{200}})).i, Integers{-56});
  EXPECT_EQ(g.value(Graphs::node(Op::kScalar, u64, {}, {}, Scalar{~std::uint64_t{0}})).i, Integers{-1});
}

TEST(Reference, Iota) {
  const Graphs g;
  EXPECT_EQ(g.value(Graphs::node(Op::kIota, i32, {2, 2}, {})).i, (Integers{0, 1, 2, 3}));
  EXPECT_EQ(g.value(Graphs::node(Op::kIota, f16, {3}, {})).f, (Floats{0, 1, 2}));
  EXPECT_EQ(g.value(Graphs::node(Op::kIota, i8, {130}, {})).i[129], -127);
}

TEST(Reference, PhiloxKnownAnswers) {
  // The first answer of Random123's kat_vectors for philox4x32 with 10 rounds: counter and key of zeros.
  const Graphs g;
  const Value zero = g.value(Graphs::node(Op::kRandom, u32, {4}, {}, RandomState{0, 0}));
  EXPECT_EQ(zero.i, (Integers{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  // Words 4..7 by the definition in exact integers of Python: key 0x9abcdef012345678, counter 0x0000000300000007.
  const RandomState state{0x9abcdef012345678, 0x0000000300000007};
  const Value later = g.value(Graphs::node(Op::kRandom, u32, {8}, {}, state));
  EXPECT_EQ(Integers(later.i.begin() + 4, later.i.end()), (Integers{0x8bbf0da9, 0x91fcb7bf, 0xa912b94a, 0xd0698fb0}));
}

TEST(Reference, Views) {
  Graphs g;
  const NodePtr a = g.integers(i32, {2, 3}, {0, 1, 2, 3, 4, 5});
  const auto view = [&](const Shape& shape, std::vector<Dim> dims, std::int64_t offset) {
    return g.value(Graphs::node(Op::kView, i32, shape, {a}, make_view(std::move(dims), offset, {}, 6))).i;
  };
  EXPECT_EQ(view({3, 2}, {{3, 1}, {2, 3}}, 0), (Integers{0, 3, 1, 4, 2, 5}));   // a.T
  EXPECT_EQ(view({2, 3}, {{2, 3}, {3, -1}}, 2), (Integers{2, 1, 0, 5, 4, 3}));  // a[:, ::-1]
  EXPECT_EQ(view({2, 2}, {{2, 3}, {2, 2}}, 0), (Integers{0, 2, 3, 5}));         // a[:, ::2]
  EXPECT_EQ(view({2, 2, 3}, {{2, 0}, {2, 3}, {3, 1}}, 0), (Integers{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(g.value(Graphs::node(Op::kView, i32, {6}, {a}, View{})).i, (Integers{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(g.value(Graphs::node(Op::kCopy, i32, {2, 3}, {a})).i, (Integers{0, 1, 2, 3, 4, 5}));
  // a.T.reshape(6)[1:3]: a view over a view.
  const View transposed = make_view({{3, 1}, {2, 3}}, 0, {}, 6);
  const View over = make_view({{2, 1}}, 1, transposed.levels, 6);
  EXPECT_EQ(g.value(Graphs::node(Op::kView, i32, {2}, {a}, over)).i, (Integers{3, 1}));
}

TEST(Reference, Pad) {
  Graphs g;
  const NodePtr a = g.integers(i32, {2, 2}, {1, 2, 3, 4});
  const NodePtr around = g.integers(i32, {3, 4}, {0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11});
  const NodePtr padded = Graphs::node(Op::kPad, i32, {3, 4}, {a, around}, PadLow{{1, 1}});
  EXPECT_EQ(g.value(padded).i, (Integers{0, -1, -2, -3, -4, 1, 2, -7, -8, 3, 4, -11}));
}

TEST(Reference, Reductions) {
  Graphs g;
  const NodePtr a = g.floats(f64, {2, 3}, {1, -2, 4, 0.5, 8, 8});
  const auto reduce = [&](Op op) { return g.value(Graphs::node(op, f64, {2}, {a})).f; };
  const auto arg = [&](Op op) { return g.value(Graphs::node(op, i32, {2}, {a})).i; };
  EXPECT_EQ(reduce(Op::kSum), (Floats{3, 16.5}));
  EXPECT_EQ(reduce(Op::kProd), (Floats{-8, 32}));
  EXPECT_EQ(reduce(Op::kMax), (Floats{4, 8}));
  EXPECT_EQ(reduce(Op::kMin), (Floats{-2, 0.5}));
  EXPECT_EQ(arg(Op::kArgMax), (Integers{2, 1}));
  EXPECT_EQ(arg(Op::kArgMin), (Integers{1, 0}));
  EXPECT_EQ(g.value(Graphs::node(Op::kSum, f64, {}, {a})).f, (Floats{19.5}));
}

TEST(Reference, ReductionsOfNaN) {
  // np.max, np.min, np.argmax, np.argmin of each row.
  Graphs g;
  const NodePtr a = g.floats(f32, {2, 4}, {1, kNan, 9, kNan, -kInf, 3, kInf, kInf});
  const Value largest = g.value(Graphs::node(Op::kMax, f32, {2}, {a}));
  const Value smallest = g.value(Graphs::node(Op::kMin, f32, {2}, {a}));
  EXPECT_TRUE(std::isnan(largest.f[0]) && std::isnan(smallest.f[0]));
  EXPECT_EQ(largest.f[1], kInf);
  EXPECT_EQ(smallest.f[1], -kInf);
  EXPECT_EQ(g.value(Graphs::node(Op::kArgMax, i32, {2}, {a})).i, (Integers{1, 2}));
  EXPECT_EQ(g.value(Graphs::node(Op::kArgMin, i32, {2}, {a})).i, (Integers{1, 0}));
}

TEST(Reference, ReductionsOfIntegers) {
  Graphs g;
  const NodePtr a = g.integers(i8, {3}, {100, 100, -7});
  EXPECT_EQ(g.value(Graphs::node(Op::kSum, i8, {}, {a})).i, Integers{-63});  // np.sum(a, dtype=np.int8)
  EXPECT_EQ(g.value(Graphs::node(Op::kProd, i8, {}, {a})).i, Integers{-112});
  const NodePtr u = g.integers(u64, {2}, {-1, 1});
  EXPECT_EQ(g.value(Graphs::node(Op::kMax, u64, {}, {u})).i, Integers{-1});
  EXPECT_EQ(g.value(Graphs::node(Op::kMin, u64, {}, {u})).i, Integers{1});
  const NodePtr b = g.integers(boolean, {2, 2}, {0, 1, 0, 0});
  EXPECT_EQ(g.value(Graphs::node(Op::kMax, boolean, {2}, {b})).i, (Integers{1, 0}));
  EXPECT_EQ(g.value(Graphs::node(Op::kMin, boolean, {2}, {b})).i, (Integers{0, 0}));
}

TEST(Reference, ReductionsOfNothing) {
  Graphs g;
  const NodePtr a = g.floats(f32, {2, 0}, {});
  EXPECT_EQ(g.value(Graphs::node(Op::kSum, f32, {2}, {a})).f, (Floats{0, 0}));
  EXPECT_EQ(g.value(Graphs::node(Op::kProd, f32, {2}, {a})).f, (Floats{1, 1}));
  EXPECT_EQ(g.value(Graphs::node(Op::kMax, f32, {2}, {a})).f, (Floats{-kInf, -kInf}));
  const NodePtr i = g.integers(i16, {1, 0}, {});
  EXPECT_EQ(g.value(Graphs::node(Op::kMin, i16, {1}, {i})).i, Integers{32767});
  EXPECT_EQ(g.value(Graphs::node(Op::kMax, i16, {1}, {i})).i, Integers{-32768});
  const NodePtr b = g.integers(boolean, {1, 0}, {});
  EXPECT_EQ(g.value(Graphs::node(Op::kMin, boolean, {1}, {b})).i, Integers{1});
  EXPECT_EQ(g.value(Graphs::node(Op::kMax, boolean, {1}, {b})).i, Integers{0});
}

TEST(Reference, Matmul) {
  Graphs g;
  const NodePtr a = g.floats(f32, {2, 2, 3}, {1, 2, 3, 4, 5, 6, 1, 0, 0, 0, 1, 0});
  const NodePtr b = g.floats(f32, {2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_EQ(g.value(Graphs::node(Op::kMatmul, f32, {2, 2, 2}, {a, b})).f, (Floats{22, 28, 49, 64, 7, 8, 9, 10}));
  const NodePtr c = g.integers(i32, {1, 2}, {65536, 2});
  const NodePtr d = g.integers(i32, {2, 1}, {65536, 3});
  EXPECT_EQ(g.value(Graphs::node(Op::kMatmul, i32, {1, 1}, {c, d})).i, Integers{6});
  const NodePtr e = g.floats(f32, {2, 0}, {});
  const NodePtr f = g.floats(f32, {0, 2}, {});
  EXPECT_EQ(g.value(Graphs::node(Op::kMatmul, f32, {2, 2}, {e, f})).f, Floats(4, 0));
}

TEST(Reference, Where) {
  Graphs g;
  const NodePtr c = g.integers(boolean, {3}, {1, 0, 1});
  const NodePtr x = g.floats(f32, {3}, {1, 2, kNan});
  const NodePtr y = g.floats(f32, {3}, {-1, -2, -3});
  const Value got = g.value(Graphs::node(Op::kWhere, f32, {3}, {c, x, y}));
  EXPECT_EQ(got.f[0], 1);
  EXPECT_EQ(got.f[1], -2);
  EXPECT_TRUE(std::isnan(got.f[2]));
  const NodePtr p = g.integers(u64, {3}, {-1, 2, 3});
  const NodePtr q = g.integers(u64, {3}, {4, -5, 6});
  EXPECT_EQ(g.value(Graphs::node(Op::kWhere, u64, {3}, {c, p, q})).i, (Integers{-1, -5, 3}));
}

TEST(Reference, CastsFromFloats) {
  Graphs g;
  const Floats data{2.9, -2.9, kNan, kInf, -kInf, 300, -1, 3e9, 1e20, -0.0};
  const NodePtr a = g.floats(f64, {10}, data);
  const auto cast = [&](DType t) { return g.value(Graphs::node(Op::kCast, t, {10}, {a})).i; };
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(cast(i32), (Integers{2, -2, 0, 2147483647, -2147483648, 300, -1, 2147483647, 2147483647, 0}));
  EXPECT_EQ(cast(u32), (Integers{2, 0, 0, 4294967295, 0, 300, 0, 3000000000, 4294967295, 0}));
  EXPECT_EQ(cast(i64), (Integers{2, -2, 0, kMax, kSmallest, 300, -1, 3000000000, kMax, 0}));
  EXPECT_EQ(cast(u64), (Integers{2, 0, 0, -1, 0, 300, 0, 3000000000, -1, 0}));
  EXPECT_EQ(cast(i8), (Integers{2, -2, 0, -1, 0, 44, -1, -1, -1, 0}));
  EXPECT_EQ(cast(u8), (Integers{2, 0, 0, 255, 0, 44, 0, 0, 255, 0}));
  EXPECT_EQ(cast(boolean), (Integers{1, 1, 1, 1, 1, 1, 1, 1, 1, 0}));
}

TEST(Reference, CastsFromIntegers) {
  Graphs g;
  const NodePtr a = g.integers(i64, {4}, {300, -1, 16777217, 9007199791611905});
  const auto ints = [&](DType t) { return g.value(Graphs::node(Op::kCast, t, {4}, {a})).i; };
  EXPECT_EQ(ints(u8), (Integers{44, 255, 1, 1}));
  EXPECT_EQ(ints(boolean), (Integers{1, 1, 1, 1}));
  EXPECT_EQ(ints(u64), (Integers{300, -1, 16777217, 9007199791611905}));
  // The last one lies just above the middle between two floats, by less than a double can tell.
  EXPECT_EQ(g.value(Graphs::node(Op::kCast, f32, {4}, {a})).f, (Floats{300, -1, 16777216, 9007200328482816.0}));
  const NodePtr u = g.integers(u64, {1}, {-1});
  EXPECT_EQ(g.value(Graphs::node(Op::kCast, f32, {1}, {u})).f, Floats{18446744073709551616.0});
}

TEST(Reference, RoundsToSmallFloats) {
  // np.array([...]).astype(np.float16)
  const Floats from{1.0 / 3,
                    65504,
                    65519.99,
                    65520,
                    1e-8,
                    6e-8,
                    2.98e-8,
                    2.9802322387695312e-08,
                    1e-5,
                    -0.1,
                    2049,
                    2051,
                    1e30,
                    1 + 0x1p-11,
                    1 + 0x1p-11 + 0x1p-30};
  const Floats half{0.333251953125,   65504, 65504, kInf, 0, 5.960464477539063e-08, 0, 0, 1.0013580322265625e-05,
                    -0.0999755859375, 2048,  2052,  kInf, 1, 1.0009765625};
  for (std::size_t k = 0; k < from.size(); ++k) EXPECT_EQ(round_to(from[k], f16), half[k]) << from[k];
  // np.array([...]).astype(np.float32)
  const Floats wide{0.1, 16777217, 16777219, 1e39, 1e-46, 3.4028235677973366e+38, 3.4028235677973362e+38, 1e-40};
  for (const double v : wide) EXPECT_EQ(round_to(v, f32), static_cast<double>(static_cast<float>(v))) << v;
  // bf16 keeps 8 bits: halfway cases go to the even one.
  EXPECT_EQ(round_to(1 + 0x1p-8, bf16), 1);
  EXPECT_EQ(round_to(1 + 3 * 0x1p-8, bf16), 1 + 0x1p-6);
  EXPECT_EQ(round_to(3.4e38, bf16), kInf);
  EXPECT_EQ(round_to(3.39e38, bf16), 0x1.FEp127);
  EXPECT_TRUE(std::isnan(round_to(kNan, f16)));
  EXPECT_TRUE(std::signbit(round_to(-1e-30, f16)));
}

TEST(Reference, RefusesInputsOfAnotherSize) {
  Graphs g;
  EXPECT_THROW(static_cast<void>(g.value(g.floats(f32, {3}, {1, 2}))), Error);
}

TEST(Reference, SharedNodesAndSeveralRoots) {
  Graphs g;
  const NodePtr a = g.floats(f32, {2}, {1, 2});
  const NodePtr b = Graphs::node(Op::kAdd, f32, {2}, {a, a});
  const NodePtr c = Graphs::node(Op::kMultiply, f32, {2}, {b, b});
  EXPECT_EQ(g.value(c).f, (Floats{4, 16}));
}

}  // namespace
}  // namespace tessera::reference
