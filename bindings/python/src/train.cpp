// tessera.train for Python: the Trainer, which holds objects of Python and calls their functions.
#include "train.h"

#include <algorithm>
#include <chrono>
#include <set>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>
#include <tessera/train/anomaly.h>
#include <tessera/train/trainer.h>

#include "data.h"
#include "files.h"

namespace tessera::python {

// ---- Tensors of Python ----

void HeldTensors::visit(nn::Fields& f, const std::vector<Entry>& entries) {
  for (const Entry& e : entries) {
    if (e.buffer) {
      f.buffer(e.name, e.handle->value);
    } else {
      f(e.name, e.handle->value);
    }
  }
}

void HeldTensors::find() {
  const std::uint64_t now = runs_->load();
  if (known_ == now) return;
  const nb::gil_scoped_acquire lock;
  const nb::object found = (*collect_)();
  if (!found.is_none()) {
    std::vector<Entry> own;
    std::vector<std::unique_ptr<Part>> parts;
    const nb::object rows = found[1];
    for (nb::handle row : rows) {
      const std::string name = nb::cast<std::string>(nb::str(nb::object(row[0])));
      std::vector<Entry>* entries = &own;
      if (!name.empty()) {
        // A module that was there stays at its address.
        const auto known = std::ranges::find(parts_, name, [](const auto& p) { return p == nullptr ? "" : p->name; });
        parts.push_back(known != parts_.end() ? std::move(*known) : std::make_unique<Part>());
        parts.back()->name = name;
        entries = &parts.back()->entries;
        entries->clear();
      }
      for (nb::handle each : nb::object(row[1])) {
        entries->push_back({nb::cast<std::string>(nb::str(nb::object(each[0]))), &handle_of(nb::object(each[1])),
                            nb::cast<bool>(nb::object(each[2]))});
      }
    }
    mode_ = nb::cast<std::string>(nb::str(nb::object(found[0])));
    rows_ = kept(rows);
    own_ = std::move(own);
    parts_ = std::move(parts);
  }
  known_ = now;
}

void HeldTensors::fields(nn::Fields& f) {
  find();
  visit(f, own_);
  for (const auto& part : parts_) f(part->name, *part);
}

const std::string& HeldTensors::mode() {
  find();
  return mode_;
}

void HeldTensors::put_aside(VariablesAside& variables, std::vector<nb::object>& objects) {
  find();
  if (rows_ != nullptr) objects.push_back(*rows_);
  for (const Entry& e : own_) variables.add(*e.handle);
  for (const auto& part : parts_) {
    for (const Entry& e : part->entries) variables.add(*e.handle);
  }
}

const nn::Module* HeldTensors::part(const std::string& name) {
  const auto found = std::ranges::find(parts_, name, [](const auto& p) { return p->name; });
  return found == parts_.end() ? nullptr : found->get();
}

void HeldModule::begin_call(const std::string& name) {
  const nn::Module* part = tensors_.part(name);
  calls_.push_back(std::make_unique<nn::detail::CallScope>(part != nullptr ? *part : *this));
}

HeldObjects::HeldObjects(nb::handle given) {
  for (nb::handle pair : given) {
    const std::string name = nb::cast<std::string>(nb::str(pair[0]));
    const nb::object object = pair[1];
    if (!PyTuple_Check(object.ptr())) {
      objects_.append(object);
      all_.emplace_back(name, &stateful_of(object));
      continue;
    }
    const nb::object collect = object[1];
    modules_.push_back(std::make_unique<HeldModule>(collect, nb::cast<std::string>(nb::str(object[0])), runs_));
    all_.emplace_back(name, modules_.back().get());
  }
}

void HeldObjects::put_aside(Aside& aside) {
  for (const auto& module : modules_) module->tensors().put_aside(aside.variables, aside.objects);
}

nb::dict dict_of(const train::Values& values) {
  nb::dict out;
  for (const auto& [name, value] : values) out[nb::cast(name)] = value;
  return out;
}

train::Values values_from(nb::handle dict, const char* what) {
  if (!PyDict_Check(dict.ptr())) {
    raise(PyExc_TypeError, std::string(what) + ": " + text_of(dict) + " of type " + kind_text(dict) +
                               " was given; a dict of numbers by name is expected.");
  }
  train::Values out;
  Call call(what);
  for (const auto& [key, value] : nb::borrow<nb::dict>(dict)) {
    out.emplace_back(utf8_text(nb::str(key), what, "the name"), call.get<double>(value, "values"));
  }
  return out;
}

namespace {

/// Counts when a function of Python has run, however it ends.
class Ran {
 public:
  explicit Ran(const Runs& runs) : runs_(*runs) {}
  ~Ran() { ++runs_; }
  Ran(const Ran&) = delete;
  Ran& operator=(const Ran&) = delete;

