// Structures of tensors: the arguments and results that compile() and value_and_grad() take and give back.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"
#include "tessera/tree.h"

namespace TESSERA_API tessera {
namespace detail {

/// Stands for the visitor that `fields` of a struct is called with.
struct AnyVisitor {
  template <class T>
  void operator()(std::string_view name, T& member);
};

/// What a structure is made of.
template <class T>
inline constexpr bool kIsTuple = false;
template <class A, class B>
inline constexpr bool kIsTuple<std::pair<A, B>> = true;
template <class... T>
inline constexpr bool kIsTuple<std::tuple<T...>> = true;
template <class T, std::size_t N>
inline constexpr bool kIsTuple<std::array<T, N>> = true;
template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsMap = false;
template <class T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
concept HasFields = std::is_class_v<T> && requires(T& value, AnyVisitor& visitor) { value.fields(visitor); };

/// Whether T is a structure; with `kConstants`, its leaves may be numbers, enumerators and strings too.
template <class T, bool kConstants>
constexpr bool is_structure();
template <class T, bool kConstants, std::size_t... I>
constexpr bool are_structures(std::index_sequence<I...> /*parts*/) {
  return (is_structure<std::tuple_element_t<I, T>, kConstants>() && ...);
}
template <class T, bool kConstants>
constexpr bool is_structure() {
  if constexpr (std::same_as<T, Tensor> || std::same_as<T, Tree> || HasFields<T>) {
    return true;
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::string>) {
    return kConstants;
  } else if constexpr (kIsTuple<T>) {
    return are_structures<T, kConstants>(std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (kIsMap<T>) {
    return is_structure<typename T::mapped_type, kConstants>();
  } else if constexpr (kIsVector<T> || kIsOptional<T>) {
    return is_structure<typename T::value_type, kConstants>();
  } else {
    return false;
  }
}

}  // namespace detail

/// A Tensor, a Tree, or a std::vector, std::array, std::pair, std::tuple, std::optional or std::map<std::string, ..> of
/// structures, or a struct that lists its members as modules do:
///
///   struct Layer {
///     Tensor weight, bias;
///     void fields(auto& f) {
///       f("weight", weight);
///       f("bias", bias);
///     }
///   };
template <class T>
concept Structure = detail::is_structure<T, false>();

namespace detail {

/// A structure whose leaves may also be numbers, enumerators and strings: constants of a trace.
template <class T>
concept ArgumentStructure = is_structure<T, true>();

/// Calls f with each tensor, in order; also with empty ones.
template <class T, class F>
void visit_tensors(T& value, const F& f) {
  if constexpr (std::same_as<T, Tensor>) {
    f(value);
  } else if constexpr (std::same_as<T, Tree>) {
    value.visit([&](const std::string& /*name*/, Tensor& t) { f(t); });
  } else if constexpr (kIsTuple<T>) {
    std::apply([&](auto&... parts) { (visit_tensors(parts, f), ...); }, value);
  } else if constexpr (kIsMap<T>) {
    for (auto& entry : value) visit_tensors(entry.second, f);
  } else if constexpr (kIsOptional<T>) {
    if (value.has_value()) visit_tensors(*value, f);
  } else if constexpr (kIsVector<T> && !std::same_as<T, std::vector<bool>>) {
    for (auto& part : value) visit_tensors(part, f);
  } else if constexpr (HasFields<T>) {
    auto visitor = [&]<class M>(std::string_view /*name*/, M& member) {
      static_assert(ArgumentStructure<M>, "fields: a member is a tensor, a structure of tensors, a number or a string");
      visit_tensors(member, f);
    };
    value.fields(visitor);
  }
}

/// Adds the tensors of a structure to a list. An empty tensor inside of a structure is none.
template <class T>
void append_tensors(const T& value, std::vector<Tensor>& to) {
  // `fields` and Tree::visit are for writing too; here nothing is written.
  visit_tensors(const_cast<T&>(value), [&](Tensor& t) {
    if (std::same_as<T, Tensor> || t.defined()) to.push_back(t);
  });
}

[[noreturn]] void fail_structure();

/// Replaces the tensors of a structure by the next ones of a list.
template <class T>
void replace_tensors(T& value, std::span<const Tensor>& from) {
  visit_tensors(value, [&](Tensor& t) {
    if (!std::same_as<T, Tensor> && !t.defined()) return;
    if (from.empty()) fail_structure();
    t = from.front();
    from = from.subspan(1);
  });
}

/// The same structure with numbers as its tensors: nothing of theirs is kept.
template <class T>
T outline(const T& value) {
  T copy = value;
  visit_tensors(copy, [](Tensor& t) {
    if (t.defined()) t = Tensor(0.0);
  });
  return copy;
}

void describe(const Tree& tree, std::string& text);

/// Adds a text that is equal for equal structures of one type: what a trace depends on besides shapes and dtypes.
template <class T>
void describe(const T& value, std::string& text) {
  if constexpr (std::same_as<T, Tensor>) {
    text += value.defined() ? 't' : '-';
  } else if constexpr (std::is_floating_point_v<T>) {
    const auto number = static_cast<double>(value);  // without the padding of a long double
    text.append(reinterpret_cast<const char*>(&number), sizeof number);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
  } else if constexpr (std::same_as<T, std::string>) {
    text += std::to_string(value.size()) + ':' + value;
  } else if constexpr (kIsTuple<T>) {
    std::apply([&](const auto&... parts) { (describe(parts, text), ...); }, value);
  } else if constexpr (kIsMap<T>) {
    text += std::to_string(value.size()) + '{';
    for (const auto& [key, part] : value) {
      describe(key, text);
      describe(part, text);
    }
  } else if constexpr (kIsOptional<T>) {
    text += value.has_value() ? '+' : '-';
    if (value.has_value()) describe(*value, text);
  } else if constexpr (kIsVector<T>) {
    text += std::to_string(value.size()) + '[';
    for (const auto& part : value) describe(static_cast<const typename T::value_type&>(part), text);
  } else if constexpr (HasFields<T>) {
    auto visitor = [&](std::string_view /*name*/, auto& member) { describe(std::as_const(member), text); };
    const_cast<T&>(value).fields(visitor);
  }
}

}  // namespace detail
}  // namespace tessera
