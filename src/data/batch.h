// One batch of a loader: its samples loaded and collated in host memory, then uploaded. Nothing here is shared.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/order.h"
#include "tessera/data/loader.h"
#include "tessera/error.h"

namespace tessera::data {

/// Which samples: positions first, .., last - 1 of this part of the order.
struct BatchRange {
  std::int64_t epoch;
  std::int64_t batch;
  std::int64_t first;
  std::int64_t last;
};

/// An error that is thrown on another thread than the one that met it.
struct Failure {
  ErrorKind kind;
  std::string message;
  Error::Fields fields;
};

struct HostBatch {
  std::optional<Sample> batch = {};  // none: it failed, or all of its samples were left out
  std::optional<Failure> failure = {};
  std::vector<std::string> skipped = {};  // why each sample that was left out could not be loaded
};

/// A batch that next() returns, throws or leaves out.
struct LoadedBatch {
  std::optional<Tree> batch = {};
  std::optional<Failure> failure = {};
  std::vector<std::string> skipped = {};
};

/// Does not throw. `cancelled` is asked before each sample; after true the result has nothing.
HostBatch load_batch(const Dataset& dataset, const LoaderOptions& options, const Order& order, const BatchRange& range,
                     const std::function<bool()>& cancelled);
/// Starts the upload. Does not throw.
LoadedBatch upload_batch(HostBatch batch, const BatchRange& range, const Device& device);

}  // namespace tessera::data