 private:
  std::atomic<std::uint64_t>& runs_;
};

/// A metric whose class is written in Python.
class MetricOfPython : public train::Metric {
 public:
  MetricOfPython(nb::object collect, nb::object value, nb::object reset, const Runs& runs)
      : tensors_(std::move(collect), runs),
        value_(kept(std::move(value))),
        reset_(kept(std::move(reset))),
        runs_(runs) {}
  [[nodiscard]] Tensor value() const override {
    const nb::gil_scoped_acquire lock;
    const Ran ran(runs_);
    return tensor_from((*value_)(), {}, "Metric.value", "result");
  }
  void reset() override {
    const nb::gil_scoped_acquire lock;
    const Ran ran(runs_);
    (*reset_)();
  }
  void fields(nn::Fields& f) override { tensors_.fields(f); }
  [[nodiscard]] std::string mode() const override { return tensors_.mode(); }
  [[nodiscard]] HeldTensors& tensors() { return tensors_; }

 private:
  mutable HeldTensors tensors_;
  std::shared_ptr<nb::object> value_, reset_;
  Runs runs_;
};

/// Calls a function of Python with the name of an event and its arguments, for the events that it has.
class CallbackOfPython : public train::Callback {
 public:
  CallbackOfPython(nb::object function, const std::vector<std::string>& events, Runs runs)
      : function_(kept(std::move(function))), events_(events.begin(), events.end()), runs_(std::move(runs)) {}
  void on_start(train::Trainer&) override { call("on_start"); }
  void on_step(train::Trainer&, std::int64_t step, const Tensor& loss) override {
    call("on_step", step, [&] { return give(loss); });
  }
  void on_validation(train::Trainer&, std::int64_t step, const train::Values& values) override {
    call("on_validation", step, [&] { return dict_of(values); });
  }
  void on_epoch(train::Trainer&, std::int64_t epoch, const train::Values& values) override {
    call("on_epoch", epoch, [&] { return dict_of(values); });
  }
  void on_checkpoint(train::Trainer&, std::int64_t step) override { call("on_checkpoint", step); }
  void on_end(train::Trainer&) override { call("on_end"); }
  [[nodiscard]] std::string state() const override {
    if (!events_.contains("state")) return {};
    const nb::gil_scoped_acquire lock;
    return utf8_text(nb::object((*function_)("state")), "Callback.state", "the state");
  }
  void set_state(const std::string& text) override {
    call("set_state", [&] { return nb::str(text.data(), text.size()); });
  }

 private:
  template <class... Args>
  void call(const char* event, const Args&... args) const {
    if (!events_.contains(event)) return;
    const nb::gil_scoped_acquire lock;
    const Ran ran(runs_);
    (*function_)(event, argument(args)...);
  }
  static std::int64_t argument(std::int64_t number) { return number; }
  template <class F>
  static nb::object argument(const F& make) {
    return make();
  }

  std::shared_ptr<nb::object> function_;
  std::set<std::string, std::less<>> events_;
  Runs runs_;
};

/// Lets signals of Python end a run: Ctrl-C where the trainer does not stop by it, and a second one where it does.
class SignalsOfPython : public train::Callback {
 public:
  void on_step(train::Trainer&, std::int64_t, const Tensor&) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return;
    last_ = now;
    raise_signals();
  }

