// Data of Python as tensors: numbers, nested lists, buffers and DLPack; and elements back as numbers.
#include <cmath>
#include <cstring>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "python.h"

namespace tessera::python {

namespace {

constexpr std::string_view kTypes =
    "bool, signed and unsigned integers of 8 to 64 bits, float16, float32, float64, complex64 and complex128 are "
    "expected";

bool is_number(nb::handle h) { return PyFloat_Check(h.ptr()) || PyLong_Check(h.ptr()) || PyComplex_Check(h.ptr()); }

bool has_dlpack(nb::handle h) { return nb::hasattr(h, "__dlpack__"); }
bool has_array(nb::handle h) { return nb::hasattr(h, "__array__"); }

// ---- Nested lists ----

/// Numbers of a nested list, kept exactly until their type is known.
struct Numbers {
  std::vector<std::int64_t> dims;
  std::vector<double> reals;
  std::vector<std::int64_t> integers;  // the same, where all are integers
  std::vector<double> imaginary;       // beside `reals`; as many as are needed
  bool any_complex = false, any_real = false, any_integer = false, any_large = false;

  void add(nb::handle h) {
    if (PyComplex_Check(h.ptr())) {
      any_complex = any_real = true;
      imaginary.resize(reals.size());
      imaginary.push_back(PyComplex_ImagAsDouble(h.ptr()));
      reals.push_back(PyComplex_RealAsDouble(h.ptr()));
      integers.push_back(0);
      return;
    }
    if (PyFloat_Check(h.ptr())) {
      any_real = true;
      reals.push_back(PyFloat_AsDouble(h.ptr()));
      integers.push_back(0);
      return;
    }
    any_integer = any_integer || !PyBool_Check(h.ptr());
    int overflow = 0;
    std::int64_t v = PyLong_AsLongLongAndOverflow(h.ptr(), &overflow);
    if (overflow != 0) {
      any_large = true;
      const std::uint64_t u = overflow > 0 ? PyLong_AsUnsignedLongLong(h.ptr()) : 0;
      if (overflow < 0 || PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        raise(PyExc_ValueError, "array: the number " + text_of(h) + " does not fit 64 bits.");
      }
      v = static_cast<std::int64_t>(u);
      reals.push_back(static_cast<double>(u));
    } else {
      reals.push_back(static_cast<double>(v));
    }
    integers.push_back(v);
  }

  /// False where something else than numbers and lists is inside.
  bool walk(nb::handle h, std::size_t depth) {
    if (is_number(h)) {
      if (depth != dims.size()) {
        raise(PyExc_ValueError, "array: a nested list holds a number where a list of " + std::to_string(dims[depth]) +
                                    " entries is expected.");
      }
      add(h);
      return true;
    }
    if (!is_list(h)) return false;
    const auto count = static_cast<std::int64_t>(PySequence_Size(h.ptr()));
    if (depth >= dims.size()) {
      raise(PyExc_ValueError,
            "array: a nested list holds a list of " + std::to_string(count) + " entries where a number is expected.");
    }
    if (count != dims[depth]) {
      raise(PyExc_ValueError, "array: a nested list has a row of " + std::to_string(count) + " entries where " +
                                  std::to_string(dims[depth]) + " are expected.");
    }
    for (nb::handle each : nb::borrow<nb::sequence>(h)) {
      if (!walk(each, depth + 1)) return false;
    }
    return true;
  }

