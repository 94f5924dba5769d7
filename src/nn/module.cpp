// Modules: visiting members by name, and what follows from it: parameters, update, load, modes.
#include "tessera/nn/module.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "nn/fail.h"
#include "nn/recorder.h"
#include "nn/state_scope.h"
#include "tessera/grad.h"
#include "tessera/nn/containers.h"
#include "tessera/ops.h"
#include "tessera/tracing.h"

namespace tessera::nn {

thread_local const StateScope* StateScope::current = nullptr;
thread_local const Recorder* Recorder::current = nullptr;

namespace {

/// The last identifier of a mangled class name: "N7tessera2nn6LinearE" is "Linear".
std::string class_name(const std::type_info& type) {
  const std::string_view mangled = type.name();
  std::string last;
  for (std::size_t i = 0; i < mangled.size();) {
    std::size_t length = 0;
    std::size_t at = i;
    while (at < mangled.size() && mangled[at] >= '0' && mangled[at] <= '9') {
      length = 10 * length + static_cast<std::size_t>(mangled[at++] - '0');
    }
    if (at == i || at + length > mangled.size()) {
      if (mangled[i] == 'I') break;  // template arguments
      ++i;
      continue;
    }
    last = mangled.substr(at, length);
    i = at + length;
  }
  return last.empty() ? std::string(mangled) : last;
}

std::string owner_name(const Stateful& object) { return class_name(typeid(object)); }

/// The first names, for messages.
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 10; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > 10) text += fmt::format(" and {} more", names.size() - 10);
  return names.empty() ? "none" : text;
}

Tree tree_of(const Stateful& object, const std::function<bool(const Field&)>& wanted) {
  std::vector<Tree::Named> all;
  visit(const_cast<Stateful&>(object), [&](const Field& f) {
    if (wanted(f)) all.emplace_back(f.name, f.tensor);
  });
  return all.empty() ? Tree() : Tree::unflatten(all);
}

/// The new tensors of an object, each with its member.
struct Matched {
  std::vector<std::pair<Tensor*, Tensor>> writes;
  LoadReport report;
};

/// With `convert`, the given tensors take dtype and device of those that they replace.
Matched match(Stateful& object, const Tree& given, bool convert) {
  Matched found;
  std::unordered_map<std::string, Tensor> tensors;
  for (auto& [name, t] : given.flatten()) {
    if (!t.defined()) fail(ErrorKind::kValue, "{}: the tensor given for '{}' is empty.", owner_name(object), name);
    tensors.emplace(name, t);
  }
  visit(object, [&](const Field& f) {
    const auto it = tensors.find(f.name);
    if (it == tensors.end()) return found.report.missing.push_back(f.name);
    Tensor value = std::move(it->second);
    tensors.erase(it);
    if (value.shape() != f.tensor.shape()) {
      return found.report.mismatched.push_back(
          fmt::format("{}: {} was given, and {} is expected", f.name, value.shape().str(), f.tensor.shape().str()));
    }
    if (convert && value.dtype() != f.tensor.dtype()) value = value.astype(f.tensor.dtype());
    if (convert && !(value.device() == f.tensor.device())) value = value.to(f.tensor.device());
    found.writes.emplace_back(&f.tensor, std::move(value));
  });
  for (const auto& [name, t] : given.flatten()) {
    if (tensors.contains(name)) found.report.unexpected.push_back(name);
  }
  return found;
}

}  // namespace

// ---- Fields ----

void Fields::push(std::string_view name) {
  if (name.empty()) {
    fail(ErrorKind::kValue, "fields: a member inside '{}' has an empty name; a name has at least one character.",
         path_);
  }
  if (!path_.empty()) path_ += '.';
  path_ += name;
}

