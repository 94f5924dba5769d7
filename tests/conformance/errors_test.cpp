// Bad input: each public function throws an Error of the right kind at the call, with what was given and expected.
#include <functional>

#include <gtest/gtest.h>

#include "runtime/null/null_device.h"
#include "runtime/registry.h"
#include "support/devices.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

/// Errors at the call need no device that runs anything.
class Errors : public testing::Test {
 protected:
  void SetUp() override {
    DeviceInfo info;
    info.features.f16 = true;
    device_ = Device(runtime::make_null_device(info));
    device_.set_current();
  }
  void TearDown() override { runtime::set_default_device(nullptr); }

  Tensor f(const Shape& shape) const { return zeros(shape, f32, device_); }
  Tensor of(DType t, const Shape& shape = {2, 3}) const { return zeros(shape, t, device_); }

  /// `parts` are pieces of the message, in order.
  static void expect(ErrorKind kind, const std::vector<std::string>& parts, const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& e) {
      EXPECT_EQ(name(e.kind()), name(kind)) << e.what();
      std::string text = e.what();
      std::size_t at = 0;
      for (const std::string& part : parts) {
        at = text.find(part, at);
        if (at == std::string::npos) {
          ADD_FAILURE() << "'" << part << "' is missing, or not in its place, in: " << text;
          return;
        }
      }
      return;
    } catch (const std::exception& e) {
      ADD_FAILURE() << "not an Error: " << e.what();
      return;
    }
    std::string all;
    for (const std::string& p : parts) all += " " + p;
    ADD_FAILURE() << "nothing was thrown; expected" << all;
  }

  Device device_;
};

TEST_F(Errors, ShapesThatDoNotBroadcast) {
  using Binary = Tensor (*)(const Tensor&, const Tensor&);
  const std::pair<const char*, Binary> all[] = {
      {"add", add},
      {"subtract", subtract},
      {"multiply", multiply},
      {"divide", divide},
      {"power", power},
      {"maximum", maximum},
      {"minimum", minimum},
      {"atan2", atan2},
      {"floor_divide", floor_divide},
      {"equal", equal},
      {"not_equal", not_equal},
      {"less", less},
      {"greater", greater},
      {"logical_and", logical_and},
      {"remainder", remainder},
  };
  for (const auto& [what, op] : all) {
    expect(ErrorKind::kShape, {what, "[2, 3]", "[2, 4]", "3 and 4"}, [&, fn = op] { fn(f({2, 3}), f({2, 4})); });
  }
  expect(ErrorKind::kShape, {"where", "[2]", "[3]"}, [&] { where(of(boolean, {2}), f({3}), f({3})); });
  expect(ErrorKind::kShape, {"[2]", "[3]"}, [&] { clamp(f({2}), f({3}), {}); });
  expect(ErrorKind::kShape, {"broadcast_to", "[3]", "[2]"}, [&] { broadcast_to(f({3}), {2}); });
  expect(ErrorKind::kShape, {"broadcast_to", "[1, 3]", "[3]"}, [&] { broadcast_to(f({1, 3}), {3}); });
}

TEST_F(Errors, WrongTypes) {
  expect(ErrorKind::kDType, {"bitwise_and", "f32", "integers"}, [&] { bitwise_and(of(f32), of(f32)); });
  expect(ErrorKind::kDType, {"bitwise_not", "f32"}, [&] { bitwise_not(of(f32)); });
  expect(ErrorKind::kDType, {"left_shift", "bool"}, [&] { left_shift(of(boolean), of(boolean)); });
  expect(ErrorKind::kDType, {"right_shift", "f16"}, [&] { right_shift(of(f16), of(i32)); });
  expect(ErrorKind::kDType, {"negative", "bool"}, [&] { negative(of(boolean)); });
  expect(ErrorKind::kDType, {"subtract", "bool"}, [&] { subtract(of(boolean), of(boolean)); });
  expect(ErrorKind::kDType, {"sign", "bool"}, [&] { sign(of(boolean)); });
  expect(ErrorKind::kDType, {"randint", "f32"}, [&] { random::randint({3}, 0, 5, f32, device_); });
  expect(ErrorKind::kDType, {"i32", "f32"}, [&] { static_cast<void>(of(f32).to_vector<std::int32_t>()); });
  expect(ErrorKind::kDType, {"bool", "f32"}, [&] { static_cast<void>(of(f32).to_vector<bool>()); });
  expect(ErrorKind::kValue, {"add", "300", "u8"}, [&] { add(of(u8), 300); });
  expect(ErrorKind::kValue, {"add", "-1", "u32"}, [&] { add(of(u32), -1); });
}

