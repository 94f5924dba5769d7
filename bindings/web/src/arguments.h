// Arguments of an op as JavaScript sends them: numbers in a row, read in the order of the parameters.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tessera/tessera.h>

#include "handles.h"

namespace tessera::web {

class Arguments {
 public:
  explicit Arguments(std::span<const double> words) : words_(words) {}

  double number() {
    if (at_ >= words_.size()) throw Error(ErrorKind::kValue, "The binding sent too few arguments.");
    return words_[at_++];
  }
  template <class I>
  I integer() {
    return static_cast<I>(number());
  }
  bool boolean() { return number() != 0; }
  /// Whether a value follows, of a parameter that may be left out.
  bool given() { return boolean(); }
  template <class E>
  E enumerator() {
    return static_cast<E>(integer<int>());
  }
  DType dtype() { return enumerator<DType>(); }

  /// A tensor, a number that takes the type of what it meets, or none.
  Tensor tensor() {
    switch (integer<int>()) {
      case 0:
        return tensor_of(integer<std::int32_t>());
      case 1:
        return {number()};
      case 2:
        return {integer<std::int64_t>()};
      case 3:
        return {boolean()};
      default:
        return {};
    }
  }
  std::vector<Tensor> tensors() {
    return list<Tensor>([&] { return tensor(); });
  }
  std::vector<std::int64_t> integers() {
    return list<std::int64_t>([&] { return integer<std::int64_t>(); });
  }
  std::vector<int> ints() {
    return list<int>([&] { return integer<int>(); });
  }
  std::vector<double> numbers() {
    return list<double>([&] { return number(); });
  }
  Shape shape() { return Shape(integers()); }
  std::string string() {
    const auto bytes = list<char>([&] { return static_cast<char>(integer<int>()); });
    return {bytes.begin(), bytes.end()};
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs() {
    return list<std::pair<std::int64_t, std::int64_t>>([&] {
      const auto first = integer<std::int64_t>();
      return std::pair(first, integer<std::int64_t>());
    });
  }
  /// 0: pairs; 1: "same"; 2: "valid".
  Padding padding() {
    switch (integer<int>()) {
      case 1:
        return {"same"};
      case 2:
        return {"valid"};
      default:
        return {pairs()};
    }
  }
  Slice slice() {
    Slice out;
    if (given()) out.start = integer<std::int64_t>();
    if (given()) out.stop = integer<std::int64_t>();
    out.step = integer<std::int64_t>();
    return out;
  }
  std::vector<Slice> slices() {
    return list<Slice>([&] { return slice(); });
  }
  std::vector<At> index() {
    return list<At>([&]() -> At {
      switch (integer<int>()) {
        case 0:
          return integer<std::int64_t>();
        case 1:
          return slice();
        case 2:
          return Ellipsis{};
        case 3:
          return NewAxis{};
        default:
          return tensor();
      }
    });
  }

 private:
  template <class T, class F>
  std::vector<T> list(F read) {
    const auto count = integer<std::size_t>();
    std::vector<T> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(read());
    return out;
  }

  std::span<const double> words_;
  std::size_t at_ = 0;
};

}  // namespace tessera::web
