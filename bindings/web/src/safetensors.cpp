// Safetensors for the package's JavaScript, which has the bytes: headers are parsed and written here.
#include <emscripten/emscripten.h>
#include <nlohmann/json.hpp>
#include <tessera/io.h>

#include "guarded.h"
#include "handles.h"
#include "module.h"

using Json = nlohmann::json;

namespace tessera::web {

namespace {

std::span<const std::byte> bytes(const void* first, std::int32_t count) {
  return {static_cast<const std::byte*>(first), static_cast<std::size_t>(count)};
}

/// JavaScript has -1 where the size of a file is not known.
std::optional<std::uint64_t> size_from(double size) {
  return size < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(size));
}

}  // namespace

extern "C" {

/// How many bytes of a file are its header, from the first 8 of them.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_safetensors_header_bytes(const void* first, double size, const char* name) {
  return guarded(
      [&] { return static_cast<std::int32_t>(io::safetensors_header_bytes(bytes(first, 8), size_from(size), name)); });
}

/// {entries: [{name, dtype, shape, bytes}], metadata}, the entries in the order of their bytes; null where the header
/// is not valid. To be freed.
EMSCRIPTEN_KEEPALIVE char* tessera_safetensors_header(const void* header, std::int32_t count, double size,
                                                      const char* name) {
  return guarded_text([&] {
    const io::SafetensorsHeader parsed = io::parse_safetensors_header(bytes(header, count), size_from(size), name);
    Json entries = Json::array();
    for (const io::TensorEntry& e : parsed.entries) {
      entries.push_back({{"name", e.name},
                         {"dtype", static_cast<int>(e.dtype)},
                         {"shape", std::vector(e.shape.begin(), e.shape.end())},
                         {"bytes", e.bytes}});
    }
    return Json{{"entries", entries}, {"metadata", parsed.metadata}}.dump();
  });
}

/// {header, order}: the text behind the length, and the positions of the tensors whose bytes follow. `about` is
/// {names, metadata}. To be freed.
EMSCRIPTEN_KEEPALIVE char* tessera_safetensors_layout(const std::int32_t* tensors, std::int32_t count,
                                                      const char* about) {
  return guarded_text([&] {
    const Json json = Json::parse(about);
    const io::SafetensorsLayout layout = io::safetensors_layout(
        named_of(json["names"].get<std::vector<std::string>>(), {tensors, static_cast<std::size_t>(count)}),
        json["metadata"].get<io::Metadata>());
    return Json{{"header", layout.header.substr(sizeof(std::uint64_t))}, {"order", layout.order}}.dump();
  });
}
}

}  // namespace tessera::web
