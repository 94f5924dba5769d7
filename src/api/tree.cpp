// Trees of tensors: names, lookup, mapping.
#include "tessera/tree.h"

#include <algorithm>
#include <unordered_map>

#include "base/fail.h"

namespace tessera {

namespace {

void check_key(std::string_view key) {
  if (key.empty()) fail(ErrorKind::kValue, "Tree: an empty key was given; a key has at least one character.");
  if (key.find('.') != std::string_view::npos) {
    fail(ErrorKind::kValue, "Tree: the key '{}' has a dot, which separates the keys of a name.", key);
  }
}

/// The first key of a name, and the rest behind its dot.
std::pair<std::string_view, std::string_view> first_key(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return {name, {}};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

/// A tree while it is built from names: a dict whose keys are looked up by hash.
struct Built {
  std::vector<std::string> keys;
  std::vector<Built> children;
  std::unordered_map<std::string, std::size_t> positions;
  Tensor leaf;
  bool is_leaf = false;
};

/// At most eight names, quoted.
std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 8; ++i) text += (i == 0 ? "'" : ", '") + names[i] + "'";
  if (names.size() > 8) text += fmt::format(" and {} more", names.size() - 8);
  return text;
}

}  // namespace

Tree::Tree(std::initializer_list<std::pair<std::string, Tree>> entries) {
  for (const auto& [key, value] : entries) insert(key, value);
}

Tree Tree::list(std::vector<Tree> items) {
  Tree tree;
  tree.kind_ = Kind::kList;
  tree.children_ = std::move(items);
  return tree;
}

std::size_t Tree::size() const {
  if (is_leaf()) return 1;
  std::size_t count = 0;
  for (const Tree& child : children_) count += child.size();
  return count;
}

Tree& Tree::insert(std::string key, Tree value) {
  if (kind_ != Kind::kDict) {
    fail(ErrorKind::kValue, "Tree: the key '{}' was inserted into a {}; only a dict has keys.", key,
         is_leaf() ? "tensor" : "list");
  }
  check_key(key);
  if (std::ranges::find(keys_, key) != keys_.end()) {
    fail(ErrorKind::kValue, "Tree: the key '{}' was given twice.", key);
  }
  keys_.push_back(std::move(key));
  children_.push_back(std::move(value));
  return children_.back();
}

void Tree::push_back(Tree item) {
  if (kind_ != Kind::kList) {
    fail(ErrorKind::kValue, "Tree: push_back was called on a {}; a list is expected.", is_leaf() ? "tensor" : "dict");
  }
  children_.push_back(std::move(item));
}

const Tree* Tree::find(std::string_view name) const {
  if (name.empty()) return this;
  const auto [key, rest] = first_key(name);
  if (kind_ == Kind::kDict) {
    const auto it = std::ranges::find(keys_, key);
    return it == keys_.end() ? nullptr : children_[static_cast<std::size_t>(it - keys_.begin())].find(rest);
  }
  if (kind_ == Kind::kList) {
    for (std::size_t i = 0; i < children_.size(); ++i) {
      if (key == std::to_string(i)) return children_[i].find(rest);
    }
  }
  return nullptr;
}

const Tree& Tree::at(std::string_view name) const {
  if (const Tree* found = find(name)) return *found;
  fail(ErrorKind::kValue, "Tree: there is no '{}'; the names are {}.", name, empty() ? "none" : quoted(names()));
}

Tree& Tree::at(std::string_view name) { return const_cast<Tree&>(std::as_const(*this).at(name)); }

const Tensor& Tree::tensor() const {
  if (!is_leaf()) {
    fail(ErrorKind::kValue, "Tree: a tensor was expected, and this is a {} of {} tensors: {}.",
         kind_ == Kind::kDict ? "dict" : "list", size(), empty() ? "none" : quoted(names()));
  }
  return tensor_;
}

Tensor& Tree::tensor() { return const_cast<Tensor&>(std::as_const(*this).tensor()); }

void Tree::visit(const std::function<void(const std::string&, Tensor&)>& f) {
  std::string path;
  visit_below(path, f);
}

void Tree::visit_below(std::string& path, const std::function<void(const std::string&, Tensor&)>& f) {
  if (is_leaf()) return f(path, tensor_);
  const std::size_t length = path.size();
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (length > 0) path += '.';
    path += kind_ == Kind::kDict ? keys_[i] : std::to_string(i);
    children_[i].visit_below(path, f);
    path.resize(length);
  }
}

