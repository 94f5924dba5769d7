// Traces of a profiler: the spans of a loader beside the kernels of the steps, on one clock.
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include <nlohmann/json.hpp>

#include "data/support.h"
#include "support/watchdog.h"
#include "tessera/profile.h"

namespace tessera::test {
namespace {

using TraceJson = nlohmann::json;

struct TraceSpan {
  std::string row, name;
  double begin, end;
};

class LoaderTrace : public DataTest {
 protected:
  /// The events of a trace with the names of their rows.
  std::vector<TraceSpan> trace_of(Profiler& profiler) {
    const std::string file = (folder_ / "trace.json").string();
    profiler.write_trace(file);
    std::ifstream in(file);
    const TraceJson trace = TraceJson::parse(in);
    std::map<int, std::string> rows;
    std::vector<TraceSpan> spans;
    for (const TraceJson& e : trace.at("traceEvents")) {
      if (e.at("ph") == "M") {
        EXPECT_TRUE(rows.emplace(e.at("tid"), e.at("args").at("name")).second) << e.dump();
      } else {
        const double begin = e.at("ts");
        spans.push_back({rows.at(e.at("tid")), e.at("name"), begin, begin + e.at("dur").get<double>()});
      }
    }
    return spans;
  }
  Watchdog watchdog_;
};

std::vector<TraceSpan> named(const std::vector<TraceSpan>& all, const std::string& row, const std::string& name) {
  std::vector<TraceSpan> found;
  for (const TraceSpan& s : all) {
    if (s.row.find(row) != std::string::npos && s.name == name) found.push_back(s);
  }
  return found;
}

// The source is slow: sample k + 1 takes from before the step of batch k until after it.
TEST_F(LoaderTrace, LoadingOverlapsTheStep) {
  constexpr std::int64_t kBatches = 4;
  std::mutex mutex;
  std::condition_variable changed;
  std::int64_t begun = 0;
  std::int64_t steps = 0;
  data::DataLoader loader(data::from_function(kBatches,
                                              [&](std::int64_t i) {
                                                std::unique_lock lock(mutex);
                                                begun = i + 1;
                                                changed.notify_all();
                                                changed.wait(lock, [&] { return steps >= i; });
                                                return data::Sample{{"x", static_cast<float>(i)}};
                                              }),
                          {.workers = 1, .prefetch = 1});
  Profiler profiler(Device::current());
  for (std::int64_t k = 0; k < kBatches; ++k) {
    const std::optional<Tree> batch = loader.next();
    ASSERT_TRUE(batch.has_value());
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return begun > k + 1 || k + 1 == kBatches; });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    exp((*batch)["x"]).eval();
    const std::lock_guard lock(mutex);
    ++steps;
    changed.notify_all();
  }
  EXPECT_FALSE(loader.next().has_value());

  const std::vector<TraceSpan> all = trace_of(profiler);
  std::vector<TraceSpan> kernels;
  for (const TraceSpan& s : all) {
    if (s.row == "kernels") kernels.push_back(s);
  }
  ASSERT_EQ(kernels.size(), static_cast<std::size_t>(kBatches));
  for (std::int64_t k = 0; k < kBatches; ++k) {
    const auto loaded = named(all, ", worker 0", fmt::format("load batch {}", k));
    ASSERT_EQ(loaded.size(), 1U) << k;
    EXPECT_EQ(named(all, ", worker 0", fmt::format("upload batch {}", k)).size(), 1U) << k;
    EXPECT_EQ(named(all, "DataLoader ", fmt::format("wait for batch {}", k)).size(), 1U) << k;
    if (k == 0) continue;
    const TraceSpan& step = kernels[static_cast<std::size_t>(k) - 1];
    EXPECT_LT(loaded[0].begin, step.begin) << k;
    EXPECT_GT(loaded[0].end, step.end) << k;
  }
}

TEST_F(LoaderTrace, SpansNeedAProfilerOfTheirDevice) {
  const Device device = Device::current();
  {
    const HostSpan before(device, "mine", "before");
  }
  Profiler profiler(device);
  {
    const HostSpan other(Device::create({.device = "null"}), "mine", "on another device");
    const HostSpan none(Device(), "mine", "on none");
    const HostSpan span(device, "m\"i\\ne \xff", "\"tokenize\"\n", 3);
    EXPECT_TRUE(profiler.spans().empty()) << "none has ended";
  }
  ASSERT_EQ(profiler.spans().size(), 1U);
  EXPECT_EQ(profiler.spans()[0].label, "\"tokenize\"\n 3");
  EXPECT_GE(profiler.spans()[0].start_us, 0);
  EXPECT_GE(profiler.spans()[0].duration_us, 0);
  const std::vector<TraceSpan> all = trace_of(profiler);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "\"tokenize\"\n 3");
}

TEST_F(LoaderTrace, ASpanMayOutliveItsProfiler) {
  std::optional<HostSpan> span;
  {
    const Profiler profiler(Device::current());
    span.emplace(Device::current(), "mine", "long");
  }
  span.reset();
}

}  // namespace
}  // namespace tessera::test
