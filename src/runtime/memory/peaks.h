// The peak memory of a device's evaluations and the values that held it, while it is being watched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/plan.h"

namespace tessera::runtime {

class Device;

struct Peak {
  struct Holder {
    std::string what;  // the op and the shape of the value
    std::uint64_t bytes = 0;
  };
  std::uint64_t bytes = 0;      // of intermediates and results together
  std::string kernel;           // the kernel that ran at the peak
  std::vector<Holder> holders;  // the largest first
};

/// The peak of a plan: results, and intermediates from the kernel that writes them to their last use.
Peak peak_of(const schedule::Plan& plan, const Graph& graph);

void watch_peaks(const Device& device, bool on);
/// Cheap if nothing watches.
void note_peak(const Device& device, const schedule::Plan& plan, const Graph& graph);
/// The largest peak since the last call.
std::optional<Peak> take_peak(const Device& device);

}  // namespace tessera::runtime
