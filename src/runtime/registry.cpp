// Lists devices and chooses among them.
#include "runtime/registry.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <charconv>
#include <mutex>
#include <optional>
#include <thread>

#include "base/call_back.h"
#include "base/fail.h"
#include "base/log.h"
#include "base/os/system.h"
#include "runtime/null/null_device.h"
#include "runtime/placement/placement.h"
#include "runtime/webgpu/webgpu_device.h"
#if __has_include("runtime/cpu/cpu_device.h")
#include "runtime/cpu/cpu_device.h"
#define TESSERA_HAVE_CPU_DEVICE 1
#endif

namespace tessera::runtime {

namespace {

constexpr std::uint32_t kMostInFlight = 1U << 20U;

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

std::string names_of(const std::vector<DeviceInfo>& adapters) {
  std::string out;
  for (const DeviceInfo& adapter : adapters) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{} ({})", adapter.id, adapter.name);
  }
  return out.empty() ? "none" : out;
}

// Lower is better.
int rank(const DeviceInfo& adapter, PowerPreference power) {
  const bool low = power == PowerPreference::kLowPower;
  switch (adapter.type) {
    case DeviceType::kDiscreteGpu:
      return low ? 1 : 0;
    case DeviceType::kIntegratedGpu:
      return low ? 0 : 1;
    default:
      return 2;
  }
}

std::optional<std::size_t> best(const std::vector<DeviceInfo>& adapters, PowerPreference power, bool software) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    if (adapters[i].type == DeviceType::kSoftware && !software) continue;
    if (!found || rank(adapters[i], power) < rank(adapters[*found], power)) found = i;
  }
  return found;
}

std::size_t by_index(const std::vector<DeviceInfo>& adapters, std::string_view digits) {
  std::size_t index = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (parsed.ec != std::errc() || index >= adapters.size()) {
    fail(ErrorKind::kDevice, "There is no device webgpu:{}; there {} {} adapter{}: {}.", digits,
         adapters.size() == 1 ? "is" : "are", adapters.size(), adapters.size() == 1 ? "" : "s", names_of(adapters));
  }
  return index;
}

std::size_t by_name(const std::vector<DeviceInfo>& adapters, std::string_view part) {
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    if (lower(adapters[i].name).find(lower(part)) != std::string::npos) return i;
  }
  fail(ErrorKind::kDevice, "No WebGPU adapter has '{}' in its name; there are: {}.", part, names_of(adapters));
}

// The requested config against the device's limits.
void check_buffer_size(const DeviceConfig& config, const DeviceInfo& device) {
  if (config.max_buffer_size <= device.limits.max_buffer_size) return;
  throw Error(ErrorKind::kLimit,
              fmt::format("A largest buffer of {} bytes was asked for; {} has at most {}.", config.max_buffer_size,
                          device.name, device.limits.max_buffer_size),
              {.requested = config.max_buffer_size, .available = device.limits.max_buffer_size});
}

void check_binding_size(const DeviceConfig& config, const DeviceInfo& device) {
  constexpr std::uint64_t kLeast = 1024;
  const std::uint64_t given = config.max_binding_size;
  if (given == 0) return;
  if (given < kLeast || given % 256 != 0) {
    fail(ErrorKind::kValue, "A largest binding of {} bytes was asked for; expected a multiple of 256 from {} on.",
         given, kLeast);
  }
  if (given <= device.limits.max_storage_binding_size) return;
  throw Error(ErrorKind::kLimit,
              fmt::format("A largest binding of {} bytes was asked for; {} has at most {}.", given, device.name,
                          device.limits.max_storage_binding_size),
              {.requested = given, .available = device.limits.max_storage_binding_size});
}

