// Normalizations as modules, with the names and defaults of torch.nn.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tessera/distributed.h"
#include "tessera/export.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace nn {

struct BatchNormOptions {
  double eps = 1e-5;
  std::optional<double> momentum = 0.1;  // none: running statistics are the mean over all batches
  bool affine = true;
  bool track_running_stats = true;
  std::optional<distributed::Group> group = {};  // ranks whose batches are one while training, as in SyncBatchNorm
};

/// Normalizes the channels of [N, C, ..]: by the statistics of the batch while training, and if none are tracked; by
/// the running ones else. `rank`: that of the input; 0: any.
class BatchNorm : public Module {
 public:
  Tensor weight, bias;                                    // [C]
  Tensor running_mean, running_var, num_batches_tracked;  // buffers

  BatchNorm(std::int64_t channels, const BatchNormOptions& options, std::vector<int> ranks);
  void fields(Fields& f) override;
  Tensor forward(const Tensor& x) override;

 private:
  BatchNormOptions options_;
  std::vector<int> ranks_;
};
/// [N, C] or [N, C, L].
class BatchNorm1d : public BatchNorm {
 public:
  explicit BatchNorm1d(std::int64_t channels, const BatchNormOptions& options = {})
      : BatchNorm(channels, options, {2, 3}) {}
};
/// [N, C, H, W].
class BatchNorm2d : public BatchNorm {
 public:
  explicit BatchNorm2d(std::int64_t channels, const BatchNormOptions& options = {})
      : BatchNorm(channels, options, {4}) {}
};
/// [N, C, D, H, W].
class BatchNorm3d : public BatchNorm {
 public:
  explicit BatchNorm3d(std::int64_t channels, const BatchNormOptions& options = {})
      : BatchNorm(channels, options, {5}) {}
};

struct LayerNormOptions {
  double eps = 1e-5;
  bool affine = true;
  bool bias = true;
};
/// Over the last axes, which have the sizes of `shape`.
class LayerNorm : public Module {
 public:
  Tensor weight, bias;  // of that shape

  explicit LayerNorm(const Shape& shape, const LayerNormOptions& options = {});
  explicit LayerNorm(std::int64_t size, const LayerNormOptions& options = {}) : LayerNorm(Shape{size}, options) {}
  void fields(Fields& f) override;
  Tensor forward(const Tensor& x) override;

 private:
  Shape shape_;
  double eps_;
};

struct RMSNormOptions {
  std::optional<double> eps = {};  // none: the epsilon of the input's dtype
  bool affine = true;
};
class RMSNorm : public Module {
 public:
  Tensor weight;

  explicit RMSNorm(const Shape& shape, const RMSNormOptions& options = {});
  explicit RMSNorm(std::int64_t size, const RMSNormOptions& options = {}) : RMSNorm(Shape{size}, options) {}
  void fields(Fields& f) override;
  Tensor forward(const Tensor& x) override;

 private:
  Shape shape_;
  std::optional<double> eps_;
};

/// Over groups of channels of [N, C, ..].
class GroupNorm : public Module {
 public:
  Tensor weight, bias;  // [C]

  GroupNorm(std::int64_t groups, std::int64_t channels, double eps = 1e-5, bool affine = true);
  void fields(Fields& f) override;
  Tensor forward(const Tensor& x) override;

 private:
  std::int64_t groups_, channels_;
  double eps_;
};

struct InstanceNormOptions {
  double eps = 1e-5;
  double momentum = 0.1;
  bool affine = false;
  bool track_running_stats = false;
};
/// Over each channel of each sample of [N, C, ..]; with running statistics, by them if not training.
class InstanceNorm : public Module {
 public:
  Tensor weight, bias;  // [C]; none by default
  // Buffers; none by default. The last one stays 0, as in PyTorch.
  Tensor running_mean, running_var, num_batches_tracked;

  InstanceNorm(std::int64_t channels, const InstanceNormOptions& options, int rank);
  void fields(Fields& f) override;
  Tensor forward(const Tensor& x) override;

 private:
  std::int64_t channels_;
  InstanceNormOptions options_;
  int rank_;
};
/// [N, C, L] or [C, L].
class InstanceNorm1d : public InstanceNorm {
 public:
  explicit InstanceNorm1d(std::int64_t channels, const InstanceNormOptions& options = {})
      : InstanceNorm(channels, options, 3) {}
};
/// [N, C, H, W] or [C, H, W].
class InstanceNorm2d : public InstanceNorm {
 public:
  explicit InstanceNorm2d(std::int64_t channels, const InstanceNormOptions& options = {})
      : InstanceNorm(channels, options, 4) {}
};

}  // namespace nn
}  // namespace tessera
