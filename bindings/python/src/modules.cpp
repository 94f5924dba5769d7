// The modules of the C++ library for Python: made by name and keyword arguments, called with the tensors that Python
// holds.
#include <map>

#include "state.h"

namespace tessera::python {

namespace {

using nn::AnyModule;

/// A module as a function of its tensors: the options are its own, the tensors come with each call.
struct Native {
  AnyModule prototype;
  std::string kind;
  nb::object options;
};

/// The keyword arguments of a constructor.
class Options {
 public:
  Options(const char* kind, nb::handle given) : kind_(kind), given_(given) {}
  template <class T>
  [[nodiscard]] T get(const char* name) const {
    return Call(kind_).get<T>(at(name), name);
  }
  [[nodiscard]] std::int64_t size(const char* name) const { return get<std::int64_t>(name); }
  [[nodiscard]] double number(const char* name) const { return get<double>(name); }
  [[nodiscard]] bool flag(const char* name) const { return get<bool>(name); }
  [[nodiscard]] PerAxis axes(const char* name) const { return get<PerAxis>(name); }
  template <class E>
  [[nodiscard]] E choose(const char* name, std::initializer_list<const char*> names) const {
    return Call(kind_).choose<E>(at(name), name, names);
  }
  [[nodiscard]] std::optional<distributed::Group> group(const char* name) const { return group_from(at(name)); }
  [[nodiscard]] bool has(const char* name) const { return !at(name).is_none(); }
  /// A module that was made before.
  template <class M>
  [[nodiscard]] const M& module(const char* name) const {
    return nb::inst_ptr<Native>(at(name))->prototype.as<M>();
  }

