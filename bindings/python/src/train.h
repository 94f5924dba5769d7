// What the bindings of training share: tensors of Python that a trainer holds, metrics, and numbers by name.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <tessera/train/log.h>
#include <tessera/train/metric.h>

#include "state.h"

namespace tessera::python {

/// How often functions of Python ran that may have changed objects. Shared by what belongs to one trainer.
using Runs = std::shared_ptr<std::atomic<std::uint64_t>>;
inline Runs make_runs() { return std::make_shared<std::atomic<std::uint64_t>>(0); }

/// The tensors of an object of Python, for as long as this lives. `collect` gives (mode, [(module, [(name, tensor, is
/// buffer)])]), where the first module is the object itself, or None where neither has changed since the last call; it
/// is called again after functions of Python have run.
class HeldTensors {
 public:
  HeldTensors(nb::object collect, Runs runs) : collect_(kept(std::move(collect))), runs_(std::move(runs)) {}
  ~HeldTensors() = default;
  HeldTensors(const HeldTensors&) = delete;
  HeldTensors& operator=(const HeldTensors&) = delete;
  void fields(nn::Fields& f);
  const std::string& mode();
  /// With the GIL. The objects are kept too, since the tensors of this may be others later.
  void put_aside(VariablesAside& variables, std::vector<nb::object>& objects);
  /// The module of a name inside; null for the object itself, and where there is none.
  const nn::Module* part(const std::string& name);
  [[nodiscard]] const Runs& runs() const { return runs_; }

 private:
  struct Entry {
    std::string name;
    Handle* handle;
    bool buffer;
  };
  static void visit(nn::Fields& f, const std::vector<Entry>& entries);
  struct Part : nn::Module {
    std::string name;
    std::vector<Entry> entries;
    void fields(nn::Fields& f) override { visit(f, entries); }
  };
  void find();

  std::shared_ptr<nb::object> collect_;
  Runs runs_;
  std::uint64_t known_ = UINT64_MAX;  // the runs of the last call of collect
  std::string mode_;
  std::shared_ptr<nb::object> rows_;  // keeps the tensors alive
  std::vector<Entry> own_;
  std::vector<std::unique_ptr<Part>> parts_;  // modules inside
};

class HeldModule : public nn::Module {
 public:
  HeldModule(nb::object collect, std::string kind, Runs runs)
      : tensors_(std::move(collect), std::move(runs)), kind_(std::move(kind)) {}
  ~HeldModule() override = default;
  HeldModule(const HeldModule&) = delete;
  HeldModule& operator=(const HeldModule&) = delete;
  void fields(nn::Fields& f) override { tensors_.fields(f); }
  [[nodiscard]] std::string mode() const override { return nn::Module::mode() + tensors_.mode(); }
  [[nodiscard]] std::string kind() const override { return kind_; }
  [[nodiscard]] HeldTensors& tensors() { return tensors_; }
  /// A call of a module inside begins, or the latest one ends.
  void begin_call(const std::string& name);
  void end_call() { calls_.pop_back(); }

 private:
  mutable HeldTensors tensors_;
  std::string kind_;
  std::vector<std::unique_ptr<nn::detail::CallScope>> calls_;
};

/// Variables of Python that a trainer uses are plain tensors while one lives.
struct Aside {
  std::vector<nb::object> objects;
  VariablesAside variables;
};

/// Objects by name, of a list of (name, object of the extension) and (name, (class, collect)).
class HeldObjects {
 public:
  explicit HeldObjects(nb::handle given);
  [[nodiscard]] const std::vector<std::pair<std::string, nn::Stateful*>>& all() const { return all_; }
  void put_aside(Aside& aside);

 private:
  Runs runs_ = make_runs();
  std::vector<std::unique_ptr<HeldModule>> modules_;
  nb::list objects_;
  std::vector<std::pair<std::string, nn::Stateful*>> all_;
};

/// A metric of the C++ library.
struct PythonMetric {
  using Update = void (*)(train::Metric&, const Tensor&, const Tensor&);
  std::unique_ptr<train::Metric> metric;
  std::string kind;
  Update update;
};

/// Optimizers, averages, scalers, accumulators and metrics.
nn::Stateful& stateful_of(nb::handle h);

/// A function of Python that takes text.
std::function<void(std::string_view)> printer_from(nb::handle function);

nb::dict dict_of(const train::Values& values);
train::Values values_from(nb::handle dict, const char* what);

}  // namespace tessera::python
