// Finds the provider's library, loads it, and fills in the table of its functions.
#include "runtime/webgpu/provider.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#ifdef _WIN32
// The few functions used, instead of a header that redefines half the language.
extern "C" {
__declspec(dllimport) void* __stdcall LoadLibraryA(const char*);
__declspec(dllimport) void* __stdcall GetProcAddress(void*, const char*);
__declspec(dllimport) unsigned long __stdcall GetLastError();
__declspec(dllimport) unsigned long __stdcall GetModuleFileNameA(void*, char*, unsigned long);
}
#else
#include <dlfcn.h>
#endif

#include "base/fail.h"
#include "base/log.h"

namespace tessera::runtime::webgpu {

namespace {

namespace fs = std::filesystem;

// Ours has the other's marker too, so it comes first.
constexpr std::array kTraits{
    Traits{.name = "wgpu-rs",
           .marker = "tesseraWgpuVersion",
           .major = 30,
           .errors_inside_call = true,
           .submit_aborts = false,
           .wait_blocks_submit = false,
           .own = true},
    Traits{.name = "wgpu-native",
           .marker = "wgpuGetVersion",
           .major = 29,
           .errors_inside_call = true,
           .submit_aborts = true,
           .wait_blocks_submit = true,
           .own = false},
};

// The bundled ones; the first that is there is taken.
#if defined(_WIN32)
constexpr std::array kLibraries{"tessera_wgpu.dll", "wgpu_native.dll"};
#elif defined(__APPLE__)
constexpr std::array kLibraries{"libtessera_wgpu.dylib", "libwgpu_native.dylib"};
#else
constexpr std::array kLibraries{"libtessera_wgpu.so", "libwgpu_native.so"};
#endif

#ifdef _WIN32
void* open_library(const std::string& path, std::string& why) {
  void* library = LoadLibraryA(path.c_str());
  if (library == nullptr) why = fmt::format("LoadLibrary gave error {}", GetLastError());
  return library;
}
void* find_symbol(void* library, const char* name) { return GetProcAddress(library, name); }
std::vector<fs::path> own_folders() {
  char path[4096] = {};
  GetModuleFileNameA(nullptr, path, sizeof(path) - 1);
  return {fs::path(path).parent_path()};
}
#else
void* open_library(const std::string& path, std::string& why) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) why = dlerror();
  return library;
}
void* find_symbol(void* library, const char* name) { return dlsym(library, name); }
// Where the binary or the shared library that holds this function lies, then where the executable lies.
std::vector<fs::path> own_folders() {
  std::vector<fs::path> folders;
  std::error_code error;
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&own_folders), &info) != 0 && info.dli_fname != nullptr) {
    const fs::path own = fs::canonical(info.dli_fname, error);
    if (!error) folders.push_back(own.parent_path());
  }
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(executable.parent_path());
  return folders;
}
#endif

// Beside us, as in a bundle; in the private folder beside an installed libtessera; in that of the installation or the
// build folder that an executable belongs to.
constexpr std::array kPlaces{".", "tessera", "../lib/tessera"};

std::string bundled_library() {
  std::vector<std::string> searched;
  for (const fs::path& own : own_folders()) {
    for (const char* place : kPlaces) {
      const fs::path folder = (own / place / "").lexically_normal().parent_path();
      for (const char* library : kLibraries) {
        std::error_code error;
        if (fs::exists(folder / library, error)) return (folder / library).string();
      }
      if (std::ranges::find(searched, folder.string()) == searched.end()) searched.push_back(folder.string());
    }
  }
  fail(ErrorKind::kDevice,
       "No WebGPU library: there is no {} in {}. Put one there, or name one in TESSERA_WEBGPU_LIBRARY or "
       "DeviceConfig::webgpu_library.",
       fmt::join(kLibraries, " or "), fmt::join(searched, " or "));
}

// Without a desktop session Mesa's device-selecting layer writes complaints to standard error each time that adapters
// are listed, and it serves nothing here: the engine chooses by itself.
void quiet_device_select() {
#ifdef __linux__
  if (std::getenv("XDG_RUNTIME_DIR") == nullptr) setenv("NODEVICE_SELECT", "1", 0);
#endif
}

void show_message(WGPULogLevel level, WGPUStringView message, void* /*userdata*/) {
  log_debug("webgpu ({}): {}", level == WGPULogLevel_Error ? "error" : "warning", text_of(message));
}

}  // namespace

Provider::Provider(const std::string& path) : path_(path) {
  std::error_code error;
  // A bare name is searched for by the system; a path can be checked here, for a clearer message.
  if (path.find('/') != std::string::npos && !fs::exists(path, error)) {
    fail(ErrorKind::kDevice, "The WebGPU library '{}' does not exist.", path);
  }
  std::string why;
  void* library = open_library(path, why);
  if (library == nullptr) fail(ErrorKind::kDevice, "The WebGPU library '{}' does not load: {}.", path, why);
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
  if (path.empty()) {
    const char* named = std::getenv("TESSERA_WEBGPU_LIBRARY");
    if (named != nullptr) path = named;
  }
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
