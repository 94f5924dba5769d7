// The WebGPU device; buffers, programs, submission and timing have one .cpp file each.
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <unordered_map>

#include "base/lru_cache.h"
#include "runtime/tuning/tuning.h"
#include "runtime/webgpu/bind_groups.h"
#include "runtime/webgpu/core.h"
#include "runtime/webgpu/param_ring.h"
#include "runtime/webgpu/pipeline_store.h"
#include "runtime/webgpu/provider/adapter.h"
#include "runtime/webgpu/reports.h"
#include "runtime/webgpu/webgpu_device.h"

namespace tessera::runtime::webgpu {

struct Pipeline {
  const Layout* layout = nullptr;
  ComputePipelineHandle handle;
};

struct WebGpuExecutable final : Executable {
  [[nodiscard]] const std::string& label() const override { return program.label; }

  Program program;
  Kernel kernel;  // for the grid
  bool has_kernel = false;
  std::uint32_t uniform_bytes =
      0;  // of the binding: what the program declares, rounded up so that bind groups are shared
  std::shared_ptr<const Pipeline> pipeline;
  std::shared_ptr<Core> core;  // the device that it was compiled for
};

class DeviceImpl final : public WebGpuDevice {
 public:
  DeviceImpl(DeviceInfo info, const DeviceConfig& config, std::shared_ptr<Core> core, const WGPULimits& limits);
  ~DeviceImpl() override;

  std::unique_ptr<Buffer> create_buffer(std::size_t bytes) override;
  void upload(Buffer& to, std::size_t offset, std::span<const std::byte> from) override;
  void download(std::vector<Read> reads, Done done) override;
  std::shared_ptr<const Executable> compile(const Kernel& kernel, const Binding& binding) override;
  void grid(const Executable& executable, const Binding& binding, std::uint32_t out[3]) const override;
  void submit(const Submission& submission) override;
  void when_room(Done go) override { core_->when_room(std::move(go)); }
  void on_done(Done done) override;
  void wait() override;
  [[nodiscard]] bool can_wait() const override { return core_->provider().traits().can_wait; }
  void poll() override { core_->look(); }
  [[nodiscard]] bool is_available() const override { return !core_->lost(); }
  [[nodiscard]] CompileStats compile_stats() const override;
  [[nodiscard]] SubmitStats submit_stats() const override;
  void set_profiling(bool on) override;
  std::vector<KernelTime> times() override;

  std::shared_ptr<const Executable> compile_program(const Program& program, bool trusted) override;
  void destroy() override { core_->destroy(); }
  [[nodiscard]] WebGpuStats webgpu_stats() const override;

 private:
  struct Staging {  // a buffer for readback
    BufferHandle handle;
    std::size_t bytes = 0;
  };
  struct Transfer;

  // buffer.cpp
  BufferHandle try_create_buffer(std::size_t bytes, WGPUBufferUsage usage);
  BufferHandle create_raw_buffer(std::size_t bytes, WGPUBufferUsage usage, std::string_view what);
  void free_dead_buffers();
  Staging take_staging(std::size_t bytes);
  void give_staging(Staging staging);
  void finish_download(Transfer& transfer, std::exception_ptr failure);

  // program.cpp
  std::shared_ptr<WebGpuExecutable> make_executable(const Program& program, bool trusted);
  std::shared_ptr<const Pipeline> pipeline_of(const Program& program, bool trusted);
  std::shared_ptr<const Pipeline> build(const Program& program, bool trusted);
  const Layout& layout_of(const Program& program);

  // submit.cpp; all under submit_mutex_
  WGPUBindGroup bind_group_of(const Dispatch& dispatch);
  void encode(WGPUComputePassEncoder pass, const Dispatch& dispatch, WGPUBindGroup group, std::uint32_t params_at);
  void encode_all(WGPUComputePassEncoder pass, std::span<const Dispatch> dispatches, std::uint32_t params_at);
  void finish_and_submit(CommandEncoderHandle encoder, const ErrorCatch& errors, std::string_view what);
  void count_submission(bool mark);
  void submit_together(const Submission& submission, const ErrorCatch& errors, std::uint32_t params_at);
  CommandEncoderHandle encode_alone(const Dispatch& dispatch, std::uint32_t params_at);
  void find_fault(const Submission& submission, std::uint32_t params_at);
  void submit_one_by_one(std::span<const Dispatch> dispatches, std::uint32_t params_at);
  CommandEncoderHandle make_encoder();

  // profile.cpp; under submit_mutex_
  struct Timing;
  void submit_timed(const Submission& submission, std::uint32_t params_at);
  void time_on_host(const Submission& submission, std::uint32_t params_at);
  void leave_untimed(const Submission& submission, std::uint32_t params_at);
  void time_on_device(std::span<const Dispatch> dispatches, std::uint32_t params_at);
  void wait_for_ticks(const Timing& timing, const ErrorCatch& errors);
  void expect_ticks(const std::shared_ptr<Timing>& timing);
  void take_ticks(Timing& timing);
  [[nodiscard]] double profile_clock_us() const;

  std::shared_ptr<Core> core_;
  WGPULimits limits_;

  std::mutex staging_mutex_;
  std::vector<Staging> staging_;
  std::atomic<std::uint64_t> uploaded_ = 0;  // bytes written since the last submission

  mutable std::mutex program_mutex_;
  // Pipelines take driver memory, with a software driver up to some 20 MB each; an evicted one lives on while a
  // submission uses it.
  [[nodiscard]] std::size_t most_pipelines() const { return info().type == DeviceType::kSoftware ? 256 : 1024; }
  LruCache<std::shared_ptr<const Executable>> executables_{most_pipelines()};
  LruCache<std::shared_future<std::shared_ptr<const Pipeline>>> pipelines_{most_pipelines()};
  std::unordered_map<std::string, std::unique_ptr<Layout>> layouts_;
  CompileStats compile_stats_;
  PipelineStore pipeline_store_;
  std::shared_ptr<Tuning> tuning_;  // null if runs must be bit-identical

  Reports reports_;

  mutable std::mutex submit_mutex_;
  bool reports_pending_ = false;  // a kernel that may report ran since the last check
  BindGroups bind_groups_;
  ParamRing ring_;
  std::vector<const WebGpuBuffer*> bound_;  // reused between dispatches
  std::vector<BufferRange> ranges_;         // the same
  WGPUComputePipeline current_ = nullptr;   // set in the pass being encoded
  std::uint64_t submissions_ = 0;
  std::uint64_t dispatches_ = 0;
  std::chrono::steady_clock::duration provider_time_{};

  bool profiling_ = false;
  std::chrono::steady_clock::time_point profile_start_;
  std::vector<KernelTime> times_;
  double tick_ns_ = 1;
};

}  // namespace tessera::runtime::webgpu
