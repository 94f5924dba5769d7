// Data sets of arrays and functions, and those made of other data sets.
#include "tessera/data/dataset.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.h"
#include "base/sizes.h"
#include "data/arrays.h"
#include "data/order.h"
#include "io/json.h"

namespace tessera::data {

std::string Dataset::name(std::int64_t i) const { return fmt::format("sample {}", i); }

Classes Dataset::classes() const { return {}; }

Arrays::Arrays(std::vector<Named> arrays, std::string_view function, std::string file)
    : arrays_(std::move(arrays)), file_(std::move(file)) {
  if (arrays_.empty()) fail(ErrorKind::kValue, "{}: no arrays were given; at least one is expected.", function);
  std::vector<Sample::Named> names;
  for (const auto& [name, array] : arrays_) names.emplace_back(name, Array());
  const Sample checked(std::move(names));
  const Named* first = nullptr;
  for (const Named& field : arrays_) {
    const auto& [name, array] = field;
    if (is_block(array.dtype)) {
      fail(ErrorKind::kDType, "{}: the array {} is {}; a dtype of single elements is expected.", function,
           io::quote(name), tessera::name(array.dtype));
    }
    if (array.shape.rank() == 0) {
      fail(ErrorKind::kShape, "{}: the array {} has rank 0; an axis of rows is expected.", function, io::quote(name));
    }
    const std::size_t bytes =
        static_cast<std::size_t>(checked_numel(function, array.shape, array.dtype)) * size_of(array.dtype);
    if (array.view.bytes.size() != bytes) {
      fail(ErrorKind::kShape, "{}: the array {} has {} bytes; {} are expected for {} of shape {}.", function,
           io::quote(name), array.view.bytes.size(), bytes, tessera::name(array.dtype), array.shape);
    }
    if (first == nullptr) first = &field;
    if (array.shape[0] != first->second.shape[0]) {
      fail(ErrorKind::kShape, "{}: the array {} has {} rows and {} has {}; equally many are expected.", function,
           io::quote(first->first), first->second.shape[0], io::quote(name), array.shape[0]);
    }
  }
}

std::int64_t Arrays::size() const { return arrays_.front().second.shape[0]; }

Sample Arrays::get(std::int64_t i) const {
  std::vector<Sample::Named> fields;
  fields.reserve(arrays_.size());
  for (const auto& [name, array] : arrays_) {
    if (i < 0 || i >= array.shape[0]) {
      fail(ErrorKind::kValue, "Dataset: row {} of an array of shape {} was asked for.", i, array.shape);
    }
    const std::size_t row = array.view.bytes.size() / static_cast<std::size_t>(array.shape[0]);
    HostView view{array.view.bytes.subspan(static_cast<std::size_t>(i) * row, row), array.view.owner,
                  array.view.shared};
    const Shape shape(std::span(array.shape.begin(), array.shape.end()).subspan(1));
    fields.emplace_back(name, Array(std::move(view), array.dtype, shape));
  }
  return sample_of_checked(std::move(fields));
}

std::string Arrays::name(std::int64_t i) const {
  return file_.empty() ? fmt::format("row {}", i) : fmt::format("{}, row {}", file_, i);
}

namespace {

void check_dataset(const DatasetPtr& dataset, std::string_view function) {
  if (dataset == nullptr) fail(ErrorKind::kValue, "{}: no data set was given.", function);
}

class FromFunction final : public Dataset {
 public:
  FromFunction(std::int64_t size, std::function<Sample(std::int64_t)> f) : size_(size), f_(std::move(f)) {}
  [[nodiscard]] std::int64_t size() const override { return size_; }
  [[nodiscard]] Sample get(std::int64_t i) const override { return f_(i); }

 private:
  std::int64_t size_;
  std::function<Sample(std::int64_t)> f_;
};

class Mapped final : public Dataset {
 public:
  Mapped(DatasetPtr dataset, std::function<Sample(Sample)> f) : dataset_(std::move(dataset)), f_(std::move(f)) {}
  [[nodiscard]] std::int64_t size() const override { return dataset_->size(); }
  [[nodiscard]] Sample get(std::int64_t i) const override { return f_(dataset_->get(i)); }
  [[nodiscard]] std::string name(std::int64_t i) const override { return dataset_->name(i); }
  [[nodiscard]] Classes classes() const override { return dataset_->classes(); }

 private:
  DatasetPtr dataset_;
  std::function<Sample(Sample)> f_;
};

class Subset final : public Dataset {
 public:
  Subset(DatasetPtr dataset, std::vector<std::int64_t> positions)
      : dataset_(std::move(dataset)), positions_(std::move(positions)) {}
  [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(positions_.size()); }
  [[nodiscard]] Sample get(std::int64_t i) const override { return dataset_->get(at(i)); }
  [[nodiscard]] std::string name(std::int64_t i) const override { return dataset_->name(at(i)); }
  [[nodiscard]] Classes classes() const override { return dataset_->classes(); }

