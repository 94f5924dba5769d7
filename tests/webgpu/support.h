// What the WebGPU tests share: a device on the software adapter, hand-written programs, blocking reads.
#pragma once

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/os/system.h"
#include "runtime/registry.h"
#include "runtime/webgpu/webgpu_device.h"
#include "support/errors.h"
#include "tessera/error.h"

namespace tessera::runtime {

/// Part of the name of the adapter that the tests run on: the software adapter, or what TESSERA_TEST_ADAPTER says.
inline std::string test_adapter() {
  const char* named = std::getenv("TESSERA_TEST_ADAPTER");
  return named != nullptr ? named : "llvmpipe";
}

inline std::shared_ptr<WebGpuDevice> make_test_device(DeviceConfig config = {}) {
  config.device = "webgpu:" + test_adapter();
  return std::dynamic_pointer_cast<WebGpuDevice>(make_device(config));
}

inline bool has_test_adapter() {
  for (const DeviceInfo& info : list_devices()) {
    if (info.name.find(test_adapter()) != std::string::npos) return true;
  }
  return false;
}

/// Skips, saying so, where the adapter is not there.
class WebGpuTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_test_adapter())
      GTEST_SKIP() << "no adapter called " << test_adapter() << ": " << webgpu_provider({}).error;
  }
};

using test::error_of;

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Sets an environment variable for the time of a test.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~Environment() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

template <class T>
void put(Device& device, Buffer& buffer, const std::vector<T>& values, std::size_t offset = 0) {
  device.upload(buffer, offset, std::as_bytes(std::span(values)));
}

/// Reads without polling: the callback comes by itself, unless there is no other thread that could call.
template <class T>
std::vector<T> get(Device& device, Buffer& buffer, std::size_t count, std::size_t offset = 0) {
  std::vector<T> out(count);
  std::promise<void> promise;
  device.download({{&buffer, offset, count * sizeof(T), out.data()}}, [&](std::exception_ptr failure) {
    if (failure != nullptr) {
      promise.set_exception(failure);
    } else {
      promise.set_value();
    }
  });
  std::future<void> done = promise.get_future();
  while (!os::kHasThreads && done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) device.poll();
  done.get();
  return out;
}

/// y[i] = x[i] * params[0] + params[1] for i < params[2]; x is buffer 0, y buffer 1.
inline Program scale_program(const std::string& label = "scale") {
  Program program;
  program.label = label;
  program.wgsl = R"(
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
struct Params { factor: u32, plus: u32, n: u32, unused: u32 }
@group(0) @binding(2) var<uniform> p: Params;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < p.n) { y[id.x] = x[id.x] * p.factor + p.plus; }
}
)";
  program.writable = {false, true};
  program.buffer_of = {0, 1};
  program.param_words = 4;
  return program;
}

/// Adds a dispatch with parameters of its own, on 64 words.
inline void add_dispatch(Submission& submission, std::shared_ptr<const Executable> executable,
                         std::vector<Buffer*> buffers, const std::vector<std::uint32_t>& params, std::uint32_t groups) {
  Dispatch dispatch;
  dispatch.executable = std::move(executable);
  dispatch.buffers = std::move(buffers);
  dispatch.first_param = static_cast<std::uint32_t>(submission.params.size());
  dispatch.param_count = static_cast<std::uint32_t>(params.size());
  dispatch.grid[0] = groups;
  submission.params.insert(submission.params.end(), params.begin(), params.end());
  submission.params.resize((submission.params.size() + 63) / 64 * 64);
  submission.dispatches.push_back(std::move(dispatch));
}

}  // namespace tessera::runtime