 private:
  [[nodiscard]] nb::object at(const char* name) const { return given_[name]; }
  const char* kind_;
  nb::handle given_;
};

using Make = std::function<AnyModule(const Options&)>;

template <class M>
Make plain() {
  return [](const Options&) { return M(); };
}
template <class M>
Make with_number(const char* name) {
  return [name](const Options& o) { return M(o.number(name)); };
}
template <class M>
Make with_numbers(const char* first, const char* second) {
  return [first, second](const Options& o) { return M(o.number(first), o.number(second)); };
}
template <class M>
Make along() {
  return [](const Options& o) { return M(o.get<int>("dim")); };
}
template <class M>
Make with_size(const char* name) {
  return [name](const Options& o) { return M(o.size(name)); };
}
template <class M>
Make conv() {
  return [](const Options& o) {
    return M(o.size("in_channels"), o.size("out_channels"), o.axes("kernel_size"),
             {.stride = o.axes("stride"),
              .padding = o.get<Padding>("padding"),
              .dilation = o.axes("dilation"),
              .groups = o.size("groups"),
              .bias = o.flag("bias")});
  };
}
template <class M>
Make conv_transpose() {
  return [](const Options& o) {
    return M(o.size("in_channels"), o.size("out_channels"), o.axes("kernel_size"),
             {.stride = o.axes("stride"),
              .padding = o.get<Padding>("padding"),
              .output_padding = o.axes("output_padding"),
              .groups = o.size("groups"),
              .bias = o.flag("bias"),
              .dilation = o.axes("dilation")});
  };
}
template <class M>
Make batch_norm() {
  return [](const Options& o) {
    return M(o.size("num_features"), {.eps = o.number("eps"),
                                      .momentum = o.get<std::optional<double>>("momentum"),
                                      .affine = o.flag("affine"),
                                      .track_running_stats = o.flag("track_running_stats"),
                                      .group = o.group("group")});
  };
}
template <class M>
Make instance_norm() {
  return [](const Options& o) {
    return M(o.size("num_features"), {.eps = o.number("eps"),
                                      .momentum = o.number("momentum"),
                                      .affine = o.flag("affine"),
                                      .track_running_stats = o.flag("track_running_stats")});
  };
}
template <class M>
Make pool() {
  return [](const Options& o) {
    PoolOptions options{.padding = o.get<Padding>("padding"), .ceil_mode = o.flag("ceil_mode")};
    if (o.has("stride")) options.stride = o.axes("stride");
    if constexpr (std::is_same_v<M, nn::MaxPool1d> || std::is_same_v<M, nn::MaxPool2d>) {
      options.dilation = o.axes("dilation");
    } else {
      options.count_include_pad = o.flag("count_include_pad");
    }
    return M(o.axes("kernel_size"), options);
  };
}
template <class M>
Make adaptive_pool() {
  return [](const Options& o) { return M(o.axes("output_size")); };
}

RopeOptions rope_options(const Options& o) {
  return {.base = o.number("base"), .scaling = o.number("scaling"), .interleaved = o.flag("interleaved")};
}

AnyModule attention(const Options& o) {
  nn::MultiheadAttentionOptions options{.dropout = o.number("dropout"),
                                        .bias = o.flag("bias"),
                                        .kdim = o.has("kdim") ? o.size("kdim") : 0,
                                        .vdim = o.has("vdim") ? o.size("vdim") : 0,
                                        .batch_first = o.flag("batch_first"),
                                        .kv_heads = o.has("kv_heads") ? o.size("kv_heads") : 0};
  if (o.flag("rope")) options.rope = RopeOptions{.base = o.number("rope_base")};
  return nn::MultiheadAttention(o.size("embed_dim"), o.size("num_heads"), options);
}

template <class M>
Make transformer_layer() {
  return [](const Options& o) {
    enum class Name : std::uint8_t { kRelu, kGelu, kSilu };
    const Name name = o.choose<Name>("activation", {"relu", "gelu", "silu"});
    return M(o.size("d_model"), o.size("nhead"),
             {.feedforward = o.size("dim_feedforward"),
              .dropout = o.number("dropout"),
              .activation = name == Name::kRelu ? &relu : (name == Name::kGelu ? &gelu : &silu),
              .layer_norm_eps = o.number("layer_norm_eps"),
              .batch_first = o.flag("batch_first"),
              .norm_first = o.flag("norm_first"),
              .bias = o.flag("bias")});
  };
}
template <class M, class Layer>
Make transformer(const char* layer) {
  return [layer](const Options& o) {
    std::optional<nn::LayerNorm> norm;
    if (o.has("norm")) norm = o.module<nn::LayerNorm>("norm");
    return M(o.module<Layer>(layer), o.size("num_layers"), std::move(norm));
  };
}

nn::RecurrentOptions recurrent_options(const Options& o) {
  return {.num_layers = o.size("num_layers"),
          .bias = o.flag("bias"),
          .batch_first = o.flag("batch_first"),
          .dropout = o.number("dropout"),
          .bidirectional = o.flag("bidirectional")};
}
template <class M>
Make recurrent() {
  return [](const Options& o) { return M(o.size("input_size"), o.size("hidden_size"), recurrent_options(o)); };
}

AnyModule upsample(const Options& o) {
  enum class Mode : std::uint8_t { kNearest, kLinear, kBilinear, kBicubic };
  const Mode mode = o.choose<Mode>("mode", {"nearest", "linear", "bilinear", "bicubic"});
  InterpolateOptions options{.size = o.get<std::optional<std::vector<std::int64_t>>>("size"),
                             .mode = mode == Mode::kNearest   ? InterpolationMode::kNearest
                                     : mode == Mode::kBicubic ? InterpolationMode::kCubic
                                                              : InterpolationMode::kLinear,
                             .align_corners = o.has("align_corners") && o.flag("align_corners")};
  if (o.has("scale_factor")) options.scale = o.get<std::vector<double>>("scale_factor");
  return nn::Upsample(options);
}

const std::map<std::string, Make, std::less<>>& makers() {
  using namespace nn;
  static const auto& all = *new std::map<std::string, Make, std::less<>>{
      {"Identity", plain<Identity>()},
      {"ReLU", plain<ReLU>()},
      {"ReLU6", plain<ReLU6>()},
      {"SELU", plain<SELU>()},
      {"SiLU", plain<SiLU>()},
      {"Mish", plain<Mish>()},
      {"Tanh", plain<Tanh>()},
      {"Sigmoid", plain<Sigmoid>()},
      {"LogSigmoid", plain<LogSigmoid>()},
      {"Softplus", [](const Options& o) { return Softplus(o.number("beta")); }},
      {"Softsign", plain<Softsign>()},
      {"Tanhshrink", plain<Tanhshrink>()},
      {"Hardsigmoid", plain<Hardsigmoid>()},
      {"Hardswish", plain<Hardswish>()},
      {"ELU", with_number<ELU>("alpha")},
      {"CELU", with_number<CELU>("alpha")},
      {"LeakyReLU", with_number<LeakyReLU>("negative_slope")},
      {"Softshrink", with_number<Softshrink>("lambd")},
      {"Hardshrink", with_number<Hardshrink>("lambd")},
      {"Softmax", along<Softmax>()},
      {"LogSoftmax", along<LogSoftmax>()},
      {"Softmin", along<Softmin>()},
      {"GLU", along<GLU>()},
      {"GELU",
       [](const Options& o) {
         enum class Approximate : std::uint8_t { kNone, kTanh };
         return GELU(o.choose<Approximate>("approximate", {"none", "tanh"}) == Approximate::kTanh);
       }},
      {"Hardtanh", with_numbers<Hardtanh>("min_val", "max_val")},
      {"Threshold", with_numbers<Threshold>("threshold", "value")},
      {"RReLU", with_numbers<RReLU>("lower", "upper")},
      {"PReLU", [](const Options& o) { return PReLU(o.size("num_parameters"), o.number("init")); }},
      {"Linear",
       [](const Options& o) { return Linear(o.size("in_features"), o.size("out_features"), o.flag("bias")); }},
      {"Bilinear",
       [](const Options& o) {
         return Bilinear(o.size("in1_features"), o.size("in2_features"), o.size("out_features"), o.flag("bias"));
       }},
      {"Embedding",
       [](const Options& o) {
         return Embedding(o.size("num_embeddings"), o.size("embedding_dim"),
                          o.get<std::optional<std::int64_t>>("padding_idx"));
       }},
      {"Dropout", with_number<Dropout>("p")},
      {"Flatten", [](const Options& o) { return Flatten(o.get<int>("start_dim"), o.get<int>("end_dim")); }},
      {"Unflatten",
       [](const Options& o) {
         return Unflatten(o.get<int>("dim"), o.get<std::vector<std::int64_t>>("unflattened_size"));
       }},
      {"Conv1d", conv<Conv1d>()},
      {"Conv2d", conv<Conv2d>()},
      {"ConvTranspose1d", conv_transpose<ConvTranspose1d>()},
      {"ConvTranspose2d", conv_transpose<ConvTranspose2d>()},
      {"BatchNorm1d", batch_norm<BatchNorm1d>()},
      {"BatchNorm2d", batch_norm<BatchNorm2d>()},
      {"BatchNorm3d", batch_norm<BatchNorm3d>()},
      {"LayerNorm",
       [](const Options& o) {
         return LayerNorm(o.get<Shape>("normalized_shape"),
                          {.eps = o.number("eps"), .affine = o.flag("elementwise_affine"), .bias = o.flag("bias")});
       }},
      {"RMSNorm",
       [](const Options& o) {
         return RMSNorm(o.get<Shape>("normalized_shape"),
                        {.eps = o.get<std::optional<double>>("eps"), .affine = o.flag("elementwise_affine")});
       }},
      {"GroupNorm",
       [](const Options& o) {
         return GroupNorm(o.size("num_groups"), o.size("num_channels"), o.number("eps"), o.flag("affine"));
       }},
      {"InstanceNorm1d", instance_norm<InstanceNorm1d>()},
      {"InstanceNorm2d", instance_norm<InstanceNorm2d>()},
      {"MaxPool1d", pool<MaxPool1d>()},
      {"MaxPool2d", pool<MaxPool2d>()},
      {"AvgPool1d", pool<AvgPool1d>()},
      {"AvgPool2d", pool<AvgPool2d>()},
      {"AdaptiveAvgPool1d", adaptive_pool<AdaptiveAvgPool1d>()},
      {"AdaptiveAvgPool2d", adaptive_pool<AdaptiveAvgPool2d>()},
      {"AdaptiveMaxPool1d", adaptive_pool<AdaptiveMaxPool1d>()},
      {"AdaptiveMaxPool2d", adaptive_pool<AdaptiveMaxPool2d>()},
      {"Upsample", upsample},
      {"PixelShuffle", with_size<PixelShuffle>("upscale_factor")},
      {"PixelUnshuffle", with_size<PixelUnshuffle>("downscale_factor")},
      {"RoPE", [](const Options& o) { return RoPE(rope_options(o)); }},
      {"ALiBi", with_size<ALiBi>("num_heads")},
      {"MultiheadAttention", attention},
      {"TransformerEncoderLayer", transformer_layer<TransformerEncoderLayer>()},
      {"TransformerDecoderLayer", transformer_layer<TransformerDecoderLayer>()},
      {"TransformerEncoder", transformer<TransformerEncoder, TransformerEncoderLayer>("encoder_layer")},
      {"TransformerDecoder", transformer<TransformerDecoder, TransformerDecoderLayer>("decoder_layer")},
      {"RNN",
       [](const Options& o) {
         return RNN(o.size("input_size"), o.size("hidden_size"), recurrent_options(o),
                    o.choose<RnnNonlinearity>("nonlinearity", {"tanh", "relu"}));
       }},
      {"LSTM", recurrent<LSTM>()},
      {"GRU", recurrent<GRU>()},
  };
  return all;
}

AttentionOptions attention_options(nb::handle given, const char* kind) {
  AttentionOptions options;
  Call call(kind);
  for (const auto& [key, value] : nb::borrow<nb::dict>(given)) {
    const std::string name = nb::cast<std::string>(nb::str(key));
    if (value.is_none()) continue;
    if (name == "mask") options.mask = call.get<Tensor>(value, "mask");
    if (name == "is_causal") options.causal = call.get<bool>(value, "is_causal");
    if (name == "window") options.window = call.get<std::int64_t>(value, "window");
    if (name == "lengths") options.lengths = call.get<Tensor>(value, "lengths");
  }
  return options;
}

/// Calls a module with the arguments that its class has.
Tensors call(nn::Module& m, const Tensors& x, const std::vector<AttentionOptions>& attention) {
  if (auto* recurrent = dynamic_cast<nn::Recurrent*>(&m)) {
    nn::RecurrentResult result = recurrent->run(x.at(0), {x.begin() + 1, x.end()});
    result.state.insert(result.state.begin(), std::move(result.output));
    return std::move(result.state);
  }
  if (auto* found = dynamic_cast<nn::MultiheadAttention*>(&m)) {
    return {(*found)(x.at(0), x.at(1), x.at(2), attention.at(0))};
  }
  if (auto* found = dynamic_cast<nn::TransformerEncoderLayer*>(&m)) return {(*found)(x.at(0), attention.at(0))};
  if (auto* found = dynamic_cast<nn::TransformerEncoder*>(&m)) return {(*found)(x.at(0), attention.at(0))};
  if (auto* found = dynamic_cast<nn::TransformerDecoderLayer*>(&m)) {
    return {(*found)(x.at(0), x.at(1), attention.at(0), attention.at(1))};
  }
  if (auto* found = dynamic_cast<nn::TransformerDecoder*>(&m)) {
    return {(*found)(x.at(0), x.at(1), attention.at(0), attention.at(1))};
  }
  if (auto* found = dynamic_cast<nn::Bilinear*>(&m)) return {(*found)(x.at(0), x.at(1))};
  if (auto* found = dynamic_cast<nn::RoPE*>(&m); found != nullptr && x.size() > 1) return {(*found)(x[0], x[1])};
  return {m(x.at(0))};
}

/// A module and a cache: what decode() writes.
struct Decoding : nn::Stateful {
  nn::Module& module;
  nn::KvCache& cache;
  Decoding(nn::Module& m, nn::KvCache& c) : module(m), cache(c) {}
  void fields(nn::Fields& f) override {
    f("module", module);
    f("cache", cache);
  }
};

/// Puts tensors of Python into the members of a module, in order.
void fill(nn::Module& module, nb::handle tensors) {
  std::vector<Tensor*> slots;
  nn::visit(module, [&](const nn::Field& f) { slots.push_back(&f.tensor); });
  std::size_t i = 0;
  for (nb::handle h : tensors) *slots.at(i++) = is_tensor(h) ? tensor_ref(h) : Tensor();
}

/// A copy of a module with the tensors of a call, and its inputs.
struct NativeCall {
  AnyModule module;
  Tensors inputs;
  std::vector<AttentionOptions> options;

