// Matrices whose product is known exactly, and what is wrong with an answer.
#pragma once

#include <string>

#include "tessera/device.h"
#include "tessera/tensor.h"
#include "tessera/tune.h"

namespace tessera {

/// Elements are quarters from -1 to 1: every f32 sum of their products is exact, in any order, so that right answers
/// differ at most by how they are rounded when they are stored.
class Judge {
 public:
  Judge(Device device, const MatmulSizes& sizes);

  [[nodiscard]] const Tensor& a() const { return a_; }
  /// As the product reads it: transposed where it lies so.
  [[nodiscard]] const Tensor& b() const { return b_; }
  /// Where the trials write.
  [[nodiscard]] const std::shared_ptr<Storage>& answer() const { return answer_; }

  /// Fills the answer with what no product gives, so that one that writes nothing is found out.
  void spoil() const;
  /// What is wrong with the answer at some rows and columns, by sums on the host; empty: nothing.
  [[nodiscard]] std::string check_on_host() const;
  /// Every answer from now on must be as this one.
  void trust();
  /// What is wrong with the answer, everywhere; empty: nothing.
  [[nodiscard]] std::string check() const;

 private:
  [[nodiscard]] Tensor wrapped(const std::shared_ptr<Storage>& storage) const;

  Device device_;
  MatmulSizes sizes_;
  Tensor a_, b_;
  Shape shape_;  // of the answer
  std::shared_ptr<Storage> answer_, right_;
};

}  // namespace tessera
