// What the package's JavaScript calls for optimizers: made by name and options for a module, used by number.
#include <tuple>

#include <emscripten/emscripten.h>
#include <nlohmann/json.hpp>
#include <tessera/optim.h>

#include "guarded.h"
#include "handles.h"
#include "module.h"
#include "objects.h"
#include "options.h"

using Json = nlohmann::json;

namespace tessera::web {

namespace {

using optim::Optimizer;
using Made = std::shared_ptr<nn::Stateful>;

template <class O>
void read(Options& in, O& o) {
  in("lr", o.lr);
  in("weightDecay", o.weight_decay);
  in("noDecay", o.no_decay);
  if constexpr (requires { o.momentum; }) {
    in("momentum", o.momentum);
    in("dampening", o.dampening);
    in("nesterov", o.nesterov);
  } else {
    std::pair betas(o.beta1, o.beta2);
    in("betas", betas);
    std::tie(o.beta1, o.beta2) = betas;
    in("eps", o.eps);
    in("amsgrad", o.amsgrad);
  }
}

/// Options of a group are those of the optimizer except for what the group has itself.
template <class O, class OptionsOf>
Made make(const std::string& kind, const nn::Module& model, Json given) {
  const Json groups = given.value("groups", Json::object());
  given.erase("groups");
  Options in(kind, std::move(given));
  OptionsOf options;
  read(in, options);
  in.finish();
  std::vector<optim::Group<OptionsOf>> others;
  for (const auto& [pattern, own] : groups.items()) {
    Options inner(kind + ", group '" + pattern + "'", own);
    OptionsOf other = options;
    read(inner, other);
    inner.finish();
    others.push_back({pattern, std::move(other)});
  }
  return std::make_shared<O>(model, std::move(options), std::move(others));
}

Made make_kind(const std::string& kind, const nn::Module& model, Json given) {
  if (kind == "SGD") return make<optim::SGD, optim::SgdOptions>(kind, model, std::move(given));
  if (kind == "Adam") return make<optim::Adam, optim::AdamOptions>(kind, model, std::move(given));
  return make<optim::AdamW, optim::AdamWOptions>(kind, model, std::move(given));
}

std::shared_ptr<Optimizer> optimizer_of(std::int32_t number) { return object_as<Optimizer>(number, "an optimizer"); }

}  // namespace

extern "C" {

/// SGD, Adam or AdamW for the trainable parameters of a module; the options are JSON.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_optim_make(const char* kind, std::int32_t module, const char* options) {
  return guarded([&] { return keep(make_kind(kind, *module_of(module), Json::parse(options))); });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_optim_update(std::int32_t optimizer, std::int32_t module, const char* names,
                                                       const std::int32_t* gradients) {
  return guarded([&] {
    optimizer_of(optimizer)->update(*module_of(module), tree_from(names, gradients));
    return 0;
  });
}
/// Makes state for parameters that were frozen.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_optim_add(std::int32_t optimizer, std::int32_t module) {
  return guarded([&] {
    optimizer_of(optimizer)->add(*module_of(module));
    return 0;
  });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_optim_steps(std::int32_t optimizer) {
  return guarded([&] { return keep(optimizer_of(optimizer)->steps()); });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_optim_rate(std::int32_t optimizer, std::int32_t group) {
  return guarded([&] { return keep(optimizer_of(optimizer)->rate(static_cast<std::size_t>(group))); });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_optim_set_rate(std::int32_t optimizer, double rate, std::int32_t group) {
  return guarded([&] {
    optimizer_of(optimizer)->set_rate(rate, static_cast<std::size_t>(group));
    return 0;
  });
}
/// The clipped gradients in the order of their names, then their norm before.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_optim_clip_grad_norm(const char* names, const std::int32_t* gradients,
                                                               double max_norm, std::int32_t* out) {
  return guarded([&] {
    optim::ClippedGradients clipped = optim::clip_grad_norm(tree_from(names, gradients), max_norm);
    Tensors all;
    for (const Json& name : Json::parse(names)) all.push_back(clipped.gradients.tensor(name.get<std::string>()));
    all.push_back(std::move(clipped.norm));
    return give(std::move(all), out);
  });
}
}

}  // namespace tessera::web
