// Tensor: a handle to a node of the lazy graph.
#pragma once

#include <complex>
#include <concepts>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/device.h"
#include "tessera/dtype.h"
#include "tessera/error.h"
#include "tessera/export.h"
#include "tessera/members.h"
#include "tessera/shape.h"

namespace TESSERA_API tessera {

class Node;

/// A plain C++ number.
template <class V>
concept Number = std::integral<V> || std::floating_point<V> || std::same_as<V, std::complex<float>> ||
                 std::same_as<V, std::complex<double>>;

/// An n-dimensional array of one dtype on one device. Ops only record the computation; reading a value (item, data,
/// to_vector) or eval() computes it and everything it depends on, in as few kernels as possible. Copies share the
/// value. Thread-safe.
///
/// Every op that takes a tensor first is a member too (tessera/members.h): x.matmul(w).relu().mean({0}).
class Tensor : public detail::Members {
 public:
  Tensor() = default;  // no tensor
  /// A weak scalar: a tensor of rank 0 that adopts the dtype and device of the other operand.
  template <Number V>
  Tensor(V value) : Tensor(from_number(value)) {}  // NOLINT(google-explicit-constructor): 2 * x reads as it should
  /// Data in row-major order, copied to the device. Error of kind shape if the number of elements differs.
  template <class V>
    requires(!std::same_as<V, bool>)
  Tensor(const std::vector<V>& data, const Shape& shape, const Device& device = {})
      : Tensor(from_bytes(data.data(), data.size(), dtype_of<V>, shape, device)) {}
  Tensor(const std::vector<bool>& data, const Shape& shape, const Device& device = {});
  /// Nested lists: Tensor({{1, 2}, {3, 4}}) is 2 x 2. Error of kind shape if rows differ in length.
  template <class V>
    requires(!std::same_as<V, bool>)
  explicit Tensor(const std::vector<V>& data, const Device& device = {});
  static Tensor from_bytes(const void* data, std::size_t count, DType dtype, const Shape& shape,
                           const Device& device = {});

  [[nodiscard]] bool defined() const { return node_ != nullptr; }
  [[nodiscard]] const Shape& shape() const;
  [[nodiscard]] std::int64_t size(int axis) const;
  [[nodiscard]] int rank() const { return shape().rank(); }
  [[nodiscard]] std::int64_t numel() const { return shape().numel(); }
  [[nodiscard]] DType dtype() const;
  [[nodiscard]] Device device() const;
  /// Whether the value has been computed (or at least submitted).
  [[nodiscard]] bool is_evaluated() const;

  /// Starts computing; does not wait.
  const Tensor& eval() const;
  /// The single element, converted from its stored value: integers keep their low bits, floats are truncated to an
  /// integer first. Error of kind shape if there are more elements; of kind dtype if V is real and the element complex.
  template <class V>
  [[nodiscard]] V item() const;
  /// The same as a double. Error of kind dtype where that is not exact: for complex elements, and for integers of 64
  /// bits beyond 2^53 in magnitude.
  [[nodiscard]] double item() const;
  /// All elements in row-major order. Error of kind dtype if V is not the tensor's dtype.
  template <class V>
  [[nodiscard]] std::vector<V> to_vector() const;
  template <class V>
  [[nodiscard]] std::vector<V> data() const {
    return to_vector<V>();
  }
  /// Reads without waiting: the callback receives the elements or the error, on a thread of the device, inside a wait
  /// or, on the CPU, immediately. It may use tensors and wait; exceptions of any type are logged and not propagated.
  template <class V>
  void read(std::function<void(std::vector<V>, std::exception_ptr)> done) const;
  template <class V>
  [[nodiscard]] std::future<std::vector<V>> read_async() const;

  [[nodiscard]] Tensor to(const Device& device) const;
  [[nodiscard]] Tensor astype(DType dtype) const;
  [[nodiscard]] Tensor reshape(const Shape& shape) const;
  [[nodiscard]] Tensor T() const;  // the last two axes swapped; the axes reversed for rank 1 and 0
  /// x[i], x[Slice{1, 3}], x[mask], x[{Slice{}, -1}]: index() of tessera/index.h, with NumPy's rules. A number drops
  /// its axis; negative ones count from the end. The result is a tensor of its own: index_set() replaces elements.
  template <std::integral I>
  Tensor operator[](I i) const;
  Tensor operator[](const At& at) const;
  Tensor operator[](std::initializer_list<At> at) const;

  // ---- Gradients, in the style of PyTorch; tessera/grad.h has the function transforms ----
  /// Makes this tensor a variable: ops on it are tracked, and backward() computes its gradient. With false, it becomes
  /// a plain tensor. Error of kind dtype for integers and bool.
  Tensor& requires_grad(bool on = true);
  /// Whether gradients pass through this tensor: it is a variable, or depends on one.
  [[nodiscard]] bool is_tracked() const;
  /// Accumulates the gradients of this tensor into all variables that it depends on; `seed` is its own gradient and may
  /// be omitted for a scalar. The graph is freed unless `keep_graph`.
  void backward(const Tensor& seed = {}, bool keep_graph = false) const;
  /// The gradient accumulated by backward(); an empty Tensor if there is none.
  [[nodiscard]] Tensor grad() const;
  void zero_grad() const;
  /// The same value, detached from the graph.
  [[nodiscard]] Tensor detach() const;

  /// Nested brackets with at most six entries on each side of an axis, dtype and device.
  [[nodiscard]] std::string str() const;