TEST_F(Errors, F64OnlyOnTheCpu) {
  expect(ErrorKind::kUnsupported, {"f64"}, [&] { Tensor(std::vector<double>{1.0}, {1}, device_); });
  expect(ErrorKind::kUnsupported, {"f64"}, [&] { cast(of(f32), f64); });
  expect(ErrorKind::kUnsupported, {"f64"}, [&] { static_cast<void>(of(f32).astype(f64)); });
  expect(ErrorKind::kUnsupported, {"f64"}, [&] { zeros({2}, f64, device_).eval(); });
  expect(ErrorKind::kUnsupported, {"f64"}, [&] { arange(0, 3, 1, f64, device_).eval(); });
}

TEST_F(Errors, Axes) {
  expect(ErrorKind::kShape, {"sum", "2", "rank 2"}, [&] { sum(f({2, 3}), {2}); });
  expect(ErrorKind::kShape, {"max", "-3", "rank 2"}, [&] { max(f({2, 3}), {-3}); });
  expect(ErrorKind::kShape, {"argmax", "5"}, [&] { argmax(f({2, 3}), 5); });
  expect(ErrorKind::kShape, {"softmax", "2"}, [&] { softmax(f({2, 3}), 2); });
  expect(ErrorKind::kShape, {"log_softmax", "2"}, [&] { log_softmax(f({2, 3}), 2); });
  expect(ErrorKind::kShape, {"softmax", "rank 0"}, [&] { softmax(f({})); });
  expect(ErrorKind::kShape, {"layer_norm", "rank 0"}, [&] { layer_norm(f({})); });
  expect(ErrorKind::kShape, {"flip", "4"}, [&] { flip(f({2, 3}), {4}); });
  expect(ErrorKind::kShape, {"concat", "2"}, [&] { concat({f({2, 3})}, 2); });
  expect(ErrorKind::kShape, {"split", "2"}, [&] { split(f({2, 3}), std::vector<std::int64_t>{1}, 2); });
  expect(ErrorKind::kShape, {"expand_dims", "4", "rank 3"}, [&] { expand_dims(f({2, 3}), 4); });
  expect(ErrorKind::kShape, {"size", "2", "rank 2"}, [&] { static_cast<void>(f({2, 3}).size(2)); });
  expect(ErrorKind::kValue, {"sum", "1", "twice"}, [&] { sum(f({2, 3}), {1, -1}); });
  expect(ErrorKind::kValue, {"permute", "twice"}, [&] { permute(f({2, 3}), {0, 0}); });
  expect(ErrorKind::kShape, {"permute", "1", "rank 2"}, [&] { permute(f({2, 3}), {0}); });
  expect(ErrorKind::kShape, {"2"}, [&] { transpose(f({2, 3}), 0, 2); });
  expect(ErrorKind::kShape, {"rank 1"}, [&] { transpose(f({3})); });
  expect(ErrorKind::kShape, {"squeeze", "axis 0", "[2, 3]", "2"}, [&] { squeeze(f({2, 3}), {0}); });
}

