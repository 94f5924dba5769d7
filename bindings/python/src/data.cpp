// tessera.data for Python: data sets, of Python or of the C++ library, and loaders.
#include "data.h"

#include <algorithm>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "call.h"

namespace tessera::python {

namespace {

using data::DatasetPtr;
using data::Sample;

std::atomic<bool> finished = false;  // the interpreter is about to end: threads of loaders leave it alone

/// A thread of the library keeps its state in the interpreter until it ends, and with it what threading.local() holds:
/// for each call anew it would take longer than loading a small sample.
class ThreadState {
 public:
  ThreadState() {
    if (PyGILState_GetThisThreadState() != nullptr) return;
    before_ = PyGILState_Ensure();
    saved_ = PyEval_SaveThread();
  }
  ~ThreadState() {
    if (saved_ == nullptr || Py_IsInitialized() == 0) return;
    PyEval_RestoreThread(saved_);
    PyGILState_Release(before_);
  }
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;

 private:
  PyGILState_STATE before_ = PyGILState_UNLOCKED;
  PyThreadState* saved_ = nullptr;
};

/// In front of functions of Python on threads of loaders.
void enter_python() {
  if (finished) throw Error(ErrorKind::kCancelled, "DataLoader: the interpreter ends.");
  static const thread_local ThreadState state;
}

/// An object of Python with __getitem__ as a data set. `raw`: its samples are what it returns, for a collate function.
class DatasetOfPython : public data::Dataset {
 public:
  DatasetOfPython(nb::object get, nb::object name, std::int64_t size, bool raw)
      : get_(kept(std::move(get))), name_(kept(std::move(name))), size_(size), raw_(raw) {}
  [[nodiscard]] std::int64_t size() const override { return size_; }
  [[nodiscard]] Sample get(std::int64_t i) const override {
    enter_python();
    const nb::gil_scoped_acquire lock;
    const nb::object value = (*get_)(i);
    return raw_ ? object_from(value) : sample_from(value);
  }
  [[nodiscard]] std::string name(std::int64_t i) const override {
    if (!finished) {
      const nb::gil_scoped_acquire lock;
      try {
        if (!name_->is_none()) return nb::cast<std::string>(nb::str((*name_)(i)));
      } catch (const std::exception&) {  // the name is for messages about other errors
      }
    }
    return Dataset::name(i);
  }

 private:
  std::shared_ptr<nb::object> get_, name_;
  std::int64_t size_;
  bool raw_;
};

/// What a loader reads. Exceptions of Python have a note with the sample's name; with skip_bad, those that a sample may
/// have are Errors that the loader counts. Without a collate function samples are arrays.
class Noted : public data::Dataset {
 public:
  Noted(DatasetPtr inner, const data::LoaderOptions& options, std::shared_ptr<Exceptions> exceptions)
      : inner_(std::move(inner)),
        exceptions_(std::move(exceptions)),
        skips_(options.skip_bad),
        arrays_(!options.collate) {}
  [[nodiscard]] std::int64_t size() const override { return inner_->size(); }
  [[nodiscard]] std::string name(std::int64_t i) const override { return inner_->name(i); }
  [[nodiscard]] data::Classes classes() const override { return inner_->classes(); }
  [[nodiscard]] Sample get(std::int64_t i) const override {
    try {
      Sample sample = inner_->get(i);
      if (!arrays_) return sample;
      const std::string other = other_object_in(sample);
      if (other.empty()) return sample;
      throw Error(ErrorKind::kDType, other +
                                         "; arrays, tensors, numbers and lists of them can be stacked. A function "
                                         "given as collate makes batches of other objects.");
    } catch (const nb::python_error& e) {
      const std::string name = inner_->name(i);
      const nb::gil_scoped_acquire lock;
      const nb::handle value = e.value();
      if (skips_ && may_be_skipped(value)) {
        throw Error(ErrorKind::kValue, kind_text(value) + ": " + nb::cast<std::string>(nb::str(value)));
      }
      const std::string position = "sample " + std::to_string(i);
      value.attr("add_note")("It was raised for " + (name == position ? name : position + " (" + name + ")") + ".");
      exceptions_->raise(e);
    }
  }

 private:
  static bool may_be_skipped(nb::handle exception) {
    const auto is = [&](PyObject* type) { return PyErr_GivenExceptionMatches(exception.ptr(), type) != 0; };
    if (!is(PyExc_Exception) || is(PyExc_MemoryError)) return false;
    if (!nb::hasattr(exception, "kind")) return true;
    const nb::object kind = exception.attr("kind");  // of the engine's errors
    return !PyUnicode_Check(kind.ptr()) || !nb::cast<std::string>(kind).starts_with("device");
  }

