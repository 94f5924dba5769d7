// All activations as modules, with the names and defaults of torch.nn.
#pragma once

#include <ratio>
#include <string>

#include "tessera/export.h"
#include "tessera/nn/module.h"
#include "tessera/ops.h"

namespace TESSERA_API tessera {
namespace nn {

/// A function of one tensor as a module.
template <detail::Text kName, Tensor (*kFunction)(const Tensor&)>
class Activation : public Module {
 public:
  Tensor forward(const Tensor& x) override { return kFunction(x); }
  [[nodiscard]] std::string kind() const override { return kName.data; }
};

using ReLU = Activation<"ReLU", relu>;
using ReLU6 = Activation<"ReLU6", relu6>;
using SELU = Activation<"SELU", selu>;
using SiLU = Activation<"SiLU", silu>;
using Mish = Activation<"Mish", mish>;
using Tanh = Activation<"Tanh", tanh>;
using Sigmoid = Activation<"Sigmoid", sigmoid>;
using LogSigmoid = Activation<"LogSigmoid", logsigmoid>;
using Softsign = Activation<"Softsign", softsign>;
using Tanhshrink = Activation<"Tanhshrink", tanhshrink>;
using Hardsigmoid = Activation<"Hardsigmoid", hardsigmoid>;
using Hardswish = Activation<"Hardswish", hardswish>;

/// A function of a tensor and a number; the default is a std::ratio.
template <detail::Text kName, Tensor (*kFunction)(const Tensor&, double), class Default>
class ActivationWith : public Module {
 public:
  explicit ActivationWith(double number = static_cast<double>(Default::num) / Default::den) : number_(number) {}
  Tensor forward(const Tensor& x) override { return kFunction(x, number_); }
  [[nodiscard]] std::string kind() const override { return kName.data; }

 private:
  double number_;
};

using ELU = ActivationWith<"ELU", elu, std::ratio<1>>;                          // alpha
using CELU = ActivationWith<"CELU", celu, std::ratio<1>>;                       // alpha
using LeakyReLU = ActivationWith<"LeakyReLU", leaky_relu, std::ratio<1, 100>>;  // slope of negative numbers
using Softshrink = ActivationWith<"Softshrink", softshrink, std::ratio<1, 2>>;
using Hardshrink = ActivationWith<"Hardshrink", hardshrink, std::ratio<1, 2>>;

/// A function of a tensor and an axis.
template <detail::Text kName, Tensor (*kFunction)(const Tensor&, int)>
class ActivationAlong : public Module {
 public:
  explicit ActivationAlong(int axis = -1) : axis_(axis) {}
  Tensor forward(const Tensor& x) override { return kFunction(x, axis_); }
  [[nodiscard]] std::string kind() const override { return kName.data; }

 private:
  int axis_;
};

using Softmax = ActivationAlong<"Softmax", softmax>;
using LogSoftmax = ActivationAlong<"LogSoftmax", log_softmax>;
using Softmin = ActivationAlong<"Softmin", softmin>;
using GLU = ActivationAlong<"GLU", glu>;

/// By the error function, or by tanh: PyTorch's approximate="tanh".
class GELU : public Module {
 public:
  explicit GELU(bool by_tanh = false) : by_tanh_(by_tanh) {}
  Tensor forward(const Tensor& x) override { return by_tanh_ ? gelu_tanh(x) : gelu(x); }

 private:
  bool by_tanh_;
};

/// log(1 + exp(beta x)) / beta.
class Softplus : public Module {
 public:
  explicit Softplus(double beta = 1) : beta_(beta) {}
  Tensor forward(const Tensor& x) override { return beta_ == 1 ? softplus(x) : softplus(x * beta_) / beta_; }

 private:
  double beta_;
};

class Hardtanh : public Module {
 public:
  explicit Hardtanh(double low = -1, double high = 1) : low_(low), high_(high) {}
  Tensor forward(const Tensor& x) override { return hardtanh(x, low_, high_); }

 private:
  double low_, high_;
};

class Threshold : public Module {
 public:
  Threshold(double at, double value) : at_(at), value_(value) {}
  Tensor forward(const Tensor& x) override { return threshold(x, at_, value_); }

 private:
  double at_, value_;
};

class RReLU : public Module {
 public:
  explicit RReLU(double low = 1.0 / 8, double high = 1.0 / 3) : low_(low), high_(high) {}
  Tensor forward(const Tensor& x) override { return rrelu(x, low_, high_, training()); }

 private:
  double low_, high_;
};

/// A learned slope of negative numbers: one, or one for each channel of [N, C, ..].
class PReLU : public Module {
 public:
  Tensor weight;
  explicit PReLU(std::int64_t count = 1, double start = 0.25) : weight(full({count}, start, f32)) {}
  void fields(Fields& f) override { f("weight", weight); }
  Tensor forward(const Tensor& x) override { return prelu(x, weight); }
};

}  // namespace nn
}  // namespace tessera
