// What the files of the extension share: nanobind, the engine, and the parts of the module.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <tessera/tessera.h>

namespace nb = nanobind;

namespace tessera::python {

/// What a Tensor of Python holds. In-place operations put another value here.
struct Handle {
  Tensor value;
  bool variable = false;  // its gradient is asked for: requires_grad
  Tensor kept_gradient;   // of the values that it had before

  /// Takes another value of the same shape and type.
  void assign(Tensor next, std::string_view what);
};

/// Runs f; what it throws becomes Python's error, and the result is null or -1.
PyObject* guarded(const std::function<nb::object()>& f) noexcept;
int guarded_int(const std::function<int()>& f) noexcept;

/// The modules that ops go to.
struct Modules {
  nb::module_ core, ops, linalg, random, functional;
};

/// Named tuples that ops with several results give.
class Results {
 public:
  void add_result(const char* name, std::vector<const char*> fields);
};

void bind_errors(nb::module_& m);
void bind_types(nb::module_& m);
void bind_devices(nb::module_& m);
void bind_tensor(nb::module_& m);
void bind_arrays(nb::module_& m);
void bind_transforms(nb::module_& m);
void bind_wgsl(nb::module_& m);
void bind_quant(nb::module_& m);
void bind_state(nb::module_& m);
void bind_modules(nb::module_& m);
void bind_optimizers(nb::module_& m);
void bind_io(nb::module_& m);
void bind_gguf(nb::module_& m);
void bind_text(nb::module_& m);
void bind_llm(nb::module_& m);
void bind_data(nb::module_& m);
void bind_data_sources(nb::module_& m);
void bind_data_augment(nb::module_& m);
void bind_metrics(nb::module_& m);
void bind_train(nb::module_& m);
void bind_train_files(nb::module_& m);
void bind_distributed(nb::module_& m);
/// The group of a _Group, or none of None.
std::optional<distributed::Group> group_from(nb::handle given);
void bind_ops(Modules& m);
void bind_results(Results& in);

/// Raises an exception of this type, with a whole sentence.
[[noreturn]] void raise(PyObject* type, const std::string& message);
/// The name by which tessera._errors knows the class of an error.
std::string class_of(const Error& e);
/// Stops what would use threads of a parent process that this one does not have.
void check_process();

/// While one lives, other threads of Python run. For whatever may wait for a device.
class Waiting {
 public:
  Waiting() {
    check_process();
    release_.emplace();
  }

 private:
  std::optional<nb::gil_scoped_release> release_;
};

/// An object of Python that C++ keeps: it may go on any thread.
std::shared_ptr<nb::object> kept(nb::object object);

/// A function of Python that C++ keeps: it may be called and go on any thread.
class PythonFunction {
 public:
  explicit PythonFunction(nb::object function) : function_(kept(std::move(function))) {}
  /// Calls it with tensors: a list of what it gave. None is an empty Tensor.
  Tensors operator()(std::initializer_list<const Tensors*> arguments, std::string_view what) const;
  [[nodiscard]] nb::handle get() const { return *function_; }

 private:
  std::shared_ptr<nb::object> function_;
};

/// The buffer of an object, for as long as this lives; throws Python's error where it has none such.
class BufferView {
 public:
  explicit BufferView(nb::handle h, int flags = PyBUF_FULL_RO) {
    if (PyObject_GetBuffer(h.ptr(), &view_, flags) != 0) throw nb::python_error();
  }
  ~BufferView() { PyBuffer_Release(&view_); }
  BufferView(const BufferView&) = delete;
  BufferView& operator=(const BufferView&) = delete;
  const Py_buffer& operator*() const { return view_; }

 private:
  Py_buffer view_{};
};

// ---- From Python. `what` and `name` are for messages: the function and its argument. ----
inline bool is_list(nb::handle h) { return PyList_Check(h.ptr()) || PyTuple_Check(h.ptr()); }
bool is_tensor(nb::handle h);
Handle& handle_of(nb::handle h);  // of one that is_tensor
inline const Tensor& tensor_ref(nb::handle h) { return handle_of(h).value; }
/// A tensor, a number, or anything that array() takes, on `device` where data has none.
Tensor tensor_from(nb::handle h, const Device& device, std::string_view what, std::string_view name);
/// Whether tensor_from would try.
bool like_tensor(nb::handle h);
/// Whether it is a tensor, or an array of another library: one with a single element is no number.
bool is_array(nb::handle h);
Tensor array_from(nb::handle h, std::optional<DType> dtype, const Device& device);
/// The dtype of the elements of a buffer.
std::optional<DType> type_of_format(const char* format, Py_ssize_t size);
DType dtype_from(nb::handle h, std::string_view what);
Device device_from(nb::handle h, std::string_view what);
std::int64_t integer_from(nb::handle h, std::string_view what, std::string_view name);
Shape shape_from(nb::handle h, std::string_view what);  // of a sequence of sizes
std::vector<At> index_from(nb::handle h, const Tensor& of);
std::string kind_text(nb::handle h);
std::string text_of(nb::handle h);  // repr, shortened
/// A str as UTF-8.
std::string utf8_text(nb::handle h, const char* what, const char* name);

// ---- To Python ----
nb::object give(Tensor tensor);
nb::object element(DType dtype, const std::byte* at);  // a number of Python
/// A read-only array of NumPy over these elements; a tensor where NumPy has no such dtype.
nb::object numpy_of(const HostView& elements, DType dtype, const Shape& shape);
nb::object give(DType dtype);
nb::object give(const Device& device);
nb::object give(const Shape& shape);
/// None for an empty Tensor.
inline nb::list list_of(const std::vector<Tensor>& tensors) {
  nb::list out;
  for (const Tensor& t : tensors) out.append(t.defined() ? give(t) : nb::none());
  return out;
}

}  // namespace tessera::python
