// Loads, collates and uploads one batch; what users' functions throw becomes an Error with the name of the sample.
#include "data/batch.h"

#include <exception>
#include <new>
#include <utility>

#include "base/fail.h"
#include "data/collate.h"

namespace tessera::data {

namespace {

/// The exception that is handled now.
Failure current_failure() {
  try {
    throw;
  } catch (const Error& e) {
    return {e.kind(), e.what(), e.fields()};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::kOutOfMemory, "The host has no memory left.", {}};
  } catch (const std::exception& e) {
    return {ErrorKind::kValue, e.what(), {}};
  } catch (...) {
    return {ErrorKind::kValue, "An exception that is no std::exception was thrown.", {}};
  }
}

/// "sample 17 (cats/17.png)"; the name alone where it is the default one.
std::string name_of(const Dataset& dataset, std::int64_t i) {
  std::string position = fmt::format("sample {}", i);
  try {
    const std::string name = dataset.name(i);
    return name == position ? position : fmt::format("{} ({})", position, name);
  } catch (...) {
    return position;
  }
}

std::string name_of(const BatchRange& range) { return fmt::format("batch {} of epoch {}", range.batch, range.epoch); }

/// Whether an error says something about the sample, and not about the machine.
bool is_of_sample(ErrorKind kind) {
  return kind != ErrorKind::kOutOfMemory && kind != ErrorKind::kDevice && kind != ErrorKind::kDeviceLost &&
         kind != ErrorKind::kCancelled && kind != ErrorKind::kPeerLost;
}

Sample collated(const Dataset& dataset, const LoaderOptions& options, const std::vector<Sample>& samples,
                const std::vector<std::int64_t>& positions) {
  if (!options.collate) return stack_named(samples, [&](std::size_t i) { return name_of(dataset, positions[i]); });
  Sample batch = options.collate(samples);
  if (batch.fields().empty()) fail(ErrorKind::kValue, "The collate function returned a Sample without fields.");
  return batch;
}

}  // namespace

HostBatch load_batch(const Dataset& dataset, const LoaderOptions& options, const Order& order, const BatchRange& range,
                     const std::function<bool()>& cancelled) {
  HostBatch result;
  try {
    std::vector<Sample> samples;
    std::vector<std::int64_t> positions;
    samples.reserve(static_cast<std::size_t>(range.last - range.first));
    positions.reserve(samples.capacity());
    for (std::int64_t i = range.first; i < range.last; ++i) {
      if (cancelled()) return {};
      const std::int64_t position = order[options.part + i * options.parts];
      try {
        samples.push_back(dataset.get(position));
        positions.push_back(position);
      } catch (...) {
        Failure failure = current_failure();
        failure.message = fmt::format("{} cannot be loaded: {}", name_of(dataset, position), failure.message);
        if (options.skip_bad && is_of_sample(failure.kind)) {
          result.skipped.push_back(std::move(failure.message));
          continue;
        }
        failure.message = "DataLoader: " + failure.message;
        result.failure = std::move(failure);
        return result;
      }
    }
    if (!samples.empty()) result.batch = collated(dataset, options, samples, positions);
  } catch (...) {
    result.failure = current_failure();
    result.failure->message = fmt::format("DataLoader: {}: {}", name_of(range), result.failure->message);
  }
  return result;
}

LoadedBatch upload_batch(HostBatch batch, const BatchRange& range, const Device& device) {
  LoadedBatch result{{}, std::move(batch.failure), std::move(batch.skipped)};
  if (!batch.batch) return result;
  try {
    Tree tree;
    for (const auto& [name, array] : batch.batch->fields()) tree.insert(name, array.tensor(device));
    result.batch = std::move(tree);
  } catch (...) {
    result.failure = current_failure();
    result.failure->message = fmt::format("DataLoader: {} cannot be uploaded to {}: {}", name_of(range), device.name(),
                                          result.failure->message);
  }
  return result;
}

}  // namespace tessera::data
