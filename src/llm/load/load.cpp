// Loads weights: the files of a folder, the map of names of an architecture, and parts of fused tensors.
#include <algorithm>
#include <map>
#include <set>

#include "base/fail.h"
#include "llm/architectures.h"
#include "llm/load/gguf.h"
#include "llm/load/weights.h"
#include "tessera/hf_folder.h"
#include "tessera/llm/model.h"
#include "tessera/ops.h"

namespace tessera::llm {

namespace {

/// A name of one of our tensors, taken apart: "layers.3.attention.q.weight".
struct OurName {
  std::string pattern;  // "layers.{}.attention.q.weight"
  std::string layer;    // "3", or nothing
};

OurName taken_apart(const std::string& name) {
  constexpr std::string_view kLayers = "layers.";
  if (!name.starts_with(kLayers)) return {name, ""};
  const std::size_t end = name.find('.', kLayers.size());
  return {"layers.{}" + name.substr(end), name.substr(kLayers.size(), end - kLayers.size())};
}

/// Fills the tensors of a model.
class Loader {
 public:
  Loader(Model& model, const WeightSource& source, Naming naming, const LoadOptions& options)
      : model_(model),
        source_(source),
        row_(architecture_of(model.config().model_type)),
        naming_(naming),
        options_(options) {}

  nn::LoadReport run() {
    if (options_.progress) {
      for (const std::string& name : source_.names()) progress_.total += source_.bytes(name);
    }
    nn::visit(model_, [&](const nn::Field& field) { load(field); });
    flush();
    progress_.loaded = progress_.total;  // with those that are not used
    progress_.tensor = {};
    if (options_.progress) options_.progress(progress_);
    for (const std::string& name : source_.names()) {
      if (!used_.contains(name)) report_.unexpected.push_back(name);
    }
    return std::move(report_);
  }

 private:
  [[nodiscard]] std::optional<std::string> present(const std::string& name) const {
    return name_in(source_, row_, naming_, name);
  }

  /// A tensor of the file. The last one is kept: parts of it follow each other.
  const Tensor& fetch(const std::string& name) {
    if (name != last_name_) {
      flush();
      last_ = source_.tensor(name, options_.device);
      last_name_ = name;
    }
    note(name);
    return last_;
  }

  /// A tensor of the file is part of the model.
  void note(const std::string& name) {
    if (used_.insert(name).second && options_.progress) progress_.loaded += source_.bytes(name);
  }

  /// Computes what was made of the last tensor, so that it can be freed.
  void flush() {
    if (!made_.empty()) eval(made_);
    made_.clear();
    last_ = Tensor();
    if (options_.progress && !last_name_.empty()) {
      progress_.tensor = last_name_;
      options_.progress(progress_);
    }
    last_name_.clear();
  }

  void load(const nn::Field& field) {
    const OurName ours = taken_apart(field.name);
    const auto [entry, pattern] = find_name(row_, naming_, ours.pattern);
    const std::string name = filled(pattern, "{}", ours.layer);
    Tensor value;
    if (entry != nullptr) value = name.find("{e}") != std::string::npos ? experts(name, field) : whole(name, *entry);
    if (!value.defined()) {
      if (field.name.starts_with("pooler.")) return drop_pooler_.insert(field.name), void();
      report_.missing.push_back(entry != nullptr ? name : field.name);
      return;
    }
    value = converted(part_of(value, entry->part, model_.config(), field.key == "bias"), field);
    if (value.shape() != field.tensor.shape()) {
      report_.mismatched.push_back(
          fmt::format("{}: {} was given, and {} is expected", name, value.shape().str(), field.tensor.shape().str()));
      return;
    }
    field.tensor = value;
    made_.push_back(value);
  }

  /// The tensor of that name, with rows first.
  Tensor whole(const std::string& name, const WeightName& entry) {
    if (const auto full = present(name)) {
      const Tensor& x = fetch(*full);
      return entry.transposed && x.rank() >= 2 ? x.T() : x;
    }
    const auto blocks = present(name + "_blocks");
    const auto scales = present(name + "_scales");
    if (!blocks || !scales) return {};
    note(*scales);
    return from_mxfp4(fetch(*blocks), source_.tensor(*scales, options_.device), options_.dtype.value_or(bf16));
  }

  /// The tensors of all experts, stacked.
  Tensor experts(const std::string& pattern, const nn::Field& field) {
    std::vector<Tensor> parts;
    for (std::int64_t e = 0; e < field.tensor.size(0); ++e) {
      const auto name = present(filled(pattern, "{e}", std::to_string(e)));
      if (!name) return {};
      note(*name);
      parts.push_back(source_.tensor(*name, options_.device));
    }
    const Shape& first = parts[0].shape();
    if (!std::ranges::all_of(parts, [&](const Tensor& p) { return p.shape() == first; })) return {};
    return stack(parts, 0);
  }

  /// In the dtype of the model, and in the conventions of the checkpoints.
  Tensor converted(const Tensor& x, const nn::Field& field) const {
    Tensor y = x;
    const bool vector = field.key == "bias" || field.key == "sinks" || x.rank() == 1;
    if (vector) {
      y = cast(y, f32);
    } else if (options_.dtype && is_float(y.dtype())) {
      y = cast(y, *options_.dtype);
    }
    if (naming_ == Naming::kGguf && row_.gguf.one_plus && field.name.ends_with("norm.weight")) y = y - 1.0;
    return is_float(y.dtype()) ? contiguous(y) : y;
  }

 public:
  /// Whether the file has no pooler.
  [[nodiscard]] bool without_pooler() const { return !drop_pooler_.empty(); }

 private:
  Model& model_;
  const WeightSource& source_;
  const Architecture& row_;
  Naming naming_;
  const LoadOptions& options_;
  nn::LoadReport report_;
  io::LoadProgress progress_{};
  std::set<std::string, std::less<>> used_, drop_pooler_;
  std::string last_name_;
  Tensor last_;
  std::vector<Tensor> made_;
};

}  // namespace

Model Model::load(const Config& config, const WeightSource& source, Naming naming, const LoadOptions& options) {
  if (options.dtype && *options.dtype != f32 && *options.dtype != f16 && *options.dtype != bf16) {
    fail(ErrorKind::kDType, "Model: a dtype of {} was given; f32, f16 or bf16 is expected.", name(*options.dtype));
  }
  Config own = config;
  if (naming == Naming::kGguf && architecture_of(config.model_type).gguf.interleaved) {
    for (Rope& rope : own.ropes) rope.interleaved = true;
  }
  Model model(std::move(own), options.dtype.value_or(f32), options.device);
  Loader loader(model, source, naming, options);
  nn::LoadReport report = loader.run();
  if (loader.without_pooler()) {
    model.pooler.reset();
    model.config_.pooler = false;
  }
  if (options.report != nullptr) {
    *options.report = std::move(report);
  } else if (!report.missing.empty() || !report.mismatched.empty()) {
    report.unexpected.clear();
    fail(ErrorKind::kValue, "Model: the weights do not match the config. {}", report.str());
  }
  return model;
}

Model Model::load(const std::filesystem::path& path, const LoadOptions& options) {
  if (path.extension() == ".gguf") {
    const GgufSource source{io::GgufFile(path)};
    return load(source.config(), source, Naming::kGguf, options);
  }
  const Config config = Config::load(path);
  return load(config, FolderSource(io::HfFolder(path)), Naming::kHuggingFace, options);
}

}  // namespace tessera::llm