  [[nodiscard]] DType natural() const {
    if (any_complex) return c64;
    if (any_real) return f32;
    if (!any_integer) return integers.empty() ? f32 : boolean;
    if (any_large) return u64;
    for (const std::int64_t v : integers) {
      if (v < INT32_MIN || v > INT32_MAX) return i64;
    }
    return i32;
  }
};

template <class T>
std::vector<std::byte> bytes_of(const Numbers& n, DType type) {
  if (n.any_complex && !is_complex(type)) {
    raise(PyExc_TypeError, "array: complex numbers were given for the type " + std::string(name(type)) +
                               ", which has no imaginary part; complex64 or complex128 is expected.");
  }
  std::vector<std::byte> out(n.reals.size() * sizeof(T));
  for (std::size_t i = 0; i < n.reals.size(); ++i) {
    T v;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      const bool whole = !n.any_real || std::trunc(n.reals[i]) == n.reals[i];
      const std::int64_t exact = n.any_real ? 0 : n.integers[i];
      bool fits = whole;
      if (n.any_real) {
        fits = fits && n.reals[i] >= static_cast<double>(std::numeric_limits<T>::min()) &&
               n.reals[i] < std::ldexp(1.0, std::numeric_limits<T>::digits);
        v = fits ? static_cast<T>(n.reals[i]) : T{};
      } else {
        const bool large = n.any_large && n.reals[i] > 9.2e18;
        fits = large ? std::is_same_v<T, std::uint64_t> : std::in_range<T>(exact);
        v = static_cast<T>(exact);
      }
      if (!fits && whole) {
        raise(PyExc_ValueError, "array: the number " +
                                    (n.any_real ? std::to_string(n.reals[i]) : std::to_string(exact)) +
                                    " does not fit the type " + std::string(name(type)) + ".");
      }
      if (!whole) v = std::isfinite(n.reals[i]) ? static_cast<T>(n.reals[i]) : T{};
    } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
      using Part = typename T::value_type;
      v = {static_cast<Part>(n.reals[i]), static_cast<Part>(i < n.imaginary.size() ? n.imaginary[i] : 0.0)};
    } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
      v = T(static_cast<float>(n.reals[i]));
    } else if constexpr (std::is_same_v<T, bool>) {
      v = n.reals[i] != 0;
    } else {
      v = static_cast<T>(n.reals[i]);
    }
    std::memcpy(out.data() + i * sizeof(T), &v, sizeof(T));
  }
  return out;
}

/// Calls f<T>() for the C++ type of a DType.
template <class F>
auto dispatch(DType t, F f) {
  switch (t) {
    case DType::kBool:
      return f.template operator()<bool>();
    case DType::kI8:
      return f.template operator()<std::int8_t>();
    case DType::kU8:
      return f.template operator()<std::uint8_t>();
    case DType::kI16:
      return f.template operator()<std::int16_t>();
    case DType::kU16:
      return f.template operator()<std::uint16_t>();
    case DType::kI32:
      return f.template operator()<std::int32_t>();
    case DType::kU32:
      return f.template operator()<std::uint32_t>();
    case DType::kI64:
      return f.template operator()<std::int64_t>();
    case DType::kU64:
      return f.template operator()<std::uint64_t>();
    case DType::kF16:
      return f.template operator()<Half>();
    case DType::kBF16:
      return f.template operator()<BFloat16>();
    case DType::kF64:
      return f.template operator()<double>();
    case DType::kC64:
      return f.template operator()<std::complex<float>>();
    case DType::kC128:
      return f.template operator()<std::complex<double>>();
    default:
      return f.template operator()<float>();
  }
}

Tensor upload(const void* data, std::size_t count, DType dtype, const Shape& shape, const Device& device) {
  const Waiting waiting;
  return Tensor::from_bytes(data, count, dtype, shape, device);
}

