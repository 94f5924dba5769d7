// Names of tensors: sorted with positions as numbers, and made a tree; tensors loaded one after the other.
#include "io/named_tensors.h"

#include <algorithm>

#include "base/fail.h"

namespace tessera::io {

namespace {

constexpr std::ptrdiff_t kMaxKeys = 256;  // of a name: trees are visited recursively

}  // namespace

bool name_before(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  while (true) {
    const std::string_view key_a = a.substr(0, a.find('.'));
    const std::string_view key_b = b.substr(0, b.find('.'));
    const bool number_a = !key_a.empty() && std::ranges::all_of(key_a, is_digit);
    const bool number_b = !key_b.empty() && std::ranges::all_of(key_b, is_digit);
    if (number_a != number_b) return number_a;
    if (number_a && key_a.size() != key_b.size()) return key_a.size() < key_b.size();
    if (key_a != key_b) return key_a < key_b;
    const bool ends_a = key_a.size() == a.size();
    const bool ends_b = key_b.size() == b.size();
    if (ends_a || ends_b) return ends_a && !ends_b;
    a.remove_prefix(key_a.size() + 1);
    b.remove_prefix(key_b.size() + 1);
  }
}

Tree tree_of(const std::vector<Tree::Named>& named, const Fault& fault) {
  for (const auto& [name, tensor] : named) {
    const std::ptrdiff_t keys = std::ranges::count(name, '.') + 1;
    if (keys > kMaxKeys) {
      fault(
          fmt::format("has a tensor {} whose name has {} keys; at most {} are expected", quote(name), keys, kMaxKeys));
    }
  }
  try {
    return Tree::unflatten(named);
  } catch (const Error& e) {
    std::string text = e.what();
    if (text.ends_with('.')) text.pop_back();
    fault("has names that do not make a tree: " + text);
  }
}

std::vector<Tree::Named> load_named(const std::vector<Loadable>& tensors, const LoadOptions& options,
                                    const std::function<Tensor(std::size_t)>& load) {
  LoadProgress progress{};
  for (const Loadable& t : tensors) progress.total += t.bytes;
  std::vector<Tree::Named> named;
  named.reserve(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    named.emplace_back(tensors[i].name, load(i));
    progress.loaded += tensors[i].bytes;
    progress.tensor = tensors[i].name;
    if (options.progress) options.progress(progress);
  }
  std::ranges::sort(named, name_before, &Tree::Named::first);
  return named;
}

}  // namespace tessera::io
