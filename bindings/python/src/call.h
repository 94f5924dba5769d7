// Reads the arguments of one call of an op and gives its results; generated code is written in its terms.
#pragma once

#include "python.h"

namespace tessera::python {

class Call {
 public:
  /// `last`: no other overload is left to try, so that what does not fit is an exception.
  explicit Call(const char* op, bool last = true) : op_(op), last_(last) {}

  template <class T>
  T get(nb::handle h, const char* name);
  template <class T>
  T get(nb::handle h, const char* name, T&& otherwise) {
    return h.is_none() ? std::forward<T>(otherwise) : get<T>(h, name);
  }

  /// Goes on to the next overload where h is an array, which one behind it takes as a tensor.
  static void leave_arrays(nb::handle h) {
    if (is_array(h)) throw nb::next_overload();
  }

  /// The enumerator whose name the text h is.
  template <class E>
  E choose(nb::handle h, const char* name, std::initializer_list<const char*> names) const {
    return static_cast<E>(position(h, name, names));
  }
  template <class E>
  E choose(nb::handle h, const char* name, std::initializer_list<const char*> names, E otherwise) const {
    return h.is_none() ? otherwise : choose<E>(h, name, names);
  }

  template <class F>
  auto wait(F f) {
    const Waiting waiting;
    return f();
  }

  nb::object give(Tensor result) { return python::give(std::move(result)); }
  nb::object give(bool result) { return nb::bool_(result); }
  nb::object give(std::vector<Tensor> results);
  nb::object give_named(const char* type, std::vector<Tensor> results);  // no type: a plain tuple

 private:
  [[noreturn]] void refuse(nb::handle h, const char* name, const char* expected) const;
  [[nodiscard]] int narrow(std::int64_t v, const char* name) const;  // to 32 bits
  /// The position of the text h among `names`.
  std::size_t position(nb::handle h, const char* name, std::initializer_list<const char*> names) const;

  const char* op_;
  bool last_;
  Device device_;  // of the first tensor, where data of the host goes
};

template <>
Tensor Call::get(nb::handle h, const char* name);
template <>
bool Call::get(nb::handle h, const char* name);
template <>
int Call::get(nb::handle h, const char* name);
template <>
std::int64_t Call::get(nb::handle h, const char* name);
template <>
double Call::get(nb::handle h, const char* name);
template <>
std::string Call::get(nb::handle h, const char* name);
template <>
DType Call::get(nb::handle h, const char* name);
template <>
Device Call::get(nb::handle h, const char* name);
template <>
Shape Call::get(nb::handle h, const char* name);
template <>
PerAxis Call::get(nb::handle h, const char* name);
template <>
Padding Call::get(nb::handle h, const char* name);
template <>
std::vector<int> Call::get(nb::handle h, const char* name);
template <>
std::vector<std::int64_t> Call::get(nb::handle h, const char* name);
template <>
std::vector<double> Call::get(nb::handle h, const char* name);
template <>
std::vector<Tensor> Call::get(nb::handle h, const char* name);
template <>
std::vector<Slice> Call::get(nb::handle h, const char* name);
template <>
std::vector<std::pair<std::int64_t, std::int64_t>> Call::get(nb::handle h, const char* name);
template <>
std::vector<At> Call::get(nb::handle h, const char* name);
template <>
std::optional<int> Call::get(nb::handle h, const char* name);
template <>
std::optional<double> Call::get(nb::handle h, const char* name);
template <>
std::optional<std::int64_t> Call::get(nb::handle h, const char* name);
template <>
std::optional<DType> Call::get(nb::handle h, const char* name);
template <>
std::optional<std::vector<std::int64_t>> Call::get(nb::handle h, const char* name);

}  // namespace tessera::python