 private:
  [[nodiscard]] std::int64_t at(std::int64_t i) const { return positions_[static_cast<std::size_t>(i)]; }
  DatasetPtr dataset_;
  std::vector<std::int64_t> positions_;
};

class Concatenated final : public Dataset {
 public:
  explicit Concatenated(std::vector<DatasetPtr> datasets) : datasets_(std::move(datasets)) {
    Wide total = 0;
    for (const DatasetPtr& dataset : datasets_) {
      begins_.push_back(static_cast<std::int64_t>(total));
      total += dataset->size();
      if (total > std::numeric_limits<std::int64_t>::max()) {
        fail(ErrorKind::kLimit, "concatenate: the data sets have more than 2^63 - 1 samples together.");
      }
      for (const auto& [field, names] : dataset->classes()) {
        if (classes_.emplace(field, names).first->second != names) {
          fail(ErrorKind::kValue, "concatenate: the data sets have different classes for the field {}.",
               io::quote(field));
        }
      }
    }
    size_ = static_cast<std::int64_t>(total);
  }
  [[nodiscard]] std::int64_t size() const override { return size_; }
  [[nodiscard]] Sample get(std::int64_t i) const override {
    const std::size_t part = part_of(i);
    return datasets_[part]->get(i - begins_[part]);
  }
  [[nodiscard]] std::string name(std::int64_t i) const override {
    const std::size_t part = part_of(i);
    return datasets_[part]->name(i - begins_[part]);
  }
  [[nodiscard]] Classes classes() const override { return classes_; }

 private:
  [[nodiscard]] std::size_t part_of(std::int64_t i) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(begins_, i) - begins_.begin()) - 1;
  }
  std::vector<DatasetPtr> datasets_;
  std::vector<std::int64_t> begins_;
  std::int64_t size_ = 0;
  Classes classes_;
};

}  // namespace

DatasetPtr from_arrays(const Sample& arrays) {
  std::vector<Arrays::Named> fields;
  for (const auto& [name, array] : arrays.fields()) {
    if (!array.defined()) fail(ErrorKind::kValue, "from_arrays: the array {} is empty.", io::quote(name));
    HostView view{array.bytes(), std::make_shared<const Array>(array), false};
    fields.emplace_back(name, io::HostArray{std::move(view), array.dtype(), array.shape()});
  }
  return std::make_shared<const Arrays>(std::move(fields), "from_arrays");
}

DatasetPtr from_tensors(const Tree& tensors) {
  eval(tensors);
  std::vector<Arrays::Named> fields;
  for (const auto& [name, tensor] : tensors.flatten()) {
    fields.emplace_back(name, io::HostArray{host_view(tensor), tensor.dtype(), tensor.shape()});
  }
  return std::make_shared<const Arrays>(std::move(fields), "from_tensors");
}

DatasetPtr from_function(std::int64_t size, std::function<Sample(std::int64_t)> f) {
  if (size < 0) fail(ErrorKind::kValue, "from_function: a size of {} was given; 0 or more is expected.", size);
  if (!f) fail(ErrorKind::kValue, "from_function: no function was given.");
  return std::make_shared<const FromFunction>(size, std::move(f));
}

DatasetPtr map(DatasetPtr dataset, std::function<Sample(Sample)> f) {
  check_dataset(dataset, "map");
  if (!f) fail(ErrorKind::kValue, "map: no function was given.");
  return std::make_shared<const Mapped>(std::move(dataset), std::move(f));
}

DatasetPtr subset(DatasetPtr dataset, std::vector<std::int64_t> positions) {
  check_dataset(dataset, "subset");
  const std::int64_t size = dataset->size();
  for (const std::int64_t i : positions) {
    if (i < 0 || i >= size) {
      fail(ErrorKind::kValue, "subset: the position {} was given; the data set has {} samples.", i, size);
    }
  }
  return std::make_shared<const Subset>(std::move(dataset), std::move(positions));
}

std::vector<DatasetPtr> split(const DatasetPtr& dataset, const std::vector<double>& fractions, std::uint64_t seed) {
  check_dataset(dataset, "split");
  constexpr double kRounding = 1e-9;  // of sums such as 0.7 + 0.2 + 0.1
  double sum = 0;
  for (const double fraction : fractions) {
    if (!(fraction >= 0 && fraction <= 1)) {
      fail(ErrorKind::kValue, "split: the fraction {} was given; one from 0 to 1 is expected.", fraction);
    }
    sum += fraction;
  }
  if (sum > 1 + kRounding) {
    fail(ErrorKind::kValue, "split: the fractions add up to {}; at most 1 is expected.", sum);
  }
  const std::int64_t size = dataset->size();
  const Order order(size, OrderUse::kSplit, seed, 0);
  std::vector<DatasetPtr> parts;
  std::int64_t first = 0;
  sum = 0;
  for (const double fraction : fractions) {
    sum += fraction;
    const auto rounded = static_cast<std::int64_t>(std::llround(sum * static_cast<double>(size)));
    const std::int64_t last = sum > 1 - kRounding ? size : std::clamp(rounded, first, size);
    std::vector<std::int64_t> positions;
    positions.reserve(static_cast<std::size_t>(last - first));
    for (; first < last; ++first) positions.push_back(order[first]);
    parts.push_back(std::make_shared<const Subset>(dataset, std::move(positions)));
  }
  return parts;
}

DatasetPtr concatenate(std::vector<DatasetPtr> datasets) {
  if (datasets.empty()) fail(ErrorKind::kValue, "concatenate: no data sets were given; at least one is expected.");
  for (const DatasetPtr& dataset : datasets) check_dataset(dataset, "concatenate");
  return std::make_shared<const Concatenated>(std::move(datasets));
}

}  // namespace tessera::data
