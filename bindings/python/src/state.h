// Tensors that objects of Python hold, as the modules and the state of the C++ library, and trees as dicts.
#pragma once

#include "call.h"

namespace tessera::python {

/// A dict of tensors by name, and back. Other values than tensors become tensors on the device.
Tree tree_from(nb::handle dict, const char* what, const Device& device = {});
nb::dict dict_of(const Tree& tree);
/// (name, kind, bytes) of all holders.
nb::list holders_of(const MemoryEstimate& estimate);

/// Variables (requires_grad) are plain tensors while one lives; those that have another value then are variables again.
class VariablesAside {
 public:
  VariablesAside() = default;
  ~VariablesAside();
  VariablesAside(const VariablesAside&) = delete;
  VariablesAside& operator=(const VariablesAside&) = delete;
  void add(Handle& handle);

 private:
  struct Entry {
    Handle* handle;
    Tensor before, plain;
  };
  std::vector<Entry> entries_;
};

/// A module of Python for the duration of one call: its tensors by name. Given as (class, [(name, tensor, is buffer)]).
class PythonModule : public nn::Module {
 public:
  explicit PythonModule(nb::handle given);
  void fields(nn::Fields& f) override;
  [[nodiscard]] std::string kind() const override { return kind_; }
  void put_aside(VariablesAside& variables) const;

 private:
  struct Entry {
    std::string name;
    Handle* handle;
    bool buffer;
  };
  nb::object given_;  // which keeps the tensors alive
  std::string kind_;
  std::vector<Entry> entries_;
};

/// Tensors of Python as part of the state of a compiled step. The functions give a list of tensors and their names; the
/// latter is called once, unless the number of tensors changes.
class PythonState : public nn::Module {
 public:
  PythonState(nb::object collect, nb::object names) : collect_(std::move(collect)), names_(std::move(names)) {}
  void fields(nn::Fields& f) override;
  /// Before and after a call: finds the tensors, and lets go of those that were used.
  void begin(VariablesAside& variables);
  void release() { kept_.clear(); }

 private:
  PythonFunction collect_, names_;
  std::vector<std::string> known_;  // names
  bool begun_ = false;
  std::vector<nb::object> kept_;
};

/// A module of the C++ library for Python: the object that calls it, its tensors (name, tensor, is buffer), and the
/// names and classes of its parts.
nb::tuple native_module(nn::AnyModule module, const std::string& kind);
/// A copy of such a module, with tensors of Python as its members, in order.
nn::AnyModule native_copy(nb::handle native, nb::handle tensors);

}  // namespace tessera::python
