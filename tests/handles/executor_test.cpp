// The executor: every op of the table and the rest, against tensors; in place, in part, and again without planning.
#include <cmath>

#include <gtest/gtest.h>

#include "graph/op.h"
#include "ops/build.h"
#include "support/devices.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using Floats = std::vector<float>;

class Executors : public DeviceTest {
 protected:
  [[nodiscard]] Array array(const Floats& data, const Shape& shape) const {
    Array a{Buffer::allocate(device_, {.label = "operand", .size = data.size() * 4}), shape};
    a.buffer.copy_to(data);
    return a;
  }
  [[nodiscard]] Array output(const Shape& shape, DType dtype = f32) const {
    const auto bytes = static_cast<std::uint64_t>(shape.numel()) * size_of(dtype);
    return {Buffer::allocate(device_, {.label = "output", .size = bytes}), shape, dtype};
  }
  template <class T = float>
  static std::vector<T> read(const Array& a) {
    return a.buffer.copy_from<T>(static_cast<std::size_t>(a.shape.numel()));
  }
  template <class F>
  static ErrorKind kind(F f) {
    try {
      f();
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).back(), '.') << e.what();
      return e.kind();
    }
    ADD_FAILURE() << "nothing was thrown";
    return ErrorKind::kIo;
  }
};
TESSERA_ON_ALL_DEVICES(Executors);

TEST_P(Executors, RunsEveryElementwiseOpByName) {
  const Executor ex(device_);
  const std::vector<std::string_view> names = Executor::ops();
  EXPECT_EQ(names.size() + 2, elementwise_ops().size()) << "all but cast, which has a type of its own, and indices";
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (row.op == Op::kCast || row.rule == TypeRule::kIndex) continue;
    const bool ints = row.rule == TypeRule::kBits || row.rule == TypeRule::kShift;
    const bool bools = row.rule == TypeRule::kLogical;
    std::vector<Array> operands;
    std::vector<Tensor> tensors;
    for (int i = 0; i < row.arity; ++i) {
      const Tensor number = arange(1 + i, 7 + i, 1, f32) * 0.125;
      const bool condition = row.op == Op::kWhere && i == 0;
      const Tensor t = (bools || condition ? greater(number, 0.5) : ints ? cast(number * 8.0, i32) : number).eval();
      tensors.push_back(t);
      operands.push_back({Buffer::of(t), t.shape(), t.dtype()});
    }
    std::vector<NodePtr> nodes;
    for (const Tensor& t : tensors) nodes.push_back(t.node());
    const Tensor expected(ops::elementwise(row.op, nodes));
    const Array out = output(expected.shape(), expected.dtype());
    ex.run(row.name, operands, out).wait();
    const auto bytes = [](const Tensor& t) { return cast(t, DType::kF32).to_vector<float>(); };
    const Floats got = bytes(out.buffer.tensor(out.shape, out.dtype));
    const Floats want = bytes(expected);
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (std::isnan(want[i]) && std::isnan(got[i])) continue;
      EXPECT_FLOAT_EQ(got[i], want[i]) << row.name << " " << i;
    }
  }
}