  DatasetPtr inner_;
  std::shared_ptr<Exceptions> exceptions_;
  bool skips_, arrays_;
};

PythonDataset give_dataset(DatasetPtr set) { return {std::move(set)}; }

const DatasetPtr& dataset_of(nb::handle h) { return nb::inst_ptr<PythonDataset>(h)->set; }

std::int64_t position_in(const PythonDataset& d, std::int64_t i) {
  const std::int64_t size = d.set->size();
  if (i < -size || i >= size) {
    raise(PyExc_IndexError, "Dataset: the sample " + std::to_string(i) + " was asked for; there are " +
                                std::to_string(size) + " samples.");
  }
  return i < 0 ? i + size : i;
}

/// The options of a loader, of a dict with all of them.
data::LoaderOptions options_from(nb::handle given, const std::shared_ptr<Exceptions>& exceptions) {
  Call call("DataLoader");
  const auto read = [&]<class T>(const char* name, T& field) { field = call.get<T>(nb::object(given[name]), name); };
  data::LoaderOptions options;
  read("batch_size", options.batch);
  read("shuffle", options.shuffle);
  std::int64_t seed = 0;
  read("seed", seed);
  options.seed = static_cast<std::uint64_t>(seed);
  read("drop_last", options.drop_last);
  read("workers", options.workers);
  read("prefetch", options.prefetch);
  read("skip_bad", options.skip_bad);
  read("part", options.part);
  read("parts", options.parts);
  options.group = group_from(nb::object(given["group"]));
  read("even", options.even);
  const nb::object device = given["device"];
  if (!device.is_none()) options.device = device_from(device, "DataLoader");
  const nb::object collate = given["collate"];
  if (!collate.is_none()) {
    options.collate = [f = kept(collate), exceptions](std::span<const Sample> samples) {
      enter_python();
      const nb::gil_scoped_acquire lock;
      try {
        nb::list all;
        for (const Sample& sample : samples) all.append(sample_of(sample));
        return arrays_from((*f)(all), "The function given as collate", true);
      } catch (const nb::python_error& e) {
        exceptions->raise(e);
      }
    };
  }
  options.while_waiting = raise_signals;
  return options;
}

}  // namespace

void Exceptions::raise(const nb::python_error& exception) {
  // Destroying an exception may run Python code, which may hand the GIL to a thread that waits for the mutex: no
  // exception is copied or destroyed under it.
  std::map<std::string, nb::python_error> added, removed;
  auto node = added.extract(added.emplace(std::string(), exception).first);
  std::string name;
  {
    const std::lock_guard lock(mutex_);
    while (waiting_.size() >= most_) removed.insert(waiting_.extract(waiting_.begin()));
    std::string number = std::to_string(count_++);
    number.insert(0, 20 - number.size(), '0');  // in order
    name = "an exception of Python, " + number;
    node.key() = name;
    waiting_.insert(std::move(node));
  }
  Error::Fields fields;
  fields.op = name;
  throw Error(ErrorKind::kCancelled, "DataLoader: " + name + ".", fields);
}

void Exceptions::rethrow(const Error& error) {
  std::unique_lock lock(mutex_);
  const auto node = waiting_.extract(error.fields().op);
  lock.unlock();  // an exception of Python may wait for the GIL
  if (!node.empty()) throw nb::python_error(node.mapped());
}

PythonLoader::PythonLoader(const DatasetPtr& dataset, nb::handle given) : exceptions_(std::make_shared<Exceptions>()) {
  data::LoaderOptions options = options_from(given, exceptions_);
  // One for each batch on its way, and for those that overtake it.
  const auto batches = [](auto n) { return static_cast<std::size_t>(std::clamp<std::int64_t>(n, 0, 1 << 30)); };
  exceptions_->set_most(batches(options.prefetch) + 2 * batches(options.workers) + 1);
  loader_ = std::make_unique<data::DataLoader>(std::make_shared<Noted>(dataset, options, exceptions_), options);
}

PythonLoader::Use::Use(PythonLoader& owner) : owner_(owner) {
  if (owner_.busy_.exchange(true)) {
    throw Error(ErrorKind::kValue, "DataLoader: another thread, or a trainer that is running, uses it.");
  }
  if (owner_.loader_ != nullptr) return;
  owner_.busy_ = false;
  throw Error(ErrorKind::kValue, "DataLoader: it was closed.");
}

void PythonLoader::close() {
  if (loader_ == nullptr || busy_.exchange(true)) return;
  std::unique_ptr<data::DataLoader> ending;
  ending.swap(loader_);
  {
    const nb::gil_scoped_release release;  // its threads may wait for the GIL
    ending.reset();
  }
  busy_ = false;
}

void raise_signals() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void bind_data(nb::module_& m) {
  nb::class_<PythonDataset>(m, "Dataset",
                            "Samples by position, of the C++ library: dataset[i] is a dict of NumPy arrays, or a tuple "
                            "of them if the fields have no names.")
      .def("__len__", [](const PythonDataset& d) { return d.set->size(); })
      .def(
          "__getitem__",
          [](const PythonDataset& d, std::int64_t i) {
            const std::int64_t at = position_in(d, i);
            Sample sample;
            {
              const Waiting waiting;
              sample = d.set->get(at);
            }
            return sample_of(sample);
          },
          nb::arg("i"))
      .def(
          "name", [](const PythonDataset& d, std::int64_t i) { return d.set->name(position_in(d, i)); }, nb::arg("i"),
          "What messages call a sample: 'data/cats/17.png'.")
      .def_prop_ro(
          "classes",
          [](const PythonDataset& d) {
            nb::dict out;
            for (const auto& [field, names] : d.set->classes()) out[nb::cast(field)] = nb::cast(names);
            return out;
          },
          "The names of the labels 0, 1, .. of each field that has labels.");
  m.def(
      "_data_python",
      [](nb::object get, nb::object name, std::int64_t size, bool raw) {
        return give_dataset(std::make_shared<DatasetOfPython>(std::move(get), std::move(name), size, raw));
      },
      nb::arg("get"), nb::arg("name").none(), nb::arg("size"), nb::arg("raw"));
  m.def("_data_arrays",
        [](nb::handle arrays) { return give_dataset(data::from_arrays(arrays_from(arrays, "from_arrays", false))); });
  m.def("_data_map", [](nb::handle dataset, nb::object function) {
    return give_dataset(data::map(dataset_of(dataset), [f = kept(std::move(function))](const Sample& sample) {
      enter_python();
      const nb::gil_scoped_acquire lock;
      return sample_from((*f)(sample_of(sample)));
    }));
  });
  m.def("_data_subset", [](nb::handle dataset, nb::handle positions) {
    return give_dataset(
        data::subset(dataset_of(dataset), Call("subset").get<std::vector<std::int64_t>>(positions, "positions")));
  });
  m.def("_data_split", [](nb::handle dataset, nb::handle fractions, std::int64_t seed) {
    nb::list out;
    const auto parts = Call("split").get<std::vector<double>>(fractions, "fractions");
    for (DatasetPtr& part : data::split(dataset_of(dataset), parts, static_cast<std::uint64_t>(seed))) {
      out.append(nb::cast(give_dataset(std::move(part))));
    }
    return out;
  });
  m.def("_data_concatenate", [](nb::handle datasets) {
    std::vector<DatasetPtr> all;
    for (nb::handle h : datasets) all.push_back(dataset_of(h));
    return give_dataset(data::concatenate(std::move(all)));
  });

  nb::class_<PythonLoader>(m, "_DataLoader")
      .def("__init__", [](PythonLoader* self, nb::handle dataset,
                          nb::handle options) { new (self) PythonLoader(dataset_of(dataset), options); })
      .def("next",
           [](PythonLoader& l) {
             const PythonLoader::Use use(l);
             const std::optional<Tree> batch = l.with_exceptions([&] {
               const Waiting waiting;
               return use->next();
             });
             return batch ? batch_of(*batch) : nb::none();
           })
      .def("size", [](PythonLoader& l) { return PythonLoader::Use(l)->size(); })
      .def("state",
           [](PythonLoader& l) {
             const data::LoaderState state = PythonLoader::Use(l)->state();
             return nb::make_tuple(state.epoch, state.batch, state.skipped);
           })
      .def("set_state",
           [](PythonLoader& l, std::int64_t epoch, std::int64_t batch, std::int64_t skipped) {
             const PythonLoader::Use use(l);
             const Waiting waiting;  // for its threads
             use->set_state({epoch, batch, skipped});
           })
      .def("waited", [](PythonLoader& l) { return PythonLoader::Use(l)->waited(); })
      .def("close", &PythonLoader::close);
  m.def("_data_finish", [] { finished = true; });
}

}  // namespace tessera::python
