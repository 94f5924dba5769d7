// The state of a WgslKernel, for the files that create, call and tune it.
#pragma once

#include <mutex>

#include "graph/custom.h"
#include "runtime/device.h"
#include "tessera/wgsl.h"

namespace tessera {

struct WgslKernel::State {
  WgslDefinition definition;
  std::shared_ptr<const CustomKernel> kernel;

  struct Tuned {
    std::weak_ptr<runtime::Device> device;
    std::vector<TensorSpec> inputs;
    std::vector<WgslSize> candidates;
    WgslTuning result;
  };
  std::mutex mutex;  // guards `tuned`
  std::vector<Tuned> tuned;
};

/// The uniform's words: defaults, overridden by `given`. Error of kind value or dtype.
std::vector<std::uint32_t> param_words(const CustomKernel& kernel, const WgslParams& defaults, const WgslParams& given);
std::vector<std::uint32_t> raw_param_words(const WgslDefinition& definition, std::span<const std::byte> bytes);

}  // namespace tessera
