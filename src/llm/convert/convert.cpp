// Conversion to GGUF: the type of each tensor, and tensors that are quantized one after the other.
#include "tessera/llm/convert.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include "base/fail.h"
#include "io/json.h"
#include "llm/convert/source.h"
#include "tessera/index.h"
#include "tessera/ops.h"

namespace tessera::llm {

namespace fs = std::filesystem;
using io::GgmlType;

namespace {

/// A type of ConvertOptions.
struct FileType {
  std::string_view name;
  GgmlType type;
  std::uint32_t number;  // general.file_type
  bool mix = false;      // q6_k for some of the layers
};
constexpr std::array kFileTypes{
    FileType{"f32", GgmlType::kF32, 0},        FileType{"f16", GgmlType::kF16, 1},
    FileType{"bf16", GgmlType::kBF16, 32},     FileType{"q8_0", GgmlType::kQ8_0, 7},
    FileType{"q6_k", GgmlType::kQ6_K, 18},     FileType{"q5_k_m", GgmlType::kQ5_K, 17, true},
    FileType{"q5_k", GgmlType::kQ5_K, 16},     FileType{"q5_1", GgmlType::kQ5_1, 9},
    FileType{"q5_0", GgmlType::kQ5_0, 8},      FileType{"q4_k_m", GgmlType::kQ4_K, 15, true},
    FileType{"q4_k", GgmlType::kQ4_K, 14},     FileType{"q4_1", GgmlType::kQ4_1, 3},
    FileType{"q4_0", GgmlType::kQ4_0, 2},      FileType{"iq4_nl", GgmlType::kIQ4_NL, 25},
    FileType{"iq4_xs", GgmlType::kIQ4_XS, 30}, FileType{"mxfp4", GgmlType::kMXFP4, 38},
    FileType{"q3_k", GgmlType::kQ3_K, 11},     FileType{"q2_k", GgmlType::kQ2_K, 10},
};

const FileType& file_type(const std::string& name) {
  std::string lower = name;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto* found = std::ranges::find(kFileTypes, lower, &FileType::name);
  if (found != kFileTypes.end()) return *found;
  fail(ErrorKind::kValue, "convert: the type is '{}'; one of {} is expected.", name, fmt::join(convert_types(), ", "));
}

/// A type of blocks of 32 with at least the bits of one of 256.
GgmlType with_small_blocks(GgmlType type) {
  switch (type) {
    case GgmlType::kQ4_K:
      return GgmlType::kQ5_0;
    case GgmlType::kQ5_K:
      return GgmlType::kQ5_1;
    case GgmlType::kQ6_K:
      return GgmlType::kQ8_0;
    default:
      return GgmlType::kIQ4_NL;
  }
}

double bits_of(GgmlType type) {
  return 8.0 * static_cast<double>(io::block_bytes(type)) / static_cast<double>(io::block_elements(type));
}

/// The types of a model's tensors.
class Types {
 public:
  Types(const ModelToConvert& model, const FileType& file, bool pure) : file_(file), pure_(pure) {
    for (const TensorToConvert& t : model.tensors) {
      untied_ = untied_ || t.name == "output.weight";
      experts_ = experts_ || is_expert(t.name);
      if (const auto layer = layer_of(t.name)) layers_ = std::max(layers_, *layer + 1);
    }
  }

  /// That of a tensor, and whether its rows do not allow the one of its kind.
  [[nodiscard]] std::pair<GgmlType, bool> of(const TensorToConvert& t) const {
    const std::optional<DType> from = io::dtype_of(t.from);
    if (!from) {
      fail(ErrorKind::kUnsupported,
           "convert: the tensor {} is of type {}, which is a block format that Tessera does not "
           "have.",
           io::quote(t.name), io::name(t.from));
    }
    if (!is_float(*from) && !is_block(*from)) return {t.from, false};
    if (t.from == GgmlType::kMXFP4) return {t.from, false};  // a model's own type
    if (!is_matrix(t)) return {GgmlType::kF32, false};
    GgmlType type = chosen(t.name);
    const auto fits = [&](GgmlType g) { return t.shape.back() % io::block_elements(g) == 0; };
    if (fits(type)) return {type, false};
    if (io::block_elements(type) == 256 && fits(with_small_blocks(type))) return {with_small_blocks(type), true};
    return {GgmlType::kF16, true};
  }

