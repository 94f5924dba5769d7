// The table of modules, parameters and optimizers.
#include "objects.h"

#include <map>

#include <emscripten/emscripten.h>
#include <nlohmann/json.hpp>

#include "guarded.h"
#include "handles.h"

namespace tessera::web {

namespace {

struct Table {
  std::map<std::int32_t, std::shared_ptr<nn::Stateful>> all;
  std::int32_t next = 1;
};
Table& table() {
  static auto& value = *new Table;
  return value;
}

}  // namespace

void Parameter::fields(nn::Fields& f) {
  if (buffer) {
    f.buffer("value", value);
  } else {
    f("value", value);
  }
}

void Group::fields(nn::Fields& f) {
  for (auto& [name, part] : parts_) {
    auto* const parameter = dynamic_cast<Parameter*>(part.get());
    if (parameter == nullptr) {
      f(name, *part);
    } else if (parameter->buffer) {
      f.buffer(name, parameter->value);
    } else {
      f(name, parameter->value);
    }
  }
}

std::int32_t keep(std::shared_ptr<nn::Stateful> object) {
  table().all.emplace(table().next, std::move(object));
  return table().next++;
}

std::shared_ptr<nn::Stateful> object_of(std::int32_t number) {
  const auto found = table().all.find(number);
  if (found == table().all.end()) {
    throw Error(ErrorKind::kValue, "The module or optimizer was disposed; expected one that is alive.");
  }
  return found->second;
}

Tree tree_from(const char* names, const std::int32_t* numbers) {
  const auto all = nlohmann::json::parse(names).get<std::vector<std::string>>();
  return all.empty() ? Tree() : Tree::unflatten(named_of(all, {numbers, all.size()}));
}

extern "C" {
EMSCRIPTEN_KEEPALIVE void tessera_object_release(std::int32_t number) { table().all.erase(number); }
/// Replaces all tensors of an object.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_object_set_state(std::int32_t number, const char* names,
                                                           const std::int32_t* tensors) {
  return guarded([&] {
    nn::set_state(*object_of(number), tree_from(names, tensors));
    return 0;
  });
}
}

}  // namespace tessera::web
