// Every op of the table that takes complex numbers, over all layouts, against the oracle; and those that refuse them.
#include <fmt/format.h>

#include "complex/support.h"
#include "ops/build.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

Tensor apply(Op op, const std::vector<Tensor>& args) {
  std::vector<NodePtr> nodes;
  for (const Tensor& t : args) nodes.push_back(t.node());
  return Tensor(ops::elementwise(op, nodes));
}

TEST(ComplexElementwise, OneOperand) {
  for (const DType t : {c64, c128}) {
    for (const ElementwiseOp& row : elementwise_ops()) {
      if (row.arity != 1 || row.complex.cpu == nullptr) continue;
      for (const Layout& layout : layouts()) {
        Beside both;
        const Tensor x = both.complex(t, kLayoutBase, 1, true);
        both.expect(fmt::format("{}, {}", row.name, layout.name), apply(row.op, {layout.view(x)}));
      }
    }
  }
}

TEST(ComplexElementwise, TwoOperands) {
  for (const DType t : {c64, c128}) {
    for (const ElementwiseOp& row : elementwise_ops()) {
      if (row.arity != 2 || row.complex.cpu == nullptr) continue;
      for (const Layout& layout : layouts()) {
        Beside both;
        const Tensor x = both.complex(t, kLayoutBase, 2, true);
        const Tensor y = flip(both.complex(t, kLayoutBase, 3));
        both.expect(fmt::format("{}, {}", row.name, layout.name), apply(row.op, {layout.view(x), layout.view(y)}));
      }
      Beside both;
      const Tensor all = both.complex(t, {49}, 4, true);
      both.expect(fmt::format("{}, all pairs", row.name), apply(row.op, {reshape(all, {49, 1}), all}));
      both.expect(fmt::format("{}, a number on the right", row.name), apply(row.op, {all, Tensor(Complex(0.5, -2))}));
      both.expect(fmt::format("{}, a real number on the left", row.name), apply(row.op, {Tensor(1.5), all}));
    }
  }
}

TEST(ComplexElementwise, OthersRefuse) {
  const Tensor x = make_tensor(complex_values(c64, {3}, 5), cpu());
  std::size_t refused = 0;
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (row.complex.cpu != nullptr || row.rule == TypeRule::kLogical || row.rule == TypeRule::kCast) continue;
    const std::vector<Tensor> args(static_cast<std::size_t>(row.arity), x);
    const Error e = error_of([&] { apply(row.op, args); });
    EXPECT_EQ(e.kind(), ErrorKind::kDType) << row.name;
    EXPECT_EQ(e.what(), fmt::format("{}: operands of type c64 were given; it takes real numbers.", row.name));
    ++refused;
  }
  EXPECT_GE(refused, 20U);
}

TEST(ComplexElementwise, RealTensorsAreTheirOwnParts) {
  const Tensor x(std::vector<float>{1, -2}, {2}, cpu());
  EXPECT_EQ(real(x).to_vector<float>(), (std::vector<float>{1, -2}));
  EXPECT_EQ(conj(x).to_vector<float>(), (std::vector<float>{1, -2}));
  EXPECT_EQ(imag(x).to_vector<float>(), (std::vector<float>{0, 0}));
  EXPECT_EQ(abs(Tensor(std::vector<std::complex<float>>{{3, -4}}, {1}, cpu())).to_vector<float>()[0], 5);
}

TEST(ComplexElementwise, WhereAndLogic) {
  for (const DType t : {c64, c128}) {
    Beside both;
    const Tensor x = both.complex(t, kLayoutBase, 6, true);
    const Tensor y = both.complex(t, kLayoutBase, 7);
    const Tensor c = both.tensor(plain(boolean, kLayoutBase, 8));
    for (const Layout& layout : layouts()) {
      both.expect("where, " + layout.name, where(layout.view(c), layout.view(x), layout.view(y)));
      both.expect("logical_not, " + layout.name, logical_not(layout.view(x)));
    }
  }
}

TEST(ComplexElementwise, CastsFromEveryType) {
  for (const DType from : dtypes_of(cpu())) {
    for (const DType to : {c64, c128}) {
      Beside both;
      const Tensor x = both.tensor(awkward(from));
      both.expect(fmt::format("cast of {} to {}", name(from), name(to)), cast(x, to), 1);
    }
  }
  Beside both;
  both.expect("c64 to c128", cast(both.complex(c64, {60}, 9, true), c128), 0);
  both.expect("c128 to c64", cast(both.complex(c128, {60}, 10, true), c64), 1);
  both.expect("c128 to bool", cast(both.complex(c128, {60}, 11, true), boolean));
}

/// One kernel that holds c128, c64, f64, f32 and bool at once.
TEST(ComplexElementwise, TypesMixInOneKernel) {
  Beside both;
  const Tensor a = both.complex(c128, {3000}, 12);
  const Tensor b = both.complex(c64, {3000}, 13);
  const Tensor s = both.tensor(plain(f32, {3000}, 14));
  const Tensor big = abs(a) + real(b);
  both.expect("mixed", where(greater(big, 2.0), a * s + b, conj(a)) * Complex(0.25, 1), 8);
  both.expect("parts", exp(imag(a)) + cast(equal(a, conj(conj(a))), f64), 8);
}

TEST(ComplexElementwise, TypesPromoteAsTheStandardSays) {
  const auto type = [](DType a, DType b) { return promote(a, b); };
  EXPECT_EQ(type(c64, c128), c128);
  EXPECT_EQ(type(f32, c64), c64);
  EXPECT_EQ(type(f64, c64), c128);
  EXPECT_EQ(type(c128, f32), c128);
  EXPECT_EQ(type(f16, c64), c64);
  EXPECT_EQ(type(boolean, c64), c64);
  EXPECT_EQ(type(i64, c64), c64);
  const Tensor x(std::vector<double>{1}, {1}, cpu());
  EXPECT_EQ((x * Complex(0, 1)).dtype(), c128);
  EXPECT_EQ((x.astype(f32) * Complex(0, 1)).dtype(), c64);
  EXPECT_EQ((x.astype(f16) * Complex(0, 1)).dtype(), c64);
  EXPECT_EQ((x.astype(c128) * 2.0).dtype(), c128);
}

}  // namespace
}  // namespace tessera::test
