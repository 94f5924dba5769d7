// Weights of checkpoints by our names: the maps of an architecture, prefixes, parts of fused tensors, and MXFP4.
#include "llm/load/weights.h"

#include <array>

#include "tessera/index.h"
#include "tessera/ops.h"

namespace tessera::llm {

std::vector<std::string> FolderSource::names() const {
  std::vector<std::string> all;
  for (const io::TensorEntry& e : folder_.entries()) all.push_back(e.name);
  return all;
}

std::string filled(std::string_view pattern, std::string_view hole, std::string_view value) {
  std::string result(pattern);
  if (const std::size_t at = result.find(hole); at != std::string::npos) result.replace(at, hole.size(), value);
  return result;
}

std::pair<const WeightName*, std::string> find_name(const Architecture& row, Naming naming,
                                                    const std::string& pattern) {
  const auto maps = naming == Naming::kGguf ? std::array{row.gguf_names, row.common_gguf_names}
                                            : std::array{row.names, row.common_names};
  for (const std::span<const WeightName> map : maps) {
    for (const WeightName& n : map) {
      if (pattern == n.ours) return {&n, std::string(n.theirs)};
      if (pattern.starts_with(n.ours) && pattern[n.ours.size()] == '.') {
        return {&n, std::string(n.theirs) + pattern.substr(n.ours.size())};
      }
    }
  }
  return {nullptr, ""};
}

std::optional<std::string> name_in(const WeightSource& source, const Architecture& row, Naming naming,
                                   const std::string& name) {
  if (naming == Naming::kGguf) return source.contains(name) ? std::optional(name) : std::nullopt;
  for (const std::string_view prefix : row.prefixes) {
    std::string full = std::string(prefix) + name;
    if (source.contains(full)) return full;
  }
  if (source.contains(name)) return name;
  // Checkpoints of BERT that were converted from TensorFlow.
  for (const auto& [ours, theirs] :
       {std::pair("LayerNorm.weight", "LayerNorm.gamma"), std::pair("LayerNorm.bias", "LayerNorm.beta")}) {
    if (name.ends_with(ours)) return name_in(source, row, naming, filled(name, ours, theirs));
  }
  return std::nullopt;
}

Tensor part_of(const Tensor& x, Part part, const Config& c, bool bias) {
  if (part == Part::kWhole) return x;
  const int axis = bias ? x.rank() - 1 : x.rank() - 2;
  if (axis < 0) return x;
  const std::int64_t q = c.heads * c.head_size;
  const std::int64_t kv = c.kv_heads * c.head_size;
  const std::int64_t size = x.shape()[axis];
  Slice range;
  switch (part) {
    case Part::kWhole:
      break;
    case Part::kQ:
      range = {0, q};
      break;
    case Part::kK:
      range = {q, q + kv};
      break;
    case Part::kV:
      range = {q + kv, size};
      break;
    case Part::kFirst:
      range = {0, size / 2};
      break;
    case Part::kSecond:
      range = {size / 2, size};
      break;
    case Part::kEven:
      range = {0, size, 2};
      break;
    case Part::kOdd:
      range = {1, size, 2};
      break;
  }
  std::vector<Slice> ranges(static_cast<std::size_t>(axis));
  ranges.push_back(range);
  return slice(x, ranges);
}

Tensor from_mxfp4(const Tensor& blocks, const Tensor& scales, DType dtype) {
  const std::vector<float> values{0.0F,  0.5F,  1.0F,  1.5F,  2.0F,  3.0F,  4.0F,  6.0F,
                                  -0.0F, -0.5F, -1.0F, -1.5F, -2.0F, -3.0F, -4.0F, -6.0F};
  const Tensor table(values, {16}, blocks.device());
  const Tensor bytes = cast(blocks, i32);
  const Tensor pair = stack({bitwise_and(bytes, 15), right_shift(bytes, 4)}, -1);  // [.., groups, 16, 2]
  const Tensor scale = power(Tensor(2.0F), cast(scales, f32) - 127.0);
  Shape shape;
  for (int i = 0; i + 2 < blocks.rank(); ++i) shape.push_back(blocks.size(i));
  shape.push_back(blocks.size(-2) * 32);
  return cast(reshape(take(table, pair, 0) * expand_dims(expand_dims(scale, -1), -1), shape), dtype);
}

}  // namespace tessera::llm