/// Lists in lists that are being read: one in another is one axis more, and one that contains itself has no end.
class Deeper {
 public:
  Deeper() {
    if (++depth > kMaxRank) {
      --depth;
      too_deep();
    }
  }
  ~Deeper() { --depth; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

  [[noreturn]] static void too_deep() {
    raise(PyExc_ValueError, "array: a list is nested more than " + std::to_string(kMaxRank) +
                                " deep, or contains itself; a tensor has at most " + std::to_string(kMaxRank) +
                                " axes.");
  }

 private:
  static thread_local int depth;
};
thread_local int Deeper::depth = 0;

Tensor from_list(nb::handle h, std::optional<DType> dtype, const Device& device) {
  const Deeper deeper;
  Numbers numbers;
  for (nb::object at = nb::borrow(h); is_list(at);) {
    if (numbers.dims.size() == static_cast<std::size_t>(kMaxRank)) Deeper::too_deep();
    const Py_ssize_t size = PySequence_Size(at.ptr());
    numbers.dims.push_back(size);
    if (size == 0) break;
    at = nb::steal(PySequence_GetItem(at.ptr(), 0));
  }
  if (numbers.walk(h, 0)) {
    const DType type = dtype.value_or(numbers.natural());
    const auto bytes = dispatch(type, [&]<class T>() { return bytes_of<T>(numbers, type); });
    return upload(bytes.data(), numbers.reals.size(), type, Shape(numbers.dims), device);
  }
  // Tensors or arrays inside: each entry by itself, side by side.
  std::vector<Tensor> parts;
  for (nb::handle each : nb::borrow<nb::sequence>(h)) {
    if (!like_tensor(each)) {
      raise(PyExc_TypeError, "array: a list holds " + text_of(each) + " of type " + kind_text(each) +
                                 "; numbers, lists of them, tensors and arrays are expected.");
    }
    parts.push_back(array_from(each, dtype, device));
    if (parts.back().shape() != parts[0].shape()) {
      raise(PyExc_ValueError, "array: a list holds entries of shapes " + parts[0].shape().str() + " and " +
                                  parts.back().shape().str() + "; equal ones are expected.");
    }
  }
  return stack(parts);
}

// ---- Buffers ----

Tensor from_buffer(nb::handle h, const Device& device) {
  const BufferView buffer(h);
  const Py_buffer& view = *buffer;
  const auto type = type_of_format(view.format, view.itemsize);
  if (!type) {
    const nb::object named = nb::hasattr(h, "dtype") ? nb::object(h.attr("dtype")) : nb::borrow(h);
    raise(PyExc_TypeError, "array: elements of format '" + std::string(view.format) + "' (" + text_of(named) +
                               ") were given; " + std::string(kTypes) + ".");
  }
  Shape shape;
  for (int i = 0; i < view.ndim; ++i) shape.push_back(view.shape[i]);
  const auto count = static_cast<std::size_t>(view.len / view.itemsize);
  if (PyBuffer_IsContiguous(&view, 'C') != 0) return upload(view.buf, count, *type, shape, device);
  std::vector<std::byte> bytes(static_cast<std::size_t>(view.len));
  if (PyBuffer_ToContiguous(bytes.data(), &view, view.len, 'C') != 0) throw nb::python_error();
  return upload(bytes.data(), count, *type, shape, device);
}

// ---- DLPack ----

std::optional<DType> type_of(const nb::dlpack::dtype& t) {
  if (t.lanes != 1) return std::nullopt;
  const auto kind = static_cast<nb::dlpack::dtype_code>(t.code);
  for (const DTypeInfo& i : kDTypeInfo) {
    if (i.size * 8 != t.bits) continue;
    if (kind == nb::dlpack::dtype_code::Bool && i.kind == DTypeKind::kBool) return i.dtype;
    if (kind == nb::dlpack::dtype_code::Int && i.kind == DTypeKind::kSigned) return i.dtype;
    if (kind == nb::dlpack::dtype_code::UInt && i.kind == DTypeKind::kUnsigned) return i.dtype;
    if (kind == nb::dlpack::dtype_code::Complex && i.kind == DTypeKind::kComplex) return i.dtype;
    if (kind == nb::dlpack::dtype_code::Bfloat && i.dtype == bf16) return i.dtype;
    if (kind == nb::dlpack::dtype_code::Float && i.kind == DTypeKind::kFloat && i.dtype != bf16) return i.dtype;
  }
  return std::nullopt;
}

nb::dlpack::dtype dlpack_of(DType t) {
  const DTypeInfo& i = info(t);
  const auto kind = t == bf16 ? nb::dlpack::dtype_code::Bfloat
                              : std::array{nb::dlpack::dtype_code::Bool, nb::dlpack::dtype_code::Int,
                                           nb::dlpack::dtype_code::UInt, nb::dlpack::dtype_code::Float,
                                           nb::dlpack::dtype_code::Complex}[static_cast<std::size_t>(i.kind)];
  return {static_cast<std::uint8_t>(kind), static_cast<std::uint8_t>(i.size * 8), 1};
}

using CpuArray = nb::ndarray<nb::ro, nb::device::cpu>;

/// Keeps the array of another library alive, from whatever thread it is let go.
std::shared_ptr<const void> owner_of(const CpuArray& array) {
  return {new CpuArray(array), [](const CpuArray* p) {
            if (Py_IsInitialized() == 0) return;  // the interpreter is gone, and the array with it
            const nb::gil_scoped_acquire gil;
            delete p;
          }};
}

/// `copy`: always, never (an error where that cannot be), or where it is needed.
Tensor from_dlpack(nb::handle h, const Device& given, std::optional<bool> copy) {
  const Device device = given.impl() != nullptr ? given : Device::current();
  CpuArray in;
  if (!nb::try_cast(nb::borrow(h), in)) {
    raise(PyExc_TypeError, "from_dlpack: " + text_of(h) + " of type " + kind_text(h) +
                               " gives no memory of the CPU; bring it there first.");
  }
  const auto type = type_of(in.dtype());
  if (!type) {
    raise(PyExc_TypeError, "from_dlpack: elements of " + std::to_string(in.dtype().bits) + " bits of kind " +
                               std::to_string(in.dtype().code) + " were given; " + std::string(kTypes) + ".");
  }
  Shape shape;
  bool contiguous = true;
  std::int64_t step = 1;
  for (std::size_t i = 0; i < in.ndim(); ++i) shape.push_back(static_cast<std::int64_t>(in.shape(i)));
  for (std::size_t i = in.ndim(); i-- > 0;) {
    contiguous = contiguous && (in.shape(i) <= 1 || in.stride(i) == step);
    step *= static_cast<std::int64_t>(in.shape(i));
  }
  const auto count = static_cast<std::size_t>(shape.numel());
  const auto* data = static_cast<const std::byte*>(in.data());
  const std::size_t size = size_of(*type);
  const bool on_cpu = device.info().type == DeviceType::kCpu;
  const auto cannot = [](const std::string& why) {
    raise(PyExc_ValueError, "copy=False was given, but " + why + ", so that they have to be copied.");
  };
  if (copy == false && !on_cpu) cannot("the tensor is to be on " + device.info().id);
  if (copy == false && !contiguous) cannot("the elements are not in row-major order");
  if (copy != true && contiguous && on_cpu && count > 0) {
    Tensor x = from_host({{data, count * size}, owner_of(in), true}, *type, shape, device);
    if (copy == false && host_view(x).bytes.data() != data) cannot("the memory is not aligned");
    return x;
  }
  if (contiguous || count == 0) return upload(data, count, *type, shape, device);
  std::vector<std::byte> bytes(count * size);
  std::vector<std::int64_t> at(in.ndim(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < at.size(); ++k) offset += at[k] * in.stride(k);
    std::memcpy(bytes.data() + i * size, data + offset * static_cast<std::int64_t>(size), size);
    for (std::size_t k = at.size(); k-- > 0;) {
      if (++at[k] < static_cast<std::int64_t>(in.shape(k))) break;
      at[k] = 0;
    }
  }
  return upload(bytes.data(), count, *type, shape, device);
}

/// Memory of the CPU for others, read-only: the tensor's own on the CPU backend.
nb::object to_ndarray(const Tensor& x) {
  auto* view = new HostView;
  const nb::capsule owner(view, [](void* p) noexcept { delete static_cast<HostView*>(p); });
  {
    const Waiting waiting;
    *view = host_view(x);
  }
  std::vector<std::size_t> shape(x.shape().begin(), x.shape().end());
  const nb::ndarray<nb::array_api, nb::ro, nb::device::cpu> out(view->bytes.data(), shape.size(), shape.data(), owner,
                                                                nullptr, dlpack_of(x.dtype()));
  return nb::cast(out);
}

}  // namespace