TEST_P(Executors, RunsTheRest) {
  const Executor ex(device_);
  const Array x = array({1, -2, 3, 4, 5, -6}, {2, 3});
  const Array y = array({1, 1, 2, 2, 3, 3}, {2, 3});
  const Array same = output({2, 3});
  const auto result = [&](const Work& work, const Array& out) {
    work.wait();
    return read(out);
  };
  EXPECT_EQ(result(ex.add(x, y, same), same), (Floats{2, -1, 5, 6, 8, -3}));
  EXPECT_EQ(result(ex.sub(x, y, same), same), (Floats{0, -3, 1, 2, 2, -9}));
  EXPECT_EQ(result(ex.mul(x, y, same), same), (Floats{1, -2, 6, 8, 15, -18}));
  EXPECT_EQ(result(ex.div(x, y, same), same)[5], -2.0F);
  EXPECT_EQ(result(ex.scale(x, 10, same), same), (Floats{10, -20, 30, 40, 50, -60}));
  EXPECT_EQ(result(ex.affine(x, 2, 1, same), same), (Floats{3, -3, 7, 9, 11, -11}));
  EXPECT_EQ(result(ex.relu(x, same), same), (Floats{1, 0, 3, 4, 5, 0}));
  EXPECT_NEAR(result(ex.gelu(x, same), same)[0], 0.8413447F, 1e-5);
  EXPECT_NEAR(result(ex.silu(x, same), same)[0], 0.7310586F, 1e-5);
  EXPECT_NEAR(result(ex.sigmoid(x, same), same)[0], 0.7310586F, 1e-5);
  EXPECT_NEAR(result(ex.tanh(x, same), same)[0], 0.7615942F, 1e-5);
  const Array rows = output({2});
  const Array kept = output({2, 1});
  const Array one = output({});
  EXPECT_EQ(result(ex.sum(x, {1}, rows), rows), (Floats{2, 3}));
  EXPECT_EQ(result(ex.max(x, {1}, kept), kept), (Floats{3, 5}));
  EXPECT_EQ(result(ex.min(x, {1}, rows), rows), (Floats{-2, -6}));
  EXPECT_EQ(result(ex.mean(y, {}, one), one), (Floats{2}));
  const Array square = output({2, 2});
  EXPECT_EQ(result(ex.softmax(array({0, 0, 200, 0}, {2, 2}), -1, square), square), (Floats{0.5, 0.5, 1, 0}));
  const Array turned = output({3, 2});
  EXPECT_EQ(result(ex.transpose(x, turned), turned), (Floats{1, 4, -2, 5, 3, -6}));
  const Array ints = output({2, 3}, i32);
  ex.cast(x, ints).wait();
  EXPECT_EQ(read<std::int32_t>(ints), (std::vector<std::int32_t>{1, -2, 3, 4, 5, -6}));
  const Array product = output({2, 2});
  ex.matmul(2, 2, 3, x.buffer, y.buffer, product.buffer).wait();
  EXPECT_EQ(read(product), (Floats{1 - 4 + 9, 1 - 4 + 9, 4 + 10 - 18, 4 + 10 - 18}));
  const Array batch = output({2, 1, 1});
  ex.batched_matmul(2, 1, 1, 3, x.buffer, y.buffer, batch.buffer).wait();
  EXPECT_EQ(read(batch), (Floats{1 - 2 + 6, 8 + 15 - 18}));
}

TEST_P(Executors, BroadcastsAndAnOutputMayBeAnOperand) {
  const Executor ex(device_);
  const Array x = array({1, 2, 3, 4, 5, 6}, {2, 3});
  ex.add(x, array({10, 20, 30}, {3}), x).wait();
  EXPECT_EQ(read(x), (Floats{11, 22, 33, 14, 25, 36}));
  ex.transpose({x.buffer, {2, 3}}, {x.buffer, {3, 2}}).wait();
  EXPECT_EQ(read(x), (Floats{11, 14, 22, 25, 33, 36}));
  const Array m = array({1, 2, 3, 4}, {2, 2});
  ex.matmul(2, 2, 2, m.buffer, m.buffer, m.buffer).wait();
  EXPECT_EQ(read(m), (Floats{7, 10, 15, 22}));
  ex.write(ex.operand(m), m).wait();
  EXPECT_EQ(read(m), (Floats{7, 10, 15, 22}));
}

TEST_P(Executors, LeavesTheRestOfALargerOutputAlone) {
  const Executor ex(device_);
  for (const std::int64_t n : {1, 2, 3, 4, 5, 8}) {
    const Array out = array(Floats(12, -1), {n});
    ex.scale(array(Floats(static_cast<std::size_t>(n), 3), {n}), 2, out).wait();
    Floats expected(12, -1);
    std::fill_n(expected.begin(), n, 6.0F);
    EXPECT_EQ(out.buffer.copy_from<float>(12), expected) << n;
  }
}

