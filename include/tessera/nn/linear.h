// Linear layers, embeddings, dropout, and modules that only change the shape.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tessera/export.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace nn {

class Identity : public Module {
 public:
  Tensor forward(const Tensor& x) override { return x; }
};

/// x weight^T + bias for x [.., in]. weight is [out, in], bias [out]. lora() adds the matrices of an adapter.
class Linear : public Module {
 public:
  Tensor weight, bias;
  Tensor lora_a, lora_b;  // [rank, in] and [out, rank]; empty: none
  double lora_scale = 1;
  double lora_dropout = 0;

  Linear(std::int64_t in, std::int64_t out, bool with_bias = true, DType dtype = f32, const Device& device = {});
  void fields(Fields& f) override;
  Tensor forward(const Tensor& x) override;
  [[nodiscard]] double flops(const Shape& input, const Shape& output) const override;
};

/// a^T weight[o] b + bias[o] for a [.., in1] and b [.., in2]. weight is [out, in1, in2].
class Bilinear : public Module {
 public:
  Tensor weight, bias;

  Bilinear(std::int64_t in1, std::int64_t in2, std::int64_t out, bool with_bias = true, DType dtype = f32,
           const Device& device = {});
  void fields(Fields& f) override;
  using Module::forward;
  Tensor forward(const Tensor& a, const Tensor& b);
  Tensor operator()(const Tensor& a, const Tensor& b);
  [[nodiscard]] double flops(const Shape& input, const Shape& output) const override;
};

/// Rows of weight [count, size] at indices of any shape. The row `padding_idx` starts as zeros and has no gradient.
class Embedding : public Module {
 public:
  Tensor weight;
  std::optional<std::int64_t> padding_idx;

  Embedding(std::int64_t count, std::int64_t size, std::optional<std::int64_t> padding = {}, DType dtype = f32,
            const Device& device = {});
  void fields(Fields& f) override;
  Tensor forward(const Tensor& indices) override;
};

/// Sets elements to 0 with probability p while training, and scales the others by 1 / (1 - p).
class Dropout : public Module {
 public:
  explicit Dropout(double probability = 0.5);
  double p;
  Tensor forward(const Tensor& x) override;
};

/// Joins the axes from `start` to `end` into one.
class Flatten : public Module {
 public:
  explicit Flatten(int start = 1, int end = -1) : start_(start), end_(end) {}
  Tensor forward(const Tensor& x) override;

 private:
  int start_, end_;
};

/// Splits an axis into several; one size may be -1.
class Unflatten : public Module {
 public:
  Unflatten(int axis, std::vector<std::int64_t> sizes) : axis_(axis), sizes_(std::move(sizes)) {}
  Tensor forward(const Tensor& x) override;

 private:
  int axis_;
  std::vector<std::int64_t> sizes_;
};

}  // namespace nn
}  // namespace tessera
