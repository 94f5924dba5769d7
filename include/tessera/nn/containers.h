// Modules that hold modules: Sequential, ModuleList, ModuleDict, and AnyModule, a value of any module class.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace nn {

/// A module of any class, as a value: copies are deep.
class AnyModule {
 public:
  template <std::derived_from<Module> M>
  AnyModule(M module)  // NOLINT(google-explicit-constructor)
      : module_(std::make_unique<M>(std::move(module))), clone_([](const Module& m) -> std::unique_ptr<Module> {
          return std::make_unique<M>(static_cast<const M&>(m));
        }) {}
  AnyModule(const AnyModule& other) : module_(other.clone_(*other.module_)), clone_(other.clone_) {}
  AnyModule(AnyModule&&) noexcept = default;
  AnyModule& operator=(AnyModule other) noexcept {
    std::swap(module_, other.module_);
    std::swap(clone_, other.clone_);
    return *this;
  }
  ~AnyModule() = default;

  Module& operator*() const { return *module_; }
  Module* operator->() const { return module_.get(); }
  Tensor operator()(const Tensor& x) const { return (*module_)(x); }
  /// The module as its class. Error of kind value if it has another one.
  template <std::derived_from<Module> M>
  [[nodiscard]] M& as() const {
    if (auto* found = dynamic_cast<M*>(module_.get())) return *found;
    wrong_class();
  }

 private:
  [[noreturn]] void wrong_class() const;
  std::unique_ptr<Module> module_;
  std::unique_ptr<Module> (*clone_)(const Module&);
};

/// Modules "0", "1", .. as a list; without a forward function.
class ModuleList : public Module {
 public:
  ModuleList() = default;
  explicit ModuleList(std::vector<AnyModule> modules) : modules_(std::move(modules)) {}
  void push_back(AnyModule module) { modules_.push_back(std::move(module)); }
  [[nodiscard]] std::size_t size() const { return modules_.size(); }
  AnyModule& operator[](std::size_t i);
  [[nodiscard]] auto begin() { return modules_.begin(); }
  [[nodiscard]] auto end() { return modules_.end(); }
  void fields(Fields& f) override;

 protected:
  std::vector<AnyModule> modules_;
};

/// Each module is called with the result of the one before it: Sequential(Linear(2, 64), Tanh(), Linear(64, 1)).
class Sequential : public ModuleList {
 public:
  Sequential() = default;
  explicit Sequential(std::vector<AnyModule> modules) : ModuleList(std::move(modules)) {}
  template <std::derived_from<Module> First, std::derived_from<Module>... Rest>
    requires(!std::same_as<First, Sequential> || sizeof...(Rest) > 0)
  explicit Sequential(First first, Rest... rest) {
    modules_.reserve(1 + sizeof...(Rest));
    modules_.emplace_back(std::move(first));
    (modules_.emplace_back(std::move(rest)), ...);
  }
  Tensor forward(const Tensor& x) override;
};

/// Modules by key, in the order of insertion; without a forward function.
class ModuleDict : public Module {
 public:
  ModuleDict() = default;
  explicit ModuleDict(std::vector<std::pair<std::string, AnyModule>> modules) : modules_(std::move(modules)) {}
  void insert(std::string key, AnyModule module);  // Error of kind value for a duplicate key
  [[nodiscard]] bool contains(std::string_view key) const;
  [[nodiscard]] std::size_t size() const { return modules_.size(); }
  AnyModule& operator[](std::string_view key);  // Error of kind value if there is none
  [[nodiscard]] auto begin() { return modules_.begin(); }
  [[nodiscard]] auto end() { return modules_.end(); }
  void fields(Fields& f) override;

 private:
  std::vector<std::pair<std::string, AnyModule>> modules_;
};

/// A function as a module without parameters.
class Lambda : public Module {
 public:
  explicit Lambda(std::function<Tensor(const Tensor&)> f) : f_(std::move(f)) {}
  Tensor forward(const Tensor& x) override { return f_(x); }

 private:
  std::function<Tensor(const Tensor&)> f_;
};

}  // namespace nn
}  // namespace tessera
