// Data sets: samples by position. Sources are functions that return one; combinators make one of others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tessera/data/array.h"
#include "tessera/export.h"
#include "tessera/tree.h"

namespace TESSERA_API tessera {
namespace data {

/// Names of labels, by field.
using Classes = std::map<std::string, std::vector<std::string>>;

/// Samples by position. get() is called by the threads of a loader at the same time.
class Dataset {
 public:
  Dataset() = default;
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;
  virtual ~Dataset() = default;
  [[nodiscard]] virtual std::int64_t size() const = 0;
  /// 0 <= i < size().
  [[nodiscard]] virtual Sample get(std::int64_t i) const = 0;
  /// What messages call a sample: "data/cats/17.png", "data.csv, line 18".
  [[nodiscard]] virtual std::string name(std::int64_t i) const;
  /// The names of the labels 0, 1, .. of each field that has labels.
  [[nodiscard]] virtual Classes classes() const;
};
using DatasetPtr = std::shared_ptr<const Dataset>;

/// Rows of arrays with equally many rows. Error of kind shape if they have not.
DatasetPtr from_arrays(const Sample& arrays);
/// The same for tensors by name, which are read once.
DatasetPtr from_tensors(const Tree& tensors);
/// f(i) for 0 <= i < size; called on several threads at a time.
DatasetPtr from_function(std::int64_t size, std::function<Sample(std::int64_t i)> f);

/// f of each sample, when it is loaded.
DatasetPtr map(DatasetPtr dataset, std::function<Sample(Sample)> f);
/// The samples at these positions. Error of kind value for one out of range.
DatasetPtr subset(DatasetPtr dataset, std::vector<std::int64_t> positions);
/// Disjoint parts of these fractions, which add up to at most 1, of a shuffled order.
std::vector<DatasetPtr> split(const DatasetPtr& dataset, const std::vector<double>& fractions, std::uint64_t seed = 0);
/// One after the other. Error of kind value if they have different classes for one field.
DatasetPtr concatenate(std::vector<DatasetPtr> datasets);

}  // namespace data
}  // namespace tessera
