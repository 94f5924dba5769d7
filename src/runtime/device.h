// The interface of backends: a few virtual functions, none per op.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/memory/pool.h"
#include "runtime/plan_cache.h"
#include "schedule/device_model.h"
#include "schedule/kernel.h"
#include "tessera/device_info.h"
#include "tessera/error.h"
#include "tessera/raw_bytes.h"

namespace tessera::runtime {

class Placer;

/// A kernel compiled for a device.
class Executable {
 public:
  virtual ~Executable() = default;
  [[nodiscard]] virtual const std::string& label() const = 0;
};

/// The part of a buffer that a dispatch binds, in bytes.
struct BufferRange {
  std::size_t offset = 0;  // a multiple of 256
  std::size_t bytes = 0;
};

/// One kernel of a submission, or a chunk of one. Buffers: the kernel's inputs, then its outputs; an aliased input is
/// in both lists.
struct Dispatch {
  std::shared_ptr<const Executable> executable;
  std::vector<Buffer*> buffers;
  std::vector<BufferRange> ranges;  // of each buffer; empty: bound whole
  std::uint32_t first_param = 0;    // into Submission::params; a multiple of 64 (256 bytes)
  std::uint32_t param_count = 0;
  std::uint32_t grid[3] = {1, 1, 1};  // workgroups; unused on the CPU
  const Kernel* kernel = nullptr;     // for the CPU backend, the profiler and debug output
  const Binding* binding = nullptr;
};

/// Kernels in order. The caller keeps everything that it points to alive until submit() returns.
struct Submission {
  std::vector<Dispatch> dispatches;
  std::vector<std::uint32_t> params;
  std::size_t first = 0;  // the dispatches that submit() starts: by default all
  std::size_t count = SIZE_MAX;
  [[nodiscard]] std::span<const Dispatch> started() const {
    return std::span(dispatches).subspan(first, std::min(count, dispatches.size() - first));
  }

  /// Appends the parameters of a dispatch, padded to 256 bytes: the alignment of a binding's offset. Returns the
  /// position of the first word.
  std::uint32_t add_params(std::span<const std::uint32_t> words);
};

/// A read of `bytes` from the start of a buffer to `to`, which stays valid until the callback.
struct Read {
  Buffer* buffer = nullptr;
  std::size_t offset = 0;
  std::size_t bytes = 0;
  void* to = nullptr;
  /// Instead of `to`: called with chunks and their offsets in the read, before the callback; a chunk is valid only
  /// during the call.
  std::function<void(std::size_t at, const RawBytes& piece)> take = {};

