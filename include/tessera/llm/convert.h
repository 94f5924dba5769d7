// Writes GGUF files: Hugging Face folders with the names and the metadata of llama.cpp, and files in another type.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tessera/export.h"
#include "tessera/gguf.h"
#include "tessera/shape.h"

namespace TESSERA_API tessera {
namespace llm {

/// One tensor of a written file.
struct ConvertedTensor {
  std::string name;
  Shape shape;
  io::GgmlType from, to;  // `from`: of the tensor that was read
  std::uint64_t bytes_before = 0, bytes_after = 0;
  double error = 0;    // root mean square, relative to that of the elements
  bool other = false;  // rows are not whole blocks of the type that was chosen, so `to` is another one
};

struct ConvertProgress {
  std::uint64_t done = 0, total = 0;  // bytes of the tensors that are read
  const ConvertedTensor* tensor = nullptr;
};

struct ConvertOptions {
  /// f32, f16, bf16, a block dtype ("q4_0", "q6_k", ..), or a mix: "q4_k_m" and "q5_k_m" have q6_k for half of the
  /// values of attention and the down projections.
  std::string type = "f16";
  /// All matrices in `type`. Otherwise the output weights, or the embeddings if they are tied, have at least q6_k.
  bool pure = false;
  std::function<void(const ConvertProgress&)> progress = {};  // after each tensor; an exception ends the conversion
};

/// The types of ConvertOptions.
std::vector<std::string> convert_types();

/// Writes the model `in` as a GGUF file, one tensor at a time, and returns what was written. `in` is a Hugging Face
/// folder of one of architectures(), with its tokenizer if it has one; a GGUF file, whose metadata stay; or a
/// safetensors file, whose names stay. Norms, biases, routers and positions are f32. Rows that are not whole blocks get
/// a type of smaller blocks, or f16. `out` is replaced when all is written.
/// Error of kind value for an unknown type, for a file that would overwrite `in`, and for numbers that the type does
/// not hold; of kind unsupported for a model or a tokenizer that a GGUF file cannot describe.
std::vector<ConvertedTensor> convert(const std::filesystem::path& in, const std::filesystem::path& out,
                                     const ConvertOptions& options = {});

}  // namespace llm
}  // namespace tessera
