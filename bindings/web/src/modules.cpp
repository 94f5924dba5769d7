// What the package's JavaScript calls for modules: made by name and options, called and changed by number.
#include <functional>
#include <map>
#include <string>

#include <emscripten/emscripten.h>
#include <nlohmann/json.hpp>
#include <tessera/nn.h>

#include "guarded.h"
#include "handles.h"
#include "module.h"
#include "objects.h"
#include "options.h"

using Json = nlohmann::json;

namespace tessera::web {

namespace {

using Made = std::shared_ptr<nn::Stateful>;

template <class M, class... Args>
Made made(Options& o, Args&&... args) {
  o.finish();
  return std::make_shared<M>(std::forward<Args>(args)...);
}

template <class M>
Made conv(Options& o) {
  const auto in = o.get<std::int64_t>("inChannels");
  const auto out = o.get<std::int64_t>("outChannels");
  const auto kernel = o.get<PerAxis>("kernelSize");
  nn::ConvOptions options;
  o("stride", options.stride);
  o("padding", options.padding);
  o("dilation", options.dilation);
  o("groups", options.groups);
  o("bias", options.bias);
  return made<M>(o, in, out, kernel, options);
}

template <class M>
Made batch_norm(Options& o) {
  const auto channels = o.get<std::int64_t>("numFeatures");
  nn::BatchNormOptions options;
  o("eps", options.eps);
  o("momentum", options.momentum);
  o("affine", options.affine);
  o("trackRunningStats", options.track_running_stats);
  return made<M>(o, channels, options);
}

Made linear(Options& o) {
  const auto in = o.get<std::int64_t>("inFeatures");
  const auto out = o.get<std::int64_t>("outFeatures");
  bool bias = true;
  o("bias", bias);
  return made<nn::Linear>(o, in, out, bias);
}

Made embedding(Options& o) {
  const auto count = o.get<std::int64_t>("numEmbeddings");
  const auto size = o.get<std::int64_t>("embeddingDim");
  std::optional<std::int64_t> padding;
  o("paddingIdx", padding);
  return made<nn::Embedding>(o, count, size, padding);
}

Made layer_norm(Options& o) {
  const Shape shape(o.get<std::vector<std::int64_t>>("normalizedShape"));
  nn::LayerNormOptions options;
  o("eps", options.eps);
  o("elementwiseAffine", options.affine);
  o("bias", options.bias);
  return made<nn::LayerNorm>(o, shape, options);
}

Made rms_norm(Options& o) {
  const Shape shape(o.get<std::vector<std::int64_t>>("normalizedShape"));
  nn::RMSNormOptions options;
  o("eps", options.eps);
  o("elementwiseAffine", options.affine);
  return made<nn::RMSNorm>(o, shape, options);
}

Made group_norm(Options& o) {
  const auto groups = o.get<std::int64_t>("numGroups");
  const auto channels = o.get<std::int64_t>("numChannels");
  double eps = 1e-5;
  bool affine = true;
  o("eps", eps);
  o("affine", affine);
  return made<nn::GroupNorm>(o, groups, channels, eps, affine);
}

Made dropout(Options& o) {
  double p = 0.5;
  o("p", p);
  return made<nn::Dropout>(o, p);
}

const std::map<std::string, Made (*)(Options&), std::less<>>& makers() {
  static const auto& all = *new std::map<std::string, Made (*)(Options&), std::less<>>{
      {"Linear", linear},
      {"Embedding", embedding},
      {"Dropout", dropout},
      {"Conv1d", conv<nn::Conv1d>},
      {"Conv2d", conv<nn::Conv2d>},
      {"BatchNorm1d", batch_norm<nn::BatchNorm1d>},
      {"BatchNorm2d", batch_norm<nn::BatchNorm2d>},
      {"LayerNorm", layer_norm},
      {"RMSNorm", rms_norm},
      {"GroupNorm", group_norm},
  };
  return all;
}

/// The tensors that JavaScript asks for.
enum class Which : std::int32_t { kState, kParameters, kTrainable, kBuffers };

std::vector<Tree::Named> tensors_of(const nn::Stateful& object, Which which) {
  std::vector<Tree::Named> all;
  nn::visit(const_cast<nn::Stateful&>(object), [&](const nn::Field& f) {
    const bool parameter = f.kind == nn::FieldKind::kParameter;
    const bool wanted = which == Which::kState || (which == Which::kParameters && parameter) ||
                        (which == Which::kTrainable && f.trainable) || (which == Which::kBuffers && !parameter);
    if (wanted) all.emplace_back(f.name, f.tensor);
  });
  return all;
}

Json names_of(const std::vector<Tree::Named>& named) {
  Json names = Json::array();
  for (const auto& [name, tensor] : named) names.push_back(name);
  return names;
}

}  // namespace

extern "C" {

/// A module of the engine; the options are JSON.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_nn_make(const char* kind, const char* options) {
  return guarded([&] {
    Options o(kind, Json::parse(options));
    return keep(makers().at(kind)(o));
  });
}
/// A module of JavaScript, of the class of that name.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_nn_group(const char* kind) {
  return guarded([&] { return keep(std::make_shared<Group>(kind)); });
}
/// Replaces its parts: a list of [name, number] as JSON.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_nn_set_parts(std::int32_t group, const char* parts) {
  return guarded([&] {
    Group::Parts all;
    for (const Json& part : Json::parse(parts)) {
      all.emplace_back(part[0].get<std::string>(), object_of(part[1].get<std::int32_t>()));
    }
    object_as<Group>(group, "a module of JavaScript")->set_parts(std::move(all));
    return 0;
  });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_nn_parameter(std::int32_t tensor, std::int32_t buffer) {
  return guarded([&] { return keep(std::make_shared<Parameter>(tensor_of(tensor), buffer != 0)); });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_nn_forward(std::int32_t module, std::int32_t x) {
  return guarded([&] { return keep((*module_of(module))(tensor_of(x))); });
}

/// The names of an object's tensors as a JSON list; null: tessera_error(). To be freed.
EMSCRIPTEN_KEEPALIVE char* tessera_nn_names(std::int32_t object, std::int32_t which) {
  return guarded_text([&] { return names_of(tensors_of(*object_of(object), static_cast<Which>(which))).dump(); });
}
/// The tensors, in the same order.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_nn_tensors(std::int32_t object, std::int32_t which, std::int32_t* out) {
  return guarded([&] {
    std::vector<Tensor> all;
    for (auto& [name, tensor] : tensors_of(*object_of(object), static_cast<Which>(which))) all.push_back(tensor);
    return give(std::move(all), out);
  });
}
/// Loads tensors by name. {missing, unexpected, mismatched} as JSON; null: tessera_error(). To be freed.
EMSCRIPTEN_KEEPALIVE char* tessera_nn_load(std::int32_t module, const char* names, const std::int32_t* tensors,
                                           std::int32_t strict) {
  return guarded_text([&] {
    const nn::LoadReport report = module_of(module)->load(tree_from(names, tensors), strict != 0);
    return Json{{"missing", report.missing}, {"unexpected", report.unexpected}, {"mismatched", report.mismatched}}
        .dump();
  });
}
/// Replaces the tensors of these names; the others stay.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_nn_update(std::int32_t module, const char* names,
                                                    const std::int32_t* tensors) {
  return guarded([&] {
    module_of(module)->update(tree_from(names, tensors));
    return 0;
  });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_nn_train(std::int32_t module, std::int32_t on) {
  return guarded([&] {
    module_of(module)->train(on != 0);
    return 0;
  });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_nn_training(std::int32_t module) {
  return guarded([&] { return module_of(module)->training() ? 1 : 0; });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_nn_freeze(std::int32_t module, const char* pattern, std::int32_t on) {
  return guarded([&] {
    if (on != 0) {
      module_of(module)->freeze(pattern);
    } else {
      module_of(module)->unfreeze(pattern);
    }
    return 0;
  });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_nn_cast(std::int32_t module, std::int32_t dtype) {
  return guarded([&] {
    module_of(module)->to(static_cast<DType>(dtype));
    return 0;
  });
}

/// The value of the function, a gradient for each trainable parameter, and what else the function gave. {names, count}
/// as JSON: the parameters, and how many tensors there are; null: tessera_error(). To be freed. `start`: begins to
/// compute them.
EMSCRIPTEN_KEEPALIVE char* tessera_nn_value_and_grad(std::int32_t module, std::int32_t function, std::int32_t start,
                                                     std::int32_t* out) {
  return guarded_text([&] {
    const std::shared_ptr<nn::Module> model = module_of(module);
    Tensors others;
    const auto [value, gradients] = nn::detail::value_and_grad_of(*model, [&] {
      Tensors results = call_function(function, {});
      if (results.empty()) {
        throw Error(ErrorKind::kValue, "valueAndGrad: the function gave no tensor; expected one, a single number.");
      }
      others.assign(results.begin() + 1, results.end());
      return results[0];
    });
    for (Tensor& other : others) nn::detail::detach(other);
    const std::vector<Tree::Named> named = gradients.flatten();
    Tensors all{value};
    for (const auto& [name, gradient] : named) all.push_back(gradient);
    all.insert(all.end(), others.begin(), others.end());
    if (start != 0) nn::detail::start(*model, all);
    return Json{{"names", names_of(named)}, {"count", give(std::move(all), out)}}.dump();
  });
}
}

}  // namespace tessera::web