std::vector<Tree::Named> Tree::flatten() const {
  std::vector<Named> all;
  const_cast<Tree*>(this)->visit([&](const std::string& name, Tensor& t) { all.emplace_back(name, t); });
  return all;
}

std::vector<std::string> Tree::names() const {
  std::vector<std::string> all;
  for (auto& [name, tensor] : flatten()) all.push_back(std::move(name));
  return all;
}

std::vector<Tensor> Tree::tensors() const {
  std::vector<Tensor> all;
  for (auto& [name, tensor] : flatten()) all.push_back(std::move(tensor));
  return all;
}

Tree Tree::unflatten(const std::vector<Named>& named) {
  if (named.size() == 1 && named[0].first.empty()) return {named[0].second};
  Built root;
  for (const auto& [name, tensor] : named) {
    Built* at = &root;
    std::string_view rest = name;
    bool more = true;
    while (more) {
      more = rest.find('.') != std::string_view::npos;
      const auto [key, behind] = first_key(rest);
      if (key.empty()) {
        fail(ErrorKind::kValue, "Tree: the name '{}' has an empty key; names are keys joined by dots.", name);
      }
      const auto [it, fresh] = at->positions.emplace(std::string(key), at->keys.size());
      if (fresh) {
        at->keys.emplace_back(key);
        at->children.emplace_back();
      }
      at = &at->children[it->second];
      if ((!fresh && !more) || at->is_leaf) {
        fail(ErrorKind::kValue, "Tree: the name '{}' was given twice, or is also the prefix of another name.", name);
      }
      rest = behind;
    }
    at->is_leaf = true;
    at->leaf = tensor;
  }
  // Without insert, which looks for each key among the others.
  const auto tree_of = [](const auto& self, Built& built) -> Tree {
    if (built.is_leaf) return {std::move(built.leaf)};
    bool list = !built.keys.empty();
    for (std::size_t i = 0; i < built.keys.size() && list; ++i) list = built.keys[i] == std::to_string(i);
    Tree result = list ? Tree::list({}) : Tree();
    for (Built& child : built.children) result.children_.push_back(self(self, child));
    if (!list) result.keys_ = std::move(built.keys);
    return result;
  };
  return tree_of(tree_of, root);
}

Tree Tree::with_tensors(std::span<const Tensor> tensors) const {
  Tree result = *this;
  std::size_t count = 0;
  if (tensors.size() != size()) {
    fail(ErrorKind::kValue, "Tree: {} tensors were given for a tree of {}.", tensors.size(), size());
  }
  result.visit([&](const std::string&, Tensor& t) { t = tensors[count++]; });
  return result;
}

Tree Tree::map(const std::function<Tensor(const Tensor&)>& f) const {
  return map_named([&](const std::string&, const Tensor& t) { return f(t); });
}

Tree Tree::map_named(const std::function<Tensor(const std::string&, const Tensor&)>& f) const {
  Tree result = *this;
  result.visit([&](const std::string& name, Tensor& t) { t = f(name, t); });
  return result;
}

Tree Tree::zip(const Tree& a, const Tree& b, const std::function<Tensor(const Tensor&, const Tensor&)>& f) {
  std::unordered_map<std::string, Tensor> others;
  for (auto& [name, tensor] : b.flatten()) others.emplace(name, tensor);
  std::vector<std::string> only_a;
  Tree result = a.map_named([&](const std::string& name, const Tensor& t) {
    const auto it = others.find(name);
    if (it == others.end()) {
      only_a.push_back(name);
      return t;
    }
    Tensor both = f(t, it->second);
    others.erase(it);
    return both;
  });
  if (!only_a.empty() || !others.empty()) {
    std::vector<std::string> only_b;
    for (const auto& [name, tensor] : b.flatten()) {
      if (others.contains(name)) only_b.push_back(name);
    }
    std::string text = "Tree::zip: the names differ";
    if (!only_a.empty()) text += "; only the first tree has " + quoted(only_a);
    if (!only_b.empty()) text += "; only the second tree has " + quoted(only_b);
    fail(ErrorKind::kValue, "{}.", text);
  }
  return result;
}

std::string Tree::str() const {
  std::string text;
  for (const auto& [name, tensor] : flatten()) {
    text += tensor.defined() ? fmt::format("{}: {} {}\n", name, tessera::name(tensor.dtype()), tensor.shape())
                             : fmt::format("{}: empty\n", name);
  }
  return text;
}

void eval(const Tree& tree) { eval(tree.tensors()); }

}  // namespace tessera