void check_workgroup_size(const DeviceConfig& config, const DeviceInfo& device) {
  if (config.workgroup_size == 0) return;
  if (!std::has_single_bit(config.workgroup_size)) {
    fail(ErrorKind::kValue, "A workgroup size of {} was asked for; expected a power of two up to {}.",
         config.workgroup_size, device.limits.max_workgroup_size);
  }
  if (config.workgroup_size <= device.limits.max_workgroup_size) return;
  throw Error(ErrorKind::kLimit,
              fmt::format("A workgroup size of {} was asked for; {} takes at most {}.", config.workgroup_size,
                          device.name, device.limits.max_workgroup_size),
              {.requested = config.workgroup_size, .available = device.limits.max_workgroup_size});
}

std::shared_ptr<Device> make_cpu(const DeviceConfig& config) {
#ifdef TESSERA_HAVE_CPU_DEVICE
  check_buffer_size(config, cpu_device_info());
  return make_cpu_device(config);
#else
  fail(ErrorKind::kDevice, "There is no CPU backend in this build (the device asked for: '{}').", config.device);
#endif
}

std::shared_ptr<Device> make_on(const DeviceConfig& config, const std::vector<DeviceInfo>& adapters,
                                std::size_t index) {
  check_buffer_size(config, adapters[index]);
  check_binding_size(config, adapters[index]);
  check_workgroup_size(config, adapters[index]);
  log_info("device {}: {} on {}", adapters[index].id, adapters[index].name, adapters[index].backend);
  return make_webgpu_device(config, index);
}

std::shared_ptr<Device> make_webgpu(const DeviceConfig& config, std::string_view which) {
  std::vector<DeviceInfo> adapters;
  try {
    adapters = list_webgpu_devices(config);
  } catch (const Error& e) {
    fail(e.kind(), "The device '{}' was asked for, but WebGPU is not served. {}", config.device, e.what());
  }
  if (adapters.empty()) {
    fail(ErrorKind::kDevice,
         "The device '{}' was asked for, but no adapter was found. Install your GPU's Vulkan driver (Debian: "
         "mesa-vulkan-drivers, which also brings a software adapter), or use the device 'cpu'.",
         config.device);
  }
  const bool number =
      !which.empty() && std::ranges::all_of(which, [](unsigned char c) { return std::isdigit(c) != 0; });
  if (number) return make_on(config, adapters, by_index(adapters, which));
  if (!which.empty()) return make_on(config, adapters, by_name(adapters, which));
  const std::size_t index = *best(adapters, config.power, true);
  if (adapters[index].type == DeviceType::kSoftware) {
    log_warn("{} is a software adapter, which is slower than the device 'cpu'; no GPU was found.",
             adapters[index].name);
  }
  return make_on(config, adapters, index);
}

std::shared_ptr<Device> make_best(const DeviceConfig& config) {
  static std::once_flag told;
  std::string why;
  try {
    const std::vector<DeviceInfo> adapters = list_webgpu_devices(config);
    if (const auto index = best(adapters, config.power, false)) return make_on(config, adapters, *index);
    why = adapters.empty() ? "WebGPU has no adapter."
                           : fmt::format("WebGPU has only software adapters ({}).", names_of(adapters));
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kDevice) throw;
    why = e.what();
  }
  std::call_once(told, [&] { log_warn("Running on the CPU: {}", why); });
  return make_cpu(config);
}

// Threads of make_device_async, joined when a later one starts, or at exit.
class Threads {
 public:
  void run(std::function<void()> work) {
    if (!os::kHasThreads) return work();
    const std::lock_guard lock(mutex_);
    std::erase_if(threads_, [](Entry& entry) {
      if (entry.ended->load()) entry.thread.join();
      return !entry.thread.joinable();
    });
    auto ended = std::make_shared<std::atomic<bool>>(false);
    threads_.push_back({std::thread([work = std::move(work), ended] {
                          work();
                          ended->store(true);
                        }),
                        ended});
  }
  ~Threads() {
    for (Entry& entry : threads_) entry.thread.join();
  }

 private:
  struct Entry {
    std::thread thread;
    std::shared_ptr<std::atomic<bool>> ended;
  };
  std::mutex mutex_;
  std::vector<Entry> threads_;
};

// Never destroyed: tensors may live until the process ends.
struct Default {
  std::mutex mutex;
  std::shared_ptr<Device> device;
};
Default& the_default() {
  static auto& value = *new Default;
  return value;
}

}  // namespace