 private:
  static bool is_expert(std::string_view name) { return name.find("_exps.") != std::string_view::npos; }
  static std::optional<int> layer_of(std::string_view name) {
    if (!name.starts_with("blk.")) return std::nullopt;
    int layer = 0;
    const auto [end, error] = std::from_chars(name.data() + 4, name.data() + name.size(), layer);
    return error == std::errc() && layer >= 0 && layer < 65536 ? std::optional(layer) : std::nullopt;
  }
  /// Whether a tensor is read by matmuls or by embeddings: the others are small, and stay exact.
  static bool is_matrix(const TensorToConvert& t) {
    if (t.shape.rank() < 2 || t.name.ends_with(".bias")) return false;
    for (const std::string_view other : {"ffn_gate_inp.", "position_embd.", "token_types.", "rope_f", "_norm."}) {
      if (t.name.find(other) != std::string::npos) return false;
    }
    return true;
  }

  [[nodiscard]] GgmlType chosen(const std::string& name) const {
    const GgmlType type = file_.type;
    if (pure_ || !is_block(*io::dtype_of(type))) return type;
    const bool output = name == "output.weight" || (!untied_ && name == "token_embd.weight");
    if (output && bits_of(type) < bits_of(GgmlType::kQ6_K)) return GgmlType::kQ6_K;
    if (type == GgmlType::kMXFP4 && experts_ && !is_expert(name)) return GgmlType::kQ8_0;
    const auto layer = layer_of(name);
    const bool sensitive =
        name.ends_with("attn_v.weight") || name.ends_with("ffn_down.weight") || name.ends_with("ffn_down_exps.weight");
    if (file_.mix && layer && sensitive && more_bits(*layer)) return GgmlType::kQ6_K;
    return type;
  }
  /// The first and the last eighth of the layers, and every third one between.
  [[nodiscard]] bool more_bits(int layer) const {
    return layer < layers_ / 8 || layer >= 7 * layers_ / 8 || (layer - layers_ / 8) % 3 == 2;
  }

