// Fuzz targets: parsers of files, called with any bytes. They return, or stop the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tessera::fuzz {

using Target = void (*)(std::span<const std::byte>);

void safetensors(std::span<const std::byte> bytes);
void gguf(std::span<const std::byte> bytes);
void json(std::span<const std::byte> bytes);
void idx(std::span<const std::byte> bytes);

struct Named {
  std::string_view name;
  Target target;
};
inline constexpr Named kTargets[] = {{"safetensors", safetensors}, {"gguf", gguf}, {"json", json}, {"idx", idx}};

}  // namespace tessera::fuzz
