// Programs compiled and run: results, caches, the parameter ring, errors, timing, and losing the device.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

#include "support.h"

namespace tessera::runtime {
namespace {

using std::chrono::seconds;

class Submit : public WebGpuTest {
 protected:
  void SetUp() override {
    WebGpuTest::SetUp();
    if (!IsSkipped()) device_ = make_test_device();
  }
  std::shared_ptr<WebGpuDevice> device_;
};

std::vector<std::uint32_t> counting(std::size_t n) {
  std::vector<std::uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

/// Runs y = x * factor + plus over 100 elements and checks y.
void run_scale(WebGpuDevice& device, std::uint32_t factor, std::uint32_t plus) {
  const auto executable = device.compile_program(scale_program(), true);
  const auto x = device.create_buffer(400);
  const auto y = device.create_buffer(400);
  put(device, *x, counting(100));
  Submission submission;
  add_dispatch(submission, executable, {x.get(), y.get()}, {factor, plus, 100, 0}, 2);
  device.submit(submission);
  auto expected = counting(100);
  for (std::uint32_t& v : expected) v = v * factor + plus;
  EXPECT_EQ(get<std::uint32_t>(device, *y, 100), expected);
}

TEST_F(Submit, AProgramRuns) { run_scale(*device_, 3, 5); }

TEST_F(Submit, CheckedModulesRunToo) {
  DeviceConfig config;
  config.debug = true;
  const auto device = make_test_device(config);
  EXPECT_FALSE(device->info().features.trusted);
  run_scale(*device, 3, 5);
}

TEST_F(Submit, DependentKernelsInOnePassRunInOrder) {
  const auto executable = device_->compile_program(scale_program(), true);
  const auto a = device_->create_buffer(400);
  const auto b = device_->create_buffer(400);
  put(*device_, *a, std::vector<std::uint32_t>(100, 1));
  Submission submission;
  for (int i = 0; i < 20; ++i) {
    Buffer* from = i % 2 == 0 ? a.get() : b.get();
    Buffer* to = i % 2 == 0 ? b.get() : a.get();
    add_dispatch(submission, executable, {from, to}, {2, 1, 100, 0}, 2);
  }
  const WebGpuStats before = device_->webgpu_stats();
  device_->submit(submission);
  const WebGpuStats after = device_->webgpu_stats();
  EXPECT_EQ(after.submissions, before.submissions + 1);
  EXPECT_EQ(after.dispatches, before.dispatches + 20);
  EXPECT_EQ(get<std::uint32_t>(*device_, *a, 1).front(), (2U << 20U) - 1);
}

TEST_F(Submit, EmptyGridsAndEmptySubmissionsDoNothing) {
  const auto executable = device_->compile_program(scale_program(), true);
  const auto x = device_->create_buffer(0);
  const auto y = device_->create_buffer(0);
  Submission submission;
  device_->submit(submission);
  add_dispatch(submission, executable, {x.get(), y.get()}, {1, 1, 0, 0}, 0);
  device_->submit(submission);
  EXPECT_EQ(device_->webgpu_stats().submissions, 0U);
  device_->wait();
}

TEST_F(Submit, BindGroupsAndPipelinesAreReused) {
  const auto executable = device_->compile_program(scale_program("one"), true);
  const auto same_text = device_->compile_program(scale_program("two"), true);
  const CompileStats compiled = device_->compile_stats();
  EXPECT_EQ(compiled.misses, 1U);
  EXPECT_EQ(compiled.hits, 1U);
  EXPECT_EQ(compiled.pipelines, 1U);
  EXPECT_GT(compiled.compile_ms, 0);
  EXPECT_EQ(same_text->label(), "two");

  auto x = device_->create_buffer(400);
  const auto y = device_->create_buffer(400);
  Submission submission;
  add_dispatch(submission, executable, {x.get(), y.get()}, {1, 1, 100, 0}, 2);
  for (int i = 0; i < 10; ++i) device_->submit(submission);
  WebGpuStats stats = device_->webgpu_stats();
  EXPECT_EQ(stats.bind_group_misses, 1U);
  EXPECT_EQ(stats.bind_group_hits, 9U);
  EXPECT_EQ(stats.param_writes, 1U) << "equal parameters are written once";
  submission.params[0] = 2;
  device_->submit(submission);
  EXPECT_EQ(device_->webgpu_stats().param_writes, 2U);

  x = device_->create_buffer(400);  // the old one is gone, and its bind group goes with it
  submission.dispatches[0].buffers[0] = x.get();
  device_->submit(submission);
  stats = device_->webgpu_stats();
  EXPECT_EQ(stats.bind_group_misses, 2U);
  EXPECT_EQ(stats.bind_groups, 1U);
}

TEST_F(Submit, ManyBindGroupsStayBounded) {
  const auto executable = device_->compile_program(scale_program(), true);
  std::vector<std::unique_ptr<Buffer>> buffers;
  for (int i = 0; i < 96; ++i) buffers.push_back(device_->create_buffer(256));
  for (const auto& x : buffers) {
    Submission submission;
    for (const auto& y : buffers) {
      if (x != y) add_dispatch(submission, executable, {x.get(), y.get()}, {1, 1, 1, 0}, 1);
    }
    device_->submit(submission);
  }
  EXPECT_EQ(device_->webgpu_stats().bind_group_misses, 96U * 95U);
  EXPECT_LE(device_->webgpu_stats().bind_groups, 8192U);
  device_->wait();
}

TEST_F(Submit, TheParameterRingWrapsAndGrows) {
  const auto executable = device_->compile_program(scale_program(), true);
  const auto x = device_->create_buffer(400);
  const auto y = device_->create_buffer(400);
  put(*device_, *x, std::vector<std::uint32_t>(100, 1));
  // 1,500 kernels a submission: 375 KiB of parameters, so the 4 MiB ring wraps after eleven.
  for (std::uint32_t round = 0; round < 25; ++round) {
    Submission submission;
    for (std::uint32_t i = 0; i < 1500; ++i) {
      add_dispatch(submission, executable, {x.get(), y.get()}, {round, i, 1, 0}, 1);
    }
    device_->submit(submission);
    if (round % 8 == 0) {
      ASSERT_EQ(get<std::uint32_t>(*device_, *y, 1).front(), round + 1499);
    }
  }
  EXPECT_GE(device_->webgpu_stats().param_wraps, 2U);
  const std::uint64_t size = device_->webgpu_stats().param_bytes;
  Submission large;
  for (std::uint32_t i = 0; i < 18000; ++i) {
    const bool last = i == 17999;
    add_dispatch(large, executable, {x.get(), y.get()}, {i, 2, 1, 0}, last || i < 10 ? 1 : 0);
  }
  device_->submit(large);
  EXPECT_EQ(get<std::uint32_t>(*device_, *y, 1).front(), 18001U);
  EXPECT_GT(device_->webgpu_stats().param_bytes, size);
}

TEST_F(Submit, BadWgslNamesLineColumnLabelAndSource) {
  Program program = scale_program("broken");
  const std::size_t at = program.wgsl.find("p.plus;");
  program.wgsl.replace(at, 6, "q.plus");
  const Error e = error_of([&] { device_->compile_program(program, true); });
  EXPECT_EQ(e.kind(), ErrorKind::kShader);
  EXPECT_EQ(e.fields().line, 8);
  EXPECT_GT(e.fields().column, 0);
  EXPECT_EQ(e.fields().op, "broken");
  EXPECT_TRUE(contains(e.what(), "broken")) << e.what();
  EXPECT_TRUE(contains(e.what(), "x[id.x] * p.factor + q.plus")) << e.what();
  EXPECT_FALSE(contains(e.what(), "\n")) << e.what();
  // The failure is not cached as a success, and the device goes on.
  EXPECT_EQ(error_of([&] { device_->compile_program(program, true); }).kind(), ErrorKind::kShader);
  run_scale(*device_, 1, 1);
  device_->wait();
}

TEST_F(Submit, WgslThatParsesButIsInvalid) {
  Program program = scale_program("invalid");
  program.wgsl.replace(program.wgsl.find("* p.factor"), 10, "* 1.5     ");
  const Error e = error_of([&] { device_->compile_program(program, false); });
  EXPECT_EQ(e.kind(), ErrorKind::kShader);
  EXPECT_EQ(e.fields().line, 8) << e.what();
}

TEST_F(Submit, PipelinesThatTheDeviceRefuses) {
  Program program = scale_program("huge");
  program.wgsl.replace(program.wgsl.find("(64)"), 4, "(99999)");
  Error e = error_of([&] { device_->compile_program(program, true); });
  EXPECT_EQ(e.kind(), ErrorKind::kShader);
  EXPECT_TRUE(contains(e.what(), "huge")) << e.what();
  program = scale_program("wide");
  program.writable.assign(1000, false);
  program.buffer_of.assign(1000, 0);
  e = error_of([&] { device_->compile_program(program, true); });
  EXPECT_EQ(e.kind(), ErrorKind::kLimit);
  EXPECT_EQ(e.fields().requested, 1000U);
}

TEST_F(Submit, AnInvalidDispatchIsNamedAndTheDeviceGoesOn) {
  const auto executable = device_->compile_program(scale_program("doubled"), true);
  const auto good = device_->compile_program(scale_program("fine"), true);
  const auto x = device_->create_buffer(400);
  const auto y = device_->create_buffer(400);
  Submission submission;
  add_dispatch(submission, good, {x.get(), y.get()}, {1, 1, 1, 0}, 1);
  // One buffer read and written in one kernel is not allowed.
  add_dispatch(submission, executable, {x.get(), x.get()}, {1, 1, 1, 0}, 1);
  const Error e = error_of([&] { device_->submit(submission); });
  EXPECT_EQ(e.kind(), ErrorKind::kDevice) << e.what();
  EXPECT_TRUE(contains(e.what(), "'doubled'")) << e.what();
  EXPECT_EQ(e.fields().op, "doubled");
  device_->wait();
  run_scale(*device_, 2, 2);
  // Too many workgroups.
  submission.dispatches.pop_back();
  submission.dispatches[0].grid[0] = 70000;
  EXPECT_EQ(error_of([&] { device_->submit(submission); }).fields().op, "fine");
  run_scale(*device_, 2, 2);
}

TEST_F(Submit, DumpWritesTheWgsl) {
  const std::string folder = testing::TempDir() + "tessera_dump_test";
  std::filesystem::remove_all(folder);
  setenv("TESSERA_DUMP", folder.c_str(), 1);
  const Program program = scale_program("a b/c");
  device_->compile_program(program, true);
  unsetenv("TESSERA_DUMP");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    EXPECT_TRUE(entry.path().filename().string().starts_with("a_b_c-"));
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(text, program.wgsl);
  }
  EXPECT_EQ(files, 1);
  std::filesystem::remove_all(folder);
}

TEST_F(Submit, ThreadsCompileOnceAndSubmitTogether) {
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 0; i < 10; ++i) run_scale(*device_, t, i);
      if (t % 2 == 0) device_->wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(device_->compile_stats().misses, 1U);
  EXPECT_EQ(device_->compile_stats().hits, 59U);
}

TEST_F(Submit, ProfilingGivesATimeForEachKernel) {
  const auto executable = device_->compile_program(scale_program("timed"), true);
  const auto x = device_->create_buffer(4 << 20);
  const auto y = device_->create_buffer(4 << 20);
  Submission submission;
  for (int i = 0; i < 3; ++i) {
    add_dispatch(submission, executable, {x.get(), y.get()}, {1, 1, 1 << 20, 0}, (1 << 20) / 64);
  }
  device_->submit(submission);
  EXPECT_TRUE(device_->times().empty());
  device_->set_profiling(true);
  device_->submit(submission);
  device_->set_profiling(false);
  const std::vector<KernelTime> times = device_->times();
  ASSERT_EQ(times.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(times[i].label, "timed");
    EXPECT_GT(times[i].duration_us, 0);
    EXPECT_LT(times[i].duration_us, 1e7);
    EXPECT_EQ(times[i].bytes, 8U << 20U);
    if (i > 0) {
      EXPECT_GE(times[i].start_us, times[i - 1].start_us);
    }
  }
  EXPECT_TRUE(device_->times().empty());
  device_->wait();
}

TEST_F(Submit, ALostDeviceSaysSoAndANewOneWorks) {
  const auto executable = device_->compile_program(scale_program(), true);
  auto x = device_->create_buffer(400);
  auto y = device_->create_buffer(400);
  Submission submission;
  add_dispatch(submission, executable, {x.get(), y.get()}, {1, 1, 100, 0}, 2);
  device_->submit(submission);
  EXPECT_TRUE(device_->is_available());
  device_->destroy();
  device_->destroy();
  EXPECT_FALSE(device_->is_available());
  std::vector<std::byte> bytes(4);
  const auto lost = [&](auto&& f) {
    const Error e = error_of(f);
    EXPECT_EQ(e.kind(), ErrorKind::kDeviceLost) << e.what();
    EXPECT_TRUE(contains(e.what(), test_adapter())) << e.what();
  };
  lost([&] { device_->submit(submission); });
  lost([&] { device_->wait(); });
  lost([&] { device_->wait(); });
  lost([&] { device_->create_buffer(64); });
  lost([&] { device_->upload(*x, 0, bytes); });
  lost([&] { device_->download({{x.get(), 0, 4, bytes.data()}}, [](auto) {}); });
  lost([&] { device_->on_done([](auto) {}); });
  if (device_->info().features.trusted) {  // else its text is in the cache, as the same kind of module
    lost([&] { device_->compile_program(scale_program("new"), false); });
  }
  lost([&] { device_->pool().acquire(1 << 20); });
  x.reset();
  const auto other = make_test_device();
  run_scale(*other, 3, 4);
  device_.reset();
  y.reset();
  run_scale(*other, 3, 4);
}

TEST_F(Submit, PendingCallbacksLearnOfTheLoss) {
  const auto x = device_->create_buffer(4 << 20);
  std::vector<std::byte> bytes(4 << 20);
  std::atomic<int> good = 0;
  std::atomic<int> lost = 0;
  const auto count = [&](std::exception_ptr failure) {
    try {
      if (failure != nullptr) std::rethrow_exception(failure);
      ++good;
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::kDeviceLost) ++lost;
    }
  };
  for (int i = 0; i < 10; ++i) {
    device_->download({{x.get(), 0, bytes.size(), bytes.data()}}, count);
    device_->on_done(count);
  }
  device_->destroy();
  EXPECT_THROW(device_->wait(), Error);
  EXPECT_EQ(good + lost, 20);
}

TEST_F(Submit, DestroyBesideUse) {
  for (int round = 0; round < 5; ++round) {
    const auto device = make_test_device();
    const auto executable = device->compile_program(scale_program(), true);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        try {
          for (int i = 0; i < 100000; ++i) {
            const auto x = device->create_buffer(400);
            const auto y = device->create_buffer(400);
            put(*device, *x, counting(100));
            Submission submission;
            add_dispatch(submission, executable, {x.get(), y.get()}, {1, 1, 100, 0}, 2);
            device->submit(submission);
            get<std::uint32_t>(*device, *y, 100);
          }
          ADD_FAILURE() << "the loss went unnoticed";
        } catch (const Error& e) {
          EXPECT_EQ(e.kind(), ErrorKind::kDeviceLost) << e.what();
        }
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    device->destroy();
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace tessera::runtime
