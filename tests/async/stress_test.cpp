// Many threads with many graphs, in every way that results can be asked for: the numbers equal the serial ones.
#include <random>

#include "runtime/webgpu/webgpu_device.h"
#include "support.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

constexpr int kGraphs = 8;
constexpr int kThreads = 4;

std::vector<float> data_of(int graph, std::size_t count) {
  std::minstd_rand random(static_cast<unsigned>(graph + 1));
  std::vector<float> out(count);
  for (float& v : out) v = static_cast<float>(random() % 2000) / 1000.0F - 1.0F;
  return out;
}

/// Graphs of several kinds and sizes, with leaves uploaded anew.
Tensor make_graph(int graph, const Device& device, const Tensor& shared) {
  const std::int64_t n = 16 + 4 * graph;
  const Tensor x(data_of(graph, static_cast<std::size_t>(n * n)), {n, n}, device);
  switch (graph % 4) {
    case 0:
      return softmax(matmul(x, x)) + sum(shared);
    case 1:
      return exp(x) * sin(x) - mean(x, {1}, true);
    case 2:
      return sum(x * 2.0 + 1.0, {0}) + max(shared);
    default:
      return matmul(transpose(x), x) * sum(shared);
  }
}

Async<std::vector<float>> by_coroutine(int graph, Device device, Tensor shared, Probe) {
  const Tensor y = make_graph(graph, device, shared);
  co_await eval_async(y);
  auto values = co_await read<float>(y);
  co_return values;
}

/// The values, or nothing where a cancelled read was cancelled in time.
std::vector<float> ask(int way, const Tensor& y) {
  switch (way) {
    case 0:
      y.eval();
      return y.to_vector<float>();
    case 1:
      return read<float>(y).get();
    case 2:
      return read<float>(y).future().get();
    case 3: {
      std::promise<std::vector<float>> promise;
      read<float>(y).then([&](Async<std::vector<float>> done) { promise.set_value(done.get()); });
      return promise.get_future().get();
    }
    default: {
      std::stop_source source;
      Async<std::vector<float>> values = read<float>(y, source.get_token());
      if (way == 4) {
        source.request_stop();
      } else {
        std::thread([&] { values.cancel(); }).join();
      }
      try {
        return values.get();
      } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::kCancelled) << e.what();
        return {};
      }
    }
  }
}

class Stress : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    own_ = Device::create({.device = GetParam().device, .max_in_flight = 4});
    shared_data_ = data_of(99, 64);
  }
  [[nodiscard]] Tensor make_shared_part() const { return sqrt(abs(Tensor(shared_data_, {64}, own_))) + 0.5; }

  Device own_;
  std::vector<float> shared_data_;
};
TESSERA_ON_ALL_DEVICES(Stress);

TEST_P(Stress, ResultsEqualTheSerialOnes) {
  std::vector<std::vector<float>> expected;
  const Tensor serial = make_shared_part();
  for (int g = 0; g < kGraphs; ++g) expected.push_back(make_graph(g, own_, serial).to_vector<float>());
  own_.synchronize();
  const std::uint64_t before = own_.memory_stats().in_use;
  const Compiled step = compile([](const std::vector<Tensor>& in) { return std::vector{exp(in[0]) * 2.0 + in[0]}; });
  const Tensor step_in(data_of(5, 64), {64}, own_);
  const std::vector<float> step_expected = step({step_in})[0].to_vector<float>();
  std::atomic<int> frames = 0;
  std::atomic<bool> stop = false;
  std::thread watching([&] {
    while (!stop) {
      const Metrics now = metrics();
      EXPECT_FALSE(now.devices.empty());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const int rounds = full() ? 40 : 6;
  {
    const Tensor shared = make_shared_part();  // evaluated by whoever comes first, or by several
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int r = 0; r < rounds; ++r) {
          std::vector<Async<std::vector<float>>> started;
          std::vector<int> which;
          for (int i = 0; i < kGraphs; ++i) {
            const int g = (i + t * 3 + r) % kGraphs;
            const int way = (t + i + r) % 8;
            if (way >= 6) {
              started.push_back(by_coroutine(g, own_, shared, Probe(frames)));
              which.push_back(g);
              continue;
            }
            const std::vector<float> got = ask(way, make_graph(g, own_, shared));
            if (way < 4 || !got.empty()) {
              EXPECT_EQ(got, expected[static_cast<std::size_t>(g)]) << g << " " << way;
            }
          }
          EXPECT_EQ(step({step_in})[0].to_vector<float>(), step_expected);
          for (std::size_t i = 0; i < started.size(); ++i) {
            EXPECT_EQ(started[i].get(), expected[static_cast<std::size_t>(which[i])]) << which[i];
          }
        }
      });
    }
    for (auto& t : threads) t.join();
  }
  stop = true;
  watching.join();
  own_.synchronize();
  EXPECT_EQ(frames, 0);
  EXPECT_LE(own_.memory_stats().in_use, before + 1024) << "only the compiled function keeps anything";
  EXPECT_LE(statistics(own_).in_flight, 4U);
}

TEST_P(Stress, ALossReachesEveryWaiterAndNoFrameStays) {
  if (on_cpu()) GTEST_SKIP() << "the CPU is not lost";
  const Tensor healthy = ones({8}, f32, device_);
  for (int round = 0; round < 6; ++round) {
    const Device device = Device::create({.device = GetParam().device, .max_in_flight = 3});
    std::atomic<int> frames = 0;
    std::atomic<int> good = 0;
    std::atomic<int> lost = 0;
    std::atomic<bool> destroyed = false;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        try {
          const Tensor shared(shared_data_, {64}, device);
          for (int i = 0; !destroyed; ++i) {
            std::vector<Async<std::vector<float>>> started;
            for (int k = 0; k < 4; ++k)
              started.push_back(by_coroutine((t + k) % kGraphs, device, shared, Probe(frames)));
            for (auto& s : started) {
              try {
                static_cast<void>(s.get());
                ++good;
              } catch (const Error& e) {
                EXPECT_EQ(e.kind(), ErrorKind::kDeviceLost) << e.what();
                ++lost;
              }
            }
          }
        } catch (const Error& e) {
          EXPECT_EQ(e.kind(), ErrorKind::kDeviceLost) << e.what();
        }
      });
    }
    while (good < round * 5) std::this_thread::yield();
    std::dynamic_pointer_cast<runtime::WebGpuDevice>(device.impl())->destroy();
    destroyed = true;
    for (auto& t : threads) t.join();
    EXPECT_EQ(frames, 0);
    EXPECT_EQ((healthy + 1.0).to_vector<float>()[0], 2.0F) << "other devices go on";
  }
}

}  // namespace
}  // namespace tessera::test
