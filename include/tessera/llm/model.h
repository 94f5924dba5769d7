// Language models: weights from a Hugging Face folder or a GGUF file, logits of a prompt and of the next tokens,
// embeddings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/export.h"
#include "tessera/llm/blocks.h"
#include "tessera/llm/config.h"
#include "tessera/load_options.h"
#include "tessera/nn/module.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {
namespace llm {

/// Named weights of a checkpoint.
class WeightSource {
 public:
  WeightSource() = default;
  WeightSource(const WeightSource&) = delete;
  WeightSource& operator=(const WeightSource&) = delete;
  virtual ~WeightSource() = default;
  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  [[nodiscard]] virtual bool contains(std::string_view name) const = 0;
  // Errors of kind value if there is no such tensor.
  [[nodiscard]] virtual Shape shape(std::string_view name) const = 0;
  [[nodiscard]] virtual Tensor tensor(std::string_view name, const Device& device) const = 0;
  /// Of the tensor in the file, for the progress of loading.
  [[nodiscard]] virtual std::uint64_t bytes(std::string_view name) const {
    return static_cast<std::uint64_t>(shape(name).numel()) * size_of(DType::kF32);
  }
};

/// Whose names a source has.
enum class Naming : std::uint8_t {
  kHuggingFace,  // model.layers.0.self_attn.q_proj.weight
  kGguf,         // blk.0.attn_q.weight
};

struct LoadOptions {
  Device device = {};
  /// Of matrices: f32, f16 or bf16; none: as in the file. Biases, norms and other vectors are f32.
  std::optional<DType> dtype = {};
  /// If given, takes the names that are missing, unexpected or of another shape. Otherwise missing names and other
  /// shapes are an Error of kind value.
  nn::LoadReport* report = nullptr;
  /// Called after tensors have been loaded, on the thread that loads; at the end with all bytes. What it throws ends
  /// loading.
  std::function<void(const io::LoadProgress&)> progress = {};
};

struct ForwardOptions {
  /// Valid tokens of each sequence, integers [batch] on the device; the others of its row are padding on the right.
  /// Empty: all. Results behind a length have no meaning.
  Tensor lengths = {};
  bool last = false;  // logits of the last valid token of each sequence alone: [batch, vocabulary]
  Tensor types = {};  // segments of BERT, integers [batch, tokens]; empty: 0
  /// With a paged cache: which of its sequences the rows of this call are, different integers [batch] on the device. So
  /// a prompt is prefilled while others wait, and a batch has any of them. Empty: all, in order.
  Tensor sequences = {};
};

/// A decoder or an encoder. A module: fields(), parameters(), to(device) and compile see its weights by name.
///
///   llm::Model model = llm::Model::load("Llama-3.2-1B");
///   llm::Cache cache = model.cache(1, 4096);
///   auto step = compile([&](const Tensor& ids) { return model.forward(ids, cache, {.last = true}); }, cache);
class Model : public nn::Module {
 public:
  Table embedding;
  std::optional<Table> positions, types;
  std::optional<Norm> embedding_norm;
  std::vector<Block> layers;
  std::optional<Norm> norm;
  std::optional<Linear> head;  // none: tied, or an encoder
  std::optional<Linear> pooler;

  /// A model with weights of zero, which are not computed until they are used.
  explicit Model(Config config, DType dtype = f32, const Device& device = {});
  using nn::Module::load;
  /// From a folder with config.json and model.safetensors, or model.safetensors.index.json and its shards; or from a
  /// GGUF file, or the first file of a split one. Errors are those of Config::load, io::HfFolder and io::GgufFile; of
  /// kind value for weights that are missing or have another shape.
  static Model load(const std::filesystem::path& path, const LoadOptions& options = {});
  static Model load(const Config& config, const WeightSource& source, Naming naming = Naming::kHuggingFace,
                    const LoadOptions& options = {});
  void fields(nn::Fields& f) override;
  [[nodiscard]] const Config& config() const { return config_; }
  /// Of the matrices.
  [[nodiscard]] DType dtype() const { return embedding.weight.dtype(); }

  /// An empty cache for `batch` sequences of at most `context` tokens. Without a dtype it has that of the weights,
  /// or f16; q8_0 has 9/16 of the bytes of f16 (blocks of 32 elements in 8 bits with an f32 scale).
  /// With a page size, memory is in pages: see Cache::reserve.
  [[nodiscard]] Cache cache(std::int64_t batch, std::int64_t context, std::optional<DType> dtype = {},
                            const PageOptions& pages = {}) const;
  /// Logits [batch, tokens, vocabulary] in f32 of tokens [batch, tokens].
  Tensor forward(const Tensor& ids) override { return forward(ids, ForwardOptions{}); }
  Tensor forward(const Tensor& ids, const ForwardOptions& options);
  /// The same for tokens that follow those of the cache, each sequence at its own position: a prompt, a part of one, or
  /// the next tokens. All tokens of a row are written, and `options.lengths` of them are counted; the context must have
  /// room for all.
  Tensor forward(const Tensor& ids, Cache& cache, const ForwardOptions& options = {});
  /// The states after the last norm: [batch, tokens, width] in f32.
  Tensor hidden(const Tensor& ids, const ForwardOptions& options = {});
  /// Embeddings of sequences, [batch, width] in f32, by the pooling of the config.
  Tensor embed(const Tensor& ids, const ForwardOptions& options = {});

 private:
  /// `normed`: after the last norm.
  Tensor states(const Tensor& ids, Cache* cache, const ForwardOptions& options, bool normed = true);
  Tensor logits(const Tensor& states);
  /// Whether a call with a cache has so few tokens that linear layers are fused with what surrounds them.
  [[nodiscard]] bool fuses(const Tensor& ids) const;

  Config config_;
};

}  // namespace llm
}  // namespace tessera
