// Operands whose matmuls are exact, and checks of results.
#pragma once

#include <string>
#include <vector>

#include "graph/node.h"
#include "tessera/device.h"
#include "tessera/tensor.h"

namespace tessera {

/// Random quarters from -1 to 1: every f32 sum of their products is exact, in any order, so that right results differ
/// only in the rounding of the store. With f16 accumulation they are whole numbers.
Tensor exact_operand(const Shape& shape, DType dtype, const Device& device);

/// Checks the results of trials against the matmul of two exact operands.
class Judge {
 public:
  Judge(Device device, NodePtr matmul);

  /// The output buffer of the trials.
  [[nodiscard]] const std::shared_ptr<Storage>& answer() const { return answer_; }

  /// Fills the output with a value that no matmul gives, so that a missing write is detected.
  void spoil() const;
  /// The fault of the result at some rows and columns, compared with sums on the host; empty: none.
  [[nodiscard]] std::string check_on_host() const;
  /// Makes this result the reference of all later ones.
  void trust();
  /// The fault of the result at all elements; empty: none.
  [[nodiscard]] std::string check() const;

 private:
  /// The result as a tensor.
  [[nodiscard]] Tensor wrapped(const std::shared_ptr<Storage>& storage) const;
  /// Part of the last matrix of the batch.
  [[nodiscard]] std::vector<float> part_of(const Tensor& x, bool some_rows, bool some_columns) const;

  Device device_;
  NodePtr matmul_;
  std::shared_ptr<Storage> answer_, right_;
};

}  // namespace tessera