  /// Passes on data in host memory, as the part from `at` on.
  void give(std::size_t at, const void* from, std::size_t count) const;
};

/// Called once, from wait() or from a thread of the device; null: success.
using Done = std::function<void(std::exception_ptr)>;

/// The time of one kernel, for the profiler.
struct KernelTime {
  std::string label;
  double start_us = 0;        // since the profiler was enabled
  double duration_us = 0;     // NaN if unknown
  std::uint64_t bytes = 0;    // read and written
  std::uint64_t written = 0;  // of them
  std::uint64_t flops = 0;
};

struct CompileStats {
  std::uint64_t pipelines = 0;  // alive
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;  // = compilations
  double compile_ms = 0;
};

struct SubmitStats {
  std::uint64_t submissions = 0;
  std::uint64_t dispatches = 0;
  double provider_ms = 0;       // host time in the provider's own calls
  std::uint64_t in_flight = 0;  // submissions not known to have finished
  std::uint64_t throttled = 0;  // times that a submission waited for DeviceConfig::max_in_flight
  std::uint64_t bind_groups = 0;
  std::uint64_t bind_group_hits = 0;
  std::uint64_t bind_group_misses = 0;
  std::uint64_t param_writes = 0;
};

/// The counters of every device, besides those of its caches.
struct Counters {
  std::atomic<std::uint64_t> uploads = 0;
  std::atomic<std::uint64_t> uploaded_bytes = 0;
  std::atomic<std::uint64_t> downloads = 0;
  std::atomic<std::uint64_t> downloaded_bytes = 0;
  std::atomic<std::uint64_t> waits = 0;
  std::array<std::atomic<std::uint64_t>, kErrorKinds> errors{};  // evaluations, reads and waits that failed, by kind
  void count_upload(std::size_t bytes);
  void count_download(std::span<const Read> reads);
  void count_error(const std::exception_ptr& error);  // null: none
};

class Device : public std::enable_shared_from_this<Device> {
 public:
  Device(DeviceInfo info, const DeviceConfig& config);
  virtual ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] const DeviceInfo& info() const { return info_; }
  [[nodiscard]] const schedule::DeviceModel& model() const { return model_; }
  [[nodiscard]] const DeviceConfig& config() const { return config_; }
  Pool& pool() { return pool_; }
  PlanCache& plans() { return plans_; }
  Counters& counters() { return *counters_; }
  /// 1 for the first device of the process, and so on: unique.
  [[nodiscard]] std::uint64_t serial() const { return serial_; }
  /// Before its first use: it is the inner device of `whole`, counts there, and is not in live_devices().
  void become_part_of(const Device& whole);
  /// Decides which graphs run on the host; null if all run on the device.
  [[nodiscard]] Placer* placer() const { return placer_.get(); }
  void set_placer(std::unique_ptr<Placer> placer);
  /// How often the device was recreated after a device loss; objects of an earlier generation are invalid.
  [[nodiscard]] std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }

  // The functions of a backend. All are safe from any thread. Each throws device_lost once the device is lost.

  /// A new buffer, zero-filled, of a size that is a multiple of 16. Throws out_of_memory or limit.
  virtual std::unique_ptr<Buffer> create_buffer(std::size_t bytes) = 0;
  /// Copies host data into a buffer, in order with submissions; `from` may be freed when it returns.
  virtual void upload(Buffer& to, std::size_t offset, std::span<const std::byte> from) = 0;
  /// Copies from buffers to the host, in order with submissions; all reads share one wait.
  virtual void download(std::vector<Read> reads, Done done) = 0;
  /// Compiles the kernel, or finds it in the device's cache. Chooses the variant for the binding; the executable keeps
  /// it. The grid depends on the binding, too.
  virtual std::shared_ptr<const Executable> compile(const Kernel& kernel, const Binding& binding) = 0;
  virtual void grid(const Executable& executable, const Binding& binding, std::uint32_t out[3]) const = 0;
  /// Starts the kernels, in order; waits only while max_in_flight submissions have not finished. Later failures are
  /// thrown at the next wait.
  virtual void submit(const Submission& submission) = 0;
  /// Calls back when submit() would not wait: at once, or when a submission has finished.
  virtual void when_room(Done go) { go(nullptr); }  // NOLINT(performance-unnecessary-value-param)
  /// Calls back when everything submitted so far has finished.
  virtual void on_done(Done done) = 0;
  /// Runs callbacks until everything submitted so far has finished; throws the first error since the last wait.
  virtual void wait() = 0;
  /// Whether wait() may be called: not on the thread of a page.
  [[nodiscard]] virtual bool can_wait() const { return true; }
  /// Runs callbacks that are ready; never waits and never throws.
  virtual void poll() {}
  /// False once the device is lost.
  [[nodiscard]] virtual bool is_available() const { return true; }
  [[nodiscard]] virtual CompileStats compile_stats() const = 0;
  [[nodiscard]] virtual SubmitStats submit_stats() const { return {}; }
  /// Enables kernel timing; times() returns and clears the measurements. Where waiting is impossible, they arrive
  /// before on_done() calls back.
  virtual void set_profiling(bool on) = 0;
  virtual std::vector<KernelTime> times() = 0;
  /// Recreates a lost device in place: the contents of its memory are gone, everything else stays valid. Does nothing
  /// if the device is not lost. Throws device if none is available.
  virtual void restore() {}

 protected:
  /// For restore(), once new work goes to the new device.
  void next_generation();

 private:
  std::atomic<std::uint64_t> generation_ = 0;
  std::unique_ptr<Placer> placer_;
  const DeviceInfo info_;
  const schedule::DeviceModel model_;
  DeviceConfig config_;
  Pool pool_;
  PlanCache plans_;
  std::shared_ptr<Counters> counters_ = std::make_shared<Counters>();
  std::uint64_t serial_;
};

/// All live devices, the oldest first.
std::vector<std::shared_ptr<Device>> live_devices();
/// Starts an operation with a callback, then waits for the callback, which the device runs in wait() or on a thread of
/// its own. Throws the error that it was called with.
void wait_for(Device& device, const std::function<void(Done)>& start);

}  // namespace tessera::runtime
