// The rows of arrays as a data set: what arrays, tensors and files of arrays become.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/data/dataset.h"

namespace tessera::data {

class Arrays final : public Dataset {
 public:
  /// `function` is the name in errors, `file` that in names of samples.
  Arrays(Sample arrays, std::string_view function, std::string file = {});
  [[nodiscard]] std::int64_t size() const override;
  [[nodiscard]] Sample get(std::int64_t i) const override;
  [[nodiscard]] std::string name(std::int64_t i) const override;

 private:
  Sample arrays_;
  std::string file_;
};

}  // namespace tessera::data
