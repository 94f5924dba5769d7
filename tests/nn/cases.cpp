// The modules, optimizers, schedules and initialisers of points.json, constructed in C++.
#include "nn/cases.h"

#include <cmath>

namespace tessera::test {

namespace {

template <class M>
nn::AnyModule evaluated(M module) {
  module.eval();
  return module;
}

template <class M>
std::function<Tensors(nn::Module&, const Tensors&)> recurrent() {
  return [](nn::Module& m, const Tensors& x) {
    auto [y, state] = dynamic_cast<M&>(m).run(x[0], {x.begin() + 1, x.end()});
    Tensors all{y};
    all.insert(all.end(), state.begin(), state.end());
    return all;
  };
}

std::function<Tensors(nn::Module&, const Tensors&)> attention(const AttentionOptions& options = {}) {
  return [options](nn::Module& m, const Tensors& x) {
    const Tensor& k = x.size() > 1 ? x[1] : x[0];
    return Tensors{dynamic_cast<nn::MultiheadAttention&>(m)(x[0], k, x.size() > 2 ? x[2] : k, options)};
  };
}

template <class M>
std::function<Tensors(nn::Module&, const Tensors&)> decoder(const AttentionOptions& self = {}) {
  return [self](nn::Module& m, const Tensors& x) { return Tensors{dynamic_cast<M&>(m)(x[0], x[1], self)}; };
}

template <class O, class... Args>
std::unique_ptr<optim::Optimizer> made(Args&&... args) {
  return std::make_unique<O>(std::forward<Args>(args)...);
}

}  // namespace

const std::vector<ModuleCase>& module_cases() {
  using namespace nn;
  static const TransformerLayerOptions kLayer{.feedforward = 6, .dropout = 0};
  static const TransformerLayerOptions kBatchFirst{.feedforward = 6, .dropout = 0, .batch_first = true};
  static const std::vector<ModuleCase> cases{
      {"ReLU", [] { return ReLU(); }},
      {"ReLU6", [] { return ReLU6(); }},
      {"SELU", [] { return SELU(); }},
      {"SiLU", [] { return SiLU(); }},
      {"Mish", [] { return Mish(); }},
      {"Tanh", [] { return Tanh(); }},
      {"Sigmoid", [] { return Sigmoid(); }},
      {"LogSigmoid", [] { return LogSigmoid(); }},
      {"Softplus", [] { return Softplus(); }},
      {"Softsign", [] { return Softsign(); }},
      {"Tanhshrink", [] { return Tanhshrink(); }},
      {"Hardsigmoid", [] { return Hardsigmoid(); }},
      {"Hardswish", [] { return Hardswish(); }},
      {"ELU", [] { return ELU(1.3); }},
      {"CELU", [] { return CELU(1.3); }},
      {"LeakyReLU", [] { return LeakyReLU(0.2); }},
      {"Softshrink", [] { return Softshrink(0.4); }},
      {"Hardshrink", [] { return Hardshrink(0.4); }},
      {"Softmax", [] { return Softmax(1); }},
      {"LogSoftmax", [] { return LogSoftmax(1); }},
      {"Softmin", [] { return Softmin(-1); }},
      {"GELU", [] { return GELU(); }},
      {"GELU tanh", [] { return GELU(true); }},
      {"Hardtanh", [] { return Hardtanh(-0.5, 0.7); }},
      {"Threshold", [] { return Threshold(0.1, -0.3); }},
      {"RReLU eval", [] { return evaluated(RReLU()); }},
      {"PReLU", [] { return PReLU(); }},
      {"PReLU channels", [] { return PReLU(3); }},
      {"Identity", [] { return Identity(); }},
      {"Dropout eval", [] { return evaluated(Dropout(0.4)); }},
      {"GLU", [] { return GLU(1); }},
      {"Linear", [] { return Linear(5, 4); }},
      {"Linear without bias", [] { return Linear(5, 4, false); }},
      {"Bilinear", [] { return Bilinear(3, 4, 2); },
       [](Module& m, const Tensors& x) { return Tensors{dynamic_cast<Bilinear&>(m)(x[0], x[1])}; }},
      {"Embedding", [] { return Embedding(5, 3); }},
      {"Embedding padding", [] { return Embedding(5, 3, 2); }},
      {"Flatten", [] { return Flatten(); }},
      {"Unflatten", [] { return Unflatten(1, {2, 3}); }},
      {"Sequential", [] { return Sequential(Linear(3, 4), ReLU(), Linear(4, 2)); }},
      {"Conv1d", [] { return Conv1d(4, 6, 3, {.stride = 2, .padding = 1, .groups = 2}); }},
      {"Conv1d unbatched", [] { return Conv1d(2, 3, 2, {.bias = false}); }},
      {"Conv2d", [] { return Conv2d(2, 3, {3, 2}, {.stride = {1, 2}, .padding = {1, 0}, .dilation = {1, 2}}); }},
      {"Conv2d same", [] { return Conv2d(2, 2, 3, {.padding = "same"}); }},
      {"ConvTranspose1d",
       [] { return ConvTranspose1d(4, 4, 3, {.stride = 2, .padding = 1, .output_padding = 1, .groups = 2}); }},
      {"ConvTranspose2d", [] { return ConvTranspose2d(2, 3, 3, {.stride = 2}); }},
      {"BatchNorm1d", [] { return BatchNorm1d(3); }},
      {"BatchNorm1d of a sequence", [] { return BatchNorm1d(3, {.momentum = std::nullopt}); }},
      {"BatchNorm2d", [] { return BatchNorm2d(3, {.eps = 1e-3, .momentum = 0.3}); }},
      {"BatchNorm2d eval", [] { return evaluated(BatchNorm2d(3)); }},
      {"BatchNorm2d without statistics",
       [] { return BatchNorm2d(2, {.affine = false, .track_running_stats = false}); }},
      {"BatchNorm3d", [] { return BatchNorm3d(2); }},
      {"LayerNorm", [] { return LayerNorm(5); }},
      {"LayerNorm of two axes", [] { return LayerNorm(Shape{3, 5}, {.eps = 1e-3, .bias = false}); }},
      {"RMSNorm", [] { return RMSNorm(5, {.eps = 1e-5}); }},
      {"GroupNorm", [] { return GroupNorm(2, 4); }},
      {"InstanceNorm1d", [] { return InstanceNorm1d(3); }},
      {"InstanceNorm2d", [] { return InstanceNorm2d(3, {.affine = true}); }},
      {"InstanceNorm1d tracked",
       [] { return InstanceNorm1d(3, {.momentum = 0.3, .affine = true, .track_running_stats = true}); }},
      {"InstanceNorm2d tracked eval", [] { return evaluated(InstanceNorm2d(3, {.track_running_stats = true})); }},
      {"Softplus beta", [] { return Softplus(2.5); }},
      {"MaxPool1d", [] { return MaxPool1d(3, {.stride = 2, .padding = 1}); }},
      {"MaxPool2d", [] { return MaxPool2d(2); }},
      {"AvgPool1d", [] { return AvgPool1d(2); }},
      {"AvgPool2d", [] { return AvgPool2d(3, {.stride = 2, .padding = 1, .count_include_pad = false}); }},
      {"AdaptiveAvgPool1d", [] { return AdaptiveAvgPool1d(3); }},
      {"AdaptiveAvgPool2d", [] { return AdaptiveAvgPool2d(2); }},
      {"AdaptiveMaxPool1d", [] { return AdaptiveMaxPool1d(3); }},
      {"AdaptiveMaxPool2d", [] { return AdaptiveMaxPool2d({2, 3}); }},
      {"Upsample", [] { return Upsample({.scale = {2}}); }},
      {"Upsample bilinear",
       [] { return Upsample({.size = {{5, 4}}, .mode = InterpolationMode::kLinear, .align_corners = true}); }},
      {"PixelShuffle", [] { return PixelShuffle(2); }},
      {"PixelUnshuffle", [] { return PixelUnshuffle(2); }},
      {"MultiheadAttention", [] { return MultiheadAttention(8, 2); }, attention()},
      {"MultiheadAttention causal", [] { return MultiheadAttention(8, 2, {.bias = false, .batch_first = true}); },
       attention({.causal = true})},
      {"MultiheadAttention of other widths", [] { return MultiheadAttention(8, 2, {.kdim = 5, .vdim = 3}); },
       attention()},
      {"TransformerEncoderLayer", [] { return TransformerEncoderLayer(4, 2, kLayer); }},
      {"TransformerEncoderLayer norm first",
       [] {
         return TransformerEncoderLayer(
             4, 2, {.feedforward = 6, .dropout = 0, .activation = gelu, .batch_first = true, .norm_first = true});
       },
       [](Module& m, const Tensors& x) {
         return Tensors{dynamic_cast<TransformerEncoderLayer&>(m)(x[0], {.causal = true})};
       }},
      {"TransformerDecoderLayer", [] { return TransformerDecoderLayer(4, 2, kLayer); },
       decoder<TransformerDecoderLayer>({.causal = true})},
      {"TransformerDecoderLayer norm first",
       [] {
         return TransformerDecoderLayer(4, 2,
                                        {.feedforward = 6, .dropout = 0, .batch_first = true, .norm_first = true});
       },
       decoder<TransformerDecoderLayer>()},
      {"TransformerEncoder",
       [] { return TransformerEncoder(TransformerEncoderLayer(4, 2, kBatchFirst), 2, LayerNorm(4)); }},
      {"TransformerDecoder",
       [] { return TransformerDecoder(TransformerDecoderLayer(4, 2, kBatchFirst), 2, LayerNorm(4)); },
       decoder<TransformerDecoder>()},
      {"RNN", [] { return RNN(3, 4); }, recurrent<RNN>()},
      {"RNN relu",
       [] { return RNN(3, 2, {.num_layers = 2, .bias = false, .bidirectional = true}, RnnNonlinearity::kRelu); },
       recurrent<RNN>()},
      {"LSTM", [] { return LSTM(3, 4); }, recurrent<LSTM>()},
      {"LSTM deep", [] { return LSTM(3, 2, {.num_layers = 2, .batch_first = true, .bidirectional = true}); },
       recurrent<LSTM>()},
      {"GRU", [] { return GRU(3, 4); }, recurrent<GRU>()},
      {"GRU deep", [] { return GRU(3, 2, {.num_layers = 2, .bidirectional = true}); }, recurrent<GRU>()},
  };
  return cases;
}

const std::vector<OptimizerCase>& optimizer_cases() {
  using namespace optim;
  using P = const Parameters&;
  static const std::vector<OptimizerCase> cases{
      {"SGD", [](P p) { return made<SGD>(p, SgdOptions{.lr = 0.1}); }},
      {"SGD momentum", [](P p) { return made<SGD>(p, SgdOptions{.lr = 0.05, .momentum = 0.9, .weight_decay = 0.01}); }},
      {"SGD dampening", [](P p) { return made<SGD>(p, SgdOptions{.lr = 0.05, .momentum = 0.9, .dampening = 0.4}); }},
      {"SGD nesterov", [](P p) { return made<SGD>(p, SgdOptions{.lr = 0.05, .momentum = 0.8, .nesterov = true}); }},
      {"SGD clipped", [](P p) { return made<SGD>(p, SgdOptions{.lr = 0.5}); }, 0.1},
      {"Adam", [](P p) { return made<Adam>(p, AdamOptions{.lr = 0.01}); }},
      {"Adam decay",
       [](P p) {
         return made<Adam>(p, AdamOptions{.lr = 0.02, .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-6, .weight_decay = 0.05});
       }},
      {"Adam amsgrad",
       [](P p) { return made<Adam>(p, AdamOptions{.lr = 0.05, .beta1 = 0.5, .beta2 = 0.6, .amsgrad = true}); }},
      {"AdamW", [](P p) { return made<AdamW>(p, AdamWOptions{.lr = 0.01}); }},
      {"AdamW amsgrad",
       [](P p) {
         return made<AdamW>(p,
                            AdamWOptions{.lr = 0.02, .beta1 = 0.5, .beta2 = 0.6, .weight_decay = 0.1, .amsgrad = true});
       }},
      {"AdamW groups",
       [](P p) {
         return made<AdamW>(p, AdamWOptions{.lr = 0.01, .weight_decay = 0.2},
                            std::vector<Group<AdamWOptions>>{{"bias", {.lr = 0.05, .no_decay = {"b*"}}}});
       }},
      {"AdamW cosine", [](P p) { return made<AdamW>(p, AdamWOptions{.lr = cosine(0.1, 20)}); }},
      {"Adamax", [](P p) { return made<Adamax>(p, AdamaxOptions{.lr = 0.01, .weight_decay = 0.01}); }},
      {"NAdam", [](P p) { return made<NAdam>(p, NAdamOptions{.lr = 0.01}); }},
      {"NAdam decoupled",
       [](P p) {
         return made<NAdam>(
             p, NAdamOptions{.lr = 0.01, .weight_decay = 0.1, .momentum_decay = 0.01, .decoupled_weight_decay = true});
       }},
      {"RAdam", [](P p) { return made<RAdam>(p, RAdamOptions{.lr = 0.01}); }},
      {"RAdam decay",
       [](P p) { return made<RAdam>(p, RAdamOptions{.lr = 0.02, .beta1 = 0.8, .beta2 = 0.9, .weight_decay = 0.05}); }},
      {"RMSprop", [](P p) { return made<RMSprop>(p, RMSpropOptions{.lr = 0.01}); }},
      {"RMSprop centered",
       [](P p) {
         return made<RMSprop>(
             p, RMSpropOptions{.lr = 0.005, .alpha = 0.9, .weight_decay = 0.01, .momentum = 0.5, .centered = true});
       }},
      {"Adagrad", [](P p) { return made<Adagrad>(p, AdagradOptions{.lr = 0.05}); }},
      {"Adagrad decay",
       [](P p) {
         return made<Adagrad>(
             p, AdagradOptions{.lr = 0.1, .lr_decay = 0.1, .weight_decay = 0.01, .initial_accumulator_value = 0.2});
       }},
      {"Adadelta", [](P p) { return made<Adadelta>(p); }},
      {"Adafactor", [](P p) { return made<Adafactor>(p, AdafactorOptions{.lr = 0.05}); }},
      {"Adafactor decay",
       [](P p) { return made<Adafactor>(p, AdafactorOptions{.lr = 0.1, .d = 1.2, .weight_decay = 0.1}); }},
      {"Lion", [](P p) { return made<Lion>(p, LionOptions{.lr = 0.01}); }},
      {"Lion decay",
       [](P p) { return made<Lion>(p, LionOptions{.lr = 0.02, .beta1 = 0.8, .beta2 = 0.95, .weight_decay = 0.1}); }},
      {"Muon", [](P p) { return made<Muon>(p, MuonOptions{.lr = 0.02, .adamw = {.lr = 0.02}}); }},
      {"Muon matched",
       [](P p) {
         return made<Muon>(p, MuonOptions{.lr = 0.02,
                                          .momentum = 0.9,
                                          .nesterov = false,
                                          .scale = MuonScale::kMatchRmsAdamW,
                                          .adamw = {.lr = 0.02}});
       }},
  };
  return cases;
}

const std::vector<ScheduleCase>& schedule_cases() {
  using namespace optim;
  static const std::vector<ScheduleCase> cases{
      {"constant", constant(1)},
      {"step_decay", step_decay(1, 7, 0.5)},
      {"multistep", multistep(1, {10, 25, 40}, 0.3)},
      {"exponential", exponential(1, 0.9)},
      {"cosine", cosine(1, 50, {.minimum = 0.1})},
      {"cosine warmup", cosine(1, 50, {.warmup = 8})},
      {"cosine_restarts", cosine_restarts(1, 7, 1, 0.1)},
      {"cosine_restarts doubled", cosine_restarts(1, 5, 2)},
      {"linear", linear(0.25, 1, 20)},
      {"polynomial", polynomial(1, 40, 2)},
      {"one_cycle", one_cycle(1, 60)},
      {"one_cycle linear", one_cycle(1, 60, {.start = 0.4, .divide = 10, .final_div = 100, .linear = true})},
      {"inverse_sqrt", inverse_sqrt(1, 10)},
      {"join", join({linear(0.1, 1, 10), exponential(1, 0.95)}, {10})},
  };
  return cases;
}

const std::vector<InitCase>& init_cases() {
  namespace init = nn::init;
  static const std::vector<InitCase> cases{
      {"uniform", [](const Shape& s) { return init::uniform(s, -0.3, 0.5); }},
      {"normal", [](const Shape& s) { return init::normal(s, 0.1, 0.4); }},
      {"constant", [](const Shape& s) { return init::constant(s, 0.7); }},
      {"zeros", [](const Shape& s) { return init::zeros(s); }},
      {"ones", [](const Shape& s) { return init::ones(s); }},
      {"trunc_normal", [](const Shape& s) { return init::trunc_normal(s, 0.2, 1.5, -1, 2); }},
      {"xavier_uniform", [](const Shape& s) { return init::xavier_uniform(s, 1.5); }},
      {"xavier_normal", [](const Shape& s) { return init::xavier_normal(s); }},
      {"kaiming_uniform", [](const Shape& s) { return init::kaiming_uniform(s, {.a = std::sqrt(5.0)}); }},
      {"kaiming_normal",
       [](const Shape& s) {
         return init::kaiming_normal(s, {.mode = init::Fan::kOut, .nonlinearity = init::Nonlinearity::kRelu});
       }},
      {"orthogonal", [](const Shape& s) { return init::orthogonal(s, 1.2); }},
      {"eye", [](const Shape& s) { return init::eye(s); }},
      {"dirac", [](const Shape& s) { return init::dirac(s, 2); }},
  };
  return cases;
}

}  // namespace tessera::test
