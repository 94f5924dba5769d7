// Ops as members of Tensor, operators, brackets, printing and item() without a template argument.
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

class Members : public DeviceTest {
 protected:
  [[nodiscard]] Tensor count(const Shape& shape, DType dtype = f32) const {
    return arange(static_cast<double>(shape.numel()), dtype, device_).reshape(shape);
  }
};

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(TESSERA_SOURCE_DIR "/include/tessera/") + file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(MembersOfTensor, EveryOpOfTheCatalogThatTakesATensorFirst) {
  // Those that do not: creation, and functions of a list or an equation.
  const std::set<std::string> without{"alibi", "arange",   "concat",   "einsum", "empty", "eye",
                                      "full",  "linspace", "meshgrid", "ones",   "stack", "zeros"};
  const std::string declared = text_of("members.h") + text_of("tensor.h");
  std::size_t found = 0;
  std::size_t without_member = 0;
  for (const OpInfo& op : op_catalog()) {
    if (op.name.find("::") != std::string::npos) continue;  // linalg and random stay in their namespaces
    const bool member = declared.find("] Tensor " + op.name + "(") != std::string::npos ||
                        declared.find("> " + op.name + "(") != std::string::npos ||
                        declared.find("] bool " + op.name + "(") != std::string::npos ||
                        declared.find("] Indexed " + op.name + "(") != std::string::npos ||
                        declared.find("] Unique " + op.name + "(") != std::string::npos ||
                        declared.find("] BatchNorm " + op.name + "(") != std::string::npos;
    EXPECT_EQ(member, !without.contains(op.name)) << op.name;
    found += member ? 1 : 0;
    without_member += member ? 0 : 1;
  }
  EXPECT_GT(found, 200U);
  EXPECT_EQ(without_member, without.size());
}

TEST_P(Members, EqualTheFunctions) {
  const Tensor x = count({2, 3}) - 2.5;
  const Tensor w = count({3, 4}) * 0.125;
  const std::vector<std::pair<Tensor, Tensor>> pairs{
      {x.sum(), sum(x)},
      {x.mean({0}), mean(x, {0})},
      {x.max({1}, true), max(x, {1}, true)},
      {x.var({1}, false, 1), var(x, {1}, false, 1)},
      {x.matmul(w), matmul(x, w)},
      {x.matmul(w).relu().softmax(), softmax(relu(matmul(x, w)))},
      {x.softmax(0), softmax(x, 0)},
      {x.exp(), exp(x)},
      {x.pow(2), power(x, 2)},
      {pow(x, 2), power(x, 2)},
      {x.reshape({3, -1}), reshape(x, {3, -1})},
      {x.transpose(), transpose(x)},
      {x.permute({1, 0}), permute(x, {1, 0})},
      {x.clamp(-1, 1), clamp(x, -1, 1)},
      {x.greater(0).where(x, -x), abs(x)},
      {x.slice({Slice{1, {}}}), slice(x, {Slice{1, {}}})},
      {x.pad({{1, 0}, {0, 2}}, 7), pad(x, {{1, 0}, {0, 2}}, 7)},
      {x.split(3, 1)[2], split(x, 3, 1)[2]},
      {x.split({1, 2}, 1)[1], split(x, std::vector<std::int64_t>{1, 2}, 1)[1]},
      {x.topk(2).values, topk(x, 2).values},
      {x.sort(-1, true), sort(x, -1, true)},
      {x.cumsum(1), cumsum(x, 1)},
      {x.argmax(), argmax(x)},
      {x.layer_norm(), layer_norm(x)},
      {x.mse_loss(0 * x), mse_loss(x, 0 * x)},
      {x.mse_loss(0 * x, Reduction::kSum), mse_loss(x, 0 * x, Reduction::kSum)},
      {x.cross_entropy(Tensor(Ints{0, 2}, {2}, device_), {.label_smoothing = 0.1}),
       cross_entropy(x, Tensor(Ints{0, 2}, {2}, device_), {.label_smoothing = 0.1})},
      {x.reshape({1, 1, 2, 3}).max_pool2d(2), max_pool2d(reshape(x, {1, 1, 2, 3}), 2)},
      {x.matmul(w).rope(), rope(matmul(x, w))},
      {x.slice_update(ones({1, 3}, f32, device_), {1}, {0}),
       slice_update(x, ones({1, 3}, f32, device_), std::vector<std::int64_t>{1}, {0})},
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(pairs[i].first.shape(), pairs[i].second.shape()) << "pair " << i;
    EXPECT_TRUE(pairs[i].first.allclose(pairs[i].second, 0, 0)) << "pair " << i;
  }
}

