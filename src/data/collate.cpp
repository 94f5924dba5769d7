// Stacks samples into a batch: each field along a new first axis.
#include "data/collate.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/fail.h"
#include "base/sizes.h"
#include "data/arrays.h"
#include "io/json.h"
#include "tessera/data/loader.h"

namespace tessera::data {

namespace {

std::string describe(const Array& array) {
  return array.defined() ? fmt::format("{} of shape {}", tessera::name(array.dtype()), array.shape().str())
                         : std::string("an empty Array");
}

Array stack_field(std::span<const Sample> samples, std::size_t field,
                  const std::function<std::string(std::size_t)>& name_of) {
  const auto& [name, first] = samples[0].fields()[field];
  if (!first.defined()) {
    fail(ErrorKind::kValue, "stack: the field {} of {} is an empty Array.", io::quote(name), name_of(0));
  }
  if (first.shape().rank() == kMaxRank) {
    fail(ErrorKind::kShape,
         "stack: the field {} has shape {}; at most {} axes are expected, since a batch has one more.", io::quote(name),
         first.shape(), kMaxRank - 1);
  }
  Shape shape{static_cast<std::int64_t>(samples.size())};
  for (const std::int64_t size : first.shape()) shape.push_back(size);
  const auto bytes = static_cast<std::size_t>(checked_numel("stack", shape, first.dtype())) * size_of(first.dtype());
  const std::shared_ptr<std::byte[]> memory(new std::byte[std::max<std::size_t>(bytes, 1)]);  // NOLINT: not zeroed
  std::byte* to = memory.get();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Array& array = samples[i].fields()[field].second;
    if (!array.defined() || array.dtype() != first.dtype() || !(array.shape() == first.shape())) {
      fail(array.defined() && array.dtype() != first.dtype() ? ErrorKind::kDType : ErrorKind::kShape,
           "stack: the field {} of {} is {}, and that of {} is {}; samples of a batch have one dtype and shape.",
           io::quote(name), name_of(0), describe(first), name_of(i), describe(array));
    }
    const std::span<const std::byte> from = array.bytes();
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
    to += from.size();
  }
  return {HostView{{memory.get(), bytes}, memory, false}, first.dtype(), shape};
}

std::string names_of(const Sample& sample) {
  std::string names;
  for (const auto& [name, array] : sample.fields()) names += (names.empty() ? "" : ", ") + io::quote(name);
  return names.empty() ? "no fields" : "the fields " + names;
}

}  // namespace

Sample stack_named(std::span<const Sample> samples, const std::function<std::string(std::size_t)>& name_of) {
  if (samples.empty()) fail(ErrorKind::kValue, "stack: no samples were given; at least one is expected.");
  const auto& fields = samples[0].fields();
  if (fields.empty()) fail(ErrorKind::kValue, "stack: {} has no fields; at least one is expected.", name_of(0));
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const auto& others = samples[i].fields();
    bool equal = others.size() == fields.size();
    for (std::size_t k = 0; equal && k < fields.size(); ++k) equal = fields[k].first == others[k].first;
    if (!equal) {
      fail(ErrorKind::kValue, "stack: {} has {}, and {} has {}; samples of a batch have the same fields in one order.",
           name_of(0), names_of(samples[0]), name_of(i), names_of(samples[i]));
    }
  }
  std::vector<Sample::Named> batch;
  batch.reserve(fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) {
    batch.emplace_back(fields[k].first, stack_field(samples, k, name_of));
  }
  return sample_of_checked(std::move(batch));
}

Sample stack(std::span<const Sample> samples) {
  return stack_named(samples, [](std::size_t i) { return fmt::format("sample {}", i); });
}

}  // namespace tessera::data