std::optional<DType> type_of_format(const char* format, Py_ssize_t size) {
  std::string_view text = format != nullptr ? format : "B";
  if (!text.empty() && (text[0] == '@' || text[0] == '=' || text[0] == '<')) text.remove_prefix(1);
  if (text == "Zf") return c64;
  if (text == "Zd") return c128;
  if (text.size() != 1) return std::nullopt;
  const char c = text[0];
  if (c == '?') return boolean;
  if (c == 'e') return f16;
  if (c == 'f') return f32;
  if (c == 'd') return f64;
  const bool is_signed_type = std::string_view("bhilqn").find(c) != std::string_view::npos;
  if (!is_signed_type && std::string_view("BHILQNc").find(c) == std::string_view::npos) return std::nullopt;
  switch (size) {
    case 1:
      return is_signed_type ? i8 : u8;
    case 2:
      return is_signed_type ? i16 : u16;
    case 4:
      return is_signed_type ? i32 : u32;
    case 8:
      return is_signed_type ? i64 : u64;
    default:
      return std::nullopt;
  }
}

nb::object numpy_of(const HostView& elements, DType dtype, const Shape& shape) {
  if (dtype == bf16) return give(from_host(elements, dtype, shape, device_from(nb::str("cpu"), "numpy")));
  auto* kept = new HostView(elements);
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<HostView*>(p); });
  const std::vector<std::size_t> sizes(shape.begin(), shape.end());
  return nb::cast(nb::ndarray<nb::numpy, nb::ro, nb::device::cpu>(elements.bytes.data(), sizes.size(), sizes.data(),
                                                                  owner, nullptr, dlpack_of(dtype)));
}

