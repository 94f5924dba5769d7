// The largest amount of memory that evaluations of a device held at once, and what held it, while somebody watches.
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
  std::string kernel;           // that ran then
  std::vector<Holder> holders;  // the largest first
};

/// What a plan holds at its fullest moment: results, and intermediates from the kernel that makes them to their last
/// use.
Peak peak_of(const schedule::Plan& plan, const Graph& graph);

void watch_peaks(const Device& device, bool on);
/// Cheap where nobody watches.
void note_peak(const Device& device, const schedule::Plan& plan, const Graph& graph);
/// The largest since the last call.
std::optional<Peak> take_peak(const Device& device);

}  // namespace tessera::runtime
