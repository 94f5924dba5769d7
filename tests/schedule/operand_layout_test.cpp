// Layouts of matmul operands: the text in signatures and in tuning.json, and what kernels record.
#include "schedule/operand_layout.h"

#include "schedule/support.h"

namespace tessera::test {
namespace {

using enum StrideClass;

TEST(OperandLayoutTest, TextsOfBothKinds) {
  const OperandLayout strided = StridedLayout{2, kAny, kOne};
  EXPECT_FALSE(strided.is_im2col());
  EXPECT_EQ(strided.str(), "bbn1");
  EXPECT_EQ(strided.matrix_str(), "n1");
  EXPECT_TRUE(strided.strided().contiguous_along_row());
  EXPECT_FALSE(strided.strided().contiguous_along_col());
  Im2colLayout map;
  map.strides = {StrideClasses{kAny}, StrideClasses{kAny, kAny, kOne}, StrideClasses{kAny, kOne}};
  map.tests = {{StrideClasses{kZero}, StrideClasses{kZero, kZero, kZero}, StrideClasses{kOne, kZero}}};
  const OperandLayout im2col = map;
  EXPECT_TRUE(im2col.is_im2col());
  EXPECT_EQ(im2col.str(), "n|nn1|n1:000010");
  EXPECT_EQ(im2col.matrix_str(), im2col.str());
  EXPECT_EQ(map.dims(), 6);
  EXPECT_NE(im2col, strided);
}

class OperandRecords : public NullTest {
 protected:
  /// The matmul among the kernels of a tensor.
  Kernel matmul_of(const Tensor& t) const {
    for (const Kernel& kernel : plan({t}).kernels) {
      if (kernel.kind == Kernel::Kind::kMatmul) return kernel;
    }
    ADD_FAILURE() << "there is no matmul";
    return {};
  }
  void TearDown() override {}  // what programs look like is checked elsewhere
};

TEST_F(OperandRecords, LayoutAndSource) {
  const Kernel stored = matmul_of(matmul(input({3, 64, 32}), input({3, 32, 48})));
  EXPECT_EQ(stored.a.source, Operand::Source::kStored);
  EXPECT_EQ(stored.a.layout.str(), "bn1");
  EXPECT_EQ(matmul_of(matmul(input({64, 32}), input({48, 32}).T())).b.layout.str(), "1n");
  const Kernel computed = matmul_of(matmul(input({64, 32}) + input({64, 32}), input({32, 48})));
  EXPECT_EQ(computed.a.source, Operand::Source::kComputed);
  EXPECT_EQ(computed.a.layout.str(), "n1");
  EXPECT_EQ(computed.b.source, Operand::Source::kStored);
  const Kernel conv = matmul_of(conv2d(input({2, 16, 16, 16}), input({24, 16, 3, 3}), {}, {.padding = 1}));
  EXPECT_TRUE(conv.a.is_im2col() || conv.b.is_im2col());
  EXPECT_EQ(conv.b.source, Operand::Source::kStored);
}

}  // namespace
}  // namespace tessera::test
