// Operands whose matmuls are known exactly, and what is wrong with an answer.
#pragma once

#include <string>
#include <vector>

#include "graph/node.h"
#include "tessera/device.h"
#include "tessera/tensor.h"

namespace tessera {

/// Random quarters from -1 to 1: every f32 sum of their matmuls is exact, in any order, so that right answers differ
/// at most by how they are rounded when they are stored. Where sums are of f16, they are whole numbers.
Tensor exact_operand(const Shape& shape, DType dtype, const Device& device);

/// Knows the matmul of two operands that are made of exact ones, and judges what trials write.
class Judge {
 public:
  Judge(Device device, NodePtr matmul);

  /// Where the trials write.
  [[nodiscard]] const std::shared_ptr<Storage>& answer() const { return answer_; }

  /// Fills the answer with what no matmul gives, so that one that writes nothing is found out.
  void spoil() const;
  /// What is wrong with the answer at some rows and columns, by sums on the host; empty: nothing.
  [[nodiscard]] std::string check_on_host() const;
  /// Every answer from now on must be as this one.
  void trust();
  /// What is wrong with the answer, everywhere; empty: nothing.
  [[nodiscard]] std::string check() const;

 private:
  /// An answer as a tensor.
  [[nodiscard]] Tensor wrapped(const std::shared_ptr<Storage>& storage) const;
  /// The elements of a part of a matrix of the last of its batch.
  [[nodiscard]] std::vector<float> part_of(const Tensor& x, bool some_rows, bool some_columns) const;

  Device device_;
  NodePtr matmul_;
  std::shared_ptr<Storage> answer_, right_;
};

}  // namespace tessera
