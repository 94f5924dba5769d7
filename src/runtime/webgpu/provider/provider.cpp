// Loads a provider's functions, and the table of providers' traits.
#include "runtime/webgpu/provider/provider.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "base/fail.h"
#include "base/log.h"
#include "base/os/system.h"
#include "runtime/webgpu/provider/library.h"

namespace tessera::runtime::webgpu {

namespace {

// The first whose marker is exported: ours also has that of wgpu-native, and a browser that suspends that of all
// browsers.
constexpr std::array kTraits{
    Traits{.name = "wgpu-rs",
           .marker = "tesseraWgpuVersion",
           .major = 30,
           .errors_inside_call = true,
           .submit_aborts = false,
           .wait_blocks_submit = false,
           .can_wait = true,
           .outside = false,
           .own = true},
    Traits{.name = "wgpu-native",
           .marker = "wgpuGetVersion",
           .major = 29,
           .errors_inside_call = true,
           .submit_aborts = true,
           .wait_blocks_submit = true,
           .can_wait = true,
           .outside = false,
           .own = false},
    Traits{.name = "browser, suspending",
           .marker = "tesseraWebSuspends",
           .major = 1,
           .errors_inside_call = true,
           .submit_aborts = false,
           .wait_blocks_submit = false,
           .can_wait = true,
           .outside = true,
           .own = false},
    Traits{.name = "browser",
           .marker = "tesseraWebVersion",
           .major = 1,
           .errors_inside_call = false,
           .submit_aborts = false,
           .wait_blocks_submit = false,
           .can_wait = false,
           .outside = true,
           .own = false},
};

// Without a desktop session Mesa's device-selection layer writes messages to standard error each time adapters are
// listed. It has no use here: the engine chooses by itself.
void quiet_device_select() {
  if (!os::environment("XDG_RUNTIME_DIR")) os::set_environment_default("NODEVICE_SELECT", "1");
}

void show_message(WGPULogLevel level, WGPUStringView message, void* /*userdata*/) {
  log_debug("webgpu ({}): {}", level == WGPULogLevel_Error ? "error" : "warning", text_of(message));
}

}  // namespace

Provider::Provider(const std::string& path) : path_(path) {
  void* library = open_library(path);
  for (const Traits& traits : kTraits) {
    if (traits_ == nullptr && find_symbol(library, traits.marker) != nullptr) traits_ = &traits;
  }
  if (traits_ == nullptr) {
    fail(ErrorKind::kDevice, "The library '{}' is no WebGPU provider that the engine knows; it knows {} and {}.", path,
         kTraits[0].name, kTraits[1].name);
  }
  std::string missing;
#define TESSERA_WEBGPU_LOAD(name) api_.name = reinterpret_cast<decltype(api_.name)>(find_symbol(library, #name));
#define TESSERA_WEBGPU_CHECK(name) \
  if (api_.name == nullptr && missing.empty()) missing = #name;
  TESSERA_WEBGPU_REQUIRED(TESSERA_WEBGPU_LOAD)
  TESSERA_WEBGPU_OPTIONAL(TESSERA_WEBGPU_LOAD)
  TESSERA_WEBGPU_REQUIRED(TESSERA_WEBGPU_CHECK)
  if (traits_->own) {
    TESSERA_WEBGPU_OWN(TESSERA_WEBGPU_LOAD)
    TESSERA_WEBGPU_OWN(TESSERA_WEBGPU_CHECK)
  }
#undef TESSERA_WEBGPU_LOAD
#undef TESSERA_WEBGPU_CHECK
  if (!missing.empty()) fail(ErrorKind::kDevice, "The WebGPU library '{}' has no function {}.", path, missing);
  if (api_.wgpuGetVersion != nullptr && (api_.wgpuGetVersion() >> 24U) != traits_->major) {
    log_warn("{} {} was loaded from '{}'; the engine was made for version {}.", traits_->name, version(), path,
             traits_->major);
  }
  if (api_.wgpuSetLogCallback != nullptr && api_.wgpuSetLogLevel != nullptr && log_enabled(LogLevel::kDebug)) {
    api_.wgpuSetLogCallback(&show_message, nullptr);
    api_.wgpuSetLogLevel(WGPULogLevel_Warn);
  }
  quiet_device_select();
  instance_ = make_instance(WGPUInstanceBackend_Primary);
  if (instance_ == nullptr) fail(ErrorKind::kDevice, "The WebGPU library '{}' gave no instance.", path);
  log_debug("WebGPU: {} {} from '{}'", traits_->name, version(), path);
}

std::string Provider::version() const {
  if (api_.wgpuGetVersion == nullptr) return "unknown";
  const std::uint32_t v = api_.wgpuGetVersion();
  return fmt::format("{}.{}.{}.{}", v >> 24U, (v >> 16U) & 0xffU, (v >> 8U) & 0xffU, v & 0xffU);
}

WGPUInstance Provider::make_instance(WGPUInstanceBackend backends) const {
  WGPUInstanceExtras extras{};
  extras.chain.sType = static_cast<WGPUSType>(WGPUSType_InstanceExtras);
  extras.backends = backends;
  extras.dxcPath = WGPU_STRING_VIEW_INIT;
  WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
  descriptor.nextInChain = &extras.chain;
  return api_.wgpuCreateInstance(&descriptor);
}

const Provider& Provider::get(const DeviceConfig& config) {
  struct Outcome {
    std::unique_ptr<Provider> provider;
    std::optional<Error> error;
  };
  // Never destroyed: devices may outlive the end of main.
  static auto& outcomes = *new std::map<std::string, Outcome>;
  static auto& mutex = *new std::mutex;
  std::string path = config.webgpu_library;
  if (path.empty()) path = os::environment("TESSERA_WEBGPU_LIBRARY").value_or("");
  const std::lock_guard lock(mutex);
  auto [it, is_new] = outcomes.try_emplace(path);
  Outcome& outcome = it->second;
  if (is_new) {
    try {
      outcome.provider.reset(new Provider(path.empty() ? bundled_library() : path));
    } catch (const Error& e) {
      outcome.error = e;
    }
  }
  if (outcome.error) throw *outcome.error;
  return *outcome.provider;
}

}  // namespace tessera::runtime::webgpu