TEST_P(Members, Operators) {
  Tensor x = count({3});
  const Tensor before = x;
  x += 1;
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 2, 3}));
  EXPECT_EQ(before.to_vector<float>(), (Floats{0, 1, 2}));  // another handle keeps its value
  x -= before;
  x *= 6.0;
  x /= Tensor(Floats{1, 2, 3}, {3}, device_);
  EXPECT_EQ(x.to_vector<float>(), (Floats{6, 3, 2}));
  ((x += 1) *= 2) -= 1;
  EXPECT_EQ((-x).to_vector<float>(), (Floats{-13, -7, -5}));
  x %= 4;
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 3, 1}));
  Tensor bits = Tensor(Ints{12, 10, -1}, {3}, device_);
  bits &= 6;
  EXPECT_EQ(bits.to_vector<std::int32_t>(), (Ints{4, 2, 6}));
  bits |= 1;
  bits ^= 3;
  EXPECT_EQ(bits.to_vector<std::int32_t>(), (Ints{6, 0, 4}));
  EXPECT_EQ(((~bits & 5) | (Tensor(8) ^ 1)).to_vector<std::int32_t>(), (Ints{9, 13, 9}));
  EXPECT_EQ((bits % 4).to_vector<std::int32_t>(), (Ints{2, 0, 0}));
  Tensor small = count({2}, f16);
  small += 0.5;  // a number takes the dtype
  EXPECT_EQ(small.dtype(), f16);
  const Error error = error_of([&] { x += count({2}); });
  EXPECT_EQ(error.kind(), ErrorKind::kShape);
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 3, 1}));  // as before
}

