// Linear layers, embeddings, dropout, and modules that only change the shape.
#include "tessera/nn/linear.h"

#include <cmath>

#include "nn/bias.h"
#include "nn/check.h"
#include "nn/fail.h"
#include "tessera/grad.h"
#include "tessera/index.h"
#include "tessera/nn/init.h"
#include "tessera/ops.h"

namespace tessera::nn {

Linear::Linear(std::int64_t in, std::int64_t out, bool with_bias, DType dtype, const Device& device) {
  check_sizes("Linear", {{"in", in}, {"out", out}});
  const double bound = 1 / std::sqrt(static_cast<double>(in));
  weight = init::uniform({out, in}, -bound, bound, dtype, device);
  if (with_bias) bias = init::uniform({out}, -bound, bound, dtype, device);
}

void Linear::fields(Fields& f) {
  f("weight", weight);
  f("bias", bias);
  f("lora_A", lora_a);
  f("lora_B", lora_b);
}

Tensor Linear::forward(const Tensor& x) {
  if (x.rank() == 0 || x.size(-1) != weight.size(1)) {
    fail(ErrorKind::kShape, "Linear: an input of shape {} was given; the last axis must have {} elements.",
         x.shape().str(), weight.size(1));
  }
  Tensor y = with_bias(matmul(x, weight.T()), bias);
  if (lora_a.defined()) {
    const Tensor dropped = lora_dropout > 0 ? dropout(x, lora_dropout, training()) : x;
    y = y + matmul(matmul(dropped, lora_a.T()), lora_b.T()) * lora_scale;
  }
  return y;
}

double Linear::flops(const Shape& /*input*/, const Shape& output) const {
  return 2.0 * static_cast<double>(output.numel()) * static_cast<double>(weight.size(1));
}

Bilinear::Bilinear(std::int64_t in1, std::int64_t in2, std::int64_t out, bool with_bias, DType dtype,
                   const Device& device) {
  check_sizes("Bilinear", {{"in1", in1}, {"in2", in2}, {"out", out}});
  const double bound = 1 / std::sqrt(static_cast<double>(in1));
  weight = init::uniform({out, in1, in2}, -bound, bound, dtype, device);
  if (with_bias) bias = init::uniform({out}, -bound, bound, dtype, device);
}

void Bilinear::fields(Fields& f) {
  f("weight", weight);
  f("bias", bias);
}

Tensor Bilinear::forward(const Tensor& a, const Tensor& b) {
  const std::int64_t out = weight.size(0);
  const std::int64_t in1 = weight.size(1);
  const std::int64_t in2 = weight.size(2);
  if (a.rank() == 0 || a.rank() != b.rank() || a.size(-1) != in1 || b.size(-1) != in2) {
    fail(ErrorKind::kShape, "Bilinear: inputs of shapes {} and {} were given; [.., {}] and [.., {}] are expected.",
         a.shape().str(), b.shape().str(), in1, in2);
  }
  const std::int64_t rows = a.numel() / in1;
  // [N, 1, in1] x [out, in1, in2] by one matmul over in1, then the sum over in2.
  const Tensor left = matmul(a.reshape({rows, in1}), permute(weight, {1, 0, 2}).reshape({in1, out * in2}));
  Tensor y = sum(left.reshape({rows, out, in2}) * b.reshape({rows, 1, in2}), {-1});
  y = with_bias(y, bias);
  Shape shape = a.shape();
  shape[shape.rank() - 1] = out;
  return y.reshape(shape);
}

Tensor Bilinear::operator()(const Tensor& a, const Tensor& b) {
  Tensor y = checkpointed({a, b}, [this](const Tensors& in) { return forward(in[0], in[1]); });
  note(a.shape(), y.shape());
  return y;
}

double Bilinear::flops(const Shape& input, const Shape& /*output*/) const {
  // The matmul over in1, and the sum over in2.
  const double rows = static_cast<double>(input.numel()) / static_cast<double>(weight.size(1));
  const auto sums = static_cast<double>(weight.size(0) * weight.size(2));
  return 2 * rows * sums * static_cast<double>(weight.size(1)) + 2 * rows * sums;
}

Embedding::Embedding(std::int64_t count, std::int64_t size, std::optional<std::int64_t> padding, DType dtype,
                     const Device& device)
    : padding_idx(padding) {
  check_sizes("Embedding", {{"count", count}, {"size", size}});
  weight = init::normal({count, size}, 0, 1, dtype, device);
  if (!padding) return;
  if (*padding < -count || *padding >= count) {
    fail(ErrorKind::kValue, "Embedding: a padding_idx of {} was given for {} rows; from {} to {} is expected.",
         *padding, count, -count, count - 1);
  }
  if (*padding < 0) padding_idx = *padding + count;
  weight = where(equal(arange(0, static_cast<double>(count), 1, i32, device), *padding_idx).reshape({count, 1}), 0.0,
                 weight);
}

void Embedding::fields(Fields& f) { f("weight", weight); }

Tensor Embedding::forward(const Tensor& indices) {
  Tensor rows = embedding(indices, weight);
  if (!padding_idx) return rows;
  return where(expand_dims(equal(indices, *padding_idx), -1), stop_gradient(rows), rows);
}

Dropout::Dropout(double probability) : p(probability) {
  if (!(p >= 0 && p <= 1)) fail(ErrorKind::kValue, "Dropout: a p of {} was given; from 0 to 1 is expected.", p);
}

Tensor Dropout::forward(const Tensor& x) { return training() && p > 0 ? dropout(x, p, true) : x; }

Tensor Flatten::forward(const Tensor& x) {
  const int rank = x.rank();
  const int start = start_ < 0 ? start_ + rank : start_;
  const int end = end_ < 0 ? end_ + rank : end_;
  if (start < 0 || end >= rank || start > end) {
    fail(ErrorKind::kShape, "Flatten: axes {} to {} were given for an input of shape {}.", start_, end_,
         x.shape().str());
  }
  Shape shape;
  for (int i = 0; i < rank; ++i) {
    if (i > start && i <= end) {
      shape[shape.rank() - 1] *= x.shape()[i];
    } else {
      shape.push_back(x.shape()[i]);
    }
  }
  return x.reshape(shape);
}

Tensor Unflatten::forward(const Tensor& x) {
  const int axis = axis_ < 0 ? axis_ + x.rank() : axis_;
  if (axis < 0 || axis >= x.rank()) {
    fail(ErrorKind::kShape, "Unflatten: axis {} was given for an input of shape {}.", axis_, x.shape().str());
  }
  Shape shape;
  for (int i = 0; i < x.rank(); ++i) {
    if (i != axis) {
      shape.push_back(x.shape()[i]);
    } else {
      for (const std::int64_t s : sizes_) shape.push_back(s);
    }
  }
  return tessera::reshape(x, shape);
}

}  // namespace tessera::nn