  explicit Tensor(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  [[nodiscard]] const std::shared_ptr<const Node>& node() const { return node_; }

 private:
  static Tensor from_number(double v);
  static Tensor from_number(std::int64_t v);
  static Tensor from_number(std::uint64_t v);
  static Tensor from_number(bool v);
  static Tensor from_number(std::complex<double> v);
  template <Number V>
  static Tensor from_number(V v) {
    if constexpr (std::same_as<V, std::complex<float>>) {
      return from_number(std::complex<double>(v));
    } else if constexpr (std::floating_point<V>) {
      return from_number(static_cast<double>(v));
    } else if constexpr (std::unsigned_integral<V> && sizeof(V) == sizeof(std::uint64_t)) {
      return from_number(static_cast<std::uint64_t>(v));
    } else {
      return from_number(static_cast<std::int64_t>(v));
    }
  }
  void read_bytes(DType expected, const std::function<void*(std::size_t)>& place,
                  std::function<void(std::exception_ptr)> done) const;
  void read_bytes_now(DType expected, void* to) const;
  [[nodiscard]] double item_as_double() const;
  [[nodiscard]] std::int64_t item_as_int() const;
  [[nodiscard]] std::complex<double> item_as_complex() const;

  std::shared_ptr<const Node> node_;
};

inline const Tensor& detail::Members::self() const { return static_cast<const Tensor&>(*this); }

/// Writes x.str().
std::ostream& operator<<(std::ostream& out, const Tensor& x);

/// Starts computing all of them in one submission; does not wait.
void eval(std::span<const Tensor> tensors);
inline void eval(std::initializer_list<Tensor> tensors) { eval(std::span(tensors.begin(), tensors.size())); }
template <class... Ts>
  requires(std::same_as<Ts, Tensor> && ...)
void eval(const Tensor& first, const Ts&... rest) {
  eval({first, rest...});
}
/// Evaluates all, then reads all with one wait; the callback receives the bytes of each, in order.
void read_all(std::span<const Tensor> tensors,
              std::function<void(std::vector<std::vector<std::byte>>, std::exception_ptr)> done);

// ---- Templates ----

namespace detail {
template <class V>
struct Nested {
  using Element = V;
  static void shape(const V&, std::vector<std::int64_t>&, std::size_t) {}
  static void flatten(const V& v, std::span<const std::int64_t>, std::vector<V>& out) { out.push_back(v); }
};
[[noreturn]] void ragged(std::size_t got, std::int64_t expected);
template <class V>
struct Nested<std::vector<V>> {
  using Element = typename Nested<V>::Element;
  static void shape(const std::vector<V>& v, std::vector<std::int64_t>& out, std::size_t depth) {
    if (out.size() == depth) out.push_back(static_cast<std::int64_t>(v.size()));
    if (!v.empty()) Nested<V>::shape(v[0], out, depth + 1);
  }
  static void flatten(const std::vector<V>& v, std::span<const std::int64_t> shape, std::vector<Element>& out) {
    if (static_cast<std::int64_t>(v.size()) != shape[0]) ragged(v.size(), shape[0]);
    for (const V& x : v) Nested<V>::flatten(x, shape.subspan(1), out);
  }
};
}  // namespace detail

template <class V>
  requires(!std::same_as<V, bool>)
Tensor::Tensor(const std::vector<V>& data, const Device& device) {
  using Element = typename detail::Nested<std::vector<V>>::Element;
  std::vector<std::int64_t> dims;
  detail::Nested<std::vector<V>>::shape(data, dims, 0);
  std::vector<Element> flat;
  detail::Nested<std::vector<V>>::flatten(data, dims, flat);
  *this = from_bytes(flat.data(), flat.size(), dtype_of<Element>, Shape(dims), device);
}

template <class V>
V Tensor::item() const {
  if constexpr (std::same_as<V, std::complex<float>> || std::same_as<V, std::complex<double>>) {
    return static_cast<V>(item_as_complex());
  } else if constexpr (std::same_as<V, bool>) {
    return item_as_double() != 0;
  } else if constexpr (std::is_integral_v<V>) {
    return static_cast<V>(item_as_int());
  } else {
    return static_cast<V>(item_as_double());
  }
}

template <class V>
std::vector<V> Tensor::to_vector() const {
  if constexpr (std::same_as<V, bool>) {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(numel()));
    read_bytes_now(DType::kBool, bytes.data());
    return {bytes.begin(), bytes.end()};
  } else {
    std::vector<V> result(static_cast<std::size_t>(numel()));
    read_bytes_now(dtype_of<V>, result.data());
    return result;
  }
}

template <class V>
void Tensor::read(std::function<void(std::vector<V>, std::exception_ptr)> done) const {
  using Stored = std::conditional_t<std::same_as<V, bool>, unsigned char, V>;  // std::vector<bool> has no bytes
  auto result = std::make_shared<std::vector<Stored>>();
  read_bytes(
      dtype_of<V>,
      [result](std::size_t bytes) {
        result->resize(bytes / sizeof(Stored));
        return result->data();
      },
      [result, done = std::move(done)](std::exception_ptr error) {
        if constexpr (std::same_as<V, bool>) {
          done(std::vector<bool>(result->begin(), result->end()), error);
        } else {
          done(std::move(*result), error);
        }
      });
}

template <class V>
std::future<std::vector<V>> Tensor::read_async() const {
  auto promise = std::make_shared<std::promise<std::vector<V>>>();
  auto future = promise->get_future();
  read<V>([promise](std::vector<V> values, std::exception_ptr error) {
    if (error) {
      promise->set_exception(error);
    } else {
      promise->set_value(std::move(values));
    }
  });
  return future;
}

}  // namespace tessera
