// RNN, LSTM and GRU on scan, with the names, layouts and defaults of torch.nn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/export.h"
#include "tessera/grad.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace nn {

struct RecurrentOptions {
  std::int64_t num_layers = 1;
  bool bias = true;
  bool batch_first = false;  // [N, L, in] instead of [L, N, in]
  double dropout = 0;        // between layers, while training
  bool bidirectional = false;
};

/// Results for all steps, [L, N, directions * hidden], and the state after the last one: h (and c for LSTM), each
/// [layers * directions, N, hidden].
struct RecurrentResult {
  Tensor output;
  Tensors state = {};
};

/// What the three have in common. Parameters: weight_ih_l0 [gates * hidden, in], weight_hh_l0 [gates * hidden, hidden],
/// bias_ih_l0, bias_hh_l0; with the suffix _reverse for the second direction. Each layer and direction is one scan.
class Recurrent : public Module {
 public:
  void fields(Fields& f) override;
  /// The results from a state of zeros, for x [L, N, in] or [L, in].
  Tensor forward(const Tensor& x) override { return results(x, {}).output; }
  /// The same, and from a given state on.
  RecurrentResult run(const Tensor& x, const Tensors& state = {});
  [[nodiscard]] double flops(const Shape& input, const Shape& output) const override;

 protected:
  Recurrent(std::int64_t in, std::int64_t hidden, std::int64_t gates, std::size_t states,
            const RecurrentOptions& options);
  /// The state after a step: `projected` is x W_ih^T + b_ih, `state` h and the like, `from_h` is h W_hh^T + b_hh.
  [[nodiscard]] virtual Tensors step(const Tensor& projected, const Tensor& from_h, const Tensors& state) const = 0;
  std::int64_t hidden_;

 private:
  [[nodiscard]] RecurrentResult results(const Tensor& x, const Tensors& state) const;
  struct Cell {
    Tensor weight_ih, weight_hh, bias_ih, bias_hh;
  };
  std::int64_t in_;
  std::size_t states_;
  RecurrentOptions options_;
  std::vector<Cell> cells_;  // layer 0 forward, layer 0 backward, layer 1 forward, ..
};

enum class RnnNonlinearity : std::uint8_t { kTanh, kRelu };

class RNN : public Recurrent {
 public:
  RNN(std::int64_t in, std::int64_t hidden, const RecurrentOptions& options = {},
      RnnNonlinearity nonlinearity = RnnNonlinearity::kTanh);

 private:
  [[nodiscard]] Tensors step(const Tensor& projected, const Tensor& from_h, const Tensors& state) const override;
  RnnNonlinearity nonlinearity_;
};

class LSTM : public Recurrent {
 public:
  LSTM(std::int64_t in, std::int64_t hidden, const RecurrentOptions& options = {});

 private:
  [[nodiscard]] Tensors step(const Tensor& projected, const Tensor& from_h, const Tensors& state) const override;
};

class GRU : public Recurrent {
 public:
  GRU(std::int64_t in, std::int64_t hidden, const RecurrentOptions& options = {});

 private:
  [[nodiscard]] Tensors step(const Tensor& projected, const Tensor& from_h, const Tensors& state) const override;
};

}  // namespace nn
}  // namespace tessera
