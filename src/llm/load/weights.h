// Weights of checkpoints by our names, for loading and for conversion.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llm/architectures.h"
#include "tessera/hf_folder.h"
#include "tessera/llm/model.h"

namespace tessera::llm {

/// The safetensors files of a folder.
class FolderSource final : public WeightSource {
 public:
  explicit FolderSource(io::HfFolder folder) : folder_(std::move(folder)) {}
  [[nodiscard]] std::vector<std::string> names() const override;
  [[nodiscard]] bool contains(std::string_view name) const override { return folder_.contains(name); }
  [[nodiscard]] Shape shape(std::string_view name) const override { return folder_.entry(name).shape; }
  [[nodiscard]] Tensor tensor(std::string_view name, const Device& device) const override {
    return folder_.tensor(name, device);
  }
  [[nodiscard]] std::uint64_t bytes(std::string_view name) const override {
    const io::TensorEntry& e = folder_.entry(name);
    return static_cast<std::uint64_t>(e.shape.numel()) * size_of(e.dtype);
  }

 private:
  io::HfFolder folder_;
};

/// `pattern` with `value` in place of the first `hole`.
std::string filled(std::string_view pattern, std::string_view hole, std::string_view value);
/// Where a tensor of ours is: an entry of the maps, and the file's pattern with the ending of ours; null if nowhere.
std::pair<const WeightName*, std::string> find_name(const Architecture& row, Naming naming, const std::string& pattern);
/// The name in the file with the prefix that the file uses; nothing if it is not there.
std::optional<std::string> name_in(const WeightSource& source, const Architecture& row, Naming naming,
                                   const std::string& name);
/// A part of the rows of a fused tensor, or of its bias; x itself if it has no rows.
Tensor part_of(const Tensor& x, Part part, const Config& config, bool bias);
/// Values of MXFP4 in checkpoints: blocks of 32 elements, two in a byte, with a power of two as their scale.
Tensor from_mxfp4(const Tensor& blocks, const Tensor& scales, DType dtype);

}  // namespace tessera::llm
