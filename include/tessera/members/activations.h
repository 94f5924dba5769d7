// Written by tools/members.py: the members of Tensor that are ops of tessera/activations.h, which includes this at its
// end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline Tensor Members::celu(double alpha = 1) const { return tessera::celu(self(), alpha); }
inline Tensor Members::dropout(double p = 0.5, bool training = true) const {
  return tessera::dropout(self(), p, training);
}
inline Tensor Members::elu(double alpha = 1.0) const { return tessera::elu(self(), alpha); }
inline Tensor Members::geglu(const Tensor& x) const { return tessera::geglu(self(), x); }
inline Tensor Members::gelu() const { return tessera::gelu(self()); }
inline Tensor Members::gelu_tanh() const { return tessera::gelu_tanh(self()); }
inline Tensor Members::glu(int axis = -1) const { return tessera::glu(self(), axis); }
inline Tensor Members::gumbel_softmax(double tau = 1, bool hard = false, int axis = -1) const {
  return tessera::gumbel_softmax(self(), tau, hard, axis);
}
inline Tensor Members::hardshrink(double lambda = 0.5) const { return tessera::hardshrink(self(), lambda); }
inline Tensor Members::hardsigmoid() const { return tessera::hardsigmoid(self()); }
inline Tensor Members::hardswish() const { return tessera::hardswish(self()); }
inline Tensor Members::hardtanh(double low = -1, double high = 1) const { return tessera::hardtanh(self(), low, high); }
inline Tensor Members::leaky_relu(double slope = 0.01) const { return tessera::leaky_relu(self(), slope); }
inline Tensor Members::log_softmax(int axis = -1) const { return tessera::log_softmax(self(), axis); }
inline Tensor Members::logsigmoid() const { return tessera::logsigmoid(self()); }
inline Tensor Members::mish() const { return tessera::mish(self()); }
inline Tensor Members::prelu(const Tensor& slope) const { return tessera::prelu(self(), slope); }
inline Tensor Members::relu() const { return tessera::relu(self()); }
inline Tensor Members::relu6() const { return tessera::relu6(self()); }
inline Tensor Members::rrelu(double low = 1.0 / 8, double high = 1.0 / 3, bool training = false) const {
  return tessera::rrelu(self(), low, high, training);
}
inline Tensor Members::selu() const { return tessera::selu(self()); }
inline Tensor Members::silu() const { return tessera::silu(self()); }
inline Tensor Members::softmax(int axis = -1) const { return tessera::softmax(self(), axis); }
inline Tensor Members::softmin(int axis = -1) const { return tessera::softmin(self(), axis); }
inline Tensor Members::softplus() const { return tessera::softplus(self()); }
inline Tensor Members::softshrink(double lambda = 0.5) const { return tessera::softshrink(self(), lambda); }
inline Tensor Members::swiglu(const Tensor& x) const { return tessera::swiglu(self(), x); }
inline Tensor Members::tanhshrink() const { return tessera::tanhshrink(self()); }
inline Tensor Members::threshold(double at, double value) const { return tessera::threshold(self(), at, value); }

}  // namespace detail
}  // namespace tessera
