// GGUF for the package's JavaScript, which has the bytes: headers are parsed and written here.
#include <charconv>
#include <cmath>

#include <emscripten/emscripten.h>
#include <nlohmann/json.hpp>
#include <tessera/async.h>
#include <tessera/gguf.h>

#include "guarded.h"
#include "handles.h"
#include "module.h"

using Json = nlohmann::json;

namespace tessera::web {

namespace {

using io::GgufMetadata;
using io::GgufValue;

constexpr std::size_t kScalars = 12;  // types of GgufValue::Data in front of those of arrays

/// Integers of 64 bits are texts, for BigInt, and so are numbers that JSON does not have.
template <class T>
Json json_of(const T& v) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(v) ? Json(v) : Json(std::isnan(v) ? "NaN" : v > 0 ? "Infinity" : "-Infinity");
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    return std::to_string(v);
  } else {
    return v;
  }
}
template <class T>
Json json_of(const std::vector<T>& v) {
  Json out = Json::array();
  for (const T& x : v) out.push_back(json_of<T>(x));
  return out;
}

std::string type_of(const GgufValue& value) {
  return std::string(io::name(value.element_type())) + (value.is_array() ? "[]" : "");
}

[[noreturn]] void wrong_value(const std::string& key, const std::string& text, std::string_view type) {
  throw Error(ErrorKind::kValue, "saveGguf: the metadata '" + key + "' has the value " + text +
                                     "; expected one of type " + std::string(type) + ".");
}

/// JavaScript sends numbers as texts.
template <class T>
T value_from(const Json& json, const std::string& key, std::string_view type) {
  if constexpr (std::is_same_v<T, bool>) {
    if (json.is_boolean()) return json.get<bool>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (json.is_string()) return json.get<std::string>();
  } else if (json.is_object() && json.contains("number")) {
    const auto text = json["number"].get<std::string>();
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(std::strtod(text.c_str(), nullptr));
    } else {
      T out{};
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
      if (error == std::errc() && end == text.data() + text.size()) return out;
      wrong_value(key, text, type);
    }
  }
  wrong_value(key, json.is_object() && json.contains("number") ? json["number"].get<std::string>() : json.dump(), type);
}

template <std::size_t I = 0>
GgufValue typed_value(const std::string& key, const std::string& type, const Json& json) {
  if constexpr (I < kScalars) {
    using T = std::variant_alternative_t<I, GgufValue::Data>;
    const std::string name(io::name(GgufValue(T{}).type()));
    if (type == name) return GgufValue(value_from<T>(json, key, name));
    if (type == name + "[]") {
      if (!json.is_array()) wrong_value(key, json.dump(), type);
      std::vector<T> out;
      for (const Json& x : json) out.push_back(value_from<T>(x, key, name));
      return GgufValue(std::move(out));
    }
    return typed_value<I + 1>(key, type, json);
  } else {
    throw Error(ErrorKind::kValue, "saveGguf: the metadata '" + key + "' was given the type '" + type +
                                       "'; expected u8, i8, u16, i16, u32, i32, f32, bool, string, u64, i64 or f64, or "
                                       "one of them with [] behind it.");
  }
}

Json entry_of(const io::GgufEntry& e) {
  const std::optional<DType> dtype = io::dtype_of(e.type);
  return {{"name", e.name},
          {"type", io::name(e.type)},
          {"dtype", dtype ? static_cast<int>(*dtype) : -1},
          {"shape", std::vector(e.shape.begin(), e.shape.end())},
          {"offset", e.offset},
          {"bytes", e.bytes}};
}

void settle(std::int32_t promise, std::string_view bytes) {
  const auto size = static_cast<double>(bytes.size());
  tessera_js_piece(promise, 0, size, 0, bytes.data(), 0, 0, size);
  tessera_js_read(promise, 1);
}

}  // namespace

extern "C" {

/// {version, alignment, bytes, metadata: [[key, type, value]], entries}, the entries in the order of their bytes;
/// "null" where the header goes on behind the first bytes of the file. To be freed.
EMSCRIPTEN_KEEPALIVE char* tessera_gguf_header(const void* first, std::int32_t count, double size, const char* name) {
  return guarded_text([&]() -> std::string {
    const auto header =
        io::parse_gguf_header({static_cast<const std::byte*>(first), static_cast<std::size_t>(count)},
                              size < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(size)), name);
    if (!header) return "null";
    Json metadata = Json::array();
    for (const auto& [key, value] : header->metadata.entries()) {
      Json json = std::visit([](const auto& v) { return json_of(v); }, value.data());
      metadata.push_back(Json::array({key, type_of(value), std::move(json)}));
    }
    Json entries = Json::array();
    for (const io::GgufEntry& e : header->entries) entries.push_back(entry_of(e));
    return Json{{"version", header->version},
                {"alignment", header->alignment},
                {"bytes", header->bytes},
                {"metadata", std::move(metadata)},
                {"entries", std::move(entries)}}
        .dump();
  });
}

/// Settles the promise with the header of a file with these tensors. `about` is {names, metadata: [[key, type,
/// value]]}.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_gguf_layout(const std::int32_t* tensors, std::int32_t count,
                                                      const char* about, std::int32_t promise) {
  return guarded([&] {
    const Json json = Json::parse(about);
    GgufMetadata metadata;
    for (const Json& row : json["metadata"]) {
      const auto key = row[0].get<std::string>();
      metadata.set(key, typed_value(key, row[1].get<std::string>(), row[2]));
    }
    std::vector<io::GgufSource> sources;
    for (const auto& [name, tensor] :
         named_of(json["names"].get<std::vector<std::string>>(), numbers(tensors, count))) {
      sources.push_back(io::gguf_source(name, tensor));
    }
    settle(promise, io::gguf_header(metadata, sources));
    return 0;
  });
}

/// Settles the promise with the blocks of a tensor, as a GGUF file has them.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_read_blocks(std::int32_t tensor, std::int32_t promise) {
  return guarded([&] {
    read_blocks(tensor_of(tensor)).then([promise](Async<std::vector<std::byte>> finished) {
      std::vector<std::byte> blocks;
      const bool ok = guarded([&] {
                        blocks = finished.get();
                        return 0;
                      }) == 0;
      const auto size = static_cast<double>(blocks.size());
      if (ok) tessera_js_piece(promise, 0, size, 0, blocks.data(), 0, 0, size);
      tessera_js_read(promise, ok ? 1 : 0);
    });
    return 0;
  });
}
}

}  // namespace tessera::web
