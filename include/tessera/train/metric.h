// Metrics: sums on the device that a step updates, and their value at the end of an epoch. Nothing is read back before.
#pragma once

#include <cstdint>
#include <string>

#include "tessera/export.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace train {

/// The base of all metrics. update(..) of a class is part of a step, compiled or not: inside a compiled step the metric
/// must be part of its state, as for an optimizer. A value: copies are independent.
class Metric : public nn::Stateful {
 public:
  /// The value of the samples since the last reset(): a float of rank 0, or of higher rank (a confusion matrix). NaN
  /// without samples.
  [[nodiscard]] virtual Tensor value() const = 0;
  /// Forgets all samples.
  virtual void reset() = 0;
};

/// The mean of numbers, weighted by how many samples each of them stands for. Sums are kept in two parts, so that their
/// rounding error does not grow with the number of updates.
class Mean : public Metric {
 public:
  explicit Mean(const Device& device = {});
  /// A number or a tensor of them; the weight broadcasts. What has weight 0 is ignored, NaN too.
  void update(const Tensor& value, const Tensor& weight = 1.0);
  [[nodiscard]] Tensor value() const override;
  void reset() override;
  void fields(nn::Fields& f) override;

 private:
  Tensor sum_, weight_;              // f32 of rank 0: of the latest updates
  Tensor total_sum_, total_weight_;  // of those before them
  Tensor updates_;                   // i32: since they were added to the total
};

}  // namespace train
}  // namespace tessera
