// Calls of ops: a node says what is computed, and schedule/calls lowers it for a device.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "tessera/dtype.h"
#include "tessera/shape.h"

namespace tessera {

class HostStep;
class Node;

/// The dtype and shape of one input or output of a call.
struct TensorSpec {
  DType dtype = DType::kF32;
  Shape shape;
  friend bool operator==(const TensorSpec&, const TensorSpec&) = default;
};

/// Attributes of a call, or of a kernel's variant, as words that can be compared. They come from structs with a
/// function `static auto fields(auto& s)` that ties their members: integers, enums, bools, doubles, lists of integers.
using Attributes = std::vector<std::int64_t>;

namespace attribute_words {

template <class T>
void write(Attributes& words, const T& value) {
  if constexpr (std::is_same_v<T, double>) {
    words.push_back(std::bit_cast<std::int64_t>(value));
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    words.push_back(static_cast<std::int64_t>(value));
  } else {
    words.push_back(static_cast<std::int64_t>(value.size()));
    words.insert(words.end(), value.begin(), value.end());
  }
}

template <class T>
void read(const Attributes& words, std::size_t& at, T& value) {
  if constexpr (std::is_same_v<T, double>) {
    value = std::bit_cast<double>(words.at(at++));
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    value = static_cast<T>(words.at(at++));
  } else {
    const auto size = static_cast<std::size_t>(words.at(at++));
    for (std::size_t i = 0; i < size; ++i) value.push_back(words.at(at++));
  }
}

}  // namespace attribute_words

template <class T>
Attributes to_attributes(const T& value) {
  Attributes words;
  std::apply([&](const auto&... field) { (attribute_words::write(words, field), ...); }, T::fields(value));
  return words;
}

template <class T>
T from_attributes(const Attributes& words) {
  T value{};
  std::size_t at = 0;
  std::apply([&](auto&... field) { (attribute_words::read(words, at, field), ...); }, T::fields(value));
  return value;
}

/// One call of an op, shared by the nodes of its results.
struct Call {
  std::string_view op;  // a literal: the name of its row in schedule/calls/calls.cpp, if it has no step
  Attributes attributes;
  std::vector<TensorSpec> outputs;
  std::vector<std::weak_ptr<const Node>> results;  // the nodes, in the order of `outputs`
  std::shared_ptr<const HostStep> step = {};       // instead of a lowering: the host runs it

  friend bool operator==(const Call& a, const Call& b) {
    return a.op == b.op && a.attributes == b.attributes && a.outputs == b.outputs && a.step == b.step;
  }
};

/// kCall: one result of a call; equal by content.
struct CallResult {
  std::shared_ptr<const Call> call;
  int output = 0;
  friend bool operator==(const CallResult& a, const CallResult& b) {
    return a.output == b.output && (a.call == b.call || *a.call == *b.call);
  }
};

}  // namespace tessera
