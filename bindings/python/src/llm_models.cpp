// The parts of tessera.llm: configs, models as modules of Python, caches and samplers.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "files.h"
#include "llm.h"
#include "state.h"

namespace tessera::python {

namespace {

using llm::Config;

template <class E>
std::string word(E value, std::initializer_list<const char*> words) {
  return *(words.begin() + static_cast<std::size_t>(value));
}

void bind_config(nb::module_& m) {
  nb::class_<llm::Rope>(m, "Rope",
                        "Rotary position embedding: the angle of pair i at position p is p * frequencies[i].")
      .def_ro("frequencies", &llm::Rope::frequencies)
      .def_ro("long_frequencies", &llm::Rope::long_frequencies)
      .def_ro("original_context", &llm::Rope::original_context)
      .def_ro("magnitude", &llm::Rope::magnitude)
      .def_ro("interleaved", &llm::Rope::interleaved);
  nb::class_<llm::LayerConfig>(m, "LayerConfig", "What differs from layer to layer.")
      .def_ro("window", &llm::LayerConfig::window)
      .def_ro("rope", &llm::LayerConfig::rope)
      .def_ro("experts", &llm::LayerConfig::experts);
  nb::class_<llm::ExpertsConfig>(m, "ExpertsConfig", "A mixture of experts.")
      .def_ro("count", &llm::ExpertsConfig::count)
      .def_ro("per_token", &llm::ExpertsConfig::per_token)
      .def_ro("intermediate", &llm::ExpertsConfig::intermediate)
      .def_ro("softmax_first", &llm::ExpertsConfig::softmax_first)
      .def_ro("normalize", &llm::ExpertsConfig::normalize)
      .def_ro("router_bias", &llm::ExpertsConfig::router_bias)
      .def_ro("bias", &llm::ExpertsConfig::bias)
      .def_ro("swiglu_limit", &llm::ExpertsConfig::swiglu_limit);
  nb::class_<Config>(m, "Config", "The blocks of a model: sizes and choices, read from a config.json or a GGUF file.")
      .def_static("_parse",
                  [](nb::handle json, const std::string& name) {
                    return Config::parse(utf8_from(json, "Config.parse", "the text"), name);
                  })
      .def_static("_load", [](const nb::bytes& path) { return Config::load(path_from(path)); })
      .def("__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); })
      .def("__eq__",
           [](const Config& a, nb::handle b) { return nb::isinstance<Config>(b) && a == *nb::inst_ptr<Config>(b); })
      .def("__repr__",
           [](const Config& c) {
             return "Config(model_type='" + c.model_type + "', layers=" + std::to_string(c.layers.size()) +
                    ", width=" + std::to_string(c.width) + ", heads=" + std::to_string(c.heads) +
                    ", vocabulary=" + std::to_string(c.vocabulary) + ", context=" + std::to_string(c.context) + ")";
           })
      .def_ro("model_type", &Config::model_type)
      .def_ro("vocabulary", &Config::vocabulary)
      .def_ro("width", &Config::width)
      .def_ro("heads", &Config::heads)
      .def_ro("kv_heads", &Config::kv_heads)
      .def_ro("head_size", &Config::head_size)
      .def_ro("intermediate", &Config::intermediate)
      .def_ro("context", &Config::context)
      .def_ro("layers", &Config::layers)
      .def_prop_ro("norm", [](const Config& c) { return word(c.norm, {"rms", "rms_one_plus", "layer"}); })
      .def_prop_ro("placement",
                   [](const Config& c) { return word(c.placement, {"pre", "post", "pre_and_post", "after_add"}); })
      .def_ro("eps", &Config::eps)
      .def_prop_ro("activation",
                   [](const Config& c) { return word(c.activation, {"silu", "gelu", "gelu_tanh", "relu"}); })
      .def_ro("gated", &Config::gated)
      .def_ro("qkv_bias", &Config::qkv_bias)
      .def_ro("out_bias", &Config::out_bias)
      .def_ro("mlp_bias", &Config::mlp_bias)
      .def_prop_ro("qk_norm", [](const Config& c) { return word(c.qk_norm, {"none", "head", "full"}); })
      .def_ro("sinks", &Config::sinks)
      .def_ro("attention_scale", &Config::attention_scale)
      .def_ro("attention_softcap", &Config::attention_softcap)
      .def_ro("final_softcap", &Config::final_softcap)
      .def_ro("ropes", &Config::ropes)
      .def_ro("embedding_scale", &Config::embedding_scale)
      .def_ro("learned_positions", &Config::learned_positions)
      .def_ro("token_types", &Config::token_types)
      .def_ro("tied", &Config::tied)
      .def_ro("experts", &Config::experts)
      .def_ro("encoder", &Config::encoder)
      .def_ro("pooler", &Config::pooler)
      .def_prop_ro("pooling", [](const Config& c) { return word(c.pooling, {"mean", "cls", "last", "max", "pooler"}); })
      .def_ro("normalize", &Config::normalize);
  m.def("_llm_architectures", &llm::architectures);
}

/// A tensor, or data that goes to the device; None is an empty Tensor.
Tensor input(nb::handle h, const Device& device, const char* what, const char* name) {
  if (h.is_none()) return {};
  return is_tensor(h) ? tensor_ref(h) : tensor_from(h, device, what, name);
}

// ---- Caches: Python holds the tensors, in the order of the fields, and a prototype without them ----

/// A copy of a prototype with the tensors of a call.
llm::Cache cache_from(const llm::Cache& prototype, nb::handle tensors) {
  llm::Cache out = prototype;
  Tensors all;
  for (nb::handle h : tensors) all.push_back(tensor_ref(h));
  std::size_t i = 0;
  nn::visit(out, [&](const nn::Field& f) { f.tensor = all.at(i++); });
  return out;
}

nb::list give(llm::Cache& cache) {
  nb::list out;
  nn::visit(cache, [&](const nn::Field& f) { out.append(python::give(f.tensor)); });
  return out;
}

// ---- Models: modules of Python ----

nb::tuple load_model(const nb::bytes& path, nb::handle device, nb::handle dtype, nb::handle progress) {
  const std::filesystem::path file = path_from(path);
  llm::LoadOptions options{.device = device_from(device, "Model.load"), .progress = progress_from(progress)};
  if (!dtype.is_none()) options.dtype = dtype_from(dtype, "Model.load: the argument 'dtype'");
  std::optional<llm::Model> model;
  {
    const Waiting waiting;
    model = llm::Model::load(file, options);
  }
  const Config config = model->config();
  return nb::make_tuple(native_module(*std::move(model), "Model"), config);
}

/// forward, hidden or embed: the result, and the tensors of the cache behind it.
nb::tuple call_model(nb::handle native, nb::handle tensors, const std::string& function, nb::handle ids,
                     nb::handle cache, nb::handle held, nb::handle lengths, bool last, nb::handle types) {
  const nn::AnyModule copy = native_copy(native, tensors);
  auto& model = copy.as<llm::Model>();
  const Device device = model.embedding.weight.device();
  const char* what = function.c_str();
  const Tensor tokens = input(ids, device, what, "ids");
  const llm::ForwardOptions options{
      .lengths = input(lengths, device, what, "lengths"), .last = last, .types = input(types, device, what, "types")};
  llm::Cache own;
  if (!cache.is_none()) own = cache_from(*nb::inst_ptr<llm::Cache>(cache), held);
  Tensor result;
  {
    const Waiting waiting;
    if (function == "hidden") {
      result = model.hidden(tokens, options);
    } else if (function == "embed") {
      result = model.embed(tokens, options);
    } else if (own.k.empty()) {
      result = model.forward(tokens, options);
    } else {
      const nn::detail::WriteScope scope(own);
      result = model.forward(tokens, own, options);
    }
  }
  return nb::make_tuple(python::give(result), cache.is_none() ? nb::list() : give(own));
}

void bind_models(nb::module_& m) {
  m.def("_llm_load_model", &load_model, nb::arg("path"), nb::arg("device").none(), nb::arg("dtype").none(),
        nb::arg("progress").none());
  m.def("_llm_call", &call_model, nb::arg("native"), nb::arg("tensors"), nb::arg("function"), nb::arg("ids"),
        nb::arg("cache").none(), nb::arg("held").none(), nb::arg("lengths").none(), nb::arg("last"),
        nb::arg("types").none());
  nb::class_<llm::Cache>(m, "_Cache")
      .def("__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); })
      .def_prop_ro("context", &llm::Cache::context);
  m.def(
      "_llm_cache",
      [](nb::handle native, nb::handle tensors, std::int64_t batch, std::int64_t context, nb::handle dtype) {
        const nn::AnyModule copy = native_copy(native, tensors);
        std::optional<DType> type;
        if (!dtype.is_none()) type = dtype_from(dtype, "cache: the argument 'dtype'");
        llm::Cache made;
        {
          const Waiting waiting;
          made = copy.as<llm::Model>().cache(batch, context, type);
        }
        nb::list named;
        const Tensor empty = zeros({}, f32);
        nn::visit(made, [&](const nn::Field& f) {
          named.append(nb::make_tuple(f.name, python::give(f.tensor)));
          f.tensor = empty;
        });
        return nb::make_tuple(std::move(made), named);
      },
      nb::arg("native"), nb::arg("tensors"), nb::arg("batch"), nb::arg("context"), nb::arg("dtype").none());
}

// ---- Files ----

nb::tuple give(const llm::ConvertedTensor& t) {
  nb::list shape;
  for (const std::int64_t size : t.shape) shape.append(size);
  return nb::make_tuple(t.name, nb::tuple(shape), std::string(io::name(t.from)), std::string(io::name(t.to)),
                        t.bytes_before, t.bytes_after, t.error, t.other);
}

nb::list convert(const nb::bytes& in, const nb::bytes& out, const std::string& type, bool pure, nb::handle progress) {
  const std::filesystem::path from = path_from(in);
  const std::filesystem::path to = path_from(out);
  llm::ConvertOptions options{.type = type, .pure = pure};
  if (!progress.is_none()) {
    options.progress = [progress](const llm::ConvertProgress& p) {
      const nb::gil_scoped_acquire held;
      progress(p.done, p.total, p.tensor != nullptr ? nb::object(give(*p.tensor)) : nb::none());
    };
  }
  std::vector<llm::ConvertedTensor> made;
  {
    const Waiting waiting;
    made = llm::convert(from, to, options);
  }
  nb::list result;
  for (const llm::ConvertedTensor& t : made) result.append(give(t));
  return result;
}

void bind_files(nb::module_& m) {
  m.def("_llm_convert", &convert, nb::arg("in"), nb::arg("out"), nb::arg("type"), nb::arg("pure"),
        nb::arg("progress").none());
  m.def("_llm_convert_types", &llm::convert_types);
}

// ---- Samplers: Python holds [seeds, steps, counts, seen] ----

nb::list state_of(const llm::Sampler& s) {
  nb::list out;
  for (const Tensor* t : {&s.seeds, &s.steps, &s.counts, &s.seen}) {
    out.append(t->defined() ? python::give(*t) : nb::none());
  }
  return out;
}

/// f(a copy with these tensors), and the tensors behind it.
template <class F>
nb::list with_state(const llm::Sampler& prototype, nb::handle tensors, const F& f) {
  llm::Sampler own = prototype;
  std::size_t i = 0;
  for (nb::handle h : tensors) {
    Tensor* slots[] = {&own.seeds, &own.steps, &own.counts, &own.seen};
    *slots[i++] = h.is_none() ? Tensor() : tensor_ref(h);
  }
  {
    const Waiting waiting;
    const nn::detail::WriteScope scope(own);
    f(own);
  }
  return state_of(own);
}

void bind_samplers(nb::module_& m) {
  using llm::Sampler;
  nb::class_<Sampler>(m, "_Sampler")
      .def("__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); })
      .def("state", [](const Sampler& s) { return state_of(s); })
      .def(
          "call",
          [](const Sampler& s, nb::handle tensors, nb::handle logits, nb::handle mask) {
            const Device device = s.seeds.device();
            const Tensor x = input(logits, device, "Sampler", "logits");
            const Tensor allowed = input(mask, device, "Sampler", "mask");
            Tensor tokens;
            nb::list state = with_state(s, tensors, [&](Sampler& own) { tokens = own(x, allowed); });
            return nb::make_tuple(python::give(tokens), state);
          },
          nb::arg("tensors"), nb::arg("logits"), nb::arg("mask").none())
      .def(
          "prompt",
          [](const Sampler& s, nb::handle tensors, nb::handle ids, nb::handle lengths) {
            const Device device = s.seeds.device();
            const Tensor x = input(ids, device, "Sampler", "ids");
            const Tensor valid = input(lengths, device, "Sampler", "lengths");
            return with_state(s, tensors, [&](Sampler& own) { own.prompt(x, valid); });
          },
          nb::arg("tensors"), nb::arg("ids"), nb::arg("lengths").none());
  m.def(
      "_llm_sampler",
      [](const nb::dict& options, std::int64_t batch, std::int64_t vocabulary, nb::handle seed, nb::handle device) {
        const llm::SamplingOptions sampling = sampling_from(options, {}, "Sampler");
        const std::uint32_t number = seed_from(seed, "Sampler");
        const Device on = device_from(device, "Sampler");
        const Waiting waiting;
        return Sampler(sampling, batch, vocabulary, number, on);
      },
      nb::arg("options"), nb::arg("batch"), nb::arg("vocabulary"), nb::arg("seed"), nb::arg("device").none());
  m.def("_llm_sample", [](nb::handle logits, nb::handle uniform, const nb::dict& options) {
    Call call("sample");
    const Tensor x = call.get<Tensor>(logits, "logits");
    return python::give(llm::sample(x, sampling_from(options, {}, "sample"), call.get<Tensor>(uniform, "uniform")));
  });
  m.def("_llm_uniform_of", [](nb::handle seeds, nb::handle steps) {
    Call call("uniform_of");
    const Tensor x = call.get<Tensor>(seeds, "seeds");
    return python::give(llm::uniform_of(x, call.get<Tensor>(steps, "steps")));
  });
}

}  // namespace

void bind_llm_models(nb::module_& m) {
  bind_config(m);
  bind_models(m);
  bind_samplers(m);
  bind_files(m);
}

}  // namespace tessera::python
