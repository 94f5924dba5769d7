// What metrics have in common: plain values of a step, checked classes, and quotients of counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tessera/ops.h"
#include "tessera/train/metrics.h"

namespace tessera::train {

/// f32 without a gradient.
Tensor plain_f32(const Tensor& x);

/// The samples of an update as lists of M elements.
struct Samples {
  Tensor predicted, actual;  // i32
  Tensor counts;             // bool: not ignored; empty: all
  std::int64_t size = 0;
};
/// Classes from logits [N, C, ...] or classes, and the targets [N, ...]. With `classes`, C must be that number.
Samples samples_of(std::string_view what, const Tensor& predictions, const Tensor& target,
                   std::optional<std::int64_t> classes, const ClassOptions& options);
/// The targets alone, in [0, classes); all other ones, ignored ones aside, are an Error at the next wait.
Samples targets_of(std::string_view what, const Tensor& target, std::optional<std::int64_t> classes,
                   const ClassOptions& options);
/// Logits with C classes [N, C, ...] and targets of shape [N, ...]; or an Error.
void check_logits(std::string_view what, const Tensor& logits, const Tensor& target);

/// How many elements are true: i64 of rank 0.
Tensor count_of(const Tensor& flags);
/// How many samples are not ignored: i64 of rank 0, or a number.
Tensor count_of(const Samples& samples);
/// a / b in f32, and `otherwise` where b is 0. Of counts.
Tensor quotient(const Tensor& a, const Tensor& b, double otherwise);

/// Throws in a trace without this metric in its state.
void check_state(const char* owner, const std::vector<const Tensor*>& slots);

}  // namespace tessera::train
