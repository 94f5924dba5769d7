// Environment, process, CPUs and memory where the system is POSIX.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <unistd.h>

#include "base/os/system.h"
#if defined(__linux__)
#include <sched.h>
#include <sys/mman.h>
#endif

#include "base/ints.h"

namespace tessera::os {

std::optional<std::string> environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  return text;
}

void set_environment_default(const char* name, const char* value) { static_cast<void>(::setenv(name, value, 0)); }

int process_id() { return ::getpid(); }

int cpu_count() {
  const int all = std::max(1, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
#if defined(__linux__)
  cpu_set_t allowed;  // fails past 1,024 CPUs
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) == 0 && CPU_COUNT(&allowed) < all) {
    return std::max(1, CPU_COUNT(&allowed));
  }
#endif
  int processes = 1;
  for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
    const auto text = environment(variable);
    if (text)
      processes = std::max(processes, static_cast<int>(std::clamp(std::strtol(text->c_str(), nullptr, 10), 1L, 1024L)));
  }
  return std::max(1, all / processes);
}

CpuIdentity cpu_identity() {
  CpuIdentity identity{.name = "CPU", .vendor = ""};
  std::ifstream file("/proc/cpuinfo");  // of the first CPU: an empty line comes before the next one
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (line.starts_with("model name")) identity.name = line.substr(colon + 2);
    if (line.starts_with("vendor_id")) identity.vendor = line.substr(colon + 2);
  }
  return identity;
}

std::uint64_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long size = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
}

std::uint64_t available_memory() {
  std::ifstream file("/proc/meminfo");  // "MemAvailable:    3912345 kB"
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("MemAvailable:")) continue;
    return std::strtoull(line.c_str() + line.find(':') + 1, nullptr, 10) * 1024;
  }
  return 0;
}

std::byte* allocate_aligned(std::size_t bytes, std::size_t alignment) {
  return static_cast<std::byte*>(std::aligned_alloc(alignment, round_up(bytes, alignment)));
}

void free_aligned(std::byte* data) { std::free(data); }

void advise_large_pages([[maybe_unused]] std::byte* data, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  static_cast<void>(::madvise(data, bytes, MADV_HUGEPAGE));
#endif
}

}  // namespace tessera::os
