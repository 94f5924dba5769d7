// Tensors in files: safetensors, mapped into memory, in one file or in shards; GGUF; npy and npz; and IDX, the format
// of MNIST.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/device.h"
#include "tessera/dtype.h"
#include "tessera/export.h"
#include "tessera/gguf.h"  // IWYU pragma: export
#include "tessera/host.h"
#include "tessera/load_options.h"  // IWYU pragma: export
#include "tessera/npy.h"           // IWYU pragma: export
#include "tessera/shape.h"
#include "tessera/tensor.h"
#include "tessera/tree.h"

namespace TESSERA_API tessera {
namespace io {

using Metadata = std::map<std::string, std::string>;

/// One tensor of a file.
struct TensorEntry {
  std::string name;
  DType dtype;
  Shape shape;
  std::uint64_t offset;  // of its bytes, from the beginning of the file
  std::uint64_t bytes;
};

struct SafetensorsHeader {
  std::vector<TensorEntry> entries;  // in the order of their bytes
  Metadata metadata;
};

/// A safetensors file, mapped into memory: the header is read and checked, and tensors are read when they are used.
/// The file must not shrink meanwhile; save_safetensors replaces files and does not change them. Copies share the
/// mapping, and so do tensors on the CPU backend. Thread-safe.
class SafetensorsFile {
 public:
  /// Error of kind io if the file cannot be mapped, of kind parse if it is not a valid safetensors file.
  explicit SafetensorsFile(const std::filesystem::path& path);
  /// The same for a file that is in memory already. `name` takes the place of its path in messages.
  SafetensorsFile(HostView bytes, const std::string& name);

  [[nodiscard]] const std::filesystem::path& path() const;
  /// In the order of their bytes.
  [[nodiscard]] const std::vector<TensorEntry>& entries() const;
  [[nodiscard]] const Metadata& metadata() const;
  [[nodiscard]] bool contains(std::string_view name) const;
  /// Error of kind value if there is no such tensor.
  [[nodiscard]] const TensorEntry& entry(std::string_view name) const;
  /// Reads one tensor. The CPU backend uses the mapped bytes in place if they are aligned; other devices copy them.
  [[nodiscard]] Tensor tensor(std::string_view name, const Device& device = {}) const;
  /// Reads all tensors. Names are sorted, with positions as numbers: "layers.2" is before "layers.10".
  [[nodiscard]] std::vector<Tree::Named> tensors(const LoadOptions& options = {}) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// All tensors of a safetensors file by name. A path that ends in .json is the index of a sharded model
/// (model.safetensors.index.json): the tensors of its weight_map are loaded from the files beside it, all of which are
/// checked before the first tensor is loaded. Names are sorted as by SafetensorsFile::tensors. Errors are those of
/// SafetensorsFile; also of kind parse for names that no Tree can have ("a" beside "a.b").
Tree load_safetensors(const std::filesystem::path& path, const LoadOptions& options = {});
/// The same as a list, with any names.
std::vector<Tree::Named> load_safetensors_list(const std::filesystem::path& path, const LoadOptions& options = {});

/// Writes tensors by name as a safetensors file, with the bytes that the reference implementation writes. The file is
/// replaced atomically: it has the old contents or the new ones, and may be mapped meanwhile. Error of kind dtype for
/// c128, which the format does not have; of kind value for a duplicate name, "__metadata__" as a name, or text that is
/// not UTF-8; of kind io if the file cannot be written.
void save_safetensors(const std::filesystem::path& path, const Tree& tensors, const Metadata& metadata = {});
void save_safetensors(const std::filesystem::path& path, std::span<const Tree::Named> tensors,
                      const Metadata& metadata = {});

/// What save_safetensors writes, for other targets than files.
struct SafetensorsLayout {
  std::string header;              // the first bytes
  std::vector<std::size_t> order;  // the positions of the tensors whose elements follow, one after the other
};
SafetensorsLayout safetensors_layout(std::span<const Tree::Named> tensors, const Metadata& metadata = {});

/// For a file that arrives in parts: how many of its bytes are the header, from the first 8 of them. `size` is that of
/// the file, if it is known, and `name` stands for it in messages. Error of kind parse as by SafetensorsFile.
std::size_t safetensors_header_bytes(std::span<const std::byte> first, std::optional<std::uint64_t> size,
                                     const std::string& name);
/// Parses and checks that header. If the size is not known, bytes behind the last tensor are not an Error.
SafetensorsHeader parse_safetensors_header(std::span<const std::byte> header, std::optional<std::uint64_t> size,
                                           const std::string& name);

/// Reads an IDX file, the format of MNIST: one tensor of u8, i8, i16, i32, f32 or f64 and of rank 0 to 8, in big-endian
/// order. The CPU backend uses bytes of u8 and i8 in place. Error of kind io if the file cannot be mapped, of kind
/// parse if it is not a valid IDX file or has bytes behind its data, of kind unsupported for a dtype that the device
/// does not have (f64).
Tensor load_idx(const std::filesystem::path& path, const Device& device = {});

}  // namespace io
}  // namespace tessera