TEST_P(Members, Brackets) {
  const Tensor x = count({3, 4}, i32);
  const auto read = [](const Tensor& t) { return t.to_vector<std::int32_t>(); };
  EXPECT_EQ(read(x[1]), (Ints{4, 5, 6, 7}));
  EXPECT_EQ(read(x[-1]), (Ints{8, 9, 10, 11}));
  EXPECT_EQ(x[2][-4].item(), 8);
  EXPECT_EQ(x[std::size_t{2}][std::uint8_t{3}].item(), 11);
  EXPECT_EQ(read(x[{Slice{1, 3}, 1}]), (Ints{5, 9}));
  EXPECT_EQ(read(x[{0, -1}]), (Ints{3}));
  EXPECT_EQ(x[(Slice{1, {}})].shape(), (Shape{2, 4}));
  EXPECT_EQ(read(x[{Slice{{}, {}, -2}, Slice{1, 3}}]), (Ints{9, 10, 1, 2}));
  EXPECT_EQ(read(x[{Ellipsis{}, 0}]), (Ints{0, 4, 8}));
  EXPECT_EQ(x[NewAxis{}].shape(), (Shape{1, 3, 4}));
  EXPECT_EQ(x[{}].shape(), x.shape());
  EXPECT_EQ(x[{2}].shape(), (Shape{4}));
  EXPECT_EQ(read(x[x.greater(9)]), (Ints{10, 11}));
  EXPECT_EQ(read(x[{Tensor(Ints{2, 0}, {2}, device_), 1}]), (Ints{9, 1}));
  for (const std::int64_t i : {3, -4, 100}) {
    const Error error = error_of([&] { static_cast<void>(x[i]); });
    EXPECT_EQ(error.kind(), ErrorKind::kValue);
    EXPECT_EQ(std::string(error.what()),
              "Index " + std::to_string(i) + " was given for axis 0 of size 3; from -3 to 2 is expected.");
  }
  EXPECT_EQ(error_of([&] { static_cast<void>(x[~std::size_t{0}]); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { static_cast<void>(x[0][0][0]); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { static_cast<void>(count({0, 2})[0]); }).kind(), ErrorKind::kValue);
}

TEST_P(Members, PrintingAndArange) {
  const Tensor x = count({2, 2});
  std::ostringstream out;
  out << x << ' ' << arange(0);
  EXPECT_EQ(out.str(), x.str() + ' ' + arange(0).str());
  EXPECT_EQ(arange(3).dtype(), i32);
  EXPECT_EQ(arange(3).to_vector<std::int32_t>(), (Ints{0, 1, 2}));
  EXPECT_EQ(arange(2.5).to_vector<float>(), (Floats{0, 1, 2}));
  EXPECT_EQ(arange(2, i64, device_).to_vector<std::int64_t>(), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(arange(1, 3).to_vector<std::int32_t>(), (Ints{1, 2}));  // as before
  EXPECT_EQ(arange(-2).numel(), 0);
}

TEST_P(Members, ItemWithoutATemplateArgument) {
  for (const DTypeInfo& info : kDTypeInfo) {
    const bool wide = info.dtype == f64 || is_complex(info.dtype);
    if (wide && !on_cpu()) continue;
    const Tensor one = ones({1, 1}, info.dtype, device_);
    if (is_complex(info.dtype)) {
      EXPECT_EQ(error_of([&] { static_cast<void>(one.item()); }).kind(), ErrorKind::kDType) << info.name;
      continue;
    }
    EXPECT_EQ(one.item(), 1.0) << info.name;
  }
  const float loss = full({}, 0.25, f32, device_).item();
  EXPECT_EQ(loss, 0.25F);
  EXPECT_TRUE(std::isnan(full({}, NAN, f32, device_).item()));
  EXPECT_EQ(full({}, INFINITY, f16, device_).item(), INFINITY);
  EXPECT_EQ(error_of([&] { static_cast<void>(zeros({2}, f32, device_).item()); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { static_cast<void>(zeros({0}, f32, device_).item()); }).kind(), ErrorKind::kShape);
  const std::int64_t exact = std::int64_t{1} << 53U;
  for (const std::int64_t n : {exact, -exact, std::int64_t{0}, std::int64_t{-7}}) {
    EXPECT_EQ(Tensor(std::vector<std::int64_t>{n}, {}, device_).item(), static_cast<double>(n));
  }
  for (const std::int64_t n : {exact + 1, -exact - 1, INT64_MAX, INT64_MIN}) {
    const Tensor x(std::vector<std::int64_t>{n}, {}, device_);
    const Error error = error_of([&] { static_cast<void>(x.item()); });
    EXPECT_EQ(error.kind(), ErrorKind::kDType);
    EXPECT_EQ(std::string(error.what()), "item: " + std::to_string(n) +
                                             " of type i64 is past 2^53, where a double is not exact; read it by "
                                             "item<std::int64_t>().");
    EXPECT_EQ(x.item<std::int64_t>(), n);
  }
  const Tensor most(std::vector<std::uint64_t>{UINT64_MAX}, {}, device_);
  EXPECT_EQ(error_of([&] { static_cast<void>(most.item()); }).kind(), ErrorKind::kDType);
  EXPECT_EQ(most.item<std::uint64_t>(), UINT64_MAX);
}

TESSERA_ON_ALL_DEVICES(Members);

}  // namespace
}  // namespace tessera::test
