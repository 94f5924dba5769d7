// Reads options from JSON, and says what was expected where something else was given.
#include "options.h"

#include <algorithm>

#include <tessera/error.h>

#include "module.h"

namespace tessera::web {

namespace {

bool is_whole(const nlohmann::json& json) {
  return json.is_number() && std::trunc(json.get<double>()) == json.get<double>();
}

}  // namespace

void Options::finish() const {
  for (const auto& [name, value] : given_.items()) {
    if (std::ranges::find(known_, name) != known_.end()) continue;
    std::string listed;
    for (const std::string& k : known_) listed += (listed.empty() ? "" : ", ") + k;
    throw Error(ErrorKind::kValue, kind_ + ": there is no option '" + name + "'; expected " +
                                       (listed.empty() ? "none" : "one of " + listed) + ".");
  }
}

void Options::wrong(const char* name, const Json& value, const char* expected) const {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 60) text.replace(57, std::string::npos, "...");
  throw Error(ErrorKind::kValue, kind_ + ": " + name + " is " + text + "; expected " + expected + ".");
}

void Options::read(const char* name, const Json& json, double& out) const {
  if (!json.is_number()) wrong(name, json, "a number");
  out = json.get<double>();
}

void Options::read(const char* name, const Json& json, bool& out) const {
  if (!json.is_boolean()) wrong(name, json, "true or false");
  out = json.get<bool>();
}

void Options::read(const char* name, const Json& json, std::int64_t& out) const {
  if (!is_whole(json)) wrong(name, json, "a whole number");
  out = static_cast<std::int64_t>(json.get<double>());
}

void Options::read(const char* name, const Json& json, std::vector<std::int64_t>& out) const {
  const Json list = json.is_array() ? json : Json::array({json});
  out.clear();
  for (const Json& j : list) {
    if (!is_whole(j)) wrong(name, json, "a whole number, or a list of them");
    out.push_back(static_cast<std::int64_t>(j.get<double>()));
  }
}

void Options::read(const char* name, const Json& json, std::vector<std::string>& out) const {
  if (!json.is_array() || !std::ranges::all_of(json, [](const Json& j) { return j.is_string(); })) {
    wrong(name, json, "a list of strings");
  }
  out = json.get<std::vector<std::string>>();
}

void Options::read(const char* name, const Json& json, std::pair<double, double>& out) const {
  if (!json.is_array() || json.size() != 2 || !json[0].is_number() || !json[1].is_number()) {
    wrong(name, json, "two numbers");
  }
  out = {json[0].get<double>(), json[1].get<double>()};
}

void Options::read(const char* name, const Json& json, PerAxis& out) const {
  std::vector<std::int64_t> sizes;
  read(name, json, sizes);
  out = PerAxis(std::move(sizes));
}

void Options::read(const char* name, const Json& json, Padding& out) const {
  if (json == "same" || json == "valid") {
    out = Padding(json == "same" ? "same" : "valid");
    return;
  }
  const Json list = json.is_array() ? json : Json::array({json});
  std::vector<std::pair<std::int64_t, std::int64_t>> sides;
  for (const Json& j : list) {
    const Json both = j.is_array() ? j : Json::array({j, j});
    if (both.size() != 2 || !is_whole(both[0]) || !is_whole(both[1])) {
      wrong(name, json, "a number, a list, pairs, \"same\" or \"valid\"");
    }
    sides.emplace_back(static_cast<std::int64_t>(both[0].get<double>()),
                       static_cast<std::int64_t>(both[1].get<double>()));
  }
  out = Padding(std::move(sides));
}

void Options::read(const char* name, const Json& json, optim::Rate& out) const {
  if (json.is_number()) {
    out = json.get<double>();
    return;
  }
  const std::string kind = json.is_object() ? json.value("schedule", "") : "";
  Json given = json;
  if (!kind.empty()) given.erase("schedule");
  Options o(kind, std::move(given));
  if (kind == "constant") {
    out = optim::constant(o.get<double>("rate"));
  } else if (kind == "linear") {
    const auto from = o.get<double>("from");
    const auto to = o.get<double>("to");
    out = optim::linear(from, to, o.get<std::int64_t>("steps"));
  } else if (kind == "exponential") {
    const auto rate = o.get<double>("rate");
    out = optim::exponential(rate, o.get<double>("gamma"));
  } else if (kind == "cosine") {
    const auto rate = o.get<double>("rate");
    const auto steps = o.get<std::int64_t>("steps");
    optim::CosineOptions options;
    o("minimum", options.minimum);
    o("warmup", options.warmup);
    out = optim::cosine(rate, steps, options);
  } else if (kind == "function") {
    out = [function = o.get<std::int64_t>("number")](const Tensor& step) {
      return call_function(static_cast<std::int32_t>(function), {step}).at(0);
    };
  } else {
    wrong(name, json, "a number or a schedule");
  }
  o.finish();
}

}  // namespace tessera::web
