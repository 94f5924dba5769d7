// GGUF files: typed metadata and tensors in the formats of ggml, mapped into memory, in one file or split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tessera/device.h"
#include "tessera/dtype.h"
#include "tessera/export.h"
#include "tessera/host.h"
#include "tessera/load_options.h"
#include "tessera/quant.h"
#include "tessera/shape.h"
#include "tessera/tensor.h"
#include "tessera/tree.h"

namespace TESSERA_API tessera {
namespace io {

/// The formats of tensors in GGUF files, with the numbers that files have for them.
enum class GgmlType : std::uint32_t {
  kF32 = 0,
  kF16 = 1,
  kQ4_0 = 2,
  kQ4_1 = 3,
  kQ5_0 = 6,
  kQ5_1 = 7,
  kQ8_0 = 8,
  kQ8_1 = 9,
  kQ2_K = 10,
  kQ3_K = 11,
  kQ4_K = 12,
  kQ5_K = 13,
  kQ6_K = 14,
  kQ8_K = 15,
  kIQ2_XXS = 16,
  kIQ2_XS = 17,
  kIQ3_XXS = 18,
  kIQ1_S = 19,
  kIQ4_NL = 20,
  kIQ3_S = 21,
  kIQ2_S = 22,
  kIQ4_XS = 23,
  kI8 = 24,
  kI16 = 25,
  kI32 = 26,
  kI64 = 27,
  kF64 = 28,
  kIQ1_M = 29,
  kBF16 = 30,
  kTQ1_0 = 34,
  kTQ2_0 = 35,
  kMXFP4 = 39,
  kNVFP4 = 40,
  kQ1_0 = 41,
};

std::string_view name(GgmlType type);        // "Q4_K"
std::int64_t block_elements(GgmlType type);  // elements of a row that share a block; 1 for plain dtypes
std::size_t block_bytes(GgmlType type);      // bytes of a block in a file
/// The dtype of a type; nothing for block formats that the library does not have.
std::optional<DType> dtype_of(GgmlType type);
/// The type with this name; nothing if there is none.
std::optional<GgmlType> ggml_type(std::string_view name);
/// The type that holds this dtype; nothing if there is none.
std::optional<GgmlType> ggml_type(DType dtype);

/// The types of metadata values, with the numbers that files have for them.
enum class GgufType : std::uint32_t {
  kU8 = 0,
  kI8 = 1,
  kU16 = 2,
  kI16 = 3,
  kU32 = 4,
  kI32 = 5,
  kF32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kU64 = 10,
  kI64 = 11,
  kF64 = 12,
};
std::string_view name(GgufType type);  // "u32"

/// One value of the metadata: a number, a bool, a text, or an array of one of these types.
class GgufValue {
 public:
  using Data = std::variant<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, float,
                            bool, std::string, std::uint64_t, std::int64_t, double, std::vector<std::uint8_t>,
                            std::vector<std::int8_t>, std::vector<std::uint16_t>, std::vector<std::int16_t>,
                            std::vector<std::uint32_t>, std::vector<std::int32_t>, std::vector<float>,
                            std::vector<bool>, std::vector<std::string>, std::vector<std::uint64_t>,
                            std::vector<std::int64_t>, std::vector<double>>;

  GgufValue() = default;
  /// The C++ type says the type in the file: GgufValue(std::uint32_t{32}), GgufValue(std::vector<float>{..}).
  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, GgufValue> && !std::is_convertible_v<T, const char*>)
  GgufValue(T&& value)  // NOLINT(google-explicit-constructor,bugprone-forwarding-reference-overload)
      : data_(std::in_place_type<std::remove_cvref_t<T>>, std::forward<T>(value)) {}
  GgufValue(const char* text) : data_(std::string(text)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] GgufType type() const { return is_array() ? GgufType::kArray : element_type(); }
  [[nodiscard]] bool is_array() const { return data_.index() >= kScalars; }
  /// Of an array; of any other value its type.
  [[nodiscard]] GgufType element_type() const;
  /// Of an array; of any other value 1.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const Data& data() const { return data_; }
  /// The value if it has exactly this type, else null.
  template <class T>
  [[nodiscard]] const T* get_if() const {
    return std::get_if<T>(&data_);
  }

  // The value of any type that holds one. Error of kind value if the type is another, or an integer past 64 bits with
  // sign.
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] std::vector<std::int64_t> integers() const;
  [[nodiscard]] std::vector<double> numbers() const;
  [[nodiscard]] const std::vector<std::string>& texts() const;

  /// "u32", or "string[128256]" for an array.
  [[nodiscard]] std::string type_text() const;
  /// The value as JSON, with at most so many elements of an array: "[1, 2, ...]".
  [[nodiscard]] std::string str(std::size_t elements = 8) const;

  friend bool operator==(const GgufValue&, const GgufValue&) = default;

 private:
  static constexpr std::size_t kScalars = 12;
  Data data_;
};

/// Values by key, in the order of the file.
class GgufMetadata {
 public:
  using Entry = std::pair<std::string, GgufValue>;

