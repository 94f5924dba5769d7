// Normalizations as modules.
#include "tessera/nn/norm.h"

#include <algorithm>
#include <cmath>

#include "nn/check.h"
#include "nn/fail.h"
#include "tessera/grad.h"
#include "tessera/ops.h"

namespace tessera::nn {

namespace {

/// x with its last axes joined into one, if they have the sizes of `shape`.
Tensor joined(const char* module, const Tensor& x, const Shape& shape) {
  const int rest = x.rank() - shape.rank();
  if (rest < 0 || !std::equal(shape.begin(), shape.end(), x.shape().begin() + rest)) {
    fail(ErrorKind::kShape, "{}: an input of shape {} was given; its last axes must have the sizes {}.", module,
         x.shape().str(), shape.str());
  }
  if (shape.rank() == 1) return x;
  Shape flat;
  for (int i = 0; i < rest; ++i) flat.push_back(x.shape()[i]);
  flat.push_back(shape.numel());
  return x.reshape(flat);
}

Tensor flat(const Tensor& weight) { return weight.defined() ? weight.reshape({weight.numel()}) : weight; }

double epsilon(DType dtype) {
  switch (dtype) {
    case f16:
      return 0x1p-10;
    case bf16:
      return 0x1p-7;
    case f64:
      return 0x1p-52;
    default:
      return 0x1p-23;
  }
}

void check_channels(const std::string& module, const Tensor& x, std::int64_t channels, int axis) {
  if (x.rank() <= axis || x.shape()[axis] != channels) {
    fail(ErrorKind::kShape, "{}: an input of shape {} was given; axis {} must have {} channels.", module,
         x.shape().str(), axis, channels);
  }
}

/// The tensors of norms that may have running statistics.
template <class Norm, class Options>
void make_tensors(Norm& norm, std::int64_t channels, const Options& options) {
  if (options.affine) {
    norm.weight = ones({channels});
    norm.bias = zeros({channels});
  }
  if (options.track_running_stats) {
    norm.running_mean = zeros({channels});
    norm.running_var = ones({channels});
    norm.num_batches_tracked = zeros({}, i32);
  }
}
template <class Norm>
void list_tensors(Norm& norm, Fields& f) {
  f("weight", norm.weight);
  f("bias", norm.bias);
  f.buffer("running_mean", norm.running_mean);
  f.buffer("running_var", norm.running_var);
  f.buffer("num_batches_tracked", norm.num_batches_tracked);
}

/// As batch_norm_training(), with the statistics of the batches of all ranks.
tessera::BatchNorm over_ranks(const Tensor& x, const BatchNorm& norm, double momentum, double eps,
                              const distributed::Group& group) {
  const DType dtype = x.dtype() == f64 ? f64 : f32;
  const Tensor y = x.astype(dtype);
  std::vector<int> axes{0};
  for (int i = 2; i < x.rank(); ++i) axes.push_back(i);
  const std::int64_t channels = x.size(1);
  const std::int64_t count = channels == 0 ? 0 : x.numel() / channels;
  const Tensor own = tessera::mean(y, axes);
  // One message: of each rank its mean, its variance and its number of values.
  const Tensor all = distributed::all_gather(
      concat({own, tessera::var(y, axes, false, 0), full({1}, static_cast<double>(count), dtype)})
          .reshape({1, 2 * channels + 1}),
      0, group);
  const Tensor counts = slice(all, {{}, {2 * channels, 2 * channels + 1}});
  const Tensor total = stop_gradient(tessera::sum(counts));
  const Tensor weight = stop_gradient(counts) / total;  // [ranks, 1]
  const Tensor means = slice(all, {{}, {0, channels}});
  const Tensor mean = tessera::sum(means * weight, {0});
  const Tensor var = tessera::sum((slice(all, {{}, {channels, 2 * channels}}) + square(means - mean)) * weight, {0});
  tessera::BatchNorm out;
  out.result = batch_norm(x, mean, var, norm.weight, norm.bias, eps);
  const auto moved = [&](const Tensor& old, const Tensor& now) {
    return stop_gradient(old.astype(dtype) * (1 - momentum) + now * momentum).astype(old.dtype());
  };
  if (!norm.running_mean.defined()) return out;
  out.mean = moved(norm.running_mean, mean);
  out.var = moved(norm.running_var, var * (total / maximum(total - 1.0, 1.0)));
  return out;
}

}  // namespace

BatchNorm::BatchNorm(std::int64_t channels, const BatchNormOptions& options, std::vector<int> ranks)
    : options_(options), ranks_(std::move(ranks)) {
  check_sizes("BatchNorm", {{"channels", channels}});
  make_tensors(*this, channels, options);
}

void BatchNorm::fields(Fields& f) { list_tensors(*this, f); }

Tensor BatchNorm::forward(const Tensor& x) {
  if (std::ranges::find(ranks_, x.rank()) == ranks_.end()) {
    fail(ErrorKind::kShape, "{}: an input of shape {} was given; rank {} is expected.", kind(), x.shape().str(),
         fmt::join(ranks_, " or "));
  }
  if (weight.defined()) check_channels(kind(), x, weight.numel(), 1);
  const bool tracks = running_mean.defined();
  const bool shares = distributed::kSupported && options_.group.has_value() && options_.group->size() > 1;
  if (!training() && tracks) return batch_norm(x, running_mean, running_var, weight, bias, options_.eps);
  if (!tracks) {
    if (shares) return over_ranks(x, *this, 0, options_.eps, *options_.group).result;
    const Shape channels{x.size(1)};
    return batch_norm_training(x, zeros(channels), ones(channels), weight, bias, 0, options_.eps).result;
  }
  check_channels(kind(), x, running_mean.numel(), 1);
  const Tensor count = num_batches_tracked + 1;
  // Without a momentum: the statistics of this batch, averaged with those before.
  const double momentum = options_.momentum.value_or(1);
  const tessera::BatchNorm now =
      shares ? over_ranks(x, *this, momentum, options_.eps, *options_.group)
             : batch_norm_training(x, running_mean, running_var, weight, bias, momentum, options_.eps);
  Tensor mean = now.mean;
  Tensor var = now.var;
  if (!options_.momentum) {
    const Tensor factor = reciprocal(count.astype(running_mean.dtype()));
    mean = running_mean + (mean - running_mean) * factor;
    var = running_var + (var - running_var) * factor;
  }
  write_buffer("running_mean", running_mean, mean);
  write_buffer("running_var", running_var, var);
  write_buffer("num_batches_tracked", num_batches_tracked, count);
  return now.result;
}

LayerNorm::LayerNorm(const Shape& shape, const LayerNormOptions& options) : shape_(shape), eps_(options.eps) {
  for (const std::int64_t size : shape) check_sizes("LayerNorm", {{"a size of the shape", size}});
  if (options.affine) weight = ones(shape);
  if (options.affine && options.bias) bias = zeros(shape);
}

void LayerNorm::fields(Fields& f) {
  f("weight", weight);
  f("bias", bias);
}

Tensor LayerNorm::forward(const Tensor& x) {
  return layer_norm(joined("LayerNorm", x, shape_), flat(weight), flat(bias), eps_).reshape(x.shape());
}

RMSNorm::RMSNorm(const Shape& shape, const RMSNormOptions& options) : shape_(shape), eps_(options.eps) {
  for (const std::int64_t size : shape) check_sizes("RMSNorm", {{"a size of the shape", size}});
  if (options.affine) weight = ones(shape);
}

void RMSNorm::fields(Fields& f) { f("weight", weight); }

Tensor RMSNorm::forward(const Tensor& x) {
  return rms_norm(joined("RMSNorm", x, shape_), flat(weight), eps_.value_or(epsilon(x.dtype()))).reshape(x.shape());
}

GroupNorm::GroupNorm(std::int64_t groups, std::int64_t channels, double eps, bool affine)
    : groups_(groups), channels_(channels), eps_(eps) {
  check_sizes("GroupNorm", {{"groups", groups}, {"channels", channels}});
  if (channels % groups != 0) {
    fail(ErrorKind::kValue, "GroupNorm: {} groups were given for {} channels; they must divide them.", groups,
         channels);
  }
  if (affine) {
    weight = ones({channels});
    bias = zeros({channels});
  }
}

void GroupNorm::fields(Fields& f) {
  f("weight", weight);
  f("bias", bias);
}

Tensor GroupNorm::forward(const Tensor& x) {
  check_channels("GroupNorm", x, channels_, 1);
  return group_norm(x, groups_, weight, bias, eps_);
}

InstanceNorm::InstanceNorm(std::int64_t channels, const InstanceNormOptions& options, int rank)
    : channels_(channels), options_(options), rank_(rank) {
  check_sizes("InstanceNorm", {{"channels", channels}});
  make_tensors(*this, channels, options);
}

void InstanceNorm::fields(Fields& f) { list_tensors(*this, f); }

Tensor InstanceNorm::forward(const Tensor& x) {
  if (x.rank() != rank_ && x.rank() != rank_ - 1) {
    fail(ErrorKind::kShape, "{}: an input of shape {} was given; rank {} or {} is expected.", kind(), x.shape().str(),
         rank_ - 1, rank_);
  }
  const bool batched = x.rank() == rank_;
  check_channels(kind(), x, channels_, batched ? 1 : 0);
  const Tensor in = batched ? x : expand_dims(x, 0);
  const bool tracks = running_mean.defined();
  Tensor y = tracks && !training() ? batch_norm(in, running_mean, running_var, weight, bias, options_.eps)
                                   : instance_norm(in, weight, bias, options_.eps);
  if (tracks && training()) {
    Axes spatial;
    for (int i = 2; i < in.rank(); ++i) spatial.push_back(i);
    const auto mixed = [&](const Tensor& old, const Tensor& each) {  // each: [N, C]
      return old + (mean(each, {0}) - old) * options_.momentum;
    };
    write_buffer("running_mean", running_mean, mixed(running_mean, mean(in, spatial)));
    write_buffer("running_var", running_var, mixed(running_var, var(in, spatial, false, 1)));
  }
  return batched ? y : squeeze(y, {0});
}

}  // namespace tessera::nn