 private:
  std::chrono::steady_clock::time_point last_;
};

train::TrainerOptions trainer_options_from(nb::handle given) {
  Call call("Trainer");
  const auto read = [&]<class T>(const char* name, T& field) { field = call.get<T>(nb::object(given[name]), name); };
  train::TrainerOptions o;
  read("epochs", o.epochs);
  read("steps", o.steps);
  read("accumulate", o.accumulate);
  read("clip_norm", o.clip_norm);
  read("autocast", o.autocast);
  const nb::object out = given["out"];
  if (!out.is_none()) o.out = path_from(nb::borrow<nb::bytes>(out));
  read("resume", o.resume);
  read("checkpoint_every", o.checkpoint_every);
  read("keep_last", o.keep_last);
  read("monitor", o.monitor);
  read("maximize", o.maximize);
  read("patience", o.patience);
  read("validate_every", o.validate_every);
  read("log_every", o.log_every);
  read("snapshot_every", o.snapshot_every);
  read("progress", o.progress);
  if (o.progress) {
    o.print = printer_from(nb::object(given["print"]));
    o.terminal = Call("Trainer").get<bool>(nb::object(given["terminal"]), "terminal") ? 1 : 0;
  }
  read("stop_on_interrupt", o.stop_on_interrupt);
  read("unit", o.unit);
  o.group = group_from(nb::object(given["group"])).value_or(distributed::Group());
  read("bucket_bytes", o.exchange.bucket_bytes);
  read("wire", o.exchange.wire);
  if (const nb::object shards = given["shards"]; !shards.is_none()) o.shards = nb::inst_ptr<optim::Shards>(shards);
  return o;
}

class PythonTrainer {
 public:
  PythonTrainer(nb::object model, nb::object optimizer, nb::object loss, nb::handle options)
      : object_(std::move(model)),
        model_(*nb::inst_ptr<HeldModule>(object_)),
        runs_(model_.tensors().runs()),
        optimizer_(std::move(optimizer)) {
    trainer_ = std::make_unique<train::Trainer>(
        model_, *nb::inst_ptr<optim::Optimizer>(optimizer_),
        [this, f = kept(std::move(loss))](const Tree& batch) {
          const nb::gil_scoped_acquire lock;
          const Ran ran(runs_);
          return tensor_ref(nb::object((*f)(batch_of(batch), model_.training())));
        },
        trainer_options_from(options));
    trainer_->callback(std::make_shared<SignalsOfPython>());
  }
  ~PythonTrainer() {
    const nb::gil_scoped_release release;  // for the thread that writes a checkpoint
    trainer_.reset();
  }
  PythonTrainer(const PythonTrainer&) = delete;
  PythonTrainer& operator=(const PythonTrainer&) = delete;

  void metric(const std::string& name, nb::handle given) {
    if (nb::isinstance<PythonMetric>(given)) {
      objects_.append(given);
      return trainer_->metric(name, *nb::inst_ptr<PythonMetric>(given)->metric);
    }
    metrics_.push_back(
        std::make_unique<MetricOfPython>(nb::borrow(given[0]), nb::borrow(given[1]), nb::borrow(given[2]), runs_));
    trainer_->metric(name, *metrics_.back());
  }

  void state(const std::string& name, nb::handle given) {
    if (!PyTuple_Check(given.ptr())) {
      nn::Stateful& object = stateful_of(given);
      objects_.append(given);
      return trainer_->state(name, object);
    }
    modules_.push_back(
        std::make_unique<HeldModule>(nb::borrow(given[1]), nb::cast<std::string>(nb::str(given[0])), runs_));
    trainer_->state(name, *modules_.back());
  }

  void callback(nb::object function, const std::vector<std::string>& events) {
    trainer_->callback(std::make_shared<CallbackOfPython>(std::move(function), events, runs_));
  }

