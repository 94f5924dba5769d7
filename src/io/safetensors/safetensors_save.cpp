// Writes safetensors with the bytes of the reference implementation: tensors by dtype and name, and a padded header.
#include <algorithm>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/os/files.h"
#include "io/safetensors/safetensors_format.h"
#include "tessera/host.h"

namespace tessera::io {

namespace {

/// A tensor to write, and the position of its dtype in the order of the file.
struct Part {
  const Tree::Named* named;
  std::size_t dtype;
};

/// A text as JSON.
std::string json_text(const std::string& text, std::string_view what) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    fail(ErrorKind::kValue, "save_safetensors: {} {} is not valid UTF-8.", what, quote(text));
  }
}

std::vector<Part> sorted_parts(std::span<const Tree::Named> tensors) {
  std::vector<Part> parts;
  std::unordered_set<std::string_view> seen;
  for (const Tree::Named& named : tensors) {
    const auto& [name, tensor] = named;
    if (name == kMetadataKey) {
      fail(ErrorKind::kValue, "save_safetensors: a tensor has the name '{}', which the format uses for metadata.",
           kMetadataKey);
    }
    if (!seen.insert(name).second) {
      fail(ErrorKind::kValue, "save_safetensors: the name {} was given twice.", quote(name));
    }
    if (!tensor.defined()) {
      fail(ErrorKind::kValue, "save_safetensors: {} is an empty Tensor; it holds no value.", quote(name));
    }
    const auto* const found =
        std::ranges::find(kSafetensorsDTypes, tensor.dtype(), [](const auto& d) { return d.first; });
    if (found == kSafetensorsDTypes.end()) {
      fail(ErrorKind::kDType, "save_safetensors: {} has dtype {}, which the format does not have; {}.", quote(name),
           tessera::name(tensor.dtype()),
           is_block(tensor.dtype()) ? "dequantize it first, by astype(f16)" : "c64 is in it");
    }
    parts.push_back({&named, static_cast<std::size_t>(found - kSafetensorsDTypes.begin())});
  }
  std::ranges::sort(parts, {},
                    [](const Part& p) { return std::pair<std::size_t, std::string_view>(p.dtype, p.named->first); });
  return parts;
}

/// The size of the header and the header.
std::string header_of(const std::vector<Part>& parts, const Metadata& metadata) {
  std::string text = "{";
  if (!metadata.empty()) {
    text += fmt::format("\"{}\":{{", kMetadataKey);
    for (const auto& [key, value] : metadata) {
      text += json_text(key, "the metadata key") + ":" + json_text(value, "the metadata") + ",";
    }
    text.back() = '}';
  }
  std::uint64_t at = 0;
  for (const Part& p : parts) {
    const auto& [name, tensor] = *p.named;
    const Shape shape = tensor.shape();
    const std::uint64_t end = at + static_cast<std::uint64_t>(tensor.numel()) * size_of(tensor.dtype());
    text += fmt::format("{}{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}", text.size() > 1 ? "," : "",
                        json_text(name, "the name"), kSafetensorsDTypes[p.dtype].second,
                        fmt::join(shape.begin(), shape.end(), ","), at, end);
    at = end;
  }
  text += "}";
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > kMaxHeaderBytes) {
    throw Error(ErrorKind::kLimit,
                fmt::format("save_safetensors: the header has {} bytes; at most {} can be loaded.", text.size(),
                            kMaxHeaderBytes),
                {.requested = text.size(), .available = kMaxHeaderBytes});
  }
  const std::uint64_t size = text.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + text;
}

}  // namespace

SafetensorsLayout safetensors_layout(std::span<const Tree::Named> tensors, const Metadata& metadata) {
  const std::vector<Part> parts = sorted_parts(tensors);
  SafetensorsLayout layout{header_of(parts, metadata), {}};
  for (const Part& p : parts) layout.order.push_back(static_cast<std::size_t>(p.named - tensors.data()));
  return layout;
}

void save_safetensors(const std::filesystem::path& path, std::span<const Tree::Named> tensors,
                      const Metadata& metadata) {
  const SafetensorsLayout layout = safetensors_layout(tensors, metadata);
  std::error_code none;
  if (const auto status = std::filesystem::status(path, none);
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    fail(ErrorKind::kIo, "save_safetensors: '{}' is a {}; a file is expected.", path.string(),
         std::filesystem::is_directory(status) ? "directory" : "device or pipe");
  }
  std::vector<Tensor> all;
  for (const std::size_t i : layout.order) all.push_back(tensors[i].second);
  eval(all);  // in one submission
  os::replace_file_with(path, [&](const os::Append& append) {
    append(std::as_bytes(std::span(layout.header)));
    for (const Tensor& t : all) append(host_view(t).bytes);
  });
}

void save_safetensors(const std::filesystem::path& path, const Tree& tensors, const Metadata& metadata) {
  const std::vector<Tree::Named> named = tensors.flatten();
  save_safetensors(path, std::span<const Tree::Named>(named), metadata);
}

}  // namespace tessera::io
