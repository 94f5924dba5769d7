// The CPU device: buffers in host memory, a cache of compiled kernels, and submissions that run at once, in order.
#include "runtime/cpu/cpu_device.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/fail.h"
#include "base/host_memory.h"
#include "base/lru_cache.h"
#include "base/os/system.h"
#include "runtime/cpu/execute.h"
#include "runtime/kernel_work.h"

namespace tessera::runtime {

namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); }

class HostBuffer final : public Buffer {
 public:
  explicit HostBuffer(std::size_t bytes) : Buffer(bytes), data_(host_memory(bytes)) {
    if (data_ != nullptr) std::memset(data_.get(), 0, bytes);
  }
  void* host() override { return data_.get(); }

 private:
  HostMemory data_;
};

class CpuExecutable final : public Executable {
 public:
  explicit CpuExecutable(const Kernel& kernel) : program_(kernel) {}
  [[nodiscard]] const std::string& label() const override { return program_.label; }
  [[nodiscard]] const cpu::CpuProgram& program() const { return program_; }

 private:
  cpu::CpuProgram program_;
};

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(const DeviceConfig& config) : Device(cpu_device_info(), config) {}

  std::unique_ptr<Buffer> create_buffer(std::size_t bytes) override {
    const std::uint64_t limit = info().limits.max_buffer_size;
    if (bytes > limit) {
      throw Error(ErrorKind::kLimit,
                  fmt::format("A buffer of {} bytes was asked for; the largest on the CPU is {} bytes.", bytes, limit),
                  {.requested = bytes, .available = limit});
    }
    auto buffer = std::make_unique<HostBuffer>(std::max<std::size_t>(bytes, 16));
    if (buffer->host() == nullptr) {
      throw Error(ErrorKind::kOutOfMemory, fmt::format("Out of memory on the CPU: {} bytes were requested.", bytes),
                  {.requested = bytes});
    }
    return buffer;
  }

  void upload(Buffer& to, std::size_t offset, std::span<const std::byte> from) override {
    if (offset + from.size() > to.bytes()) {
      fail(ErrorKind::kValue, "An upload of {} bytes at {} does not fit a buffer of {} bytes.", from.size(), offset,
           to.bytes());
    }
    counters().count_upload(from.size());
    // Without a lock: earlier submissions have finished, and a running one may not use a buffer that is written.
    if (!from.empty()) std::memcpy(static_cast<std::byte*>(to.host()) + offset, from.data(), from.size());
  }

  void download(std::vector<Read> reads, Done done) override {
    counters().count_download(reads);
    std::exception_ptr error;
    for (const Read& read : reads) {
      if (read.offset + read.bytes > read.buffer->bytes()) {
        error = std::make_exception_ptr(
            Error(ErrorKind::kValue, fmt::format("A read of {} bytes at {} is past a buffer of {} bytes.", read.bytes,
                                                 read.offset, read.buffer->bytes())));
        break;
      }
      read.give(0, static_cast<const std::byte*>(read.buffer->host()) + read.offset, read.bytes);
    }
    counters().count_error(error);
    done(error);
  }

  std::shared_ptr<const Executable> compile(const Kernel& kernel, const Binding&) override {
    std::string key = kernel.signature();
    {
      const std::lock_guard lock(cache_mutex_);
      if (const auto* known = cache_.find(key)) {
        ++compile_stats_.hits;
        return *known;
      }
    }
    const auto start = Clock::now();
    auto executable = std::make_shared<const CpuExecutable>(kernel);  // outside the lock: others bind meanwhile
    std::vector<std::shared_ptr<const CpuExecutable>> evicted;        // destroyed outside of the lock
    const std::lock_guard lock(cache_mutex_);
    auto kept = cache_.put(std::move(key), executable, &evicted);
    ++(kept == executable ? compile_stats_.misses : compile_stats_.hits);
    compile_stats_.compile_ms += microseconds(Clock::now() - start) / 1000;
    compile_stats_.pipelines = cache_.size();
    return kept;
  }

  void grid(const Executable&, const Binding&, std::uint32_t out[3]) const override { out[0] = out[1] = out[2] = 1; }

  void submit(const Submission& submission) override {
    std::unique_lock lock(mutex_);
    submissions_.fetch_add(1, std::memory_order_relaxed);
    for (const Dispatch& dispatch : submission.started()) run(submission, dispatch, lock);
  }

  // Submissions have finished when submit() returns, and have thrown their errors.
  void on_done(Done done) override { done(nullptr); }
  void wait() override {
    counters().waits.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);  // another thread's submission may be running
  }

  [[nodiscard]] SubmitStats submit_stats() const override {
    return {.submissions = submissions_.load(std::memory_order_relaxed),
            .dispatches = dispatches_.load(std::memory_order_relaxed)};
  }

  [[nodiscard]] CompileStats compile_stats() const override {
    const std::lock_guard lock(cache_mutex_);
    return compile_stats_;
  }

  void set_profiling(bool on) override {
    const std::lock_guard lock(mutex_);
    profiling_ = on;
    if (on) {
      profile_start_ = Clock::now();
      times_.clear();
    }
  }

  std::vector<KernelTime> times() override {
    const std::lock_guard lock(mutex_);
    return std::exchange(times_, {});
  }

 private:
  void run(const Submission& submission, const Dispatch& dispatch, std::unique_lock<std::mutex>& lock) {
    dispatches_.fetch_add(1, std::memory_order_relaxed);
    const cpu::CpuProgram& program = static_cast<const CpuExecutable&>(*dispatch.executable).program();
    pointers_.clear();
    for (std::size_t i = 0; i < dispatch.buffers.size(); ++i) {
      auto* start = static_cast<std::byte*>(dispatch.buffers[i]->host());
      pointers_.push_back(dispatch.ranges.empty() ? start : start + dispatch.ranges[i].offset);
    }
    const std::uint32_t* params = submission.params.data() + dispatch.first_param;
    const auto start = profiling_ ? Clock::now() : Clock::time_point{};
    if (program.kernel.kind == Kernel::Kind::kCustom) {
      const CustomCall& call = *dispatch.binding->custom;
      if (program.kernel.custom->trusted) {
        run_custom(call, {params, dispatch.param_count}, pointers_.data(), host_buffers_);
      } else {  // the user's function, which may submit too
        const std::vector<std::byte*> buffers = pointers_;
        HostBuffers own;
        lock.unlock();
        run_custom(call, {params, dispatch.param_count}, buffers.data(), own);
        lock.lock();
      }
    } else if (program.kernel.kind == Kernel::Kind::kGrouped) {
      std::byte* const* inputs = pointers_.data();
      std::byte* const* outputs = inputs + program.kernel.inputs.size();
      for (const cpu::CpuProgram& part : program.parts) {
        run_program(part, params, inputs, outputs);
        params += part.layout.words;
        inputs += part.kernel.inputs.size();
        outputs += part.kernel.outputs.size();
      }
    } else {
      run_program(program, params, pointers_.data(), pointers_.data() + program.kernel.inputs.size());
    }
    if (profiling_) record(program, submission.params.data() + dispatch.first_param, dispatch, start);
  }

  /// The arguments of a host function.
  struct HostBuffers {
    std::vector<std::span<const std::byte>> inputs;
    std::vector<std::span<std::byte>> outputs;
  };

  static void run_custom(const CustomCall& call, std::span<const std::uint32_t> params, std::byte* const* buffers,
                         HostBuffers& room) {
    auto& [inputs, outputs] = room;
    inputs.clear();
    outputs.clear();
    const auto bytes = [](const TensorSpec& t) { return static_cast<std::size_t>(t.shape.numel()) * size_of(t.dtype); };
    for (const TensorSpec& t : call.bound_inputs()) inputs.emplace_back(*buffers++, bytes(t));
    for (const TensorSpec& t : call.outputs) outputs.emplace_back(*buffers++, bytes(t));
    call.kernel->host({inputs, outputs, call.inputs, call.outputs, params, call.kernel->inputs});
  }

  static void run_program(const cpu::CpuProgram& program, const std::uint32_t* params, std::byte* const* inputs,
                          std::byte* const* outputs) {
    cpu::Run run{.program = &program, .params = params, .inputs = inputs, .outputs = outputs};
    switch (program.kernel.kind) {
      case Kernel::Kind::kMap:
        run.cols = params[0];
        return cpu::run_map(run);
      case Kernel::Kind::kReduce:
        run.rows = params[0];
        run.cols = params[1];
        return cpu::run_reduce(run);
      case Kernel::Kind::kMatmul:
        run.rows = std::int64_t{params[0]} * params[1];
        run.cols = params[2];
        return cpu::run_matmul(run);
      case Kernel::Kind::kCustom:
      case Kernel::Kind::kGrouped:
        break;
    }
  }

  void record(const cpu::CpuProgram& program, const std::uint32_t* params, const Dispatch& dispatch,
              Clock::time_point start) {
    KernelTime time = describe(dispatch);
    time.start_us = microseconds(start - profile_start_);
    time.duration_us = microseconds(Clock::now() - start);
    // Beside the matmuls' own, each step of the program counts.
    const auto count = [&](const cpu::CpuProgram& p, const std::uint32_t* words) {
      std::uint64_t elements = words[0];
      if (p.kernel.kind == Kernel::Kind::kReduce) elements *= words[1];
      if (p.kernel.kind == Kernel::Kind::kMatmul) elements *= std::uint64_t{words[1]} * words[2];
      time.flops += elements * static_cast<std::uint64_t>(p.ops);
    };
    if (program.kernel.kind == Kernel::Kind::kGrouped) {
      for (const cpu::CpuProgram& part : program.parts) {
        count(part, params);
        params += part.layout.words;
      }
    } else if (program.kernel.kind != Kernel::Kind::kCustom) {
      count(program, params);
    }
    times_.push_back(std::move(time));
  }

  mutable std::mutex mutex_;  // one submission at a time, except while the user's functions run in it
  std::atomic<std::uint64_t> submissions_ = 0;
  std::atomic<std::uint64_t> dispatches_ = 0;
  std::vector<std::byte*> pointers_;
  HostBuffers host_buffers_;
  bool profiling_ = false;
  Clock::time_point profile_start_;
  std::vector<KernelTime> times_;

  mutable std::mutex cache_mutex_;
  static constexpr std::size_t kMostPrograms = 4096;
  LruCache<std::shared_ptr<const CpuExecutable>> cache_{kMostPrograms};
  CompileStats compile_stats_;
};

}  // namespace

DeviceInfo cpu_device_info() {
  DeviceInfo info;
  info.id = "cpu";
  const os::CpuIdentity cpu = os::cpu_identity();
  info.name = cpu.name;
  info.vendor = cpu.vendor;
  info.driver = fmt::format("{} threads", os::cpu_count());
  info.backend = "CPU";
  info.type = DeviceType::kCpu;
  info.memory_size = os::physical_memory();
  info.limits.max_buffer_size = info.memory_size != 0 ? info.memory_size : std::uint64_t{1} << 34U;
  info.limits.max_storage_binding_size = info.limits.max_buffer_size;
  info.limits.max_storage_buffers = 64;
  info.limits.max_workgroup_size = 1024;
  info.limits.max_workgroup_memory = 1U << 20U;
  info.grouped_gemm = false;  // each matmul uses all threads
  info.prologues = false;     // matmuls need their operands in memory
  info.features = {.f16 = true, .i64 = true, .f64 = true, .complex = true};
  info.feature_names = {"f16", "f64", "i64"};
  return info;
}

std::shared_ptr<Device> make_cpu_device(const DeviceConfig& config) { return std::make_shared<CpuDevice>(config); }

}  // namespace tessera::runtime