  NativeCall(const Native& native, nb::handle tensors, bool training, nb::handle given, nb::handle attention)
      : module(native.prototype) {
    const std::string kind = module->kind();
    if (!training) module->eval();
    fill(*module, tensors);
    Call reader(kind.c_str());
    for (nb::handle h : given) inputs.push_back(reader.get<Tensor>(h, "input"));
    for (nb::handle h : attention) options.push_back(attention_options(h, kind.c_str()));
  }
};

/// The module, its tensors (name, tensor, is buffer), and the names and classes of its parts.
nb::tuple taken_apart(Native made) {
  nb::list tensors;
  nb::list parts;
  const Tensor empty = zeros({}, f32);  // in place of the tensors, which Python holds
  nn::visit(
      *made.prototype,
      [&](const nn::Field& f) {
        tensors.append(nb::make_tuple(f.name, give(f.tensor), f.kind == nn::FieldKind::kBuffer));
        f.tensor = empty;
      },
      [&](const std::string& name, nn::Stateful& part) {
        auto* module = dynamic_cast<nn::Module*>(&part);
        if (module != nullptr && !name.empty()) parts.append(nb::make_tuple(name, module->kind()));
      });
  return nb::make_tuple(std::move(made), tensors, parts);
}

nn::init::KaimingOptions kaiming(const Options& o) {
  return {.a = o.number("a"),
          .mode = o.choose<nn::init::Fan>("mode", {"fan_in", "fan_out"}),
          .nonlinearity = o.choose<nn::init::Nonlinearity>(
              "nonlinearity", {"linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu"})};
}

using Init = std::function<Tensor(const Shape&, const Options&, DType, const Device&)>;

const std::map<std::string, Init, std::less<>>& inits() {
  using O = const Options&;
  using S = const Shape&;
  using D = const Device&;
  namespace of = nn::init;
  static const auto& all = *new std::map<std::string, Init, std::less<>>{
      {"uniform", [](S s, O o, DType t, D d) { return of::uniform(s, o.number("low"), o.number("high"), t, d); }},
      {"normal", [](S s, O o, DType t, D d) { return of::normal(s, o.number("mean"), o.number("std"), t, d); }},
      {"trunc_normal",
       [](S s, O o, DType t, D d) {
         return of::trunc_normal(s, o.number("mean"), o.number("std"), o.number("low"), o.number("high"), t, d);
       }},
      {"constant", [](S s, O o, DType t, D d) { return of::constant(s, o.number("value"), t, d); }},
      {"xavier_uniform", [](S s, O o, DType t, D d) { return of::xavier_uniform(s, o.number("gain"), t, d); }},
      {"xavier_normal", [](S s, O o, DType t, D d) { return of::xavier_normal(s, o.number("gain"), t, d); }},
      {"kaiming_uniform", [](S s, O o, DType t, D d) { return of::kaiming_uniform(s, kaiming(o), t, d); }},
      {"kaiming_normal", [](S s, O o, DType t, D d) { return of::kaiming_normal(s, kaiming(o), t, d); }},
      {"orthogonal", [](S s, O o, DType t, D d) { return of::orthogonal(s, o.number("gain"), t, d); }},
      {"eye", [](S s, O, DType t, D d) { return of::eye(s, t, d); }},
      {"dirac", [](S s, O o, DType t, D d) { return of::dirac(s, o.size("groups"), t, d); }},
  };
  return all;
}

}  // namespace

nb::tuple native_module(nn::AnyModule module, const std::string& kind) {
  return taken_apart({std::move(module), kind, nb::none()});
}

nn::AnyModule native_copy(nb::handle native, nb::handle tensors) {
  AnyModule copy = nb::inst_ptr<Native>(native)->prototype;
  fill(*copy, tensors);
  return copy;
}

void bind_modules(nb::module_& m) {
  nb::class_<Native>(m, "_NativeModule")
      .def("__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); })
      .def_ro("kind", &Native::kind)
      .def_ro("options", &Native::options)
      // The module's tensors in order, the inputs, and options of attention. Gives the results, and the buffers that
      // were written: (position, tensor).
      .def("call",
           [](const Native& n, nb::handle tensors, bool training, nb::handle inputs, nb::handle attention) {
             NativeCall made(n, tensors, training, inputs, attention);
             std::vector<Tensor*> slots;
             Tensors before;
             nn::visit(*made.module, [&](const nn::Field& f) {
               slots.push_back(&f.tensor);
               before.push_back(f.tensor);
             });
             Tensors results;
             {
               const Waiting waiting;
               const nn::detail::WriteScope scope(*made.module);
               results = call(*made.module, made.inputs, made.options);
             }
             nb::list out;
             nb::list written;
             for (Tensor& t : results) out.append(give(std::move(t)));
             for (std::size_t i = 0; i < slots.size(); ++i) {
               if (slots[i]->node() != before[i].node()) written.append(nb::make_tuple(i, give(*slots[i])));
             }
             return nb::make_tuple(out, written);
           })
      // The operations of such a call, parts included.
      .def("flops",
           [](const Native& n, nb::handle tensors, bool training, nb::handle inputs, nb::handle attention) {
             NativeCall made(n, tensors, training, inputs, attention);
             const Waiting waiting;
             return nn::summary(*made.module, [&] { call(*made.module, made.inputs, made.options); }).flops;
           })
      // Attention with a cache [k, v, position]: the result, and the cache behind it.
      .def("decode", [](const Native& n, nb::handle tensors, bool training, nb::handle x, nb::handle cache) {
        AnyModule copy = n.prototype;
        if (!training) copy->eval();
        fill(*copy, tensors);
        const Tensor input = Call("decode").get<Tensor>(x, "x");
        nn::KvCache own(1, 1, 1, 1);
        own.k = tensor_ref(cache[0]);
        own.v = tensor_ref(cache[1]);
        own.position = tensor_ref(cache[2]);
        Tensor result;
        {
          const Waiting waiting;
          Decoding both(*copy, own);
          const nn::detail::WriteScope scope(both);
          result = copy.as<nn::MultiheadAttention>().decode(input, own);
        }
        return nb::make_tuple(give(result), give(own.k), give(own.v), give(own.position));
      });
  m.def(
      "_nn_make",
      [](const std::string& kind, nb::handle options, nb::handle dtype, nb::handle device) {
        const auto found = makers().find(kind);
        if (found == makers().end()) raise(PyExc_ValueError, "There is no module '" + kind + "'.");
        const Device on = device_from(device, kind);
        {
          const Waiting waiting;
          static_cast<void>(Device::current());
        }
        Native made{found->second(Options(kind.c_str(), options)), kind, nb::borrow(options)};
        if (!dtype.is_none()) made.prototype->to(dtype_from(dtype, kind + ": the argument 'dtype'"));
        if (on.impl() != nullptr) {
          const Waiting waiting;
          made.prototype->to(on);
        }
        return taken_apart(std::move(made));
      },
      nb::arg("kind"), nb::arg("options"), nb::arg("dtype").none(), nb::arg("device").none());
  m.def(
      "_nn_init",
      [](const std::string& name, nb::handle shape, nb::handle options, nb::handle dtype, nb::handle device) {
        const Shape sizes = Call(name.c_str()).get<Shape>(shape, "shape");
        const DType type = dtype.is_none() ? f32 : dtype_from(dtype, name + ": the argument 'dtype'");
        Device on = device_from(device, name);
        if (on.impl() == nullptr) {
          const Waiting waiting;
          on = Device::current();
        }
        return give(inits().at(name)(sizes, Options(name.c_str(), options), type, on));
      },
      nb::arg("name"), nb::arg("shape"), nb::arg("options"), nb::arg("dtype").none(), nb::arg("device").none());
  m.def("_nn_kinds", [] {
    nb::list out;
    for (const auto& [kind, make] : makers()) out.append(kind);
    return out;
  });
}

}  // namespace tessera::python