void Fields::tensor(std::string_view name, Tensor& t, FieldKind kind) {
  if (!t.defined()) return;
  const Inside inside(*this, name);
  if (!on_tensor_) return;
  const std::string_view key = std::string_view(path_).substr(owner_length_ == 0 ? 0 : owner_length_ + 1);
  const bool frozen =
      owner_ != nullptr && !owner_->frozen_.empty() && std::ranges::find(owner_->frozen_, key) != owner_->frozen_.end();
  on_tensor_({path_, t, kind, kind == FieldKind::kParameter && !frozen, owner_, key});
}

void Fields::operator()(std::string_view name, Stateful& part) {
  const Inside inside(*this, name);
  visit(part);
}

void Fields::operator()(std::string_view name, AnyModule& module) { (*this)(name, static_cast<Stateful&>(*module)); }

void Fields::buffer(std::string_view name, Tree& tree) {
  if (tree.is_leaf()) return tensor(name, tree.tensor(), FieldKind::kBuffer);
  const Inside inside(*this, name);
  for (const std::string& inner : tree.names()) tensor(inner, tree.at(inner).tensor(), FieldKind::kBuffer);
}

void Fields::visit(Stateful& root) {
  Module* const outer = owner_;
  const std::size_t outer_length = owner_length_;
  if (auto* module = dynamic_cast<Module*>(&root)) {
    owner_ = module;
    owner_length_ = path_.size();
  }
  if (on_part_) on_part_(path_, root);
  root.fields(*this);
  owner_ = outer;
  owner_length_ = outer_length;
}

void visit(Stateful& root, Fields::OnTensor on_tensor, Fields::OnPart on_part) {
  Fields fields(std::move(on_tensor), std::move(on_part));
  fields.visit(root);
}

Tree state_of(const Stateful& object) {
  return tree_of(object, [](const Field&) { return true; });
}

void set_state(Stateful& object, const Tree& tensors) {
  Matched found = match(object, tensors, true);
  if (!found.report.ok()) {
    fail(ErrorKind::kValue, "{}: the state does not fit: {}.", owner_name(object), found.report.str());
  }
  for (auto& [slot, value] : found.writes) *slot = std::move(value);
}

void move_to(Stateful& object, const Device& device) {
  visit(object, [&](const Field& f) { f.tensor = f.tensor.to(device); });
}

std::string LoadReport::str() const {
  std::string text;
  const auto add = [&](const char* what, const std::vector<std::string>& names) {
    if (names.empty()) return;
    text += fmt::format("{}{} {}: {}", text.empty() ? "" : "; ", names.size(), what, listed(names));
  };
  add("missing", missing);
  add("unexpected", unexpected);
  add("mismatched", mismatched);
  return text.empty() ? "all names match" : text;
}

void detail::check_write(const Tensor& slot, std::string_view owner, std::string_view name) {
  if (!is_tracing()) return;
  if (StateScope::keeps(&slot)) return tessera::detail::note_state_write();
  fail(ErrorKind::kValue,
       "{}: '{}' is written inside a compiled function that does not have it in its state: the function would use the "
       "same old value at every call. Pass the object as state: compile(step, model, optimizer), or compile(step, "
       "state=[model, optimizer]) in Python.",
       owner, name);
}

// ---- Module ----

void Module::fields(Fields& /*f*/) {}

Tensor Module::forward(const Tensor& /*x*/) {
  fail(ErrorKind::kUnsupported, "{} has no forward function of one tensor.", kind());
}

Tensor Module::operator()(const Tensor& x) {
  if (!x.defined()) fail(ErrorKind::kValue, "{}: the input is an empty Tensor.", kind());
  const Recorder::Inside inside(*this);
  Tensor y =
      checkpoint_ ? checkpointed({x}, [this](const std::vector<Tensor>& in) { return forward(in[0]); }) : forward(x);
  if (y.defined()) note(x.shape(), y.shape());
  return y;
}

void Module::note(const Shape& input, const Shape& output) const { Recorder::note(*this, input, output); }

