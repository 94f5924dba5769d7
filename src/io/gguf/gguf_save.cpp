// Writes GGUF of version 3 with the bytes of the gguf package of PyPI: metadata, entries, and padded tensors.
#include <algorithm>
#include <bit>
#include <unordered_set>

#include "base/fail.h"
#include "base/os/files.h"
#include "base/sizes.h"
#include "base/utf8.h"
#include "io/gguf/gguf_format.h"

namespace tessera::io {

namespace {

/// The header as it grows.
class Text {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  void put(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view text, std::string_view what) {
    if (!is_utf8(text)) fail(ErrorKind::kValue, "save_gguf: {} {} is not valid UTF-8.", what, quote(text));
    put<std::uint64_t>(text.size());
    bytes += text;
  }
  void put_value(const GgufValue& value) {
    put(static_cast<std::uint32_t>(value.type()));
    if (value.is_array()) {
      put(static_cast<std::uint32_t>(value.element_type()));
      put<std::uint64_t>(value.size());
    }
    std::visit([&](const auto& v) { put_data(v); }, value.data());
  }

  std::string bytes;

 private:
  template <class T>
    requires std::is_arithmetic_v<T>
  void put_data(T v) {
    put(v);
  }
  void put_data(const std::string& v) { put_text(v, "the metadata"); }
  void put_data(const std::vector<std::string>& v) {
    for (const std::string& text : v) put_text(text, "the metadata");
  }
  void put_data(const std::vector<bool>& v) {
    for (const bool b : v) put(b);
  }
  template <class T>
  void put_data(const std::vector<T>& v) {
    bytes.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
  }
};

std::uint64_t alignment_of(const GgufMetadata& metadata) {
  const GgufValue* value = metadata.find(kGgufAlignmentKey);
  if (value == nullptr) return kGgufAlignment;
  const auto* given = value->get_if<std::uint32_t>();
  if (given == nullptr || !std::has_single_bit(*given)) {
    fail(ErrorKind::kValue, "save_gguf: the {} is {} of type {}; a power of two of type u32 is expected.",
         kGgufAlignmentKey, value->str(), value->type_text());
  }
  return *given;
}

void check_name(std::string_view name, std::string_view what) {
  if (name.empty() || name.size() > kGgufMaxName) {
    fail(ErrorKind::kValue, "save_gguf: {} {} has {} bytes; 1 to {} are expected.", what, quote(name), name.size(),
         kGgufMaxName);
  }
}

/// The bytes of a tensor of this type and shape.
std::uint64_t checked_bytes(const GgufSource& t) {
  if (t.shape.rank() > kGgufMaxRank) {
    fail(ErrorKind::kValue, "save_gguf: {} has the shape {}; a rank of at most {} is expected.", quote(t.name), t.shape,
         kGgufMaxRank);
  }
  const std::int64_t elements = checked_numel("save_gguf", t.shape, f64);
  const std::int64_t block = block_elements(t.type);
  if ((t.shape.rank() == 0 ? 1 : t.shape.back()) % block != 0) {
    fail(ErrorKind::kValue, "save_gguf: {} of type {} has the shape {}; rows of whole blocks of {} are expected.",
         quote(t.name), name(t.type), t.shape, block);
  }
  return static_cast<std::uint64_t>(elements / block) * block_bytes(t.type);
}

}  // namespace

std::string gguf_header(const GgufMetadata& metadata, std::span<const GgufSource> tensors) {
  const std::uint64_t alignment = alignment_of(metadata);
  Text out;
  out.bytes.append(kGgufMagic.data(), kGgufMagic.size());
  out.put(kGgufVersion);
  out.put<std::uint64_t>(tensors.size());
  out.put<std::uint64_t>(metadata.size());
  for (const auto& [key, value] : metadata.entries()) {
    check_name(key, "the metadata key");
    out.put_text(key, "the metadata key");
    out.put_value(value);
  }
  std::unordered_set<std::string_view> seen;
  std::uint64_t at = 0;
  for (const GgufSource& t : tensors) {
    check_name(t.name, "the name");
    if (!seen.insert(t.name).second) {
      fail(ErrorKind::kValue, "save_gguf: the name {} was given twice.", quote(t.name));
    }
    out.put_text(t.name, "the name");
    const std::uint64_t bytes = checked_bytes(t);
    out.put(static_cast<std::uint32_t>(t.shape.rank()));
    for (int axis = t.shape.rank(); axis-- > 0;) out.put(static_cast<std::uint64_t>(t.shape[axis]));
    out.put(static_cast<std::uint32_t>(t.type));
    out.put(at);
    at = aligned_up(at + bytes, alignment);
  }
  out.bytes.resize(static_cast<std::size_t>(aligned_up(out.bytes.size(), alignment)), '\0');
  return std::move(out.bytes);
}

GgufSource gguf_source(const std::string& name, const Tensor& tensor) {
  if (!tensor.defined()) {
    fail(ErrorKind::kValue, "save_gguf: {} is an empty Tensor; it holds no value.", quote(name));
  }
  const std::optional<GgmlType> type = ggml_type(tensor.dtype());
  if (!type) {
    fail(
        ErrorKind::kDType,
        "save_gguf: {} has dtype {}, which the format does not have; f32, f16, bf16, f64, i8, i16, i32, i64 or a block "
        "dtype is expected.",
        quote(name), tessera::name(tensor.dtype()));
  }
  return {name, *type, tensor.shape(), [tensor] {
            if (!is_block(tensor.dtype())) return host_view(tensor);
            const auto blocks = std::make_shared<const std::vector<std::byte>>(to_blocks(tensor));
            return HostView{*blocks, blocks, false};
          }};
}

void save_gguf(const std::filesystem::path& path, const GgufMetadata& metadata, std::span<const GgufSource> tensors) {
  const std::uint64_t alignment = alignment_of(metadata);
  const std::string header = gguf_header(metadata, tensors);
  std::error_code none;
  if (const auto status = std::filesystem::status(path, none);
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    fail(ErrorKind::kIo, "save_gguf: '{}' is a {}; a file is expected.", path.string(),
         std::filesystem::is_directory(status) ? "directory" : "device or pipe");
  }
  os::replace_file_with(path, [&](const os::Append& append) {
    append(std::as_bytes(std::span(header)));
    const std::vector<std::byte> zeros(4096);
    for (const GgufSource& t : tensors) {
      const HostView view = t.bytes();
      const std::uint64_t bytes = checked_bytes(t);
      if (view.bytes.size() != bytes) {
        fail(ErrorKind::kValue, "save_gguf: {} of type {} and shape {} was given {} bytes; {} are expected.",
             quote(t.name), name(t.type), t.shape, view.bytes.size(), bytes);
      }
      append(view.bytes);
      for (std::uint64_t left = aligned_up(bytes, alignment) - bytes; left > 0;) {
        const std::uint64_t n = std::min<std::uint64_t>(left, zeros.size());
        append(std::span(zeros).first(static_cast<std::size_t>(n)));
        left -= n;
      }
    }
  });
}

void save_gguf(const std::filesystem::path& path, const GgufMetadata& metadata, std::span<const Tree::Named> tensors) {
  std::vector<GgufSource> sources;
  std::vector<Tensor> all;
  for (const Tree::Named& named : tensors) {
    sources.push_back(gguf_source(named.first, named.second));
    all.push_back(named.second);
  }
  (void)gguf_header(metadata, sources);  // errors before any work
  eval(all);                             // in one submission
  save_gguf(path, metadata, std::span<const GgufSource>(sources));
}

void save_gguf(const std::filesystem::path& path, const GgufMetadata& metadata, const Tree& tensors) {
  const std::vector<Tree::Named> named = tensors.flatten();
  save_gguf(path, metadata, std::span<const Tree::Named>(named));
}

}  // namespace tessera::io
