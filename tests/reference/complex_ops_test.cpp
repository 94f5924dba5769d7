// The oracle's complex ops against numbers written down from NumPy 2, in c128.
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "graph/op.h"
#include "ops/elementwise/elementwise.h"
#include "reference/graphs.h"

namespace tessera::reference {
namespace {

struct ComplexCase {
  Op op;
  std::vector<std::complex<double>> a;
  std::vector<std::complex<double>> b;  // empty: one operand
  std::vector<std::complex<double>> want;
};

/// The call above a row gives its last list from the others, as complex128 arrays.
const std::vector<ComplexCase>& complex_cases() {
  static const std::vector<ComplexCase> cases{
      // np.negative(a)
      {Op::kNegative,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{-1.0, -2.0}, {0.5, -0.25}, {-0.0, -0.0}, {-3.0, 4.0}}},
      // np.abs(a)
      {Op::kAbs,
       {{3.0, 4.0}, {-0.5, 0.25}, {0, 0}, {kInf, kNan}, {kNan, 1.0}},
       {},
       {{5.0, 0}, {0.5590169943749475, 0}, {0, 0}, {kInf, 0}, {kNan, 0}}},
      // a / np.abs(a)
      {Op::kSign,
       {{3.0, 4.0}, {-0.5, 0.25}},
       {},
       {{0.6000000000000001, 0.8}, {-0.8944271909999159, 0.4472135954999579}}},
      // np.exp(a)
      {Op::kExp,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {kInf, 0}, {-kInf, 1.0}, {1.0, kInf}},
       {},
       {{-1.1312043837568135, 2.4717266720048188},
        {0.5876750903439226, 0.15005808662216327},
        {1.0, 0},
        {kInf, 0},
        {0, 0},
        {kNan, kNan}}},
      // np.expm1(a); the last ones by the array API standard, where NumPy gives inf + NaN i
      {Op::kExpm1,
       {{1.0, 2.0}, {1e-10, 1e-10}, {0, 0}, {kInf, 0}, {-kInf, kInf}},
       {},
       {{-2.1312043837568133, 2.4717266720048188}, {1e-10, 1.0000000001000001e-10}, {0, 0}, {kInf, 0}, {-1, 0}}},
      // np.log(a)
      {Op::kLog,
       {{1.0, 2.0}, {-0.5, 0.25}, {-1.0, 0}, {0, 0}, {kInf, 1.0}},
       {},
       {{0.8047189562170503, 1.1071487177940904},
        {-0.5815754049028404, 2.677945044588987},
        {0, 3.141592653589793},
        {-kInf, 0},
        {kInf, 0}}},
      // np.log2(a)
      {Op::kLog2,
       {{1.0, 2.0}, {-0.5, 0.25}, {-1.0, 0}},
       {},
       {{1.1609640474436813, 1.5972779646881086}, {-0.8390359525563188, 3.8634580356017056}, {0, 4.532360141827193}}},
      // np.log10(a)
      {Op::kLog10,
       {{1.0, 2.0}, {-0.5, 0.25}, {-1.0, 0}},
       {},
       {{0.34948500216800943, 0.4808285787842341},
        {-0.25257498915995297, 1.1630167557051547},
        {0, 1.3643763538418412}}},
      // np.log1p(a)
      {Op::kLog1p,
       {{1.0, 2.0}, {-3.0, 0.5}, {-2.0, 0}, {-1.0, 0}},
       {},
       {{1.039720770839918, 0.7853981633974483},
        {0.7234594914681627, 2.896613990462929},
        {0, 3.141592653589793},
        {-kInf, 0}}},
      // np.sqrt(a)
      {Op::kSqrt,
       {{1.0, 2.0}, {-4.0, 0}, {-4.0, -0.0}, {0, 0}, {-kInf, 1.0}, {1.0, kInf}},
       {},
       {{1.272019649514069, 0.7861513777574233}, {0, 2.0}, {0, -2.0}, {0, 0}, {0, kInf}, {kInf, kInf}}},
      // np.square(a)
      {Op::kSquare,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{-3.0, 4.0}, {0.1875, -0.25}, {0, 0}, {-7.0, -24.0}}},
      // np.reciprocal(a)
      {Op::kReciprocal, {{1.0, 2.0}, {-0.5, 0.25}, {0, -2.0}}, {}, {{0.2, -0.4}, {-1.6, -0.8}, {0, 0.5}}},
      // np.round(a)
      {Op::kRound, {{1.5, 2.5}, {-0.5, 0.75}, {3.0, -4.0}}, {}, {{2.0, 2.0}, {-0.0, 1.0}, {3.0, -4.0}}},
      // np.isnan(a)
      {Op::kIsNan, {{1.0, 2.0}, {kNan, 0}, {0, kNan}, {kInf, 1.0}}, {}, {{0, 0}, {1.0, 0}, {1.0, 0}, {0, 0}}},
      // np.isinf(a)
      {Op::kIsInf, {{1.0, 2.0}, {kInf, kNan}, {0, -kInf}, {kNan, 1.0}}, {}, {{0, 0}, {1.0, 0}, {1.0, 0}, {0, 0}}},
      // np.isfinite(a)
      {Op::kIsFinite, {{1.0, 2.0}, {kInf, 0}, {0, kNan}}, {}, {{1.0, 0}, {0, 0}, {0, 0}}},
      // np.real(a)
      {Op::kReal, {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}}, {}, {{1.0, 0}, {-0.5, 0}, {0, 0}, {3.0, 0}}},
      // np.imag(a)
      {Op::kImag, {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}}, {}, {{2.0, 0}, {0.25, 0}, {0, 0}, {-4.0, 0}}},
      // np.conj(a)
      {Op::kConj,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{1.0, -2.0}, {-0.5, -0.25}, {0, -0.0}, {3.0, 4.0}}},
      // np.sin(a)
      {Op::kSin,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{3.165778513216168, 1.9596010414216063},
        {-0.494485780933195, 0.22168816414957482},
        {0, 0},
        {3.853738037919377, 27.016813258003932}}},
      // np.cos(a)
      {Op::kCos,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{2.0327230070196656, -3.0518977991518},
        {0.9051501505596068, 0.12110879604381165},
        {1.0, -0.0},
        {-27.034945603074224, 3.851153334811777}}},
      // np.tan(a)
      {Op::kTan,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{0.03381282607989669, 1.0147936161466335},
        {-0.504500702698564, 0.3124206925025888},
        {0, 0},
        {-0.00018734620462947845, -0.9993559873814732}}},
      // np.arcsin(a)
      {Op::kAsin,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{0.42707858639247614, 1.528570919480998},
        {-0.5016088532755008, 0.28139605624529274},
        {0, 0},
        {0.6339838656391766, -2.305509031243477}}},
      // np.arccos(a)
      {Op::kAcos,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{1.1437177404024206, -1.528570919480998},
        {2.0724051800703975, -0.28139605624529274},
        {1.5707963267948966, -0.0},
        {0.93681246115572, 2.305509031243477}}},
      // np.arctan(a)
      {Op::kAtan,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{1.3389725222944935, 0.40235947810852507},
        {-0.4842544903299662, 0.20058661813123432},
        {0, 0},
        {1.4483069952314644, -0.15899719167999918}}},
      // np.sinh(a)
      {Op::kSinh,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{-0.4890562590412937, 1.4031192506220405},
        {-0.504895714387995, 0.2789791283502615},
        {0, 0},
        {-6.5481200409110025, 7.61923172032141}}},
      // np.cosh(a)
      {Op::kCosh,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{-0.64214812471552, 1.0686074213827783},
        {1.0925708047319176, -0.12892104172809826},
        {1.0, 0},
        {-6.580663040551157, 7.581552742746545}}},
      // np.tanh(a)
      {Op::kTanh,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{1.16673625724092, -0.2434582011857253},
        {-0.4854872810241353, 0.19805544995134955},
        {0, 0},
        {1.000709536067233, -0.0049082580674960595}}},
      // np.arcsinh(a)
      {Op::kAsinh,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{1.4693517443681852, 1.0634400235777521},
        {-0.4926756834207706, 0.2243284526346675},
        {0, 0},
        {2.2999140408792695, -0.9176168533514787}}},
      // np.arccosh(a)
      {Op::kAcosh,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{1.528570919480998, 1.1437177404024206},
        {0.28139605624529274, 2.0724051800703975},
        {0, 1.5707963267948966},
        {2.305509031243477, -0.93681246115572}}},
      // np.arctanh(a)
      {Op::kAtanh,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {},
       {{0.17328679513998632, 1.1780972450961724},
        {-0.500370000052531, 0.3143981432077165},
        {0, 0},
        {0.1175009073114339, -1.4099210495965755}}},
      // np.add(a, b)
      {Op::kAdd,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {{3.0, -4.0}, {0, 0}, {-0.5, 0.25}, {1.0, 2.0}},
       {{4.0, -2.0}, {-0.5, 0.25}, {-0.5, 0.25}, {4.0, -2.0}}},
      // np.subtract(a, b)
      {Op::kSubtract,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {{3.0, -4.0}, {0, 0}, {-0.5, 0.25}, {1.0, 2.0}},
       {{-2.0, 6.0}, {-0.5, 0.25}, {0.5, -0.25}, {2.0, -6.0}}},
      // np.multiply(a, b)
      {Op::kMultiply,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {{3.0, -4.0}, {0, 0}, {-0.5, 0.25}, {1.0, 2.0}},
       {{11.0, 2.0}, {-0.0, 0}, {-0.0, 0}, {11.0, 2.0}}},
      // np.divide(a, b)
      {Op::kDivide,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {3.0, -4.0}},
       {{3.0, -4.0}, {0.5, 2.0}, {1.0, 1.0}, {1.0, 2.0}},
       {{-0.2, 0.4}, {0.058823529411764705, 0.2647058823529412}, {0, 0}, {-1.0, -2.0}}},
      // np.power(a, b)
      {Op::kPower,
       {{1.0, 2.0}, {-0.5, 0.25}, {0, 0}, {2.0, 0}, {3.0, -4.0}, {1.0, 2.0}},
       {{2.0, 0}, {0.5, -1.0}, {2.0, 1.0}, {0, 0}, {-3.0, 0}, {101.0, 0}},
       {{-3.0, 4.0},
        {-3.7290509797344957, 10.223663934831647},
        {0, 0},
        {1.0, 0},
        {-0.007488, 0.002816},
        {5.783317924538892e+34, -1.899957068973449e+35}}},
      // np.equal(a, b)
      {Op::kEqual, {{1.0, 2.0}, {kNan, 0}, {0, 1.0}}, {{1.0, 2.0}, {kNan, 0}, {0, 2.0}}, {{1.0, 0}, {0, 0}, {0, 0}}},
      // np.not_equal(a, b)
      {Op::kNotEqual,
       {{1.0, 2.0}, {kNan, 0}, {0, 1.0}},
       {{1.0, 2.0}, {kNan, 0}, {0, 2.0}},
       {{0, 0}, {1.0, 0}, {1.0, 0}}},
  };
  return cases;
}

