// Modules: values with named tensors and a forward function. A class lists its members in one function, fields().
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"
#include "tessera/tree.h"

namespace TESSERA_API tessera {
namespace nn {

class AnyModule;
class Fields;
class Module;

/// Lists of names of tensors.
using NameLists = std::vector<std::vector<std::string>>;

/// What has named tensors: modules, optimizers, caches. Saving and loading, moving to a device and the state of a
/// compiled step all go through fields().
class Stateful {
 public:
  Stateful() = default;
  Stateful(const Stateful&) = default;
  Stateful(Stateful&&) = default;
  Stateful& operator=(const Stateful&) = default;
  Stateful& operator=(Stateful&&) = default;
  virtual ~Stateful() = default;

  /// Calls f with the name of each member and the member: f("weight", weight); f.buffer("running_mean", mean).
  virtual void fields(Fields& f) = 0;
  /// What a trace depends on besides the tensors: a compiled step is traced again if it changes.
  [[nodiscard]] virtual std::string mode() const { return {}; }
  /// What is updated together, element by element. The lists of one group have equally many names: of parameters, of
  /// their first moments, of their second moments, of this object or of others. A compiled step whose state has them
  /// all keeps the tensors of each list in an arena (tessera/pack.h).
  [[nodiscard]] virtual std::vector<NameLists> together() const { return {}; }
};

enum class FieldKind : std::uint8_t {
  kParameter,  // an optimizer may train it
  kBuffer,     // state without gradients: running statistics, moments, caches
};

/// One tensor of a Stateful.
struct Field {
  const std::string& name;  // from the root: "layers.0.weight"
  Tensor& tensor;
  FieldKind kind;
  bool trainable;        // a parameter that is not frozen
  Module* owner;         // the module that lists it, if there is one
  std::string_view key;  // the name within its owner
};

/// Visits the members of a Stateful by name. Empty tensors (a bias that was left out) and empty optionals are skipped.
class Fields {
 public:
  using OnTensor = std::function<void(const Field&)>;
  using OnPart = std::function<void(const std::string& name, Stateful& part)>;
  explicit Fields(OnTensor on_tensor, OnPart on_part = {})
      : on_tensor_(std::move(on_tensor)), on_part_(std::move(on_part)) {}
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  void operator()(std::string_view name, Tensor& parameter) { tensor(name, parameter, FieldKind::kParameter); }
  void operator()(std::string_view name, Stateful& part);
  void operator()(std::string_view name, AnyModule& module);
  template <class T>
  void operator()(std::string_view name, std::optional<T>& part) {
    if (part.has_value()) (*this)(name, *part);
  }
  /// Members "name.0", "name.1", ..
  template <class T>
  void operator()(std::string_view name, std::vector<T>& parts) {
    const Inside inside(*this, name);
    for (std::size_t i = 0; i < parts.size(); ++i) (*this)(std::to_string(i), parts[i]);
  }
  /// Members "name.key".
  template <class T>
  void operator()(std::string_view name, std::map<std::string, T>& parts) {
    const Inside inside(*this, name);
    for (auto& [key, part] : parts) (*this)(key, part);
  }
  void buffer(std::string_view name, Tensor& buffer) { tensor(name, buffer, FieldKind::kBuffer); }
  void buffer(std::string_view name, Tree& tree);
  template <class T>
  void buffer(std::string_view name, std::vector<T>& buffers) {
    const Inside inside(*this, name);
    for (std::size_t i = 0; i < buffers.size(); ++i) buffer(std::to_string(i), buffers[i]);
  }

  /// Visits a whole object, with names from it on.
  void visit(Stateful& root);

 private:
  /// While it lives, names are inside of `name`.
  class Inside {
   public:
    Inside(Fields& fields, std::string_view name) : fields_(fields), length_(fields.path_.size()) { fields.push(name); }
    ~Inside() { fields_.path_.resize(length_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Fields& fields_;
    std::size_t length_;
  };
  void push(std::string_view name);
  void tensor(std::string_view name, Tensor& t, FieldKind kind);

  OnTensor on_tensor_;
  OnPart on_part_;
  std::string path_;
  Module* owner_ = nullptr;
  std::size_t owner_length_ = 0;  // of the path of the owner
};

/// Calls on_tensor for each tensor, and on_part for the object itself (with the name "") and each part of it.
void visit(Stateful& root, Fields::OnTensor on_tensor, Fields::OnPart on_part = {});
/// All tensors of a Stateful, and what it takes back: names must exist, shapes must be equal, dtypes are converted.
Tree state_of(const Stateful& object);
void set_state(Stateful& object, const Tree& tensors);
/// Copies all tensors to a device: of an optimizer together with those of its module.
void move_to(Stateful& object, const Device& device);

/// What load() found.
struct LoadReport {
  std::vector<std::string> missing;     // of the module, and not in the tree
  std::vector<std::string> unexpected;  // of the tree, and not in the module
  std::vector<std::string> mismatched;  // with another shape: "weight: [2, 3] was given, and [3, 3] is expected"
  [[nodiscard]] bool ok() const { return missing.empty() && unexpected.empty() && mismatched.empty(); }
  [[nodiscard]] std::string str() const;
};

/// The base of all modules. A module is a value: a copy has its own parameters, since tensors do not change. Parts are
/// members, listed in fields() under PyTorch's names:
///
///   struct Mlp : nn::Module {
///     nn::Linear up, down;
///     explicit Mlp(int n) : up(n, 4 * n), down(4 * n, n) {}
///     void fields(nn::Fields& f) override { f("up", up); f("down", down); }
///     Tensor forward(const Tensor& x) override { return down(gelu(up(x))); }
///   };
class Module : public Stateful {
 public:
  void fields(Fields& f) override;  // none
  /// Error of kind unsupported if the class does not override it.
  virtual Tensor forward(const Tensor& x);
  Tensor operator()(const Tensor& x);