  GgufMetadata() = default;
  /// A later value replaces an earlier one of the same key.
  GgufMetadata(std::initializer_list<Entry> entries);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// The value of a key, or null.
  [[nodiscard]] const GgufValue* find(std::string_view key) const;
  /// Error of kind value if there is no such key.
  [[nodiscard]] const GgufValue& at(std::string_view key) const;
  /// Replaces the value of a key, or adds it at the end.
  void set(std::string key, GgufValue value);

 private:
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> positions_;
};

/// One tensor of a GGUF file.
struct GgufEntry {
  std::string name;
  GgmlType type;
  Shape shape;           // outermost first, the reverse of the order in the file
  std::uint64_t offset;  // of its bytes, from the beginning of its file
  std::uint64_t bytes;
  std::size_t file = 0;  // the position of its file in GgufFile::files()
};

/// What a GGUF file has in front of the bytes of its tensors.
struct GgufHeader {
  std::uint32_t version = 3;
  std::uint64_t alignment = 32;
  GgufMetadata metadata = {};
  std::vector<GgufEntry> entries = {};  // in the order of their bytes
  std::uint64_t bytes = 0;              // of the header, with the padding behind it
};
/// Parses the header of a file of `size` bytes (none: not known) from its first bytes. None if it goes on behind them.
/// `name` takes the place of a path in messages. Error of kind parse if it is not valid, with the offset.
std::optional<GgufHeader> parse_gguf_header(std::span<const std::byte> first, std::optional<std::uint64_t> size,
                                            const std::string& name);

/// A GGUF file of version 2 or 3 in little-endian order, mapped into memory: metadata and the list of tensors are read
/// and checked, and tensors are read when they are used. The first file of a split model (-00001-of-00003.gguf) opens
/// all of them. Files must not shrink meanwhile; save_gguf replaces files and does not change them. Copies share the
/// mapping, and so do tensors on the CPU backend. Thread-safe.
class GgufFile {
 public:
  /// Error of kind io if a file cannot be mapped, of kind parse if it is not a valid GGUF file, with the offset.
  explicit GgufFile(const std::filesystem::path& path);
  /// The same for a file that is in memory already. `name` takes the place of its path in messages.
  GgufFile(HostView bytes, const std::string& name);

  /// All files, the one with the metadata first.
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const;
  [[nodiscard]] const std::filesystem::path& path() const { return files().front(); }
  [[nodiscard]] std::uint32_t version() const;
  [[nodiscard]] std::uint64_t alignment() const;
  /// That of the first file.
  [[nodiscard]] const GgufMetadata& metadata() const;
  /// In the order of the files and of the bytes in them.
  [[nodiscard]] const std::vector<GgufEntry>& entries() const;
  [[nodiscard]] bool contains(std::string_view name) const;
  /// Error of kind value if there is no such tensor.
  [[nodiscard]] const GgufEntry& entry(std::string_view name) const;
  /// The bytes of a tensor of any format, in the mapping.
  [[nodiscard]] HostView bytes(std::string_view name) const;
  /// Reads one tensor. The CPU backend uses the mapped bytes in place if they are aligned; other devices copy them, and
  /// block formats are repacked (tessera/quant.h). Error of kind unsupported, with the name of the format, for those of
  /// ggml that the library does not have.
  [[nodiscard]] Tensor tensor(std::string_view name, const Device& device = {}) const;
  /// Reads all tensors. Names are sorted, with positions as numbers: "blk.2" is before "blk.10".
  [[nodiscard]] std::vector<Tree::Named> tensors(const LoadOptions& options = {}) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// All tensors of a GGUF file by name; errors are those of GgufFile, and of kind parse for names that no Tree can have.
Tree load_gguf(const std::filesystem::path& path, const LoadOptions& options = {});

/// A tensor to write in any format.
struct GgufSource {
  std::string name;
  GgmlType type;
  Shape shape;
  std::function<HostView()> bytes;  // called when they are written, so that one tensor at a time is in memory
};
/// That of a tensor. Error of kind dtype if the format does not have its dtype.
GgufSource gguf_source(const std::string& name, const Tensor& tensor);

/// The header of a file with these tensors, padded: their bytes follow, each padded to the alignment. Errors are those
/// of save_gguf.
std::string gguf_header(const GgufMetadata& metadata, std::span<const GgufSource> tensors);

/// Writes a GGUF file of version 3, with the bytes that the gguf package of PyPI writes for the same metadata and
/// tensors in the same order. "general.alignment" of the metadata is the alignment, else 32. The file is replaced
/// atomically: it has the old contents or the new ones, and may be mapped meanwhile. Error of kind dtype for a dtype
/// that the format does not have; of kind value for a duplicate or empty name, a rank above 4, rows that are not whole
/// blocks, bytes that are not those of the shape, or text that is not UTF-8; of kind io if the file cannot be written.
void save_gguf(const std::filesystem::path& path, const GgufMetadata& metadata, std::span<const GgufSource> tensors);
void save_gguf(const std::filesystem::path& path, const GgufMetadata& metadata, std::span<const Tree::Named> tensors);
void save_gguf(const std::filesystem::path& path, const GgufMetadata& metadata, const Tree& tensors);

}  // namespace io
}  // namespace tessera
