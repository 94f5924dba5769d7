// The types of ggml with their blocks, and the typed values of GGUF metadata.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.h"
#include "io/gguf/gguf_format.h"

namespace tessera::io {

namespace {

using enum GgmlType;

/// In the order of the numbers. A block has its scales and so many bits for each element.
constexpr GgmlTypeInfo kTypes[] = {
    {kF32, "F32", 1, 4},
    {kF16, "F16", 1, 2},
    {kQ4_0, "Q4_0", 32, 18},
    {kQ4_1, "Q4_1", 32, 20},
    {kQ5_0, "Q5_0", 32, 22},
    {kQ5_1, "Q5_1", 32, 24},
    {kQ8_0, "Q8_0", 32, 34},
    {kQ8_1, "Q8_1", 32, 36},
    {kQ2_K, "Q2_K", 256, 84},
    {kQ3_K, "Q3_K", 256, 110},
    {kQ4_K, "Q4_K", 256, 144},
    {kQ5_K, "Q5_K", 256, 176},
    {kQ6_K, "Q6_K", 256, 210},
    {kQ8_K, "Q8_K", 256, 292},
    {kIQ2_XXS, "IQ2_XXS", 256, 66},
    {kIQ2_XS, "IQ2_XS", 256, 74},
    {kIQ3_XXS, "IQ3_XXS", 256, 98},
    {kIQ1_S, "IQ1_S", 256, 50},
    {kIQ4_NL, "IQ4_NL", 32, 18},
    {kIQ3_S, "IQ3_S", 256, 110},
    {kIQ2_S, "IQ2_S", 256, 82},
    {kIQ4_XS, "IQ4_XS", 256, 136},
    {kI8, "I8", 1, 1},
    {kI16, "I16", 1, 2},
    {kI32, "I32", 1, 4},
    {kI64, "I64", 1, 8},
    {kF64, "F64", 1, 8},
    {kIQ1_M, "IQ1_M", 256, 56},
    {kBF16, "BF16", 1, 2},
    {kTQ1_0, "TQ1_0", 256, 54},
    {kTQ2_0, "TQ2_0", 256, 66},
    {kMXFP4, "MXFP4", 32, 17},
    {kNVFP4, "NVFP4", 64, 36},
    {kQ1_0, "Q1_0", 128, 18},
};

constexpr std::pair<std::uint32_t, std::string_view> kRemoved[] = {
    {4, "Q4_2"},      {5, "Q4_3"},        {31, "Q4_0_4_4"},   {32, "Q4_0_4_8"},
    {33, "Q4_0_8_8"}, {36, "IQ4_NL_4_4"}, {37, "IQ4_NL_4_8"}, {38, "IQ4_NL_8_8"},
};

const GgmlTypeInfo& info(GgmlType type) {
  const GgmlTypeInfo* found = ggml_type_info(static_cast<std::uint32_t>(type));
  if (found == nullptr) {
    fail(ErrorKind::kValue, "GgmlType: ggml has no type of the number {}.", static_cast<std::uint32_t>(type));
  }
  return *found;
}

constexpr std::string_view kValueTypes[] = {"u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                            "bool", "string", "array", "u64", "i64", "f64"};

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

template <class T>
inline constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

[[noreturn]] void wrong(const GgufValue& value, std::string_view expected) {
  fail(ErrorKind::kValue, "GgufValue: the value {} is of type {}; {} is expected.", value.str(), value.type_text(),
       expected);
}

template <class T>
std::int64_t to_integer(const GgufValue& value, T v) {
  if (!std::in_range<std::int64_t>(v)) wrong(value, "an integer of at most 2^63 - 1");
  return static_cast<std::int64_t>(v);
}

/// JSON, but for numbers that it does not have.
template <class T>
std::string text_of(const T& v) {
  if constexpr (std::is_same_v<T, std::string>) {
    std::string inside = quote(v);
    inside.front() = inside.back() = '"';
    return inside;
  } else if constexpr (std::is_same_v<T, bool>) {
    return v ? "true" : "false";
  } else {
    return fmt::format("{}", v);
  }
}

}  // namespace

const GgmlTypeInfo* ggml_type_info(std::uint32_t code) {
  const auto* const found =
      std::ranges::find(kTypes, code, [](const GgmlTypeInfo& t) { return static_cast<std::uint32_t>(t.type); });
  return found != std::end(kTypes) ? found : nullptr;
}

std::string_view removed_ggml_type(std::uint32_t code) {
  const auto* const found = std::ranges::find(kRemoved, code, [](const auto& r) { return r.first; });
  return found != std::end(kRemoved) ? found->second : std::string_view();
}

std::string_view name(GgmlType type) { return info(type).name; }
std::int64_t block_elements(GgmlType type) { return info(type).block_elements; }
std::size_t block_bytes(GgmlType type) { return info(type).block_bytes; }

std::optional<DType> dtype_of(GgmlType type) {
  switch (type) {
    case kF32:
      return f32;
    case kF16:
      return f16;
    case kBF16:
      return bf16;
    case kF64:
      return f64;
    case kI8:
      return i8;
    case kI16:
      return i16;
    case kI32:
      return i32;
    case kI64:
      return i64;
    default:
      break;
  }
  // Block dtypes have the names of ggml, in lower case.
  const std::string_view wanted = name(type);
  const auto same = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b); };
  const auto* const found = std::ranges::find_if(
      kBlockDTypeInfo, [&](const DTypeInfo& t) { return std::ranges::equal(t.name, wanted, same); });
  return found != kBlockDTypeInfo.end() ? std::optional(found->dtype) : std::nullopt;
}

