// The metrics of classification and regression, with the formulas of scikit-learn.
#pragma once

#include <cstdint>
#include <optional>

#include "tessera/export.h"
#include "tessera/train/metric.h"

namespace TESSERA_API tessera {
namespace train {

// Metrics of classes take predictions and targets. Predictions are logits or probabilities [N, C, ...] (or [C]), of
// which the largest counts, of equal ones the first; or classes, integers of the shape of the targets. Targets are
// integers [N, ...]. A class outside of [0, C) is an Error of kind value at the next wait, as in cross_entropy. Samples
// are counted in i64.

struct ClassOptions {
  std::optional<std::int64_t> ignore_index = {};  // targets to ignore
  Device device = {};
};

/// The part of the samples whose class is predicted.
class Accuracy : public Metric {
 public:
  explicit Accuracy(const ClassOptions& options = {});
  void update(const Tensor& predictions, const Tensor& target);
  [[nodiscard]] Tensor value() const override;
  void reset() override;
  void fields(nn::Fields& f) override;

 private:
  ClassOptions options_;
  Tensor correct_, count_;  // i64 of rank 0
};

/// The part of the samples whose class is among the k largest logits; of equal ones the lower class comes first. 1 for
/// k of at least C. A sample whose logit of the target is NaN counts as wrong.
class TopKAccuracy : public Metric {
 public:
  explicit TopKAccuracy(std::int64_t k, const ClassOptions& options = {});
  void update(const Tensor& logits, const Tensor& target);
  [[nodiscard]] Tensor value() const override;
  void reset() override;
  void fields(nn::Fields& f) override;

 private:
  std::int64_t k_;
  ClassOptions options_;
  Tensor correct_, count_;
};

enum class Normalize : std::uint8_t {
  kNone,
  kTarget,      // each row sums to 1: of the samples of a class, the part with each prediction
  kPrediction,  // each column
  kAll,
};

/// counts[target, prediction], of shape [C, C].
class ConfusionMatrix : public Metric {
 public:
  explicit ConfusionMatrix(std::int64_t classes, Normalize normalize = Normalize::kNone,
                           const ClassOptions& options = {});
  void update(const Tensor& predictions, const Tensor& target);
  /// f32; rows or columns without samples are 0. NaN without samples if normalized.
  [[nodiscard]] Tensor value() const override;
  [[nodiscard]] const Tensor& counts() const { return counts_; }  // i64
  void reset() override;
  void fields(nn::Fields& f) override;

 private:
  std::int64_t classes_;
  Normalize normalize_;
  ClassOptions options_;
  Tensor counts_;
};

/// How the values of classes become one.
enum class Average : std::uint8_t {
  kMacro,     // the mean over the classes that occur among targets or predictions
  kMicro,     // of all samples together
  kWeighted,  // the mean weighted by the number of targets of each class
  kNone,      // no average: [C]
};

/// What precision, recall and F1 have in common: for each class the numbers of correct predictions, predictions and
/// targets. A quotient without samples in its denominator is 0.
class ClassScore : public Metric {
 public:
  void update(const Tensor& predictions, const Tensor& target);
  [[nodiscard]] Tensor value() const override;
  void reset() override;
  void fields(nn::Fields& f) override;

 protected:
  ClassScore(const char* name, std::int64_t classes, Average average, const ClassOptions& options);
  /// The score of counts of one shape, f32.
  [[nodiscard]] virtual Tensor score(const Tensor& correct, const Tensor& predicted, const Tensor& actual) const = 0;

 private:
  const char* name_;
  std::int64_t classes_;
  Average average_;
  ClassOptions options_;
  Tensor correct_, predicted_, actual_;  // i64 [C]
};

class Precision : public ClassScore {
 public:
  explicit Precision(std::int64_t classes, Average average = Average::kMacro, const ClassOptions& options = {})
      : ClassScore("Precision", classes, average, options) {}

 protected:
  [[nodiscard]] Tensor score(const Tensor& correct, const Tensor& predicted, const Tensor& actual) const override;
};

class Recall : public ClassScore {
 public:
  explicit Recall(std::int64_t classes, Average average = Average::kMacro, const ClassOptions& options = {})
      : ClassScore("Recall", classes, average, options) {}

 protected:
  [[nodiscard]] Tensor score(const Tensor& correct, const Tensor& predicted, const Tensor& actual) const override;
};

class F1 : public ClassScore {
 public:
  explicit F1(std::int64_t classes, Average average = Average::kMacro, const ClassOptions& options = {})
      : ClassScore("F1", classes, average, options) {}

 protected:
  [[nodiscard]] Tensor score(const Tensor& correct, const Tensor& predicted, const Tensor& actual) const override;
};

struct AucOptions {
  bool logits = false;  // scores are any numbers; else probabilities in [0, 1]
  std::int64_t bins = 4096;
  Device device = {};
};

/// The area under the ROC curve of two classes: how often a sample of class 1 has a higher score than one of class 0,
/// where equal scores count half. NaN if only one class occurs.
///
/// Scores are counted in equal bins of [0, 1], since the state of a step has a fixed size; scores of one bin count as
/// equal. The result therefore differs from the exact one by at most half the part of the pairs (of a sample of each
/// class) that share a bin. Logits x are counted by (1 + x / (1 + |x|)) / 2, which keeps their order: of
/// 4096 bins, one is 0.0005 wide around a logit of 0, and 0.06 at 10. Probabilities outside of [0, 1] count as the
/// nearest bound; a NaN makes the result NaN.
class Auc : public Metric {
 public:
  explicit Auc(const AucOptions& options = {});
  /// Scores of class 1, floats of any shape; targets 0 and 1 of the same shape, integers or bool.
  void update(const Tensor& scores, const Tensor& target);
  [[nodiscard]] Tensor value() const override;
  void reset() override;
  void fields(nn::Fields& f) override;

 private:
  AucOptions options_;
  Tensor counts_;  // i64 [2, bins]: of class 0 and class 1
  Tensor nans_;    // i64 of rank 0
};

/// exp of the mean loss of all tokens.
class Perplexity : public Metric {
 public:
  explicit Perplexity(const ClassOptions& options = {});
  /// Logits [N, C, ...] and targets [N, ...], as for cross_entropy.
  void update(const Tensor& logits, const Tensor& target);
  /// A mean loss (in nats) of so many tokens: where a step has it already.
  void update_loss(const Tensor& mean_loss, const Tensor& tokens);
  [[nodiscard]] Tensor value() const override;
  void reset() override { loss_.reset(); }
  void fields(nn::Fields& f) override { loss_.fields(f); }

 private:
  ClassOptions options_;
  Mean loss_;
};

/// The mean of |prediction - target| over all elements.
class MeanAbsoluteError : public Metric {
 public:
  explicit MeanAbsoluteError(const Device& device = {}) : mean_(device) {}
  void update(const Tensor& prediction, const Tensor& target);
  [[nodiscard]] Tensor value() const override { return mean_.value(); }
  void reset() override { mean_.reset(); }
  void fields(nn::Fields& f) override { mean_.fields(f); }

 private:
  Mean mean_;
};

/// The mean of (prediction - target)^2 over all elements, or its root.
class MeanSquaredError : public Metric {
 public:
  explicit MeanSquaredError(bool root = false, const Device& device = {}) : root_(root), mean_(device) {}
  void update(const Tensor& prediction, const Tensor& target);
  [[nodiscard]] Tensor value() const override;
  void reset() override { mean_.reset(); }
  void fields(nn::Fields& f) override { mean_.fields(f); }

 private:
  bool root_;
  Mean mean_;
};

}  // namespace train
}  // namespace tessera
