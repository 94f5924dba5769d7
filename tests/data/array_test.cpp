// Arrays and samples: rows without copies, memory that is not aligned, and what is refused.
#include <complex>
#include <cstring>
#include <limits>
#include <memory>

#include "data/support.h"

namespace tessera::test {
namespace {

using data::Array;
using data::Sample;

class ArrayTest : public DataTest {};

TEST_F(ArrayTest, ValuesAndRowsShareMemory) {
  const Array a(std::vector<float>{1, 2, 3, 4, 5, 6}, {3, 2});
  EXPECT_EQ(a.dtype(), f32);
  const Array row = a.row(1);
  EXPECT_EQ(row.shape(), Shape({2}));
  EXPECT_EQ(row.values<float>()[0], 3);
  EXPECT_EQ(row.bytes().data(), a.bytes().data() + 8);
  EXPECT_EQ(a.rows(1, 3).shape(), Shape({2, 2}));
  EXPECT_EQ(a.rows(1, 3).values<float>()[3], 6);
  EXPECT_EQ(a.rows(3, 3).shape(), Shape({0, 2}));
  EXPECT_EQ(row.row(1).shape(), Shape());
  EXPECT_EQ(row.row(1).values<float>()[0], 4);
}

TEST_F(ArrayTest, RowsOutliveTheArray) {
  Array row;
  EXPECT_FALSE(row.defined());
  {
    const Array a(std::vector<std::int64_t>{7, 8}, {2});
    row = a.row(1);
  }
  EXPECT_EQ(row.values<std::int64_t>()[0], 8);
}

TEST_F(ArrayTest, NumbersOfEveryKind) {
  EXPECT_EQ(Array(3).dtype(), i32);
  EXPECT_EQ(Array(3).shape(), Shape());
  EXPECT_EQ(Array(2.5F).values<float>()[0], 2.5F);
  EXPECT_EQ(Array(std::numeric_limits<double>::infinity()).dtype(), f64);
  EXPECT_EQ(Array(true).dtype(), boolean);
  EXPECT_EQ(Array(std::uint8_t{255}).values<std::uint8_t>()[0], 255);
  EXPECT_EQ(Array(std::complex<float>(1, 2)).dtype(), c64);
}

TEST_F(ArrayTest, Empty) {
  const Array none(std::vector<float>{}, {0, 3});
  EXPECT_TRUE(none.defined());
  EXPECT_EQ(none.bytes().size(), 0U);
  EXPECT_EQ(error_of([&] { (void)none.row(0); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(none.tensor().shape(), Shape({0, 3}));
}

TEST_F(ArrayTest, MemoryThatIsNotAlignedIsCopied) {
  const auto owner = std::make_shared<std::vector<std::byte>>(17);
  const float values[] = {1, 2, 3, 4};
  std::memcpy(owner->data() + 1, values, 16);
  const Array a({{owner->data() + 1, 16}, owner, false}, f32, {4});
  EXPECT_EQ(a.values<float>()[3], 4);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.bytes().data()) % 4, 0U);
}

TEST_F(ArrayTest, TensorsThereAndBack) {
  const Tensor t = Tensor(std::vector<float>{1, 2, 3, 4}, {2, 2}) * 2;
  const Array a = Array::of(t);
  EXPECT_EQ(a.shape(), Shape({2, 2}));
  EXPECT_EQ(a.values<float>()[3], 8);
  EXPECT_EQ(a.row(1).tensor().to_vector<float>(), (std::vector<float>{6, 8}));
}

TEST_F(ArrayTest, Errors) {
  EXPECT_EQ(error_of([] { (void)Array(std::vector<float>{1, 2, 3}, {2, 2}); }).kind(), ErrorKind::kShape);
  const std::vector<std::byte> bytes(34);
  EXPECT_EQ(error_of([&] { (void)Array({bytes, nullptr, false}, u8, {34}); }).kind(), ErrorKind::kValue);
  const auto owner = std::make_shared<int>(0);
  EXPECT_EQ(error_of([&] { (void)Array({bytes, owner, false}, q8_0, {32}); }).kind(), ErrorKind::kDType);
  EXPECT_EQ(error_of([&] { (void)Array({bytes, owner, false}, u8, {-34}); }).kind(), ErrorKind::kShape);
  const Array a(std::vector<float>{1, 2}, {2});
  expect_text(error_of([&] { (void)a.values<std::int32_t>(); }),
              "values of i32 were asked for; the array has dtype f32");
  for (const std::int64_t i : {std::int64_t{-1}, std::int64_t{2}, std::numeric_limits<std::int64_t>::max(),
                               std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(error_of([&] { (void)a.row(i); }).kind(), ErrorKind::kValue) << i;
  }
  EXPECT_EQ(error_of([&] { (void)a.rows(1, 0); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)a.rows(0, 3); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)Array(1).row(0); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([] { (void)Array().tensor(); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)Array().row(0); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)Array().values<float>(); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)Array::of(Tensor()); }).kind(), ErrorKind::kValue);
}

TEST_F(ArrayTest, SamplesByName) {
  Sample s{{"image", Array(std::vector<std::uint8_t>{1, 2}, {2})}, {"label", 3}};
  EXPECT_EQ(s["label"].values<std::int32_t>()[0], 3);
  EXPECT_TRUE(s.contains("image"));
  EXPECT_FALSE(s.contains("mask"));
  s.set("label", 4.0F);
  s.set("mask", true);
  ASSERT_EQ(s.fields().size(), 3U);
  EXPECT_EQ(s.fields()[1].second.dtype(), f32);
  expect_text(error_of([&] { (void)s["größe"]; }), "'image', 'label', 'mask'");
  EXPECT_EQ(error_of([] { (void)Sample{{"a", 1}, {"a", 2}}; }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)Sample{{"", 1}}; }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)Sample{{"a.b", 1}}; }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { s.set("a.b", 1); }).kind(), ErrorKind::kValue);
}

