// The operating system: environment, process, CPUs and memory. All system-specific code is in this folder (files.h,
// library.h, system.h); no other folder of src/ includes system headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

// *_posix.cpp is for Linux, macOS and browsers.
#if defined(_WIN32)
#error \
    "There is no port to Windows yet: src/base/os/*_windows.cpp would define what the headers of that folder declare."
#endif

namespace tessera::os {

/// Whether this build can start threads. Without threads (a page in a browser), everything runs inline.
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
inline constexpr bool kHasThreads = false;
#else
inline constexpr bool kHasThreads = true;
#endif

/// An environment variable; nothing if it is not set.
std::optional<std::string> environment(const char* name);
/// Sets a variable for libraries that are loaded later, unless it is set already. Other threads must not read the
/// environment meanwhile.
void set_environment_default(const char* name, const char* value);

int process_id();

/// The CPUs that this process may run on; at least 1. Processes that mpirun started on this machine, without binding
/// them to CPUs, share them.
int cpu_count();
struct CpuIdentity {
  std::string name;    // "CPU" if unknown
  std::string vendor;  // empty if unknown
};
CpuIdentity cpu_identity();

/// The machine's memory in bytes; 0 if unknown.
std::uint64_t physical_memory();
/// What of it programs could still get, without swapping; 0 if unknown.
std::uint64_t available_memory();

/// Uninitialized memory; null if out of memory. The alignment is a power of two and at least 16.
std::byte* allocate_aligned(std::size_t bytes, std::size_t alignment);
void free_aligned(std::byte* data);
/// Requests large pages for memory that has not been touched yet; `data` and `bytes` are multiples of kLargePage.
/// Advice only: systems without large pages ignore it.
void advise_large_pages(std::byte* data, std::size_t bytes);
inline constexpr std::size_t kLargePage = std::size_t{2} << 20U;

}  // namespace tessera::os
