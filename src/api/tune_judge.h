// Operands whose products are known exactly, and what is wrong with an answer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tessera/device.h"
#include "tessera/ops.h"
#include "tessera/tensor.h"

namespace tessera {

/// Something that one product of two operands computes.
struct TuneWork {
  std::string text;  // "tune_matmul: the product f32 40x56x72"
  DType dtype = DType::kF32;
  Shape a, b;  // as they lie in memory
  std::function<Tensor(const Tensor& a, const Tensor& b)> of;
  /// Parts of the operands, and the part of the answer that they give: little enough for the host.
  std::vector<Slice> some_a, some_b, some_answer;
};

/// Some of so many, the last one among them.
Slice some_of(std::int64_t size);

/// Elements are quarters from -1 to 1: every f32 sum of their products is exact, in any order, so that right answers
/// differ at most by how they are rounded when they are stored. Where sums are of f16, elements are whole.
class Judge {
 public:
  Judge(Device device, TuneWork work);

  /// What the device is to compute, of operands that are there.
  [[nodiscard]] Tensor question() const { return work_.of(a_, b_); }
  /// Where the trials write.
  [[nodiscard]] const std::shared_ptr<Storage>& answer() const { return answer_; }

  /// Fills the answer with what no product gives, so that one that writes nothing is found out.
  void spoil() const;
  /// What is wrong with some of the answer, which the CPU computes, too; empty: nothing.
  [[nodiscard]] std::string check_on_host() const;
  /// Every answer from now on must be as this one.
  void trust();
  /// What is wrong with the answer, everywhere; empty: nothing.
  [[nodiscard]] std::string check() const;

 private:
  [[nodiscard]] Tensor wrapped(const std::shared_ptr<Storage>& storage) const;

  Device device_;
  TuneWork work_;
  Tensor a_, b_;
  Shape shape_;  // of the answer
  std::shared_ptr<Storage> answer_, right_;
};

}  // namespace tessera