Tree Module::parameters() const {
  return tree_of(*this, [](const Field& f) { return f.kind == FieldKind::kParameter; });
}
Tree Module::trainable_parameters() const {
  return tree_of(*this, [](const Field& f) { return f.trainable; });
}
Tree Module::buffers() const {
  return tree_of(*this, [](const Field& f) { return f.kind == FieldKind::kBuffer; });
}

std::int64_t Module::parameter_count() const {
  std::int64_t count = 0;
  visit(const_cast<Module&>(*this), [&](const Field& f) {
    if (f.kind == FieldKind::kParameter) count += f.tensor.numel();
  });
  return count;
}

void Module::update(const Tree& tensors) {
  Matched found = match(*this, tensors, false);
  if (!found.report.unexpected.empty()) {
    std::vector<std::string> names = state().names();
    fail(ErrorKind::kValue, "{}::update: the names {} are not in the module, which has {}.", kind(),
         listed(found.report.unexpected), listed(names));
  }
  if (!found.report.mismatched.empty()) {
    fail(ErrorKind::kShape, "{}::update: the shapes differ: {}.", kind(), listed(found.report.mismatched));
  }
  if (is_tracing()) {
    visit(*this, [&](const Field& f) {
      const bool written = std::ranges::any_of(found.writes, [&](const auto& w) { return w.first == &f.tensor; });
      if (written) detail::check_write(f.tensor, kind() + "::update", f.name);
    });
  }
  for (auto& [slot, value] : found.writes) *slot = std::move(value);
}

LoadReport Module::load(const Tree& tensors, bool strict) {
  Matched found = match(*this, tensors, true);
  if (strict && !found.report.ok()) {
    fail(ErrorKind::kValue,
         "{}::load: the names or shapes do not match: {}. With strict = false, what matches is loaded.", kind(),
         found.report.str());
  }
  for (auto& [slot, value] : found.writes) *slot = std::move(value);
  return std::move(found.report);
}

void Module::train(bool on) {
  apply([on](const std::string&, Module& m) { m.training_ = on; });
}

void Module::set_frozen(std::string_view pattern, bool on) {
  bool any = false;
  std::vector<std::string> names;
  visit(*this, [&](const Field& f) {
    if (f.kind != FieldKind::kParameter || f.owner == nullptr) return;
    names.push_back(f.name);
    if (!matches(pattern, f.name)) return;
    any = true;
    auto& frozen = f.owner->frozen_;
    std::erase(frozen, f.key);
    if (on) frozen.emplace_back(f.key);
  });
  if (!any) {
    fail(ErrorKind::kValue, "{}::{}: no parameter matches '{}'; the parameters are {}.", kind(),
         on ? "freeze" : "unfreeze", pattern, listed(names));
  }
}

void Module::to(DType dtype) {
  if (!is_float(dtype)) {
    fail(ErrorKind::kDType, "{}::to: the dtype {} was given; a float dtype is expected.", kind(), name(dtype));
  }
  visit(*this, [&](const Field& f) {
    if (is_float(f.tensor.dtype())) f.tensor = f.tensor.astype(dtype);
  });
}

void Module::to(const Device& device) { move_to(*this, device); }

void Module::apply(const std::function<void(const std::string&, Module&)>& f) {
  visit(*this, {}, [&](const std::string& name, Stateful& part) {
    if (auto* module = dynamic_cast<Module*>(&part)) f(name, *module);
  });
}

std::string Module::kind() const { return class_name(typeid(*this)); }

double Module::flops(const Shape& /*input*/, const Shape& /*output*/) const { return 0; }

std::string Module::mode() const {
  std::string text = training_ ? "t" : "e";
  if (checkpoint_) text += "c";
  for (const std::string& key : frozen_) text += "," + key;
  return text;
}

void Module::write_buffer(std::string_view name, Tensor& buffer, const Tensor& value) const {
  detail::check_write(buffer, kind(), name);
  buffer = value.is_tracked() ? stop_gradient(value) : value;
}

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace tessera::nn