void expect_close(double got, double want, double size, const std::string& what) {
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(got)) << what << " got " << got;
  } else if (std::isinf(want)) {
    EXPECT_EQ(got, want) << what;
  } else {
    EXPECT_LE(std::abs(got - want), 4e-15 * (std::isfinite(size) ? size : 0))
        << what << " got " << got << " want " << want;
  }
}

TEST(Reference, ComplexOpsAgreeWithNumPy) {
  for (const ComplexCase& c : complex_cases()) {
    const ElementwiseOp& row = elementwise(c.op);
    Graphs g;
    const Shape shape{static_cast<std::int64_t>(c.a.size())};
    Node::Inputs inputs{g.complexes(c128, shape, c.a)};
    if (!c.b.empty()) inputs.push_back(g.complexes(c128, shape, c.b));
    ASSERT_EQ(static_cast<int>(inputs.size()), row.arity) << row.name;
    const bool to_bool = row.rule == TypeRule::kCompare || row.rule == TypeRule::kTest;
    const bool to_real = row.rule == TypeRule::kReal || (row.rule == TypeRule::kComplex && c.op != Op::kConj);
    const Value got = g.value(Graphs::node(c.op, to_bool ? boolean : (to_real ? f64 : c128), shape, inputs));
    for (std::size_t k = 0; k < c.want.size(); ++k) {
      const std::string what = std::string(row.name) + " at " + std::to_string(k);
      if (to_bool) {
        EXPECT_EQ(got.i[k] != 0, c.want[k] != 0.0) << what;
        continue;
      }
      const std::complex<double> value = to_real ? got.f[k] : got.c[k];
      expect_close(value.real(), c.want[k].real(), std::abs(c.want[k]), what);
      expect_close(value.imag(), c.want[k].imag(), std::abs(c.want[k]), what);
    }
  }
}