TEST_F(Errors, Shapes) {
  expect(ErrorKind::kShape, {"reshape", "[2, 3]", "6", "[4]", "4"}, [&] { reshape(f({2, 3}), {4}); });
  expect(ErrorKind::kShape, {"reshape", "6", "[4, -1]"}, [&] { reshape(f({2, 3}), {4, -1}); });
  expect(ErrorKind::kShape, {"reshape", "-1"}, [&] { reshape(f({2, 3}), {-1, -1}); });
  expect(ErrorKind::kShape, {"reshape", "-2"}, [&] { reshape(f({2, 3}), {-2, 3}); });
  expect(ErrorKind::kShape, {"reshape"}, [&] { reshape(f({0, 3}), {0, -1}); });
  expect(ErrorKind::kShape, {"9", "8"}, [&] { f({1, 1, 1, 1, 1, 1, 1, 1, 1}); });
  expect(ErrorKind::kShape, {"9", "8"}, [&] { expand_dims(f({1, 1, 1, 1, 1, 1, 1, 1}), 0); });
  expect(ErrorKind::kShape, {"[2, -1]", "negative"}, [&] { f({2, -1}); });
  expect(ErrorKind::kShape, {"[-1]", "negative"}, [&] { random::uniform({-1}, 0.0, 1.0, f32, device_); });
  expect(ErrorKind::kShape, {"negative"}, [&] { eye(-2, 3, 0, f32, device_); });
  expect(ErrorKind::kShape, {"5", "[2, 3]", "6"}, [&] { Tensor(std::vector<float>(5), {2, 3}, device_); });
  expect(ErrorKind::kShape, {"2", "3"}, [&] { Tensor(std::vector<std::vector<float>>{{1, 2, 3}, {4, 5}}, device_); });
  expect(ErrorKind::kShape, {"item", "[2, 3]", "6"}, [&] { static_cast<void>(f({2, 3}).item<float>()); });
  expect(ErrorKind::kShape, {"concat", "[2, 3]", "[2, 4]"}, [&] { concat({f({2, 3}), f({2, 4})}); });
  expect(ErrorKind::kShape, {"concat", "[2, 3]", "[2]"}, [&] { concat({f({2, 3}), f({2})}); });
  expect(ErrorKind::kShape, {"stack", "[2, 3]", "[3, 2]"}, [&] { stack({f({2, 3}), f({3, 2})}); });
  expect(ErrorKind::kShape, {"split", "[2, 3]", "3", "2"}, [&] { split(f({2, 3}), 2, 1); });
  expect(ErrorKind::kShape, {"split", "0"}, [&] { split(f({2, 3}), 0, 1); });
  expect(ErrorKind::kShape, {"split", "4", "3"}, [&] { split(f({2, 3}), std::vector<std::int64_t>{1, 3}, 1); });
  expect(ErrorKind::kShape, {"pad", "1", "rank 2"}, [&] { pad(f({2, 3}), {{1, 1}}); });
  expect(ErrorKind::kShape, {"slice", "3", "rank 2"}, [&] { slice(f({2, 3}), {{}, {}, {}}); });
  expect(ErrorKind::kShape, {"layer_norm", "weight", "[4]", "3"}, [&] { layer_norm(f({2, 3}), f({4})); });
  expect(ErrorKind::kShape, {"layer_norm", "bias", "[1, 3]"}, [&] { layer_norm(f({2, 3}), f({3}), f({1, 3})); });
  expect(ErrorKind::kShape, {"rms_norm", "weight", "[2]"}, [&] { rms_norm(f({2, 3}), f({2})); });
}

TEST_F(Errors, Matmul) {
  expect(ErrorKind::kShape, {"matmul", "64", "32", "[8, 64]", "[32, 8]"}, [&] { matmul(f({8, 64}), f({32, 8})); });
  expect(ErrorKind::kShape, {"matmul", "[]"}, [&] { matmul(f({}), f({3})); });
  expect(ErrorKind::kShape, {"matmul", "3", "4"}, [&] { matmul(f({3}), f({4})); });
  expect(ErrorKind::kShape, {"matmul", "[2]", "[3]"}, [&] { matmul(f({2, 4, 5}), f({3, 5, 4})); });
}

TEST_F(Errors, Values) {
  for (const auto& reduce : {max, min}) {
    expect(ErrorKind::kValue, {"[0, 3]", "no elements"}, [&] { reduce(f({0, 3}), {0}, false); });
  }
  expect(ErrorKind::kValue, {"argmax", "[3, 0]"}, [&] { argmax(f({3, 0}), 1); });
  expect(ErrorKind::kValue, {"argmin", "[0]"}, [&] { argmin(f({0})); });
  expect(ErrorKind::kValue, {"softmax"}, [&] { softmax(f({3, 0})); });
  expect(ErrorKind::kValue, {"logsumexp"}, [&] { logsumexp(f({0})); });
  expect(ErrorKind::kValue, {"slice", "step", "axis 1", "0"}, [&] { slice(f({2, 3}), {{}, {{}, {}, 0}}); });
  expect(ErrorKind::kValue, {"pad", "-1"}, [&] { pad(f({2, 3}), {{-1, 0}, {0, 0}}); });
  expect(ErrorKind::kValue, {"split", "-1"}, [&] { split(f({2, 3}), std::vector<std::int64_t>{-1, 4}, 1); });
  expect(ErrorKind::kValue, {"concat"}, [&] { concat({}); });
  expect(ErrorKind::kValue, {"stack"}, [&] { stack({}); });
  expect(ErrorKind::kValue, {"arange", "step"}, [&] { arange(0, 3, 0, f32, device_); });
  expect(ErrorKind::kValue, {"arange"}, [&] { arange(0, std::numeric_limits<double>::infinity(), 1, f32, device_); });
  expect(ErrorKind::kValue, {"linspace", "-1"}, [&] { linspace(0, 1, -1, f32, device_); });
  expect(ErrorKind::kValue, {"randint", "5", "5"}, [&] { random::randint({3}, 5, 5, i32, device_); });
  expect(ErrorKind::kLimit, {"arange"}, [&] { arange(0, 1e12, 1, f32, device_); });
}

