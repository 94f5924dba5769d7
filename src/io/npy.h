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

/// Parses and checks it against the size of the file.
NpyHeader parse_npy(std::span<const std::byte> file, const Fault& fault);

/// The array of a whole npy file; its memory is that of the file where bytes need no change.
HostArray npy_array(const HostView& file, const Fault& fault);
HostArray read_npy(const std::filesystem::path& path, std::string_view function);

/// All arrays of an npz file, in the order of its directory; of those alone that `takes` is true for, if it is given.
std::vector<std::pair<std::string, HostArray>> read_npz(const std::filesystem::path& path, std::string_view function,
                                                        const std::function<bool(std::string_view)>& takes = {});

}  // namespace tessera::io
