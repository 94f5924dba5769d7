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
void npy(std::span<const std::byte> bytes);
void zip(std::span<const std::byte> bytes);  // the archive of an npz file
// model_targets.cpp
void gguf_model(std::span<const std::byte> bytes);  // the vocabulary, the chat template and the config of a GGUF file
void tokenizer(std::span<const std::byte> bytes);   // tokenizer.json
void config(std::span<const std::byte> bytes);      // config.json
void context(std::span<const std::byte> bytes);     // a saved context

/// Stops the program unless it holds.
void expect(bool holds, const char* what);

struct Named {
  std::string_view name;
  Target target;
  bool slow = false;  // takes a model, or files
};
inline constexpr Named kTargets[] = {{"safetensors", safetensors},
                                     {"gguf", gguf},
                                     {"json", json},
                                     {"idx", idx},
                                     {"npy", npy},
                                     {"zip", zip},
                                     {"gguf_model", gguf_model, true},
                                     {"tokenizer", tokenizer, true},
                                     {"config", config, true},
                                     {"context", context, true}};

}  // namespace tessera::fuzz