nb::object element(DType dtype, const std::byte* at) {
  return dispatch(dtype, [&]<class T>() -> nb::object {
    T v;
    std::memcpy(&v, at, sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {
      return nb::bool_(v);
    } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
      return nb::float_(static_cast<double>(static_cast<float>(v)));
    } else if constexpr (std::is_floating_point_v<T>) {
      return nb::float_(static_cast<double>(v));
    } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
      return nb::steal(PyComplex_FromDoubles(static_cast<double>(v.real()), static_cast<double>(v.imag())));
    } else {
      return nb::int_(v);
    }
  });
}

bool is_array(nb::handle h) { return is_tensor(h) || (!is_number(h) && !is_list(h) && has_dlpack(h)); }

bool like_tensor(nb::handle h) {
  return is_number(h) || is_tensor(h) || is_list(h) ||
         (!PyUnicode_Check(h.ptr()) && !PyBytes_Check(h.ptr()) && !PyType_Check(h.ptr()) &&
          (PyObject_CheckBuffer(h.ptr()) != 0 || has_dlpack(h) || has_array(h)));
}

Tensor tensor_from(nb::handle h, const Device& device, std::string_view what, std::string_view name) {
  if (is_tensor(h)) return tensor_ref(h);
  if (PyFloat_Check(h.ptr())) return Tensor(PyFloat_AsDouble(h.ptr()));
  if (PyComplex_Check(h.ptr())) {
    return Tensor(std::complex<double>(PyComplex_RealAsDouble(h.ptr()), PyComplex_ImagAsDouble(h.ptr())));
  }
  if (PyBool_Check(h.ptr())) return full({}, Tensor(h.is(Py_True) ? 1 : 0), boolean, device);
  if (PyLong_Check(h.ptr())) {
    int overflow = 0;
    const std::int64_t v = PyLong_AsLongLongAndOverflow(h.ptr(), &overflow);
    if (overflow == 0) return Tensor(v);
    return array_from(nb::make_tuple(nb::borrow(h)), u64, device).reshape({});
  }
  if (!like_tensor(h)) {
    raise(PyExc_TypeError, std::string(what) + ": the argument '" + std::string(name) + "' is " + text_of(h) +
                               " of type " + kind_text(h) +
                               "; a tensor, a number, a list of numbers or an array is expected.");
  }
  return array_from(h, {}, device);
}

