// Arrays of npy and npz files in host memory.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/host_array.h"
#include "io/json.h"

namespace tessera::io {

struct NpyHeader {
  DType dtype;
  bool swapped;   // big-endian
  bool reversed;  // Fortran's order: the first axis changes fastest
  Shape shape;
  std::size_t offset;  // of the elements, which end the file
};

/// Bytes in front of what says how long the header is.
inline constexpr std::size_t kNpyFirst = 12;
/// Where the elements of a file of `size` bytes begin, from its first kNpyFirst bytes.
std::size_t npy_offset(std::span<const std::byte> first, std::size_t size, const Fault& fault);
/// Parses a header and checks it against the size of the file, whose first bytes, those of the header or more, are
/// given.
NpyHeader parse_npy(std::span<const std::byte> first, std::size_t size, const Fault& fault);
NpyHeader parse_npy(std::span<const std::byte> file, const Fault& fault);

/// The array of a whole npy file; its memory is that of the file where bytes need no change.
HostArray npy_array(const HostView& file, const Fault& fault);
HostArray read_npy(const std::filesystem::path& path, std::string_view function);

using NamedArrays = std::vector<std::pair<std::string, HostArray>>;
/// All arrays of an npz file, in the order of its directory; of those alone that `takes` is true for, if it is given.
/// Those that are stored are parts of the file, and so are mapped if it is. `name` is that of the file in errors.
NamedArrays npz_arrays(const HostView& file, const std::string& name, std::string_view function,
                       const std::function<bool(std::string_view)>& takes = {});
NamedArrays read_npz(const std::filesystem::path& path, std::string_view function,
                     const std::function<bool(std::string_view)>& takes = {});

}  // namespace tessera::io
