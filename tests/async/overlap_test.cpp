// Independent graphs overlap: while one submission runs, others are planned and bound and data is uploaded.
#include "support.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

TEST_F(Held, OthersPlanBindAndUploadWhileASubmissionRuns) {
  Gate entered;
  Gate go_on;
  Gate second_there;
  held_->at_submit = [&](int number) {
    if (number == 1) {
      entered.open();
      go_on.wait();
    } else {
      second_there.open();
    }
  };
  std::vector<float> first;
  std::thread running([&, x = lazy()] { first = x.to_vector<float>(); });
  entered.wait();
  // From here to go_on.open() the first submission is inside the device; whatever waited for it would hang.
  const int compiled = held_->compilations;
  const std::uint64_t planned = statistics(Device(held_)).plan_misses;
  const Tensor uploaded(std::vector<float>{1, 2, 3}, {3}, Device(held_));
  std::thread other([&] { (exp(uploaded) + sum(uploaded)).eval(); });
  second_there.wait();
  EXPECT_GT(held_->compilations, compiled);
  EXPECT_GT(statistics(Device(held_)).plan_misses, planned);
  EXPECT_TRUE(first.empty());
  go_on.open();
  running.join();
  other.join();
  EXPECT_EQ(first, (std::vector<float>{2, 4, 6, 8}));
}

/// The same on the devices themselves, which have no gates: data goes up while kernels run.
class Overlap : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(Overlap);

TEST_P(Overlap, UploadsDoNotWaitForKernels) {
  const std::int64_t n = on_cpu() ? 1024 : 192;
  const Tensor a = random::uniform({n, n}, -0.01, 0.01, f32, device_).eval();
  const auto chain = [&] {
    Tensor x = a;
    for (int i = 0; i < 8; ++i) x = matmul(x, a);
    return x;
  };
  chain().eval();
  device_.synchronize();
  const std::vector<float> data(256, 1.0F);
  Tensor kept(data, {256}, device_);
  const std::uint64_t before = statistics(device_).submissions;
  std::atomic<bool> running = true;
  int uploads = 0;
  std::thread computing([&] {
    chain().eval();
    device_.synchronize();
    running = false;
  });
  while (running) {
    if (statistics(device_).submissions == before) continue;  // the chain does not run yet
    kept = Tensor(data, {256}, device_);
    uploads += running ? 1 : 0;
  }
  computing.join();
  EXPECT_GT(uploads, 20) << "uploads that waited for the chain would be one or two";
  EXPECT_EQ(kept.to_vector<float>(), data);
}

}  // namespace
}  // namespace tessera::test