  /// Tensors by name. Trainable parameters are those that are not frozen.
  [[nodiscard]] Tree parameters() const;
  [[nodiscard]] Tree trainable_parameters() const;
  [[nodiscard]] Tree buffers() const;
  [[nodiscard]] Tree state() const { return state_of(*this); }  // parameters and buffers: PyTorch's state_dict
  [[nodiscard]] std::int64_t parameter_count() const;
  /// Replaces the tensors that the tree names; the others stay. Error of kind value for an unknown name, of kind shape
  /// for another shape. Inside a compiled function the module must be part of its state: compile(step, module, ..).
  void update(const Tree& tensors);
  /// Replaces parameters and buffers by those of the tree, in the dtype and on the device of the module. If strict, a
  /// missing, unexpected or mismatched name is an Error that lists all of them, and nothing is replaced; else what
  /// matches is replaced.
  LoadReport load(const Tree& tensors, bool strict = true);

  /// Training mode of the module and all its parts: dropout and batch statistics. On at construction.
  void train(bool on = true);
  void eval() { train(false); }
  [[nodiscard]] bool training() const { return training_; }

  /// Excludes the parameters whose names match the pattern from training; '*' stands for any characters, '?' for one.
  /// Error of kind value if none matches.
  void freeze(std::string_view pattern = "*") { set_frozen(pattern, true); }
  void unfreeze(std::string_view pattern = "*") { set_frozen(pattern, false); }

  /// Gradient checkpointing: modules whose names match the pattern, "layers.*", do not keep their intermediate values
  /// for the backward pass, which computes them again, with the same random numbers. Parts of a module that matches are
  /// recomputed with it. The module must exist until the backward pass, and buffers are updated once. Error of kind
  /// value if none matches.
  void checkpoint(std::string_view pattern = "*", bool on = true);

  void to(DType dtype);  // float parameters and buffers
  void to(const Device& device);
  /// Calls f with the module itself, whose name is "", and all modules inside it.
  void apply(const std::function<void(const std::string& name, Module& module)>& f);

  /// The name of the class, for messages and summary().
  [[nodiscard]] virtual std::string kind() const;
  /// Floating-point operations of forward(), for summary(); 0: not known, or none.
  [[nodiscard]] virtual double flops(const Shape& input, const Shape& output) const;
  [[nodiscard]] std::string mode() const override;

 protected:
  /// Replaces a buffer in forward(): running statistics. Error of kind value inside a compiled function without this
  /// module in its state.
  void write_buffer(std::string_view name, Tensor& buffer, const Tensor& value) const;
  /// f(inputs): what a function with other arguments than forward() computes. If checkpoint() was called for this
  /// module, the backward pass calls f again; besides the module it must own what it uses.
  Tensor checkpointed(const std::vector<Tensor>& inputs, std::function<Tensor(const std::vector<Tensor>&)> f);
  /// For functions with other arguments than forward(): reports input and output to summary().
  void note(const Shape& input, const Shape& output) const;

 private:
  friend class Fields;
  void set_frozen(std::string_view pattern, bool on);

  bool training_ = true;
  bool checkpoint_ = false;
  bool recomputing_ = false;         // inside of the function that checkpointed() calls
  std::vector<std::string> frozen_;  // names within this module
};

/// Whether a name matches a pattern of '*' and '?'.
bool matches(std::string_view pattern, std::string_view name);

namespace detail {
/// A text as a template argument.
template <std::size_t N>
struct Text {
  char data[N];
  consteval Text(const char (&text)[N]) { std::copy_n(text, N, data); }  // NOLINT(google-explicit-constructor)
};

/// Throws if this thread traces a function that does not have the tensor in its state.
void check_write(const Tensor& slot, std::string_view owner, std::string_view name);
}  // namespace detail

}  // namespace nn
}  // namespace tessera
