// What the bindings of data sets and of trainers share: loaders of Python, samples and batches as Python writes them.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include <tessera/data.h>

#include "python.h"

namespace tessera::python {

/// What Python sees of named fields: a tuple where the names are 0, 1, .., a single value for the name kOnly, else a
/// dict.
inline constexpr const char* kOnly = "_";
nb::object batch_of(const Tree& batch);
nb::object sample_of(const data::Sample& sample);  // with arrays of NumPy
/// A dict, a tuple, a list or a single value of arrays, tensors, numbers and lists of them. Other objects are fields
/// that only a collate function can read.
data::Sample sample_from(nb::handle value);
/// Any object as one field.
data::Sample object_from(nb::handle value);
/// Arrays alone. Without a copy, their memory must not change.
data::Sample arrays_from(nb::handle value, const char* what, bool copy);
/// The first field that holds another object, as a text for messages; empty: all are arrays.
std::string other_object_in(const data::Sample& sample);

/// A data set of Python.
struct PythonDataset {
  data::DatasetPtr set;
};

/// Exceptions of Python on their way through a loader, which knows Errors: each has an Error that stands for it.
class Exceptions {
 public:
  [[noreturn]] void raise(const nb::python_error& exception);
  /// Throws the exception that the Error stands for, if there is one.
  void rethrow(const Error& error);
  /// How many may wait; set before the first one. Those before them are of batches that were never asked for.
  void set_most(std::size_t most) { most_ = most; }

 private:
  std::size_t most_ = 1;
  std::mutex mutex_;
  std::map<std::string, nb::python_error> waiting_;
  std::uint64_t count_ = 0;
};

/// A loader of Python: one thread at a time uses it.
class PythonLoader {
 public:
  PythonLoader(const data::DatasetPtr& dataset, nb::handle options);  // a dict with all options
  ~PythonLoader() { close(); }
  PythonLoader(const PythonLoader&) = delete;
  PythonLoader& operator=(const PythonLoader&) = delete;

  /// The only use of a loader, while it lives. Error of kind value if there is another one, or if it was closed.
  class Use {
   public:
    explicit Use(PythonLoader& owner);
    ~Use() { owner_.busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    data::DataLoader& operator*() const { return *owner_.loader_; }
    data::DataLoader* operator->() const { return owner_.loader_.get(); }

   private:
    PythonLoader& owner_;
  };

  /// Ends the threads of the loader, without the GIL.
  void close();
  /// f(), and for an Error that stands for an exception of Python, that exception.
  template <class F>
  auto with_exceptions(const F& f) const {
    try {
      return f();
    } catch (const Error& e) {
      exceptions_->rethrow(e);
      throw;
    }
  }

 private:
  std::shared_ptr<Exceptions> exceptions_;
  std::unique_ptr<data::DataLoader> loader_;
  std::atomic<bool> busy_ = false;
};

/// Raises a pending signal of Python, such as KeyboardInterrupt, on its main thread. Without the GIL.
void raise_signals();
}  // namespace tessera::python
