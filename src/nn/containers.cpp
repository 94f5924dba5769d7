// Modules that hold modules.
#include "tessera/nn/containers.h"

#include <algorithm>

#include "nn/fail.h"

namespace tessera::nn {

void AnyModule::wrong_class() const {
  fail(ErrorKind::kValue, "AnyModule::as: the module is a {}, not of the class that was asked for.", module_->kind());
}

AnyModule& ModuleList::operator[](std::size_t i) {
  if (i >= modules_.size()) {
    fail(ErrorKind::kValue, "{}: module {} was asked for, and there are {}.", kind(), i, modules_.size());
  }
  return modules_[i];
}

void ModuleList::fields(Fields& f) {
  for (std::size_t i = 0; i < modules_.size(); ++i) f(std::to_string(i), modules_[i]);
}

Tensor Sequential::forward(const Tensor& x) {
  Tensor y = x;
  for (AnyModule& m : modules_) y = m(y);
  return y;
}

void ModuleDict::insert(std::string key, AnyModule module) {
  if (contains(key)) fail(ErrorKind::kValue, "ModuleDict: the key '{}' was given twice.", key);
  modules_.emplace_back(std::move(key), std::move(module));
}

bool ModuleDict::contains(std::string_view key) const {
  return std::ranges::any_of(modules_, [&](const auto& m) { return m.first == key; });
}

AnyModule& ModuleDict::operator[](std::string_view key) {
  for (auto& [name, module] : modules_) {
    if (name == key) return module;
  }
  std::string keys;
  for (const auto& [name, module] : modules_) keys += (keys.empty() ? "" : ", ") + name;
  fail(ErrorKind::kValue, "ModuleDict: there is no '{}'; the keys are {}.", key, keys.empty() ? "none" : keys);
}

void ModuleDict::fields(Fields& f) {
  for (auto& [name, module] : modules_) f(name, module);
}

}  // namespace tessera::nn
