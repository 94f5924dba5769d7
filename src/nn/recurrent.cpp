// RNN, LSTM and GRU on scan.
#include "tessera/nn/recurrent.h"

#include <cmath>

#include "nn/bias.h"
#include "nn/check.h"
#include "nn/fail.h"
#include "nn/recorder.h"
#include "tessera/nn/init.h"
#include "tessera/ops.h"
#include "tessera/scan.h"

namespace tessera::nn {

Recurrent::Recurrent(std::int64_t in, std::int64_t hidden, std::int64_t gates, std::size_t states,
                     const RecurrentOptions& options)
    : hidden_(hidden), in_(in), states_(states), options_(options) {
  check_sizes("Recurrent", {{"in", in}, {"hidden", hidden}, {"num_layers", options.num_layers}});
  const double bound = 1 / std::sqrt(static_cast<double>(hidden));
  const std::int64_t directions = options.bidirectional ? 2 : 1;
  for (std::int64_t i = 0; i < options.num_layers * directions; ++i) {
    const std::int64_t from = i < directions ? in : directions * hidden;
    Cell cell;
    cell.weight_ih = init::uniform({gates * hidden, from}, -bound, bound);
    cell.weight_hh = init::uniform({gates * hidden, hidden}, -bound, bound);
    if (options.bias) {
      cell.bias_ih = init::uniform({gates * hidden}, -bound, bound);
      cell.bias_hh = init::uniform({gates * hidden}, -bound, bound);
    }
    cells_.push_back(std::move(cell));
  }
}

void Recurrent::fields(Fields& f) {
  const std::size_t directions = options_.bidirectional ? 2 : 1;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::string suffix = "_l" + std::to_string(i / directions) + (i % directions == 1 ? "_reverse" : "");
    f("weight_ih" + suffix, cells_[i].weight_ih);
    f("weight_hh" + suffix, cells_[i].weight_hh);
    f("bias_ih" + suffix, cells_[i].bias_ih);
    f("bias_hh" + suffix, cells_[i].bias_hh);
  }
}

RecurrentResult Recurrent::run(const Tensor& x, const Tensors& state) {
  const Recorder::Inside inside(*this);
  RecurrentResult result = results(x, state);
  note(x.shape(), result.output.shape());
  return result;
}

RecurrentResult Recurrent::results(const Tensor& x, const Tensors& state) const {
  if ((x.rank() != 2 && x.rank() != 3) || x.size(-1) != in_) {
    fail(ErrorKind::kShape, "{}: an input of shape {} was given; {} or [L, {}] is expected.", kind(), x.shape().str(),
         fmt::format("{}, {}]", options_.batch_first ? "[N, L" : "[L, N", in_), in_);
  }
  const bool batched = x.rank() == 3;
  Tensor h = !batched ? expand_dims(x, 1) : (options_.batch_first ? transpose(x, 0, 1) : x);
  const std::int64_t batch = h.size(1);
  const auto count = static_cast<std::int64_t>(cells_.size());
  if (!state.empty() && state.size() != states_) {
    fail(ErrorKind::kValue, "{}: a state of {} tensors was given; {} are expected.", kind(), state.size(), states_);
  }
  const Shape state_shape = batched ? Shape{count, batch, hidden_} : Shape{count, hidden_};
  for (const Tensor& s : state) {
    if (s.shape() != state_shape) {
      fail(ErrorKind::kShape, "{}: a state of shape {} was given; {} is expected.", kind(), s.shape().str(),
           state_shape.str());
    }
  }
  const std::size_t directions = options_.bidirectional ? 2 : 1;
  std::vector<Tensors> last(states_);
  for (std::size_t i = 0; i < cells_.size(); i += directions) {
    if (i > 0 && options_.dropout > 0) h = dropout(h, options_.dropout, training());
    Tensors outputs;
    for (std::size_t d = 0; d < directions; ++d) {
      const Cell& cell = cells_[i + d];
      const auto at = static_cast<std::int64_t>(i + d);
      Tensors carry;
      for (std::size_t s = 0; s < states_; ++s) {
        carry.push_back(state.empty() ? zeros({batch, hidden_}, h.dtype(), h.device())
                                      : slice(state[s], {{at, at + 1}}).reshape({batch, hidden_}));
      }
      const Tensor projected = with_bias(matmul(h, cell.weight_ih.T()), cell.bias_ih);
      const Scanned out = scan(
          [this, cell](const Tensors& c, const Tensors& in) {
            Tensors next = step(in[0], with_bias(matmul(c[0], cell.weight_hh.T()), cell.bias_hh), c);
            // Inside of an Autocast scope the gates have the low dtype, and the state keeps its own.
            for (std::size_t s = 0; s < next.size(); ++s) next[s] = next[s].astype(c[s].dtype());
            Tensor y = next[0];
            return Scanned{std::move(next), {std::move(y)}};
          },
          carry, {projected}, {.reverse = d == 1});
      outputs.push_back(out.ys[0]);
      for (std::size_t s = 0; s < states_; ++s) last[s].push_back(out.carry[s]);
    }
    h = directions == 1 ? outputs[0] : concat(outputs, -1);
  }
  RecurrentResult result{.output = !batched ? squeeze(h, {1}) : (options_.batch_first ? transpose(h, 0, 1) : h)};
  for (const Tensors& s : last) {
    const Tensor all = stack(s, 0);
    result.state.push_back(batched ? all : squeeze(all, {1}));
  }
  return result;
}

double Recurrent::flops(const Shape& input, const Shape& /*output*/) const {
  const double rows = static_cast<double>(input.numel()) / static_cast<double>(in_);
  double weights = 0;
  for (const Cell& cell : cells_) weights += static_cast<double>(cell.weight_ih.numel() + cell.weight_hh.numel());
  return 2 * rows * weights;
}

RNN::RNN(std::int64_t in, std::int64_t hidden, const RecurrentOptions& options, RnnNonlinearity nonlinearity)
    : Recurrent(in, hidden, 1, 1, options), nonlinearity_(nonlinearity) {}

Tensors RNN::step(const Tensor& projected, const Tensor& from_h, const Tensors& /*state*/) const {
  const Tensor y = projected + from_h;
  return {nonlinearity_ == RnnNonlinearity::kTanh ? tanh(y) : relu(y)};
}

LSTM::LSTM(std::int64_t in, std::int64_t hidden, const RecurrentOptions& options)
    : Recurrent(in, hidden, 4, 2, options) {}

Tensors LSTM::step(const Tensor& projected, const Tensor& from_h, const Tensors& state) const {
  const Tensors gates = split(projected + from_h, 4, -1);  // input, forget, cell, output
  const Tensor c = sigmoid(gates[1]) * state[1] + sigmoid(gates[0]) * tanh(gates[2]);
  return {sigmoid(gates[3]) * tanh(c), c};
}

GRU::GRU(std::int64_t in, std::int64_t hidden, const RecurrentOptions& options)
    : Recurrent(in, hidden, 3, 1, options) {}

Tensors GRU::step(const Tensor& projected, const Tensor& from_h, const Tensors& state) const {
  const Tensors x = split(projected, 3, -1);  // reset, update, new
  const Tensors h = split(from_h, 3, -1);
  const Tensor r = sigmoid(x[0] + h[0]);
  const Tensor z = sigmoid(x[1] + h[1]);
  const Tensor n = tanh(x[2] + r * h[2]);
  return {n + z * (state[0] - n)};
}

}  // namespace tessera::nn
