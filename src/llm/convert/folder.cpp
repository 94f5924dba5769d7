// The tensors of a Hugging Face folder under the names of GGUF files: both maps of an architecture, one after the
// other.
#include <algorithm>
#include <map>
#include <memory>

#include "base/fail.h"
#include "io/json.h"
#include "llm/convert/source.h"
#include "llm/load/weights.h"
#include "tessera/ops.h"

namespace tessera::llm {

namespace {

/// One of our tensors: where it is in the folder, and which part of a tensor of the GGUF file it becomes.
struct Piece {
  std::string ours;  // "layers.3.attention.q.weight"
  std::string name;  // in the folder; with "{e}" for a tensor of each expert
  Part from, to;
  bool transposed;
};

/// Reads tensors, and converts them to the layouts of llama.cpp.
class Pieces {
 public:
  Pieces(const io::HfFolder& folder, Config given)
      : config(std::move(given)), row(architecture_of(config.model_type)), source(folder), folder_(folder) {}

  [[nodiscard]] std::optional<std::string> present(const std::string& name) const {
    return name_in(source, row, Naming::kHuggingFace, name);
  }
  [[nodiscard]] bool exists(const std::string& name) const {
    return present(filled(name, "{e}", "0")) || present(name + "_blocks");
  }
  [[nodiscard]] io::GgmlType type(const Piece& p) const {
    const auto name = present(filled(p.name, "{e}", "0"));
    if (!name) return io::GgmlType::kMXFP4;
    const DType dtype = folder_.entry(*name).dtype;
    if (!is_float(dtype)) {
      fail(ErrorKind::kUnsupported, "convert: the tensor {} has dtype {}; a float dtype is expected.", io::quote(*name),
           tessera::name(dtype));
    }
    return io::ggml_type(dtype).value();
  }

  [[nodiscard]] Tensor load(const Piece& p) const {
    const bool bias = p.ours.ends_with(".bias");
    Tensor x = part_of(whole(p), p.from, config, bias);
    const bool query = p.ours.find(".attention.q.") != std::string::npos;
    if (row.gguf.interleaved && (query || p.ours.find(".attention.k.") != std::string::npos)) {
      // Pairs of RoPE are element i and i + size / 2 of a head in the folder, and neighbors in the file.
      const std::int64_t heads = query ? config.heads : config.kv_heads;
      x = reshape(transpose(reshape(x, {heads, 2, config.head_size / 2, -1}), 1, 2), x.shape());
    }
    if (row.gguf.one_plus && p.ours.ends_with("norm.weight")) x = cast(x, f32) + 1.0;
    return x;
  }

  Config config;
  const Architecture& row;
  FolderSource source;

 private:
  [[nodiscard]] Tensor whole(const Piece& p) const {
    const Device& cpu = host_device();
    if (p.name.find("{e}") != std::string::npos) {
      std::vector<Tensor> experts;
      for (std::int64_t e = 0; e < config.experts->count; ++e) {
        const std::string name = filled(p.name, "{e}", std::to_string(e));
        const auto full = present(name);
        if (!full) fail(ErrorKind::kValue, "convert: '{}' has no tensor {}.", folder_.path().string(), io::quote(name));
        experts.push_back(source.tensor(*full, cpu));
      }
      return stack(experts, 0);
    }
    if (const auto full = present(p.name)) {
      const Tensor x = source.tensor(*full, cpu);
      return p.transposed && x.rank() >= 2 ? x.T() : x;
    }
    const auto blocks = present(p.name + "_blocks");
    const auto scales = present(p.name + "_scales");
    if (!blocks || !scales) {
      fail(ErrorKind::kValue, "convert: '{}' has no tensor {}.", folder_.path().string(), io::quote(p.name));
    }
    return from_mxfp4(source.tensor(*blocks, cpu), source.tensor(*scales, cpu), f32);
  }

  io::HfFolder folder_;
};

using Found = std::map<std::string, std::vector<Piece>, std::less<>>;  // by the name in the GGUF file

/// All of our tensors that the folder has.
class Collector {
 public:
  explicit Collector(const Pieces& pieces) : pieces_(pieces) {}

  Found run() {
    // An architecture's own names take the place of common ones, for our tensors and for those of the folder.
    const auto own = pieces_.row.names;
    for (const WeightName& n : own) add(n);
    for (const WeightName& n : pieces_.row.common_names) {
      if (std::ranges::none_of(own, [&](const WeightName& o) { return o.ours == n.ours || o.theirs == n.theirs; }))
        add(n);
    }
    if (!found_.contains("token_embd.weight")) missing("the token embeddings");
    return std::move(found_);
  }

 private:
  [[noreturn]] void missing(std::string_view what) const {
    fail(ErrorKind::kValue, "convert: the folder does not have all weights of its config.json: {} are missing.", what);
  }

  void add(const WeightName& n) {
    const Config& c = pieces_.config;
    if (n.ours == "pooler" || (n.ours == "head" && c.tied)) return;
    const bool layered = n.ours.find("{}") != std::string_view::npos;
    const std::size_t count = layered ? c.layers.size() : 1;
    for (const char* ending : {"", ".weight", ".bias"}) {
      std::size_t there = 0;
      for (std::size_t i = 0; i < count; ++i) there += put(n, ending, std::to_string(i)) ? 1U : 0U;
      // Of a mixture of experts some layers may be dense.
      const bool partial = c.experts && (n.ours.find(".mlp.") != std::string_view::npos ||
                                         n.ours.find(".experts.") != std::string_view::npos);
      if (there != 0 && there != count && !partial) {
        missing(fmt::format("{} of {} tensors {}", count - there, count, io::quote(std::string(n.theirs) + ending)));
      }
    }
  }

  bool put(const WeightName& n, const char* ending, const std::string& layer) {
    const std::string name = filled(n.theirs, "{}", layer) + ending;
    if (!pieces_.exists(name)) return false;
    const std::string pattern = std::string(n.ours) + ending;
    const auto [entry, theirs] = find_name(pieces_.row, Naming::kGguf, pattern);
    if (entry == nullptr) {
      fail(ErrorKind::kUnsupported, "convert: GGUF files of {} have no tensor for {}.", pieces_.row.gguf.architecture,
           io::quote(name));
    }
    found_[filled(theirs, "{}", layer)].push_back(
        {filled(pattern, "{}", layer), name, n.part, entry->part, n.transposed});
    return true;
  }

  const Pieces& pieces_;
  Found found_;
};

/// Parts in the order of their rows.
Tensor joined(const Pieces& pieces, const std::vector<Piece>& parts) {
  if (parts.size() == 1) return pieces.load(parts[0]);
  std::vector<Tensor> all;
  for (const Piece& p : parts) all.push_back(pieces.load(p));
  return concat(all, parts[0].ours.ends_with(".bias") ? -1 : -2);
}

}  // namespace

ModelToConvert folder_to_convert(const std::filesystem::path& path) {
  const io::HfFolder folder(path);
  const auto pieces = std::make_shared<const Pieces>(folder, Config::load(path));
  ModelToConvert model;
  model.files = folder.files();
  add_config(folder, pieces->config, model);
  add_tokenizer(folder, pieces->config, model);
  for (auto& [name, parts] : Collector(*pieces).run()) {
    std::ranges::sort(parts, {}, &Piece::to);
    const auto load = [pieces, parts] { return joined(*pieces, parts); };
    model.tensors.push_back({name, load().shape(), pieces->type(parts[0]), load});
  }
  return model;
}

}  // namespace tessera::llm
