// Compiled functions of structures: texts of structures, options counted in arguments, and a compiled function for
// each.
#include <algorithm>
#include <mutex>

#include "base/fail.h"
#include "tessera/compile.h"
#include "tessera/structure.h"

namespace tessera::detail {

void fail_structure() {
  fail(ErrorKind::kValue,
       "A structure lists more tensors than it did when it was read; fields() lists the same members at each call.");
}

void describe(const Tree& tree, std::string& text) {
  if (tree.is_leaf()) return describe(tree.tensor(), text);
  text += fmt::format("{}{}", tree.children().size(), tree.kind() == Tree::Kind::kDict ? '{' : '[');
  for (const std::string& key : tree.keys()) describe(key, text);
  for (const Tree& child : tree.children()) describe(child, text);
}

CompileOptions flat_options(CompileOptions options, std::span<const std::size_t> counts, std::size_t before) {
  // Calls f with the positions of the tensors of an argument.
  const auto each_tensor = [&](int argument, const auto& f) {
    for (std::size_t i = 0, at = before; i < counts.size(); at += counts[i++]) {
      for (std::size_t k = 0; static_cast<int>(i) == argument && k < counts[i]; ++k) f(static_cast<int>(at + k));
    }
  };
  const auto given = [&](int argument) { return argument >= 0 && argument < static_cast<int>(counts.size()); };
  std::vector<int> donate;
  for (const int argument : options.donate) {
    if (!given(argument)) {
      fail(ErrorKind::kValue, "compile: argument {} is to be donated, and there are {} arguments.", argument,
           counts.size());
    }
    each_tensor(argument, [&](int position) { donate.push_back(position); });
  }
  std::vector<DynamicAxis> axes;
  for (const DynamicAxis& a : options.dynamic_axes) {
    if (!given(a.argument) || counts[static_cast<std::size_t>(a.argument)] == 0) {
      fail(ErrorKind::kValue,
           "compile: axis {} of argument {} is to be dynamic ('{}'), and {}; an argument with tensors is expected.",
           a.axis, a.argument, a.name,
           given(a.argument) ? "it has no tensors" : fmt::format("there are {} arguments", counts.size()));
    }
    each_tensor(a.argument, [&](int position) { axes.push_back({position, a.axis, a.name}); });
  }
  options.donate = std::move(donate);
  options.dynamic_axes = std::move(axes);
  return options;
}

// The lock guards the list alone: `make` and compiled functions are called, and destroyed, without it.
struct CompiledSet::State {
  std::size_t most;
  std::mutex mutex;
  std::vector<std::pair<std::string, Compiled>> all;  // the least recently used first

  [[nodiscard]] std::vector<Compiled> list() {
    const std::lock_guard lock(mutex);
    std::vector<Compiled> copies;
    for (const auto& [key, compiled] : all) copies.push_back(compiled);
    return copies;
  }
};

CompiledSet::CompiledSet(std::size_t most) : state_(std::make_shared<State>()) {
  if (most == 0) fail(ErrorKind::kValue, "compile: max_traces is 0; at least 1 is expected.");
  state_->most = most;
}

Compiled CompiledSet::at(const std::string& key, const std::function<Compiled()>& make) const {
  State& own = *state_;
  const auto find = [&]() -> const Compiled* {
    const auto it = std::ranges::find(own.all, key, &std::pair<std::string, Compiled>::first);
    if (it == own.all.end()) return nullptr;
    std::rotate(it, it + 1, own.all.end());  // the most recently used is last
    return &own.all.back().second;
  };
  {
    const std::lock_guard lock(own.mutex);
    if (const Compiled* found = find()) return *found;
  }
  const Compiled fresh = make();
  std::vector<std::pair<std::string, Compiled>> gone;
  const std::lock_guard lock(own.mutex);
  if (const Compiled* found = find()) return *found;  // another thread made it meanwhile
  own.all.emplace_back(key, fresh);
  if (own.all.size() > own.most) {
    gone.push_back(std::move(own.all.front()));
    own.all.erase(own.all.begin());
  }
  return fresh;
}

std::size_t CompiledSet::traces() const {
  std::size_t count = 0;
  for (const Compiled& compiled : state_->list()) count += compiled.traces();
  return count;
}

std::size_t CompiledSet::kernel_count() const {
  const std::vector<Compiled> all = state_->list();
  return all.empty() ? 0 : all.back().kernel_count();
}

}  // namespace tessera::detail