TEST_P(Executors, PlansAndCompilesOnlyOnce) {
  const Executor ex(device_);
  const Array x = array(Floats(100, 1), {10, 10});
  const Array out = output({10, 10});
  const auto step = [&](double factor) {
    ex.affine(x, factor, 1, out);
    ex.softmax(out, -1, x);
    ex.matmul(10, 10, 10, x.buffer, out.buffer, x.buffer);
  };
  step(1);
  const Statistics before = statistics(device_);
  for (int i = 0; i < 10; ++i) step(i);
  device_.synchronize();
  const Statistics after = statistics(device_);
  EXPECT_EQ(after.plan_misses, before.plan_misses);
  EXPECT_EQ(after.pipeline_misses, before.pipeline_misses);
  EXPECT_EQ(after.memory.in_use, before.memory.in_use);
}

TEST_P(Executors, AFailureLeavesTheOutputAsItWas) {
  if (on_cpu()) GTEST_SKIP() << "about WGSL";
  const Executor ex(device_);
  const Array out{Buffer::allocate(device_, {.label = "out", .size = 16, .location = BufferLocation::kMirrored}), {4}};
  out.buffer.copy_to(Floats{1, 2, 3, 4});
  const WgslKernel bad({.name = "bad", .source = "oops", .inputs = {"x"}, .outputs = {"y"}});
  const Array x = array({5, 6, 7, 8}, {4});
  EXPECT_EQ(kind([&] { ex.write(bad({ex.operand(x)})[0], out); }), ErrorKind::kShader);
  EXPECT_EQ(read(out), (Floats{1, 2, 3, 4}));
}

TEST_P(Executors, CallsBackAndGivesFutures) {
  const Executor ex(device_);
  const Array x = array({1, 2}, {2});
  const Array out = output({2});
  std::promise<void> called;
  ex.scale(x, 2, out).then([&](std::exception_ptr error) {
    EXPECT_EQ(error, nullptr);
    called.set_value();
  });
  called.get_future().get();
  ex.scale(x, 3, out).future().get();
  EXPECT_EQ(read(out), (Floats{3, 6}));
}

TEST_P(Executors, MisuseIsRefusedWithASentence) {
  const Executor ex(device_);
  const Array x = array({1, 2, 3, 4}, {2, 2});
  EXPECT_EQ(kind([&] { ex.run("nothing", {x}, x); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { ex.run("add", {x}, x); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { ex.add(x, x, {x.buffer, {4}}); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { ex.add(x, x, {x.buffer, {2, 2}, i32}); }), ErrorKind::kDType);
  EXPECT_EQ(kind([&] { ex.add({x.buffer, {5}}, {x.buffer, {5}}, x); }), ErrorKind::kShape) << "past the buffer";
  EXPECT_EQ(kind([&] { ex.matmul(2, 2, 3, x.buffer, x.buffer, x.buffer); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { ex.transpose(x, {output({2, 1}).buffer, {2, 2}}); }), ErrorKind::kValue) << "output too small";
  EXPECT_EQ(kind([&] { ex.relu({}, x); }), ErrorKind::kValue);
  const Device other = Device::create({.device = "null"});
  const Array elsewhere{Buffer::allocate(other, {.label = "e", .size = 16}), {2, 2}};
  EXPECT_EQ(kind([&] { ex.relu(elsewhere, x); }), ErrorKind::kDevice);
  EXPECT_EQ(kind([&] { ex.relu(x, elsewhere); }), ErrorKind::kDevice);
  const Array gone = output({2, 2});
  gone.buffer.free();
  EXPECT_EQ(kind([&] { ex.relu(x, gone); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { ex.relu(gone, x); }), ErrorKind::kValue);
}

}  // namespace
}  // namespace tessera::test