std::vector<DeviceInfo> list_devices(const DeviceConfig& config) {
  std::vector<DeviceInfo> out;
  try {
    out = list_webgpu_devices(config);
  } catch (const Error& e) {
    log_info("{}", e.what());
  }
#ifdef TESSERA_HAVE_CPU_DEVICE
  out.push_back(cpu_device_info());
#endif
  return out;
}

namespace {

/// Enables placement of a GPU's small graphs on the host, if the config allows it. `named`: the device was requested by
/// name, which pins its graphs.
std::shared_ptr<Device> with_placement(std::shared_ptr<Device> device, const DeviceConfig& config, bool named) {
  if (config.deterministic && config.placement == Placement::kHybrid) {
    fail(ErrorKind::kValue,
         "DeviceConfig: deterministic excludes Placement::kHybrid, which decides by measured times; expected kAuto or "
         "kDevice.");
  }
  const bool hybrid = config.placement == Placement::kHybrid ||
                      (config.placement == Placement::kAuto && !named && !config.deterministic);
  const DeviceType type = device->info().type;
  if (hybrid && type != DeviceType::kCpu && type != DeviceType::kNull)
    device->set_placer(std::make_unique<Placer>(*device));
  return device;
}

}  // namespace

namespace {
std::shared_ptr<Device> make_named(const DeviceConfig& config) {
  DeviceConfig own = config;
  if (own.max_in_flight > kMostInFlight) {
    throw Error(ErrorKind::kLimit,
                fmt::format("DeviceConfig::max_in_flight is {}; expected 1 to {}, or 0 for no bound.",
                            own.max_in_flight, kMostInFlight),
                {.requested = own.max_in_flight, .available = kMostInFlight});
  }
  std::string_view said_by = "DeviceConfig::device";
  if (own.device.empty()) {
    own.device = os::environment("TESSERA_DEVICE").value_or("");
    said_by = "TESSERA_DEVICE";
  }
  if (own.device.empty()) return with_placement(make_best(own), own, false);
  const std::string name = lower(own.device);
  if (name == "cpu") return make_cpu(own);
  if (name == "null") {
    auto device = make_null_device({}, own);
    check_workgroup_size(own, device->info());
    return device;
  }
  if (name == "webgpu") return with_placement(make_webgpu(own, {}), own, true);
  if (name.starts_with("webgpu:") && name.size() > 7)
    return with_placement(make_webgpu(own, std::string_view(own.device).substr(7)), own, true);
  fail(ErrorKind::kValue, "{} is '{}'; expected cpu, webgpu, webgpu:INDEX or webgpu:PART-OF-NAME.", said_by,
       own.device);
}
}  // namespace

std::shared_ptr<Device> make_device(const DeviceConfig& config) {
  auto device = make_named(config);
  enlist(device);
  return device;
}

void make_device_async(const DeviceConfig& config, DeviceMade made) {
  static Threads threads;
  threads.run([config, made = std::move(made)]() mutable {
    std::shared_ptr<Device> device;
    std::exception_ptr failure;
    try {
      device = make_device(config);
    } catch (...) {
      failure = std::current_exception();
    }
    call_back(made, std::move(device), failure);
    made = nullptr;  // its captures are destroyed before the thread counts as ended
  });
}

const std::shared_ptr<Device>& host_device() {
  static const auto& device = []() -> const std::shared_ptr<Device>& {
    const auto& made = *new std::shared_ptr<Device>(make_cpu({}));  // never destroyed, like the default device
    enlist(made);
    return made;
  }();
  return device;
}

std::shared_ptr<Device> default_device() {
  Default& value = the_default();
  const std::lock_guard lock(value.mutex);
  if (value.device == nullptr) value.device = make_device();
  return value.device;
}

void set_default_device(std::shared_ptr<Device> device) {
  Default& value = the_default();
  const std::lock_guard lock(value.mutex);
  value.device.swap(device);
}

}  // namespace tessera::runtime