TEST_F(Errors, EmptyHandles) {
  const Tensor none;
  const Tensor x = f({2, 3});
  const std::function<void()> calls[] = {
      [&] { exp(none); },
      [&] { add(x, none); },
      [&] { where(none, x, x); },
      [&] { clamp(none, x, x); },
      [&] { cast(none, f16); },
      [&] { reshape(none, {2}); },
      [&] { slice(none, {{}}); },
      [&] { pad(x, {{0, 1}, {0, 0}}, none); },
      [&] { concat({x, none}); },
      [&] { split(none, 2); },
      [&] { split(none, std::vector<std::int64_t>{2}); },
      [&] { sum(none); },
      [&] { matmul(none, x); },
      [&] { softmax(none); },
      [&] { layer_norm(none); },
      [&] { full({2}, none); },
      [&] { none.eval(); },
      [&] { static_cast<void>(none.shape()); },
      [&] { static_cast<void>(none.dtype()); },
      [&] { static_cast<void>(none.to_vector<float>()); },
      [&] { static_cast<void>(none.item<float>()); },
      [&] { static_cast<void>(none.to(device_)); },
      [&] { static_cast<void>(none.str()); },
      [&] { eval(x, none); },
      [&] { random::uniform({2}, none); },
  };
  for (const auto& call : calls) expect(ErrorKind::kValue, {"empty Tensor"}, call);
}

TEST_F(Errors, TwoDevices) {
  const Device other(runtime::make_null_device(DeviceInfo{}));
  const Tensor x = f({2});
  const Tensor y = zeros({2}, f32, other);
  expect(ErrorKind::kDevice, {"add", "two devices"}, [&] { add(x, y); });
  expect(ErrorKind::kDevice, {"matmul", "two devices"}, [&] { matmul(x, y); });
  expect(ErrorKind::kDevice, {"concat", "two devices"}, [&] { concat({x, y}); });
  expect(ErrorKind::kDevice, {"two devices"}, [&] { where(equal(x, 0), x, y); });
  // A number goes with either.
  EXPECT_EQ((y + 1.0).device(), other);
}

TEST_F(Errors, CompiledFunctions) {
  const Compiled twice = compile([](const std::vector<Tensor>& a) { return std::vector{a[0] * 2.0}; }, {.donate = {0}});
  const Tensor x(std::vector<float>{1, 2, 3}, {3}, device_);
  const Tensor copy = x;
  static_cast<void>(twice({x}));
  expect(ErrorKind::kValue, {"donated"}, [&] { static_cast<void>(twice({x})); });
  expect(ErrorKind::kValue, {"no data"}, [&] { static_cast<void>(copy.to_vector<float>()); });
  expect(ErrorKind::kValue, {"no data"}, [&] { (copy + 1.0).eval(); });
  const Compiled bad = compile([](const std::vector<Tensor>& a) { return a; }, {.donate = {3}});
  expect(ErrorKind::kValue, {"3", "1"}, [&] { static_cast<void>(bad({f({2})})); });
  expect(ErrorKind::kValue, {"argument 0", "empty"}, [&] { static_cast<void>(twice({Tensor()})); });
  const Compiled none = compile([](const std::vector<Tensor>&) { return std::vector<Tensor>{Tensor()}; });
  expect(ErrorKind::kValue, {"empty"}, [&] { static_cast<void>(none({f({2})})); });
  std::vector<Tensor> room(3);
  const Compiled one = compile([](const std::vector<Tensor>& a) { return std::vector{a[0] + 1.0}; });
  expect(ErrorKind::kValue, {"3", "1"}, [&] { one.run(std::vector{f({2})}, room); });
  // A tensor that leaves the function while it is traced has no data.
  Tensor leaked;
  const Compiled leaks = compile([&](const std::vector<Tensor>& a) {
    leaked = a[0];
    return std::vector{a[0] + 1.0};
  });
  static_cast<void>(leaks({f({2})}));
  expect(ErrorKind::kValue, {"no data"}, [&] { static_cast<void>(leaked.to_vector<float>()); });
}

}  // namespace
}  // namespace tessera::test
