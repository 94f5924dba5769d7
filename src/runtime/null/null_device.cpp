// The null device.
#include "runtime/null/null_device.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/fail.h"
#include "base/ints.h"
#include "runtime/eval/dispatches.h"
#include "runtime/kernel_work.h"

namespace tessera::runtime {

namespace {

/// Small buffers are zeros. Large ones are not touched, so that plans of any size fit the machine.
class HostBuffer final : public Buffer {
 public:
  explicit HostBuffer(std::size_t bytes) : Buffer(bytes), data_(std::make_unique_for_overwrite<std::byte[]>(bytes)) {
    constexpr std::size_t kSmall = std::size_t{1} << 20U;
    if (bytes <= kSmall) std::fill_n(data_.get(), bytes, std::byte{0});
  }
  [[nodiscard]] void* host() override { return data_.get(); }

 private:
  std::unique_ptr<std::byte[]> data_;
};

struct NullExecutable final : Executable {
  [[nodiscard]] const std::string& label() const override { return program.label; }
  Kernel kernel;
  Program program;
};

class NullDeviceImpl final : public NullDevice {
 public:
  using NullDevice::NullDevice;
  ~NullDeviceImpl() override { pool().trim(); }

  std::unique_ptr<Buffer> create_buffer(std::size_t bytes) override {
    const std::uint64_t largest = info().limits.max_buffer_size;
    if (largest != 0 && bytes > largest) {
      throw Error(ErrorKind::kLimit,
                  fmt::format("A buffer of {} bytes was asked for; the largest is {}.", bytes, largest),
                  {.requested = bytes, .available = largest});
    }
    return std::make_unique<HostBuffer>(round_up(bytes, 16));
  }

  void upload(Buffer& to, std::size_t offset, std::span<const std::byte> from) override {
    counters().count_upload(from.size());
    if (!from.empty()) std::memcpy(static_cast<std::byte*>(to.host()) + offset, from.data(), from.size());
  }

  void download(std::vector<Read> reads, Done done) override {
    counters().count_download(reads);
    for (const Read& read : reads) {
      read.give(0, static_cast<const std::byte*>(read.buffer->host()) + read.offset, read.bytes);
    }
    done(nullptr);
  }

  std::shared_ptr<const Executable> compile(const Kernel& kernel, const Binding& binding) override {
    const Variant variant = codegen::choose_variant(kernel, binding, info(), model());
    std::string key = kernel.signature() + '\n' + variant.key;
    {
      const std::lock_guard lock(mutex_);
      if (const auto it = executables_.find(key); it != executables_.end()) {
        ++stats_.hits;
        return it->second;
      }
    }
    auto executable = std::make_shared<NullExecutable>();
    executable->kernel = kernel;
    executable->program = codegen::generate(kernel, binding, variant, info());
    const std::lock_guard lock(mutex_);
    const auto [it, is_new] = executables_.try_emplace(std::move(key), executable);
    if (is_new) {
      ++stats_.misses;
      programs_.push_back(executable->program);
    } else {
      ++stats_.hits;
    }
    return it->second;
  }

  void grid(const Executable& executable, const Binding& binding, std::uint32_t out[3]) const override {
    const auto& own = static_cast<const NullExecutable&>(executable);
    codegen::grid_of(own.kernel, own.program.variant, binding, info(), out);
  }

  void submit(const Submission& submission) override {
    check_bindings(submission);
    const std::lock_guard lock(mutex_);
    ++submissions_;
    for (const Dispatch& dispatch : submission.started()) {
      const bool empty = std::ranges::find(dispatch.grid, 0U) != std::end(dispatch.grid);
      if (empty) continue;
      ++dispatches_;
      if (profiling_) times_.push_back(describe(dispatch));
    }
  }

  void on_done(Done done) override { done(nullptr); }
  void wait() override { counters().waits.fetch_add(1, std::memory_order_relaxed); }

  [[nodiscard]] CompileStats compile_stats() const override {
    const std::lock_guard lock(mutex_);
    CompileStats stats = stats_;
    stats.pipelines = programs_.size();
    return stats;
  }

  [[nodiscard]] SubmitStats submit_stats() const override {
    const std::lock_guard lock(mutex_);
    return {.submissions = submissions_, .dispatches = dispatches_};
  }

  void set_profiling(bool on) override {
    const std::lock_guard lock(mutex_);
    profiling_ = on;
  }

  std::vector<KernelTime> times() override {
    const std::lock_guard lock(mutex_);
    return std::exchange(times_, {});
  }

  [[nodiscard]] std::vector<Program> programs() const override {
    const std::lock_guard lock(mutex_);
    return programs_;
  }

  [[nodiscard]] std::uint64_t dispatch_count() const override {
    const std::lock_guard lock(mutex_);
    return dispatches_;
  }

  [[nodiscard]] std::uint64_t submission_count() const override {
    const std::lock_guard lock(mutex_);
    return submissions_;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const NullExecutable>> executables_;
  std::vector<Program> programs_;
  std::vector<KernelTime> times_;
  CompileStats stats_;
  std::uint64_t dispatches_ = 0;
  std::uint64_t submissions_ = 0;
  bool profiling_ = false;
};

}  // namespace

std::shared_ptr<NullDevice> make_null_device(const DeviceInfo& info, const DeviceConfig& config, DeviceType type) {
  DeviceInfo own = info;
  if (own.id.empty()) own.id = "null";
  if (own.name.empty()) own.name = "null";
  own.type = type;
  // A device without stated limits accepts everything.
  if (own.limits.max_buffer_size == 0) own.limits.max_buffer_size = std::uint64_t{1} << 40U;
  if (own.limits.max_storage_binding_size == 0) own.limits.max_storage_binding_size = own.limits.max_buffer_size;
  if (config.workgroup_size != 0) own.workgroup_size = config.workgroup_size;
  if (config.max_binding_size != 0) own.limits.max_storage_binding_size = config.max_binding_size;
  return std::make_shared<NullDeviceImpl>(std::move(own), config);
}

}  // namespace tessera::runtime