std::optional<GgmlType> ggml_type(std::string_view name) {
  const auto* const found = std::ranges::find(kTypes, name, &GgmlTypeInfo::name);
  return found != std::end(kTypes) ? std::optional(found->type) : std::nullopt;
}

std::optional<GgmlType> ggml_type(DType dtype) {
  const auto* const found = std::ranges::find_if(kTypes, [&](const auto& t) { return dtype_of(t.type) == dtype; });
  return found != std::end(kTypes) ? std::optional(found->type) : std::nullopt;
}

std::string_view name(GgufType type) {
  const auto code = static_cast<std::size_t>(type);
  if (code >= std::size(kValueTypes)) fail(ErrorKind::kValue, "GgufType: there is no type of the number {}.", code);
  return kValueTypes[code];
}

GgufType GgufValue::element_type() const {
  const std::size_t position = data_.index() % kScalars;  // without the array
  constexpr auto kArray = static_cast<std::size_t>(GgufType::kArray);
  return static_cast<GgufType>(position < kArray ? position : position + 1);
}

std::size_t GgufValue::size() const {
  return std::visit(
      [](const auto& v) -> std::size_t {
        if constexpr (IsVector<std::remove_cvref_t<decltype(v)>>::value) {
          return v.size();
        } else {
          return 1;
        }
      },
      data_);
}

std::int64_t GgufValue::integer() const {
  return std::visit(
      [this](const auto& v) -> std::int64_t {
        if constexpr (kIsInteger<std::remove_cvref_t<decltype(v)>>) {
          return to_integer(*this, v);
        } else {
          wrong(*this, "an integer");
        }
      },
      data_);
}

double GgufValue::number() const {
  return std::visit(
      [this](const auto& v) -> double {
        using T = std::remove_cvref_t<decltype(v)>;
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
          return static_cast<double>(v);
        } else {
          wrong(*this, "a number");
        }
      },
      data_);
}

bool GgufValue::boolean() const {
  if (const auto* v = get_if<bool>()) return *v;
  wrong(*this, "a bool");
}

const std::string& GgufValue::text() const {
  if (const auto* v = get_if<std::string>()) return *v;
  wrong(*this, "a string");
}

std::vector<std::int64_t> GgufValue::integers() const {
  return std::visit(
      [this](const auto& v) -> std::vector<std::int64_t> {
        if constexpr (IsVector<std::remove_cvref_t<decltype(v)>>::value) {
          if constexpr (kIsInteger<typename std::remove_cvref_t<decltype(v)>::value_type>) {
            std::vector<std::int64_t> out;
            out.reserve(v.size());
            for (const auto x : v) out.push_back(to_integer(*this, x));
            return out;
          }
        }
        wrong(*this, "an array of integers");
      },
      data_);
}

std::vector<double> GgufValue::numbers() const {
  return std::visit(
      [this](const auto& v) -> std::vector<double> {
        if constexpr (IsVector<std::remove_cvref_t<decltype(v)>>::value) {
          using T = typename std::remove_cvref_t<decltype(v)>::value_type;
          if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) return {v.begin(), v.end()};
        }
        wrong(*this, "an array of numbers");
      },
      data_);
}

const std::vector<std::string>& GgufValue::texts() const {
  if (const auto* v = get_if<std::vector<std::string>>()) return *v;
  wrong(*this, "an array of strings");
}

std::string GgufValue::type_text() const {
  return is_array() ? fmt::format("{}[{}]", name(element_type()), size()) : std::string(name(type()));
}

std::string GgufValue::str(std::size_t elements) const {
  return std::visit(
      [elements](const auto& v) -> std::string {
        using T = std::remove_cvref_t<decltype(v)>;
        if constexpr (IsVector<T>::value) {
          std::string out = "[";
          for (std::size_t i = 0; i < std::min(elements, v.size()); ++i) {
            out += (i > 0 ? ", " : "") + text_of<typename T::value_type>(v[i]);
          }
          if (v.size() > elements) out += elements > 0 ? ", ..." : "...";
          return out + "]";
        } else {
          return text_of<T>(v);
        }
      },
      data_);
}

GgufMetadata::GgufMetadata(std::initializer_list<Entry> entries) {
  for (const auto& [key, value] : entries) set(key, value);
}

const GgufValue* GgufMetadata::find(std::string_view key) const {
  const auto found = positions_.find(key);
  return found != positions_.end() ? &entries_[found->second].second : nullptr;
}

const GgufValue& GgufMetadata::at(std::string_view key) const {
  if (const GgufValue* value = find(key)) return *value;
  fail(ErrorKind::kValue, "GgufMetadata: there is no key {} among the {} keys.", quote(key), size());
}

void GgufMetadata::set(std::string key, GgufValue value) {
  const auto [position, is_new] = positions_.try_emplace(key, entries_.size());
  if (is_new) {
    entries_.emplace_back(std::move(key), std::move(value));
  } else {
    entries_[position->second].second = std::move(value);
  }
}

}  // namespace tessera::io