Tensor array_from(nb::handle h, std::optional<DType> dtype, const Device& device) {
  const auto typed = [&](Tensor t) { return dtype && *dtype != t.dtype() ? cast(t, *dtype) : t; };
  if (is_tensor(h)) {
    Tensor t = tensor_ref(h);
    if (device.impl() != nullptr) {
      const Waiting waiting;
      t = t.to(device);
    }
    return typed(std::move(t));
  }
  if (is_number(h)) {
    Numbers one;
    one.add(h);
    const DType type = dtype.value_or(one.natural());
    const auto bytes = dispatch(type, [&]<class T>() { return bytes_of<T>(one, type); });
    return upload(bytes.data(), 1, type, {}, device);
  }
  if (is_list(h)) return from_list(h, dtype, device);
  if (PyObject_CheckBuffer(h.ptr()) != 0 && !PyBytes_Check(h.ptr())) {
    // float64 on a device without it: convert on the way where another type is asked for.
    const auto complex = [&] { return nb::cast<std::string>(nb::str(h.attr("dtype").attr("kind"))) == "c"; };
    if (dtype && nb::hasattr(h, "astype") && nb::hasattr(h, "dtype") && *dtype != bf16 &&
        (is_complex(*dtype) || !nb::hasattr(h.attr("dtype"), "kind") || !complex())) {
      const nb::object converted = h.attr("astype")(give(*dtype).attr("name"));
      return typed(from_buffer(converted, device));
    }
    return typed(from_buffer(h, device));
  }
  if (!PyType_Check(h.ptr()) && has_dlpack(h)) return typed(from_dlpack(h, device, true));
  if (!PyType_Check(h.ptr()) && has_array(h)) return typed(from_buffer(h.attr("__array__")(), device));
  raise(PyExc_TypeError, "array: " + text_of(h) + " of type " + kind_text(h) +
                             " was given; a number, a nested list of numbers, a tensor, or an array with a buffer, "
                             "DLPack or __array__ is expected.");
}

Shape shape_from(nb::handle h, std::string_view what) {
  Shape out;
  for (nb::handle size : nb::borrow<nb::sequence>(h)) out.push_back(integer_from(size, what, "shape"));
  return out;
}

std::int64_t integer_from(nb::handle h, std::string_view what, std::string_view name) {
  const nb::object whole = nb::steal(PyNumber_Index(h.ptr()));
  if (!whole.is_valid()) throw nb::python_error();
  int overflow = 0;
  const std::int64_t v = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
  if (overflow != 0) {
    raise(PyExc_ValueError, std::string(what) + ": the argument '" + std::string(name) + "' is " + text_of(h) +
                                ", which does not fit 64 bits.");
  }
  return v;
}

void bind_arrays(nb::module_& m) {
  m.def(
      "_array",
      [](nb::handle data, nb::handle dtype, nb::handle device) {
        std::optional<DType> type;
        if (!dtype.is_none()) type = dtype_from(dtype, "array: the type");
        return give(array_from(data, type, device_from(device, "array")));
      },
      nb::arg("data").none(), nb::arg("dtype").none(), nb::arg("device").none());
  m.def(
      "_from_dlpack",
      [](nb::handle data, nb::handle device, std::optional<bool> copy) {
        return give(from_dlpack(data, device_from(device, "from_dlpack"), copy));
      },
      nb::arg("data"), nb::arg("device").none(), nb::arg("copy").none());
  m.def("_ndarray", [](const Handle& h) { return to_ndarray(h.value); });
  m.def(
      "_from_bytes",
      [](nb::handle data, nb::handle dtype, nb::handle shape, nb::handle device) {
        const BufferView buffer(data);
        const DType type = dtype_from(dtype, "from_bytes: the type");
        const Shape sizes = shape_from(shape, "from_bytes");
        if (static_cast<std::size_t>((*buffer).len) % size_of(type) != 0) {
          raise(PyExc_ValueError, "from_bytes: " + std::to_string((*buffer).len) + " bytes are no whole elements of " +
                                      std::string(name(type)) + ".");
        }
        const auto each = static_cast<std::size_t>(info(type).elements);
        return give(upload((*buffer).buf, static_cast<std::size_t>((*buffer).len) / size_of(type) * each, type, sizes,
                           device_from(device, "from_bytes")));
      },
      nb::arg("data"), nb::arg("dtype"), nb::arg("shape"), nb::arg("device").none() = nb::none());
  m.def("_to_bytes", [](const Handle& h) {
    HostView view;
    {
      const Waiting waiting;
      view = host_view(h.value);
    }
    return nb::bytes(view.bytes.data(), view.bytes.size());
  });
}

}  // namespace tessera::python
