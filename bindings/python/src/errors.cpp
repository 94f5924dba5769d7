// Errors of the engine as exceptions of Python: each kind has a class that is also one of Python's own.
#include <array>
#include <atomic>

#include "python.h"

namespace tessera::python {

namespace {

std::atomic<bool> in_child = false;

/// tessera._errors, which defines the classes.
nb::object& classes() {
  static auto& value = *new nb::object;
  return value;
}

void raise_error(const Error& e) {
  const nb::object type = classes().attr("of_kind")(class_of(e));
  const nb::object error = type(e.what());
  error.attr("requested") = e.fields().requested;
  error.attr("available") = e.fields().available;
  error.attr("line") = e.fields().line;
  error.attr("column") = e.fields().column;
  error.attr("op") = e.fields().op;
  PyErr_SetObject(type.ptr(), error.ptr());
}

}  // namespace

std::string class_of(const Error& e) {
  const bool index = e.kind() == ErrorKind::kValue && std::string_view(e.what()).starts_with("Index ");
  return index ? "index" : std::string(name(e.kind()));
}

void raise(PyObject* type, const std::string& message) {
  const std::string own = type == PyExc_TypeError    ? "argument_type"
                          : type == PyExc_IndexError ? "index"
                                                     : "argument_value";
  const nb::object made = classes().attr("of_kind")(own);
  PyErr_SetObject(made.ptr(), made(message).ptr());
  throw nb::python_error();
}

void check_process() {
  if (!in_child.load(std::memory_order_relaxed)) return;
  throw Error(ErrorKind::kDevice,
              "This process was forked from one that had used a device already, and has none of its threads: start "
              "workers with multiprocessing's method 'spawn' or 'forkserver', or use tessera in the workers alone.");
}

namespace {
void translate() noexcept {
  try {
    throw;
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const Error& e) {
    try {
      raise_error(e);
    } catch (nb::python_error& other) {
      other.restore();
    } catch (const std::exception&) {
      PyErr_SetString(PyExc_RuntimeError, e.what());
    }
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}
}  // namespace

PyObject* guarded(const std::function<nb::object()>& f) noexcept {
  try {
    return f().release().ptr();
  } catch (...) {
    translate();
    return nullptr;
  }
}

int guarded_int(const std::function<int()>& f) noexcept {
  try {
    return f();
  } catch (...) {
    translate();
    return -1;
  }
}

void bind_errors(nb::module_& m) {
  classes() = nb::module_::import_("tessera._errors");
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Error& e) {
      raise_error(e);
    }
  });
  static bool used = false;
  m.def("_before_fork", [] { used = used || !metrics().devices.empty(); });
  m.def("_after_fork_in_child", [] { in_child = used; });
}

}  // namespace tessera::python
