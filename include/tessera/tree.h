// Tree: tensors in nested dicts and lists, named by their path ("layers.0.attention.wq.weight").
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// A tensor (leaf), a list of trees, or a dict of trees whose keys keep their order. A value: copies are independent,
/// and share the tensors. Names are paths of keys and positions, joined by dots; two trees match if their names do.
class Tree {
 public:
  enum class Kind : std::uint8_t { kDict, kList, kLeaf };
  using Named = std::pair<std::string, Tensor>;

  Tree() = default;                                                    // an empty dict
  Tree(Tensor leaf) : kind_(Kind::kLeaf), tensor_(std::move(leaf)) {}  // NOLINT(google-explicit-constructor)
  /// A dict: Tree{{"weight", w}, {"bias", b}}. Error of kind value for a duplicate key, an empty one or one with a dot.
  Tree(std::initializer_list<std::pair<std::string, Tree>> entries);
  static Tree list(std::vector<Tree> items);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_leaf() const { return kind_ == Kind::kLeaf; }
  /// The number of tensors.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// The keys of a dict.
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  /// The entries of a dict, in the order of keys(), or of a list.
  [[nodiscard]] const std::vector<Tree>& children() const { return children_; }

  /// Adds an entry to a dict. Error of kind value for a duplicate key, an empty one or one with a dot.
  Tree& insert(std::string key, Tree value);
  void push_back(Tree item);  // to a list
  /// The subtree of a name: "layers.0". Error of kind value if there is none.
  [[nodiscard]] const Tree& at(std::string_view name) const;
  [[nodiscard]] Tree& at(std::string_view name);
  [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// The tensor of a leaf. Error of kind value for a dict or a list.
  [[nodiscard]] const Tensor& tensor() const;
  [[nodiscard]] Tensor& tensor();
  [[nodiscard]] const Tensor& tensor(std::string_view name) const { return at(name).tensor(); }
  /// The tensor of a name: params["layers.0.weight"]. Error of kind value if there is none.
  const Tensor& operator[](std::string_view name) const { return at(name).tensor(); }
  Tensor& operator[](std::string_view name) { return at(name).tensor(); }

  /// All tensors with their names, in order. A leaf by itself has the name "".
  [[nodiscard]] std::vector<Named> flatten() const;
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::vector<Tensor> tensors() const;
  /// The tree of these names. Keys that are 0, 1, .. in order make a list, others a dict. Error of kind value for a
  /// duplicate name, an empty key, or a name that is both a tensor and the prefix of another one.
  static Tree unflatten(const std::vector<Named>& named);
  /// The same structure with other tensors, in the order of flatten().
  [[nodiscard]] Tree with_tensors(std::span<const Tensor> tensors) const;

  /// The same structure with f of each tensor.
  [[nodiscard]] Tree map(const std::function<Tensor(const Tensor&)>& f) const;
  [[nodiscard]] Tree map_named(const std::function<Tensor(const std::string& name, const Tensor&)>& f) const;
  /// Calls f with each tensor and its name, in order; f may replace the tensor.
  void visit(const std::function<void(const std::string& name, Tensor&)>& f);
  /// The structure of a with f of each pair of tensors of the same name. Error of kind value that lists the names which
  /// only one of them has.
  static Tree zip(const Tree& a, const Tree& b, const std::function<Tensor(const Tensor&, const Tensor&)>& f);

  /// One line for each tensor: name, dtype and shape.
  [[nodiscard]] std::string str() const;

 private:
  [[nodiscard]] const Tree* find(std::string_view name) const;
  void visit_below(std::string& path, const std::function<void(const std::string&, Tensor&)>& f);

  Kind kind_ = Kind::kDict;
  std::vector<std::string> keys_;
  std::vector<Tree> children_;
  Tensor tensor_;
};

/// Starts computing all tensors of the tree in one submission; does not wait.
void eval(const Tree& tree);

}  // namespace tessera