TEST_F(ArrayTest, ManyFieldsAreCheckedToo) {
  std::vector<Sample::Named> fields;
  for (int i = 0; i < 200000; ++i) fields.emplace_back("f" + std::to_string(i), Array());
  EXPECT_EQ(Sample(fields).fields()[199999].first, "f199999");
  fields.emplace_back("f77", Array());
  expect_text(error_of([&] { (void)Sample(fields); }), "the field 'f77' was given twice");
}

TEST_F(ArrayTest, StackingNamesTheFieldThatDiffers) {
  const auto stacked = data::stack(std::vector<Sample>{{{"x", 1}, {"y", 2.0F}}, {{"x", 3}, {"y", 4.0F}}});
  EXPECT_EQ(stacked["x"].shape(), Shape({2}));
  EXPECT_EQ(stacked["y"].values<float>()[1], 4);
  const auto error = [](const std::vector<Sample>& samples) { return error_of([&] { (void)data::stack(samples); }); };
  EXPECT_EQ(error({}).kind(), ErrorKind::kValue);
  EXPECT_EQ(error({Sample()}).kind(), ErrorKind::kValue);
  EXPECT_EQ(error({{{"x", 1}}, {{"y", 1}}}).kind(), ErrorKind::kValue);
  EXPECT_EQ(error({{{"x", 1}}, Sample()}).kind(), ErrorKind::kValue);
  const Error dtype = error({{{"x", 1}}, {{"x", 1.0F}}});
  EXPECT_EQ(dtype.kind(), ErrorKind::kDType);
  expect_text(dtype, "the field 'x' of sample 0 is i32 of shape [], and that of sample 1 is f32");
  const Error shape = error({{{"x", 1}}, {{"x", Array(std::vector<int>{1}, {1})}}});
  EXPECT_EQ(shape.kind(), ErrorKind::kShape);
  expect_text(shape, "of shape [1]");
  EXPECT_EQ(error({{{"x", Array()}}}).kind(), ErrorKind::kValue);
  EXPECT_EQ(error({{{"x", 1}}, {{"x", Array()}}}).kind(), ErrorKind::kShape);
  const Array deep(std::vector<int>{1}, {1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(error({{{"x", deep}}}).kind(), ErrorKind::kShape);
}

}  // namespace
}  // namespace tessera::test