  void plateau(nb::handle given) {
    objects_.append(given);
    trainer_->plateau(*nb::inst_ptr<optim::ReduceOnPlateau>(given));
  }

  /// f() without the GIL, with the tensors of Python as they are now.
  template <class F>
  auto with_objects(const F& f) {
    ++*runs_;
    Aside aside;
    model_.tensors().put_aside(aside.variables, aside.objects);
    for (const auto& m : modules_) m->tensors().put_aside(aside.variables, aside.objects);
    for (const auto& m : metrics_) m->tensors().put_aside(aside.variables, aside.objects);
    const Waiting waiting;
    return f(*trainer_);
  }

  nb::tuple fit(PythonLoader& train, PythonLoader* validation) {
    const PythonLoader::Use first(train);
    std::optional<PythonLoader::Use> second;
    if (validation != nullptr) second.emplace(*validation);
    const auto run = [&] {
      return with_objects([&](train::Trainer& t) { return t.fit(*first, second ? &**second : nullptr); });
    };
    const train::Result r =
        train.with_exceptions([&] { return validation != nullptr ? validation->with_exceptions(run) : run(); });
    return nb::make_tuple(r.step, static_cast<int>(r.ending), dict_of(r.train), dict_of(r.validation),
                          r.best ? nb::cast(*r.best) : nb::none(), r.losses_of_device);
  }

  nb::dict evaluate(PythonLoader& loader) {
    const PythonLoader::Use use(loader);
    return dict_of(
        loader.with_exceptions([&] { return with_objects([&](train::Trainer& t) { return t.evaluate(*use); }); }));
  }

  [[nodiscard]] train::Trainer& get() const { return *trainer_; }

 private:
  nb::object object_;
  HeldModule& model_;  // which the object holds
  Runs runs_;
  nb::object optimizer_;
  nb::list objects_;
  std::vector<std::unique_ptr<HeldModule>> modules_;
  std::vector<std::unique_ptr<MetricOfPython>> metrics_;
  std::unique_ptr<train::Trainer> trainer_;  // refers to all of them
};

}  // namespace

void bind_train(nb::module_& m) {
  nb::class_<HeldModule>(m, "_HeldModule")
      .def("__init__",
           [](HeldModule* self, std::string kind, nb::object collect) {
             new (self) HeldModule(std::move(collect), std::move(kind), make_runs());
           })
      .def("begin_call", &HeldModule::begin_call)
      .def("end_call", &HeldModule::end_call);
  nb::class_<PythonTrainer>(m, "_Trainer")
      .def(nb::init<nb::object, nb::object, nb::object, nb::handle>())
      .def("metric", &PythonTrainer::metric)
      .def("state", &PythonTrainer::state)
      .def("callback", &PythonTrainer::callback)
      .def("plateau", &PythonTrainer::plateau)
      .def("fit", &PythonTrainer::fit, nb::arg("train"), nb::arg("validation").none())
      .def("evaluate", &PythonTrainer::evaluate)
      .def("stop", [](PythonTrainer& t) { t.get().stop(); })
      .def("step", [](PythonTrainer& t) { return t.get().step(); })
      .def("load_best",
           [](PythonTrainer& t) { return t.with_objects([](train::Trainer& own) { return own.load_best(); }); })
      .def("load_latest",
           [](PythonTrainer& t) { return t.with_objects([](train::Trainer& own) { return own.load_latest(); }); });
  // The loss function takes nothing.
  m.def("_train_detect_anomaly", [](nb::handle model, nb::object loss) {
    HeldModule& target = *nb::inst_ptr<HeldModule>(model);
    Aside aside;
    target.tensors().put_aside(aside.variables, aside.objects);
    train::Anomaly found;
    {
      const Waiting waiting;
      found = train::detect_anomaly(target, [f = kept(std::move(loss))] {
        const nb::gil_scoped_acquire lock;
        return tensor_ref(nb::object((*f)()));
      });
    }
    return nb::make_tuple(found.found, found.module, found.op, found.backward, found.text);
  });
}

}  // namespace tessera::python
