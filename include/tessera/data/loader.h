// DataLoader: batches of a data set on a device, in a seeded order, loaded by threads ahead of their use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/data/dataset.h"
#include "tessera/device.h"
#include "tessera/distributed.h"
#include "tessera/export.h"
#include "tessera/tree.h"

namespace TESSERA_API tessera {
namespace data {

/// A batch of samples, in host memory.
using Collate = std::function<Sample(std::span<const Sample> samples)>;
/// Stacks each field along a new first axis. Error of kind shape or dtype that names the field if samples differ.
Sample stack(std::span<const Sample> samples);

struct LoaderOptions {
  std::int64_t batch = 1;
  bool shuffle = false;  // in another order each epoch, which depends on seed and epoch alone
  std::uint64_t seed = 0;
  bool drop_last = false;  // without a last batch that is smaller
  int workers = 2;         // threads; 0: samples are loaded by next()
  int prefetch = 2;        // batches that wait on the device, at most
  bool skip_bad = false;   // leave out samples that cannot be loaded, with a count and a line in the log (see next())
  Collate collate = {};    // default: stack
  Device device = {};      // of the batches
  /// Called by next() about every 50 ms while it waits for a batch; what it throws leaves next(), and no batch is lost.
  std::function<void()> while_waiting = {};
  /// Every parts-th sample of the order, from `part` on, for processes that share an epoch. The last size % parts
  /// samples of the order are left out, so that all parts have equal batches.
  std::int64_t part = 0, parts = 1;
  /// Ranks that share each batch: `batch` counts the samples of all of them, and `part` and `parts` become those of
  /// this rank. So batch i has the same samples for any number of ranks that divides `batch`.
  std::optional<distributed::Group> group = {};
  bool even = true;  // parts have equal batches; without, no sample is left out: for validation
};

/// Where a loader is: the next batch it returns. Saved in checkpoints.
struct LoaderState {
  std::int64_t epoch = 0;
  std::int64_t batch = 0;    // of the epoch
  std::int64_t skipped = 0;  // samples that were left out so far, in all epochs
  friend bool operator==(const LoaderState&, const LoaderState&) = default;
};

/// Batches as trees of tensors by the names of the fields. A value that is moved, not copied; one thread at a time
/// calls its functions. Threads start with the first batch, and load no further than the end of the epoch. Batches are
/// the same for any number of threads. The functions of the data set and `collate` are called without a lock; they may
/// use other loaders, and not this one. The destructor waits for the samples that are being loaded.
class DataLoader {
 public:
  /// Error of kind value for a data set without samples and for options that leave no batch.
  explicit DataLoader(DatasetPtr dataset, LoaderOptions options = {});
  ~DataLoader();
  DataLoader(DataLoader&&) noexcept;
  DataLoader& operator=(DataLoader&&) noexcept;

  /// The number of batches of an epoch.
  [[nodiscard]] std::int64_t size() const;
  [[nodiscard]] const LoaderOptions& options() const;
  [[nodiscard]] const Dataset& dataset() const;
  /// The next batch; none at the end of an epoch, after which the next epoch begins. A sample that cannot be loaded is
  /// an Error with its name and the kind of its error, and the call after it returns the batch after it. With skip_bad
  /// the batch is smaller, and left out if it has no sample; errors of the device or the host's memory are still
  /// thrown.
  std::optional<Tree> next();
  /// The position of what next() returns; batches that wait are not counted.
  [[nodiscard]] LoaderState state() const;
  /// Continues there: with the same batches as a loader that came there by itself. Error of kind value for a position
  /// past the end of the epoch.
  void set_state(const LoaderState& state);
  /// How long next() has waited for batches, in seconds, since the loader was made.
  [[nodiscard]] double waited() const;

  /// for (const Tree& batch : loader): the batches up to the end of the epoch.
  class Iterator;
  Iterator begin();
  std::default_sentinel_t end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class DataLoader::Iterator {
 public:
  using value_type = Tree;                 // NOLINT(readability-identifier-naming)
  using difference_type = std::ptrdiff_t;  // NOLINT(readability-identifier-naming)
  explicit Iterator(DataLoader* loader) : loader_(loader), batch_(loader->next()) {}
  const Tree& operator*() const { return *batch_; }
  Iterator& operator++() {
    batch_ = loader_->next();
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const Iterator& i, std::default_sentinel_t /*end*/) { return !i.batch_.has_value(); }

 private:
  DataLoader* loader_;
  std::optional<Tree> batch_;
};
inline DataLoader::Iterator DataLoader::begin() { return Iterator(this); }
inline std::default_sentinel_t DataLoader::end() { return std::default_sentinel; }

}  // namespace data
}  // namespace tessera
