// Written by tools/members.py: the ops that take a tensor first, as members of Tensor.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "tessera/dtype.h"
#include "tessera/export.h"
#include "tessera/shape.h"

namespace TESSERA_API tessera {

class Tensor;
struct AttentionOptions;
struct BatchNorm;
struct ConvOptions;
struct ConvTransposeOptions;
struct CrossEntropyOptions;
struct Ellipsis;
struct Indexed;
struct InterpolateOptions;
struct NewAxis;
class PerAxis;
struct PoolOptions;
enum class Reduction : std::uint8_t;
struct RopeOptions;
enum class Scatter : std::uint8_t;
struct Slice;
struct UnfoldOptions;
struct Unique;
using At = std::variant<std::int64_t, Slice, Ellipsis, NewAxis, Tensor>;
using Axes = std::vector<int>;

namespace detail {

/// x.sum({0}) is sum(x, {0}). The header that declares an op defines its member, with the op's default arguments.
class Members {
 public:
  [[nodiscard]] Tensor abs() const;
  [[nodiscard]] Tensor acos() const;
  [[nodiscard]] Tensor acosh() const;
  [[nodiscard]] Tensor adaptive_avg_pool(const PerAxis& size) const;
  [[nodiscard]] Tensor adaptive_max_pool(const PerAxis& size) const;
  [[nodiscard]] Tensor add(const Tensor& b) const;
  [[nodiscard]] Tensor addmm(const Tensor& a, const Tensor& b, double beta, double alpha) const;
  [[nodiscard]] Tensor all(const Axes& axes, bool keepdims) const;
  [[nodiscard]] bool allclose(const Tensor& b, double rtol, double atol, bool equal_nan) const;
  [[nodiscard]] Tensor any(const Axes& axes, bool keepdims) const;
  [[nodiscard]] Tensor argmax(std::optional<int> axis, bool keepdims) const;
  [[nodiscard]] Tensor argmin(std::optional<int> axis, bool keepdims) const;
  [[nodiscard]] Tensor argsort(int axis, bool descending, bool stable) const;
  [[nodiscard]] Tensor asin() const;
  [[nodiscard]] Tensor asinh() const;
  [[nodiscard]] Tensor atan() const;
  [[nodiscard]] Tensor atan2(const Tensor& b) const;
  [[nodiscard]] Tensor atanh() const;
  [[nodiscard]] Tensor avg_pool1d(const PerAxis& kernel, const PoolOptions& options) const;
  [[nodiscard]] Tensor avg_pool2d(const PerAxis& kernel, const PoolOptions& options) const;
  [[nodiscard]] Tensor batch_norm(const Tensor& mean, const Tensor& var, const Tensor& weight, const Tensor& bias,
                                  double eps) const;
  [[nodiscard]] BatchNorm batch_norm_training(const Tensor& running_mean, const Tensor& running_var,
                                              const Tensor& weight, const Tensor& bias, double momentum,
                                              double eps) const;
  [[nodiscard]] Tensor binary_cross_entropy(const Tensor& target, const Tensor& weight, Reduction reduction) const;
  [[nodiscard]] Tensor binary_cross_entropy_with_logits(const Tensor& target, const Tensor& weight,
                                                        const Tensor& pos_weight, Reduction reduction) const;
  [[nodiscard]] Tensor bincount(std::int64_t minlength) const;
  [[nodiscard]] Tensor bitwise_and(const Tensor& b) const;
  [[nodiscard]] Tensor bitwise_not() const;
  [[nodiscard]] Tensor bitwise_or(const Tensor& b) const;
  [[nodiscard]] Tensor bitwise_xor(const Tensor& b) const;
  [[nodiscard]] Tensor broadcast_to(const Shape& shape) const;
  [[nodiscard]] Tensor cast(DType dtype) const;
  [[nodiscard]] Tensor ceil() const;
  [[nodiscard]] Tensor celu(double alpha) const;
  [[nodiscard]] Tensor clamp(const Tensor& low, const Tensor& high) const;
  [[nodiscard]] Tensor clip(const Tensor& low, const Tensor& high) const;
  [[nodiscard]] Tensor conj() const;
  [[nodiscard]] Tensor contiguous() const;
  [[nodiscard]] Tensor conv1d(const Tensor& weight, const Tensor& bias, const ConvOptions& options) const;
  [[nodiscard]] Tensor conv2d(const Tensor& weight, const Tensor& bias, const ConvOptions& options) const;
  [[nodiscard]] Tensor conv_transpose1d(const Tensor& weight, const Tensor& bias,
                                        const ConvTransposeOptions& options) const;
  [[nodiscard]] Tensor conv_transpose2d(const Tensor& weight, const Tensor& bias,
                                        const ConvTransposeOptions& options) const;
  [[nodiscard]] Tensor copysign(const Tensor& sign) const;
  [[nodiscard]] Tensor cos() const;
  [[nodiscard]] Tensor cosh() const;
  [[nodiscard]] Tensor cosine_embedding_loss(const Tensor& b, const Tensor& target, double margin,
                                             Reduction reduction) const;
  [[nodiscard]] Tensor cosine_similarity(const Tensor& b, int axis, double eps) const;
  [[nodiscard]] Tensor cross(const Tensor& b, int axis) const;
  [[nodiscard]] Tensor cross_entropy(const Tensor& target, const CrossEntropyOptions& options) const;
  [[nodiscard]] Indexed cummax(int axis) const;
  [[nodiscard]] Indexed cummin(int axis) const;
  [[nodiscard]] Tensor cumprod(int axis) const;
  [[nodiscard]] Tensor cumsum(int axis) const;
  [[nodiscard]] Tensor dequantize(DType dtype) const;
  [[nodiscard]] Tensor diagonal(std::int64_t offset, int axis_a, int axis_b) const;
  [[nodiscard]] Tensor digamma() const;
  [[nodiscard]] Tensor divide(const Tensor& b) const;
  [[nodiscard]] Tensor dot(const Tensor& b) const;
  [[nodiscard]] Tensor dropout(double p, bool training) const;
  [[nodiscard]] Tensor elu(double alpha) const;
  [[nodiscard]] Tensor embedding(const Tensor& weights) const;
  [[nodiscard]] Tensor equal(const Tensor& b) const;
  [[nodiscard]] Tensor erf() const;
  [[nodiscard]] Tensor erfc() const;
  [[nodiscard]] Tensor erfinv() const;
  [[nodiscard]] Tensor exp() const;
  [[nodiscard]] Tensor expand_dims(int axis) const;
  [[nodiscard]] Tensor expm1() const;
  [[nodiscard]] Tensor flip(const Axes& axes) const;
  [[nodiscard]] Tensor floor() const;
  [[nodiscard]] Tensor floor_divide(const Tensor& b) const;
  [[nodiscard]] Tensor fmod(const Tensor& b) const;
  [[nodiscard]] Tensor fold(const PerAxis& size, const PerAxis& kernel, const UnfoldOptions& options) const;
  [[nodiscard]] Tensor gather(int axis, const Tensor& indices) const;
  [[nodiscard]] Tensor gcd(const Tensor& b) const;
  [[nodiscard]] Tensor geglu(const Tensor& x) const;
  [[nodiscard]] Tensor gelu() const;
  [[nodiscard]] Tensor gelu_tanh() const;
  [[nodiscard]] Tensor global_avg_pool() const;
  [[nodiscard]] Tensor global_max_pool() const;
  [[nodiscard]] Tensor glu(int axis) const;
  [[nodiscard]] Tensor greater(const Tensor& b) const;
  [[nodiscard]] Tensor greater_equal(const Tensor& b) const;
  [[nodiscard]] Tensor group_norm(std::int64_t groups, const Tensor& weight, const Tensor& bias, double eps) const;
  [[nodiscard]] Tensor gumbel_softmax(double tau, bool hard, int axis) const;
  [[nodiscard]] Tensor hardshrink(double lambda) const;
  [[nodiscard]] Tensor hardsigmoid() const;
  [[nodiscard]] Tensor hardswish() const;
  [[nodiscard]] Tensor hardtanh(double low, double high) const;
  [[nodiscard]] Tensor hinge_embedding_loss(const Tensor& target, double margin, Reduction reduction) const;
  [[nodiscard]] Tensor histogram(std::int64_t bins, double low, double high) const;
  [[nodiscard]] Tensor huber_loss(const Tensor& target, double delta, Reduction reduction) const;
  [[nodiscard]] Tensor hypot(const Tensor& b) const;
  [[nodiscard]] Tensor imag() const;
  [[nodiscard]] Tensor index(const std::vector<At>& at) const;
  [[nodiscard]] Tensor index_add(const std::vector<At>& at, const Tensor& values) const;
  [[nodiscard]] Tensor index_add(int axis, const Tensor& index, const Tensor& source) const;
  [[nodiscard]] Tensor index_set(const std::vector<At>& at, const Tensor& values) const;
  [[nodiscard]] Tensor instance_norm(const Tensor& weight, const Tensor& bias, double eps) const;
  [[nodiscard]] Tensor interpolate(const InterpolateOptions& options) const;
  [[nodiscard]] Tensor isclose(const Tensor& b, double rtol, double atol, bool equal_nan) const;
  [[nodiscard]] Tensor isfinite() const;
  [[nodiscard]] Tensor isinf() const;
  [[nodiscard]] Tensor isnan() const;
  [[nodiscard]] Tensor kl_div(const Tensor& target, bool log_target, Reduction reduction) const;
  [[nodiscard]] Tensor kron(const Tensor& b) const;
  [[nodiscard]] Tensor l1_loss(const Tensor& target, Reduction reduction) const;
  [[nodiscard]] Tensor layer_norm(const Tensor& weight, const Tensor& bias, double eps) const;
  [[nodiscard]] Tensor lcm(const Tensor& b) const;
  [[nodiscard]] Tensor leaky_relu(double slope) const;
  [[nodiscard]] Tensor left_shift(const Tensor& b) const;
  [[nodiscard]] Tensor less(const Tensor& b) const;
  [[nodiscard]] Tensor less_equal(const Tensor& b) const;
  [[nodiscard]] Tensor lgamma() const;
  [[nodiscard]] Tensor local_response_norm(std::int64_t size, double alpha, double beta, double k) const;
  [[nodiscard]] Tensor log() const;
  [[nodiscard]] Tensor log10() const;
  [[nodiscard]] Tensor log1p() const;
  [[nodiscard]] Tensor log2() const;
  [[nodiscard]] Tensor log_softmax(int axis) const;
  [[nodiscard]] Tensor logaddexp(const Tensor& b) const;
  [[nodiscard]] Tensor logcumsumexp(int axis) const;
  [[nodiscard]] Tensor logical_and(const Tensor& b) const;
  [[nodiscard]] Tensor logical_not() const;
  [[nodiscard]] Tensor logical_or(const Tensor& b) const;
  [[nodiscard]] Tensor logical_xor(const Tensor& b) const;
  [[nodiscard]] Tensor logsigmoid() const;
  [[nodiscard]] Tensor logsumexp(const Axes& axes, bool keepdims) const;
  [[nodiscard]] Tensor masked_fill(const Tensor& mask, const Tensor& value) const;
  [[nodiscard]] Tensor masked_select(const Tensor& mask) const;
  [[nodiscard]] Tensor matmul(const Tensor& b) const;
  [[nodiscard]] Tensor max(const Axes& axes, bool keepdims) const;
  [[nodiscard]] Tensor max_pool1d(const PerAxis& kernel, const PoolOptions& options) const;
  [[nodiscard]] std::pair<Tensor, Tensor> max_pool1d_with_indices(const PerAxis& kernel,
                                                                  const PoolOptions& options) const;
  [[nodiscard]] Tensor max_pool2d(const PerAxis& kernel, const PoolOptions& options) const;
  [[nodiscard]] std::pair<Tensor, Tensor> max_pool2d_with_indices(const PerAxis& kernel,
                                                                  const PoolOptions& options) const;
  [[nodiscard]] Tensor maximum(const Tensor& b) const;
  [[nodiscard]] Tensor mean(const Axes& axes, bool keepdims) const;
  [[nodiscard]] Tensor median(int axis, bool keepdims) const;
  [[nodiscard]] Tensor min(const Axes& axes, bool keepdims) const;
  [[nodiscard]] Tensor minimum(const Tensor& b) const;
  [[nodiscard]] Tensor mish() const;
  [[nodiscard]] Tensor mse_loss(const Tensor& target, Reduction reduction) const;
  [[nodiscard]] Tensor multiply(const Tensor& b) const;
  [[nodiscard]] Tensor nan_to_num(double nan, const Tensor& posinf, const Tensor& neginf) const;
  [[nodiscard]] Tensor negative() const;
  [[nodiscard]] Tensor nextafter(const Tensor& b) const;
  [[nodiscard]] Tensor nll_loss(const Tensor& target, const CrossEntropyOptions& options) const;
  [[nodiscard]] Tensor nonzero() const;
  [[nodiscard]] Tensor normalize(double p, int axis, double eps) const;
  [[nodiscard]] Tensor not_equal(const Tensor& b) const;
  [[nodiscard]] Tensor one_hot(std::int64_t classes, DType dtype) const;
  [[nodiscard]] Tensor outer(const Tensor& b) const;
  [[nodiscard]] Tensor pad(const std::vector<std::pair<std::int64_t, std::int64_t>>& widths, const Tensor& value) const;
  [[nodiscard]] Tensor permute(const Axes& order) const;
  [[nodiscard]] Tensor pixel_shuffle(std::int64_t factor) const;
  [[nodiscard]] Tensor pixel_unshuffle(std::int64_t factor) const;
  [[nodiscard]] Tensor positive() const;
  [[nodiscard]] Tensor pow(const Tensor& b) const;
  [[nodiscard]] Tensor power(const Tensor& b) const;
  [[nodiscard]] Tensor prelu(const Tensor& slope) const;
  [[nodiscard]] Tensor prod(const Axes& axes, bool keepdims) const;
  [[nodiscard]] Tensor quantile(double q, int axis, bool keepdims) const;
  [[nodiscard]] Tensor quantile(const std::vector<double>& q, int axis, bool keepdims) const;
  [[nodiscard]] Tensor quantize(DType dtype) const;
  [[nodiscard]] Tensor real() const;
  [[nodiscard]] Tensor reciprocal() const;
  [[nodiscard]] Tensor relu() const;
  [[nodiscard]] Tensor relu6() const;
  [[nodiscard]] Tensor remainder(const Tensor& b) const;
  [[nodiscard]] Tensor repeat(std::int64_t times, std::optional<int> axis) const;
  [[nodiscard]] Tensor right_shift(const Tensor& b) const;
  [[nodiscard]] Tensor rms_norm(const Tensor& weight, double eps) const;
  [[nodiscard]] Tensor roll(const std::vector<std::int64_t>& shifts, const Axes& axes) const;
  [[nodiscard]] Tensor rope(const Tensor& positions, const RopeOptions& options) const;
  [[nodiscard]] Tensor rope(std::int64_t offset, const RopeOptions& options) const;
  [[nodiscard]] Tensor rot90(int times, int first, int second) const;
  [[nodiscard]] Tensor round() const;
  [[nodiscard]] Tensor rrelu(double low, double high, bool training) const;
  [[nodiscard]] Tensor rsqrt() const;
  [[nodiscard]] Tensor scaled_dot_product_attention(const Tensor& k, const Tensor& v,
                                                    const AttentionOptions& options) const;
  [[nodiscard]] Tensor scatter(const Tensor& indices, const Tensor& updates, int axis, Scatter mode) const;
  [[nodiscard]] Tensor scatter_add(const Tensor& indices, const Tensor& updates, int axis) const;
  [[nodiscard]] Tensor searchsorted(const Tensor& values, bool right) const;
  [[nodiscard]] Tensor selu() const;
  [[nodiscard]] Tensor sigmoid() const;
  [[nodiscard]] Tensor sign() const;
  [[nodiscard]] Tensor signbit() const;
  [[nodiscard]] Tensor silu() const;
  [[nodiscard]] Tensor sin() const;
  [[nodiscard]] Tensor sinh() const;
  [[nodiscard]] Tensor slice(const std::vector<Slice>& ranges) const;
  [[nodiscard]] Tensor slice_update(const Tensor& values, const std::vector<std::int64_t>& starts,
                                    const Axes& axes) const;
  [[nodiscard]] Tensor slice_update(const Tensor& values, const Tensor& starts, const Axes& axes) const;
  [[nodiscard]] Tensor slice_update(const Tensor& values, std::initializer_list<std::int64_t> starts,
                                    const Axes& axes) const;
  [[nodiscard]] Tensor smooth_l1_loss(const Tensor& target, double beta, Reduction reduction) const;
  [[nodiscard]] Tensor softmax(int axis) const;
  [[nodiscard]] Tensor softmin(int axis) const;
  [[nodiscard]] Tensor softplus() const;
  [[nodiscard]] Tensor softshrink(double lambda) const;
  [[nodiscard]] Tensor softsign() const;
  [[nodiscard]] Tensor sort(int axis, bool descending) const;
  [[nodiscard]] Indexed sort_with_indices(int axis, bool descending) const;
  [[nodiscard]] std::vector<Tensor> split(std::int64_t parts, int axis) const;
  [[nodiscard]] std::vector<Tensor> split(const std::vector<std::int64_t>& sizes, int axis) const;
  [[nodiscard]] Tensor sqrt() const;
  [[nodiscard]] Tensor square() const;
  [[nodiscard]] Tensor squeeze(const Axes& axes) const;
  [[nodiscard]] Tensor stddev(const Axes& axes, bool keepdims, int correction) const;
  [[nodiscard]] Tensor subtract(const Tensor& b) const;
  [[nodiscard]] Tensor sum(const Axes& axes, bool keepdims) const;
  [[nodiscard]] Tensor swiglu(const Tensor& x) const;
  [[nodiscard]] Tensor take(const Tensor& indices, std::optional<int> axis) const;
  [[nodiscard]] Tensor take_along_axis(const Tensor& indices, int axis) const;
  [[nodiscard]] Tensor tan() const;
  [[nodiscard]] Tensor tanh() const;
  [[nodiscard]] Tensor tanhshrink() const;
  [[nodiscard]] Tensor tensordot(const Tensor& b, int axes) const;
  [[nodiscard]] Tensor tensordot(const Tensor& b, const std::vector<int>& axes_a, const std::vector<int>& axes_b) const;
  [[nodiscard]] Tensor threshold(double at, double value) const;
  [[nodiscard]] Tensor tile(const std::vector<std::int64_t>& times) const;
  [[nodiscard]] Indexed topk(std::int64_t k, int axis, bool largest) const;
  [[nodiscard]] Tensor trace(std::int64_t offset, int axis_a, int axis_b) const;
  [[nodiscard]] Tensor transpose(int a, int b) const;
  [[nodiscard]] Tensor tril(std::int64_t diagonal) const;
  [[nodiscard]] Tensor triplet_margin_loss(const Tensor& positive, const Tensor& negative, double margin, double p,
                                           double eps, Reduction reduction) const;
  [[nodiscard]] Tensor triu(std::int64_t diagonal) const;
  [[nodiscard]] Tensor trunc() const;
  [[nodiscard]] Tensor unfold(const PerAxis& kernel, const UnfoldOptions& options) const;
  [[nodiscard]] Unique unique() const;
  [[nodiscard]] Tensor var(const Axes& axes, bool keepdims, int correction) const;
  [[nodiscard]] Tensor vdot(const Tensor& b) const;
  [[nodiscard]] Tensor where(const Tensor& a, const Tensor& b) const;
  [[nodiscard]] Tensor xlogy(const Tensor& y) const;

 protected:
  Members() = default;

 private:
  [[nodiscard]] const Tensor& self() const;
};

}  // namespace detail
}  // namespace tessera
