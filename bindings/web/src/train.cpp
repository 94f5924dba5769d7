// What the package's JavaScript calls for training runs: metrics, sums of gradients, random state, run.json.
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include <emscripten/emscripten.h>
#include <nlohmann/json.hpp>
#include <tessera/optim.h>
#include <tessera/random.h>
#include <tessera/train/metrics.h>
#include <tessera/train/run_file.h>

#include "guarded.h"
#include "handles.h"
#include "module.h"
#include "objects.h"
#include "options.h"

using Json = nlohmann::json;

namespace tessera::web {

namespace {

using train::Metric;
using train::RunFile;

std::shared_ptr<Metric> make_metric(const std::string& kind, Json given) {
  Options in(kind, std::move(given));
  train::ClassOptions classes;
  bool root = false;
  const bool of_classes = kind == "Accuracy" || kind == "Perplexity";
  if (of_classes) in("ignoreIndex", classes.ignore_index);
  if (kind == "MeanSquaredError") in("root", root);
  in.finish();
  if (kind == "Accuracy") return std::make_shared<train::Accuracy>(classes);
  if (kind == "Perplexity") return std::make_shared<train::Perplexity>(classes);
  if (kind == "MeanAbsoluteError") return std::make_shared<train::MeanAbsoluteError>();
  if (kind == "MeanSquaredError") return std::make_shared<train::MeanSquaredError>(root);
  return std::make_shared<train::Mean>();
}

/// Calls update(a, b) of the class that the metric has.
template <class... M>
void update_one(Metric& metric, const Tensor& a, const Tensor& b) {
  static_cast<void>(((dynamic_cast<M*>(&metric) != nullptr && (dynamic_cast<M&>(metric).update(a, b), true)) || ...));
}

std::shared_ptr<Metric> metric_of(std::int32_t number) { return object_as<Metric>(number, "a metric"); }
std::shared_ptr<optim::Accumulator> accumulator_of(std::int32_t number) {
  return object_as<optim::Accumulator>(number, "sums of gradients");
}

}  // namespace

extern "C" {

/// A metric by the name of its class; the options are JSON.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_train_metric(const char* kind, const char* options) {
  return guarded([&] { return keep(make_metric(kind, Json::parse(options))); });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_train_metric_update(std::int32_t metric, std::int32_t a, std::int32_t b) {
  return guarded([&] {
    update_one<train::Mean, train::Accuracy, train::Perplexity, train::MeanAbsoluteError, train::MeanSquaredError>(
        *metric_of(metric), tensor_of(a), tensor_of(b));
    return 0;
  });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_train_metric_value(std::int32_t metric) {
  return guarded([&] { return keep(metric_of(metric)->value()); });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_train_metric_reset(std::int32_t metric) {
  return guarded([&] {
    metric_of(metric)->reset();
    return 0;
  });
}

/// Sums of the gradients of a module.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_train_accumulator(std::int32_t module) {
  return guarded([&] { return keep(std::make_shared<optim::Accumulator>(*module_of(module))); });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_train_accumulator_add(std::int32_t accumulator, const char* names,
                                                                const std::int32_t* gradients) {
  return guarded([&] {
    accumulator_of(accumulator)->add(tree_from(names, gradients));
    return 0;
  });
}
/// Their mean, for an update. {names, count} as JSON; null: tessera_error(). To be freed.
EMSCRIPTEN_KEEPALIVE char* tessera_train_accumulator_take(std::int32_t accumulator, std::int32_t* out) {
  return guarded_text([&] {
    Json names = Json::array();
    Tensors all;
    for (const auto& [name, gradient] : accumulator_of(accumulator)->take().flatten()) {
      names.push_back(name);
      all.push_back(gradient);
    }
    return Json{{"names", names}, {"count", give(std::move(all), out)}}.dump();
  });
}

/// The state of the default random generator as JSON, and how it is set. To be freed.
EMSCRIPTEN_KEEPALIVE char* tessera_train_random() {
  return guarded_text([] {
    const random::RandomState at = random::state();
    return Json{{"seed", at.seed}, {"position", at.position}}.dump();
  });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_train_set_random(const char* state) {
  return guarded([&] {
    const Json json = Json::parse(state);
    random::set_state({json.at("seed").get<std::uint64_t>(), json.at("position").get<std::uint64_t>()});
    return 0;
  });
}

/// A hash of bytes that come in parts, until its text is asked for.
EMSCRIPTEN_KEEPALIVE train::ByteHash* tessera_train_hash() { return std::make_unique<train::ByteHash>().release(); }
EMSCRIPTEN_KEEPALIVE void tessera_train_hash_add(train::ByteHash* hash, const void* bytes, std::int32_t count) {
  hash->add({static_cast<const std::byte*>(bytes), static_cast<std::size_t>(count)});
}
EMSCRIPTEN_KEEPALIVE char* tessera_train_hash_text(train::ByteHash* hash) {
  const std::unique_ptr<train::ByteHash> own(hash);
  return text_for_js(own->str());
}

/// The text of run.json. `about` is {step, values, metric, maximize, files: {name: {bytes, hash}}}. To be freed.
EMSCRIPTEN_KEEPALIVE char* tessera_train_run_text(const char* about) {
  return guarded_text([&] {
    const Json json = Json::parse(about);
    RunFile file;
    file.run.step = json.at("step").get<std::int64_t>();
    file.run.values = json.at("values").get<std::map<std::string, std::string>>();
    if (json.at("metric").is_number()) file.metric = json.at("metric").get<double>();
    file.maximize = json.at("maximize").get<bool>();
    for (const auto& [name, f] : json.at("files").items()) {
      file.files[name] = {f.at("bytes").get<std::uint64_t>(), f.at("hash").get<std::string>()};
    }
    return file.text();
  });
}
/// The same object for a text; null where it is none. To be freed.
EMSCRIPTEN_KEEPALIVE char* tessera_train_run_read(const char* text, const char* name) {
  return guarded_text([&] {
    const RunFile file = RunFile::parse(text, name, "load");
    Json files = Json::object();
    for (const auto& [path, f] : file.files) files[path] = {{"bytes", f.bytes}, {"hash", f.hash}};
    return Json{{"step", file.run.step},
                {"values", file.run.values},
                {"metric", file.metric.has_value() ? Json(*file.metric) : Json()},
                {"maximize", file.maximize},
                {"files", files}}
        .dump();
  });
}
}

}  // namespace tessera::web
