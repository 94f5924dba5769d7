// The rows of arrays as a data set: what arrays, tensors and files of arrays become.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/host_array.h"
#include "tessera/data/dataset.h"

namespace tessera::data {

/// A sample of fields whose names were checked.
Sample sample_of_checked(std::vector<Sample::Named> fields);

/// Elements that are not aligned, such as those of mapped files, are copied row by row when they are loaded.
class Arrays final : public Dataset {
 public:
  using Named = std::pair<std::string, io::HostArray>;
  /// `function` is the name in errors, `file` that in names of samples.
  Arrays(std::vector<Named> arrays, std::string_view function, std::string file = {});
  [[nodiscard]] std::int64_t size() const override;
  [[nodiscard]] Sample get(std::int64_t i) const override;
  [[nodiscard]] std::string name(std::int64_t i) const override;

 private:
  std::vector<Named> arrays_;
  std::string file_;
};

}  // namespace tessera::data