TEST(Reference, EveryComplexOpHasACase) {
  std::set<Op> seen{Op::kWhere};  // its test is among the structural ones
  for (const ComplexCase& c : complex_cases()) seen.insert(c.op);
  for (const ElementwiseOp& row : elementwise_ops()) {
    EXPECT_EQ(seen.contains(row.op), row.complex.reference != nullptr) << row.name;
  }
}

TEST(Reference, ComplexStructure) {
  Graphs g;
  using C = std::complex<double>;
  const NodePtr x = g.complexes(c64, {2, 2}, {{1, 2}, {0, 1}, {3, 0}, {-1, 1}});
  EXPECT_EQ(g.value(Graphs::node(Op::kSum, c64, {2}, {x})).c, (std::vector<C>{{1, 3}, {2, 1}}));
  EXPECT_EQ(g.value(Graphs::node(Op::kProd, c64, {2}, {x})).c, (std::vector<C>{{-2, 1}, {-3, 3}}));
  EXPECT_EQ(g.value(Graphs::node(Op::kMatmul, c64, {2, 2}, {x, x})).c,
            (std::vector<C>{{-3, 7}, {-3, 0}, {0, 9}, {0, 1}}));
  const NodePtr c = g.integers(boolean, {2, 2}, {1, 0, 0, 1});
  const NodePtr y = g.complexes(c64, {2, 2}, {0, 0, 5, 0});
  EXPECT_EQ(g.value(Graphs::node(Op::kWhere, c64, {2, 2}, {c, x, y})).c, (std::vector<C>{{1, 2}, 0, 5, {-1, 1}}));
  EXPECT_EQ(g.value(Graphs::node(Op::kCast, boolean, {2, 2}, {y})).i, (std::vector<std::int64_t>{0, 0, 1, 0}));
  const NodePtr f = g.floats(f64, {1}, {1 + 0x1p-30});
  EXPECT_EQ(g.value(Graphs::node(Op::kCast, c64, {1}, {f})).c[0], C(1, 0));
}

}  // namespace
}  // namespace tessera::reference
