// The operating system: environment, process, CPUs and memory. Together with files.h and library.h beside it, the one
// place of what differs between systems; no other folder of src/ includes headers of a system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

// *_posix.cpp in this folder serves Linux, macOS and browsers.
#if defined(_WIN32)
#error \
    "There is no port to Windows yet: src/base/os/*_windows.cpp would define what the headers of that folder declare."
#endif

namespace tessera::os {

/// Whether this build can start threads: a browser's page cannot, and everything runs inline there.
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
inline constexpr bool kHasThreads = false;
#else
inline constexpr bool kHasThreads = true;
#endif

/// A variable of the environment; nothing where it is not set.
std::optional<std::string> environment(const char* name);
/// Sets a variable for libraries that are loaded later, unless it is set already. Other threads must not read the
/// environment meanwhile.
void set_environment_default(const char* name, const char* value);

int process_id();

/// The CPUs that this process may run on; at least 1.
int cpu_count();
struct CpuIdentity {
  std::string name;    // "CPU" where the system does not say
  std::string vendor;  // empty where the system does not say
};
CpuIdentity cpu_identity();

/// The bytes of memory of the machine; 0 where the system does not say.
std::uint64_t physical_memory();

/// Memory that is not filled; null where there is none left. The alignment is a power of two and at least 16.
std::byte* allocate_aligned(std::size_t bytes, std::size_t alignment);
void free_aligned(std::byte* data);
/// Asks for large pages behind memory that nobody has touched yet; `data` and `bytes` are multiples of kLargePage.
/// It is advice: systems without it do nothing.
void advise_large_pages(std::byte* data, std::size_t bytes);
inline constexpr std::size_t kLargePage = std::size_t{2} << 20U;

}  // namespace tessera::os
