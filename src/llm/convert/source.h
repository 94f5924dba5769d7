// What a GGUF file is made of: metadata, and tensors that are read when they are written.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tessera/gguf.h"
#include "tessera/hf_folder.h"
#include "tessera/llm/config.h"
#include "tessera/llm/model.h"

namespace tessera::llm {

/// The device that conversion computes on.
const Device& host_device();

struct TensorToConvert {
  std::string name;
  Shape shape;
  io::GgmlType from = io::GgmlType::kF32;
  std::function<Tensor()> load;          // on the CPU
  std::function<HostView()> bytes = {};  // in the type `from`, if they are at hand
  [[nodiscard]] std::uint64_t bytes_before() const {
    return static_cast<std::uint64_t>(shape.numel() / io::block_elements(from)) * io::block_bytes(from);
  }
};

struct ModelToConvert {
  io::GgufMetadata metadata;
  std::vector<TensorToConvert> tensors;
  std::vector<std::filesystem::path> files;  // that are read
};

/// A Hugging Face folder, with names, order of rows and metadata of llama.cpp (folder.cpp).
ModelToConvert folder_to_convert(const std::filesystem::path& path);
/// A file as it is (convert.cpp).
ModelToConvert gguf_to_convert(const std::filesystem::path& path);
ModelToConvert safetensors_to_convert(const std::filesystem::path& path);

/// The metadata of a config.json under the architecture's prefix (metadata.cpp). Tensors of RoPE factors are added.
void add_config(const io::HfFolder& folder, const Config& config, ModelToConvert& model);
/// The tokenizer and the chat template of a folder, if it has them (tokenizer.cpp).
void add_tokenizer(const io::HfFolder& folder, const Config& config, ModelToConvert& model);

}  // namespace tessera::llm
