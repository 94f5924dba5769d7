// Tensors over memory of the caller: read where it is, never written, kept as long as it is needed.
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tessera/host.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

/// As many bytes as the elements take and not one more, so that a sanitizer sees what reads beyond.
HostView lend(const std::vector<float>& values) {
  const std::size_t bytes = values.size() * sizeof(float);
  const std::shared_ptr<std::byte[]> memory(new std::byte[bytes]);  // NOLINT: the owner of a view
  std::memcpy(memory.get(), values.data(), bytes);
  return {{memory.get(), bytes}, memory, true};
}

std::vector<float> counting(std::int64_t n) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<float>(i % 97));
  return values;
}

TEST(BorrowedMemory, IsReadWhereItIs) {
  const Device cpu = Device::create({.device = "cpu"});
  for (const std::int64_t n : {1, 3, 17, 1025, 5003}) {
    const HostView view = lend(counting(n));
    const Tensor x = from_host(view, f32, {n}, cpu);
    EXPECT_EQ(host_view(x).bytes.data(), view.bytes.data());
    const Tensor y = (x * 2.0 + 1.0).eval();
    EXPECT_EQ(y.to_vector<float>()[static_cast<std::size_t>(n - 1)], static_cast<float>((n - 1) % 97) * 2 + 1);
    EXPECT_EQ(flip(x, {0}).to_vector<float>().front(), static_cast<float>((n - 1) % 97));
    EXPECT_EQ(max(x).item<float>(), static_cast<float>(std::min<std::int64_t>(n - 1, 96)));
    EXPECT_EQ(cast(x, i8).to_vector<std::int8_t>().size(), static_cast<std::size_t>(n));
    EXPECT_EQ(sort(x).to_vector<float>().front(), 0.0F);
  }
  const HostView a = lend(std::vector<float>(33 * 65, 1));
  EXPECT_EQ(matmul(from_host(a, f32, {33, 65}, cpu), from_host(a, f32, {65, 33}, cpu)).to_vector<float>(),
            std::vector<float>(33 * 33, 65));
}

TEST(BorrowedMemory, IsNeverWritten) {
  const Device cpu = Device::create({.device = "cpu"});
  const HostView view = lend(std::vector<float>(64, 1));
  auto next = compile([](const std::vector<Tensor>& in) { return std::vector{in[0] + 1.0}; }, {.donate = {0}});
  Tensor x = from_host(view, f32, {64}, cpu);
  for (int i = 0; i < 3; ++i) x = next({std::exchange(x, Tensor())})[0];
  EXPECT_EQ(x.to_vector<float>(), std::vector<float>(64, 4));
  EXPECT_EQ(reinterpret_cast<const float*>(view.bytes.data())[63], 1.0F);
}

TEST(BorrowedMemory, IsKeptAndLetGo) {
  const Device cpu = Device::create({.device = "cpu"});
  HostView view = lend(std::vector<float>(1000, 3));
  const std::weak_ptr<const void> owner = view.owner;
  Tensor x = from_host(view, f32, {1000}, cpu);
  view = {};
  Tensor total = sum(x);
  x = Tensor();
  EXPECT_FALSE(owner.expired()) << "it is not computed yet";
  EXPECT_EQ(total.item<float>(), 3000.0F);
  total = Tensor();
  EXPECT_TRUE(owner.expired());
}

TEST(BorrowedMemory, OfOddPlacesIsCopied) {
  const Device cpu = Device::create({.device = "cpu"});
  const std::shared_ptr<std::byte[]> memory(new std::byte[9]);  // NOLINT: the owner of a view
  const float two[] = {1.5F, 2.5F};
  std::memcpy(memory.get() + 1, two, 8);
  const Tensor x = from_host({{memory.get() + 1, 8}, memory, true}, f32, {2}, cpu);
  EXPECT_NE(host_view(x).bytes.data(), memory.get() + 1);
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1.5F, 2.5F}));
  EXPECT_EQ(from_host({}, f32, {0}, cpu).numel(), 0);
}

TEST(BorrowedMemory, SaysWhatDoesNotFit) {
  const auto text = [](std::size_t bytes, const Shape& shape) -> std::string {
    try {
      static_cast<void>(from_host(HostView{{std::make_unique<std::byte[]>(16).get(), bytes}, nullptr, true}, f32, shape,
                                  Device::create({.device = "cpu"})));
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(text(7, {2}), "from_host: 7 bytes were given, which are no whole elements of f32.");
  EXPECT_EQ(text(8, {3}), "Tensor: 2 elements were given for shape [3], which has 3.");
}

}  // namespace
}  // namespace tessera::test
