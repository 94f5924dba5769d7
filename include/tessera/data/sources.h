// Sources of data sets: files of arrays, tables, folders of images, streams of tokens. Files are mapped into memory and
// must not change meanwhile. Errors: of kind io for what cannot be read, of kind parse for what is not valid, both with
// the path.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tessera/data/dataset.h"
#include "tessera/dtype.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {
namespace data {

/// A file for each field: {{"image", "images.npy"}, {"label", "labels.npy"}}.
using FieldFiles = std::vector<std::pair<std::string, std::filesystem::path>>;

/// Rows of NumPy's npy files with equally many rows.
DatasetPtr from_npy(const FieldFiles& files);
/// Rows of the arrays of an npz file, or of the arrays of these names.
DatasetPtr from_npz(const std::filesystem::path& path, const std::vector<std::string>& names = {});
/// Rows of the tensors of a safetensors file, or of the tensors of these names.
DatasetPtr from_safetensors(const std::filesystem::path& path, const std::vector<std::string>& names = {});
/// Rows of IDX files, the format of MNIST.
DatasetPtr from_idx(const FieldFiles& files);

/// How a field is read from text: numbers as f32 or i64, or class labels as i32.
enum class CsvKind : std::uint8_t { kFloat, kInteger, kLabel };

struct CsvField {
  std::string name;
  std::vector<std::string> columns = {};  // joined into one vector; empty: the column of the field's name, as a scalar
  CsvKind kind = CsvKind::kFloat;
};

struct CsvOptions {
  char delimiter = ',';
  std::vector<std::string> names = {};  // of the columns; empty: the first line has them
  std::vector<CsvField> fields = {};    // empty: each column, as f32
};

/// The lines of a CSV file (RFC 4180: quoted fields may have delimiters, line breaks and doubled quotes). The file is
/// indexed at once, and lines are parsed when they are loaded: a line with too few or too many columns or with a bad
/// number is an Error of kind parse of its sample, with the file and the line, and so is a line with a quote that is
/// not closed at the end of a column: the line behind it is the next sample. The classes of labels are the texts that
/// occur, sorted by bytes. Empty lines are left out.
DatasetPtr from_csv(const std::filesystem::path& path, const CsvOptions& options = {});

struct ImageFolderOptions {
  std::vector<std::string> extensions = {".png", ".jpg", ".jpeg", ".ppm", ".pgm"};  // in any case
  int channels = 3;  // 1 (gray), 3 (RGB) or 4 (RGB and alpha): files are converted (decode_image); 0: those of the file
};

/// Images in one folder per class: "image", u8 [height, width, channels], and "label", i32, the position of the class
/// in the sorted names of the folders. Files of other extensions, and those whose names begin with a dot, are left out.
/// Images are decoded when they are loaded.
DatasetPtr from_image_folder(const std::filesystem::path& folder, const ImageFolderOptions& options = {});

struct TokenOptions {
  std::int64_t context = 0;     // tokens of a window; must be given
  std::int64_t stride = 0;      // between the beginnings of windows; 0: the context
  DType dtype = u16;            // of the file: u16, i32 or u32, little-endian
  std::int64_t offset = 0;      // bytes of the file in front of the first token
  std::int64_t vocabulary = 0;  // tokens must be less; 0: any from 0 to 2^31 - 1
};

/// Windows of a stream of tokens, such as nanoGPT's train.bin: "tokens", i32 [context], and "targets", the same moved
/// by one. A token that is not in the vocabulary is an Error of kind parse of its sample. Error of kind value for a
/// stream with less than context + 1 tokens; tokens behind the last whole window are left out.
DatasetPtr from_tokens(const std::filesystem::path& path, const TokenOptions& options);
/// The same for tokens in memory; `dtype` and `offset` are not used.
DatasetPtr from_tokens(std::vector<std::int32_t> tokens, const TokenOptions& options);

}  // namespace data
}  // namespace tessera
