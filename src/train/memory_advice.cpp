// Advice from an estimate of memory.
#include "tessera/train/memory_advice.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/bytes_text.h"

namespace tessera::train {

namespace {

/// "a, b and c".
std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : (i + 1 == parts.size() ? " and " : ", ")) + parts[i];
  }
  return text;
}

bool is_low(const MemoryEstimate::Holder& h) {
  return h.name.find(" f16 ") != std::string::npos || h.name.find(" bf16 ") != std::string::npos;
}

}  // namespace

std::string memory_advice(const MemoryEstimate& estimate) {
  const std::pair<const char*, std::uint64_t> sums[] = {{"intermediate values", estimate.intermediates},
                                                        {"parameters", estimate.parameters},
                                                        {"optimizer state", estimate.optimizer},
                                                        {"arguments", estimate.arguments},
                                                        {"constants", estimate.constants},
                                                        {"results", estimate.results}};
  std::vector<std::string> parts;
  for (const auto& [what, bytes] : sums) {
    if (bytes > 0) parts.push_back(fmt::format("{} of {}", bytes_text(bytes), what));
  }
  std::string text = fmt::format("The step needs {}", bytes_text(estimate.peak));
  if (parts.size() > 1) text += " at its peak: " + listed(parts);
  text += ".";

  std::vector<MemoryEstimate::Holder> holders = estimate.holders;
  std::ranges::stable_sort(holders, std::ranges::greater(), &MemoryEstimate::Holder::bytes);
  std::vector<std::string> largest;
  for (std::size_t i = 0; i < std::min<std::size_t>(holders.size(), 3); ++i) {
    if (holders[i].bytes > 0)
      largest.push_back(fmt::format("'{}' ({})", holders[i].name, bytes_text(holders[i].bytes)));
  }
  if (!largest.empty()) {
    text += fmt::format(" The largest {} {}.", largest.size() == 1 ? "holder is" : "holders are", listed(largest));
  }

  const std::uint64_t of_batch = estimate.intermediates + estimate.arguments + estimate.results;
  const std::uint64_t of_state = estimate.parameters + estimate.optimizer + estimate.constants;
  if (of_batch >= of_state) {
    std::uint64_t low = 0;  // bytes of f16 and bf16
    for (const MemoryEstimate::Holder& h : holders) low += h.kind == "intermediates" && is_low(h) ? h.bytes : 0;
    std::vector<std::string> helps{"a smaller batch with gradient accumulation"};
    if (estimate.intermediates > estimate.arguments) {
      helps.emplace_back("model.checkpoint(\"layers.*\"), which computes activations again in the backward pass");
      if (2 * low < estimate.intermediates) helps.emplace_back("an Autocast scope, which halves activations");
    }
    text += fmt::format(" What would need less: {}.", listed(helps));
  } else {
    text +=
        " Most of it does not depend on the batch; what would need less: fewer trainable parameters (model.freeze, or "
        "nn::lora), an optimizer with fewer moments, or a smaller model.";
  }
  return text;
}

}  // namespace tessera::train
