// Runs kernels that a test wrote by hand on the CPU device.
#pragma once

#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "graph/op.h"
#include "runtime/cpu/cpu_device.h"

namespace tessera {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class KernelRun : public testing::Test {
 protected:
  using Words = std::vector<std::uint32_t>;

  template <class T>
  runtime::Buffer* buffer(const std::vector<T>& values) {
    const std::size_t bytes = std::max<std::size_t>(values.size() * sizeof(T), 16);
    buffers_.push_back(device_->create_buffer((bytes + 15) / 16 * 16));
    device_->upload(*buffers_.back(), 0, std::as_bytes(std::span(values)));
    return buffers_.back().get();
  }

  template <class T>
  runtime::Buffer* room(std::size_t n) {
    return buffer(std::vector<T>(n));
  }

  template <class T>
  std::vector<T> read(runtime::Buffer* buffer, std::size_t n) {
    std::vector<T> values(n);
    bool called = false;
    device_->download({{buffer, 0, n * sizeof(T), values.data()}}, [&](std::exception_ptr error) {
      called = true;
      if (error != nullptr) std::rethrow_exception(error);
    });
    EXPECT_TRUE(called);
    return values;
  }

  void run(const Kernel& kernel, const Words& params, const std::vector<runtime::Buffer*>& buffers) {
    if (kernel.kind != Kernel::Kind::kGrouped) {
      ASSERT_EQ(static_cast<int>(params.size()), ParamLayout(kernel).words);
    }
    Binding binding;  // of a map: its elements
    binding.rows = 1;
    binding.cols = params.empty() ? 0 : *params.begin();
    runtime::Submission submission;
    submission.params = Words(64, 0xdeadbeefU);
    submission.params.insert(submission.params.end(), params.begin(), params.end());
    runtime::Dispatch dispatch;
    dispatch.executable = device_->compile(kernel, binding);
    dispatch.buffers = buffers;
    dispatch.first_param = 64;
    dispatch.param_count = static_cast<std::uint32_t>(params.size());
    dispatch.kernel = &kernel;
    dispatch.binding = &binding;
    submission.dispatches.push_back(dispatch);
    device_->submit(submission);
    device_->wait();
  }

  // Instrs.
  static Instr load(DType t, int slot, int index = 0, bool row = false) {
    return {Instr::Kind::kLoad, Op::kInput, t, row, index, slot, -1, {}};
  }
  static Instr scalar(DType t) { return {Instr::Kind::kScalar, Op::kScalar, t, true, -1, -1, -1, {}}; }
  static Instr op(Op o, DType t, std::vector<int> args, bool row = false) {
    return {Instr::Kind::kOp, o, t, row, -1, -1, -1, std::move(args)};
  }
  static Instr reduce(Op o, DType t, int arg) { return {Instr::Kind::kReduce, o, t, true, -1, -1, -1, {arg}}; }
  static StrideClass class_of(char c) {
    return c == '0' ? StrideClass::kZero : (c == '1' ? StrideClass::kOne : StrideClass::kAny);
  }
  /// An index through a view with this ViewLayout::str().
  static Index view(std::string_view text, int parent = 0) {
    ViewLayout layout;
    LevelLayout level;
    for (const char c : text) {
      if (c == '[') {
        level = {};
      } else if (c == ']') {
        layout.add(level);
      } else if (c == '+') {
        level.offset = true;
      } else {
        level.strides.push_back(class_of(c));
      }
    }
    EXPECT_EQ(layout.str(), text);
    return {Index::Kind::kView, parent, -1, layout};
  }
  static std::uint32_t bits(float v) { return std::bit_cast<std::uint32_t>(v); }

  std::shared_ptr<runtime::Device> device_ = runtime::make_cpu_device({});
  std::vector<std::unique_ptr<runtime::Buffer>> buffers_;
};

}  // namespace tessera