  const FileType& file_;
  bool pure_;
  bool untied_ = false;
  bool experts_ = false;
  int layers_ = 0;
};

constexpr std::int64_t kElementsAtOnce = std::int64_t{1} << 22U;

/// The bytes of a tensor in another type, and the error that this makes.
std::vector<std::byte> converted_bytes(const TensorToConvert& t, ConvertedTensor& made) {
  const DType to = *io::dtype_of(made.to);
  Tensor x = t.load();
  eval({x});
  const std::int64_t k = std::max<std::int64_t>(t.shape.rank() == 0 ? 1 : t.shape.back(), 1);
  const std::int64_t rows = t.shape.numel() / k;
  x = reshape(x, {rows, k});
  std::vector<std::byte> all;
  all.reserve(static_cast<std::size_t>(made.bytes_after));
  const std::int64_t step = std::max<std::int64_t>(kElementsAtOnce / k, 1);
  double squares = 0;
  double errors = 0;
  for (std::int64_t first = 0; first < rows; first += step) {
    const Tensor part = slice(x, {Slice{first, std::min(first + step, rows)}});
    const HostView view = host_view(cast(part, f32));
    const std::span given(reinterpret_cast<const float*>(view.bytes.data()), view.bytes.size() / 4);
    std::vector<float> back;
    if (is_block(to)) {
      const std::vector<std::byte> blocks = quantize_blocks(to, given);
      all.insert(all.end(), blocks.begin(), blocks.end());
      back = dequantize_blocks(to, blocks);
    } else {
      const Tensor low = cast(part, to);
      const HostView bytes = host_view(low);
      all.insert(all.end(), bytes.bytes.begin(), bytes.bytes.end());
      back = cast(low, f32).to_vector<float>();
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto v = static_cast<double>(given[i]);
      const double e = v - static_cast<double>(back[i]);
      squares += v * v;
      errors += e * e;
    }
  }
  if (!std::isfinite(errors)) {
    fail(ErrorKind::kValue,
         "convert: the tensor {} has numbers that {} does not hold: NaN, infinities, or beyond its range.",
         io::quote(t.name), io::name(made.to));
  }
  made.error = squares > 0 ? std::sqrt(errors / squares) : 0;
  return all;
}

bool is_gguf(const fs::path& path) {
  std::array<char, 4> magic{};
  std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
  return std::string_view(magic.data(), magic.size()) == "GGUF" || path.extension() == ".gguf";
}

ModelToConvert to_convert(const fs::path& path) {
  if (fs::is_directory(path)) return folder_to_convert(path);
  if (is_gguf(path)) return gguf_to_convert(path);
  return safetensors_to_convert(path);
}

}  // namespace

const Device& host_device() {
  static const Device device = Device::create({.device = "cpu"});
  return device;
}

ModelToConvert gguf_to_convert(const fs::path& path) {
  const io::GgufFile file(path);
  ModelToConvert model;
  for (const auto& [key, value] : file.metadata().entries()) {
    if (!key.starts_with("split.")) model.metadata.set(key, value);
  }
  model.files = file.files();
  for (const io::GgufEntry& e : file.entries()) {
    model.tensors.push_back({e.name, e.shape, e.type,
                             [file, name = e.name] {
                               const Tensor x = file.tensor(name, host_device());
                               return is_block(x.dtype()) ? dequantize(x) : x;
                             },
                             [file, name = e.name] { return file.bytes(name); }});
  }
  return model;
}

ModelToConvert safetensors_to_convert(const fs::path& path) {
  const io::SafetensorsFile file(path);
  ModelToConvert model;
  model.files = {path};
  for (const io::TensorEntry& e : file.entries()) {
    const std::optional<GgmlType> type = io::ggml_type(e.dtype);
    if (!type) {
      fail(ErrorKind::kUnsupported, "convert: the tensor {} of '{}' has dtype {}, which GGUF files do not have.",
           io::quote(e.name), path.string(), name(e.dtype));
    }
    model.tensors.push_back(
        {e.name, e.shape, *type, [file, name = e.name] { return file.tensor(name, host_device()); }});
  }
  return model;
}

std::vector<std::string> convert_types() {
  std::vector<std::string> names;
  for (const FileType& t : kFileTypes) names.emplace_back(t.name);
  return names;
}

std::vector<ConvertedTensor> convert(const fs::path& in, const fs::path& out, const ConvertOptions& options) {
  const FileType& file = file_type(options.type);
  ModelToConvert model = to_convert(in);
  for (const fs::path& read : model.files) {
    std::error_code none;
    if (fs::equivalent(read, out, none)) {
      fail(ErrorKind::kValue, "convert: '{}' is read and would be overwritten; another name is expected.",
           out.string());
    }
  }
  const Types types(model, file, options.pure);
  std::vector<ConvertedTensor> made;
  bool blocks = false;
  for (const TensorToConvert& t : model.tensors) {
    const auto [type, other] = types.of(t);
    const auto bytes = static_cast<std::uint64_t>(t.shape.numel() / io::block_elements(type)) * io::block_bytes(type);
    made.push_back({t.name, t.shape, t.from, type, t.bytes_before(), bytes, 0, other});
    blocks = blocks || io::block_elements(type) > 1;
  }
  model.metadata.set("general.file_type", file.number);
  if (blocks) model.metadata.set("general.quantization_version", std::uint32_t{2});

  ConvertProgress progress;
  for (const ConvertedTensor& m : made) progress.total += m.bytes_before;
  std::vector<io::GgufSource> sources;
  for (std::size_t i = 0; i < made.size(); ++i) {
    sources.push_back({made[i].name, made[i].to, made[i].shape, [&, i] {
                         const TensorToConvert& t = model.tensors[i];
                         HostView view;
                         if (made[i].to == t.from && t.bytes) {
                           view = t.bytes();
                         } else {
                           const auto bytes =
                               std::make_shared<const std::vector<std::byte>>(converted_bytes(t, made[i]));
                           view = {*bytes, bytes, false};
                         }
                         progress.done += made[i].bytes_before;
                         progress.tensor = &made[i];
                         if (options.progress) options.progress(progress);
                         return view;
                       }});
  }
  io::save_gguf(out, model.metadata, std::span<const io::GgufSource>(sources));
  return made;
}

}  // namespace tessera::llm
