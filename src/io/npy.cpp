// Loads npy and npz files: arrays in host memory, with bytes and axes in our order, and tensors of them.
#include "io/npy.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "base/fail.h"
#include "base/os/files.h"
#include "io/named_tensors.h"
#include "io/zip.h"
#include "tessera/npy.h"

namespace tessera::io {

namespace fs = std::filesystem;

namespace {

/// Bytes of elements in another order: swapped, or with the axes reversed.
std::shared_ptr<const std::vector<std::byte>> reordered(std::span<const std::byte> data, const NpyHeader& header) {
  std::vector<std::byte> bytes(data.begin(), data.end());
  const std::size_t size = size_of(header.dtype);
  if (header.swapped) {
    const auto part = static_cast<std::ptrdiff_t>(is_complex(header.dtype) ? size / 2 : size);
    for (auto at = bytes.begin(); at != bytes.end(); at += part) std::reverse(at, at + part);
  }
  if (header.reversed && !bytes.empty()) {
    std::vector<std::byte> result(bytes.size());
    const int rank = header.shape.rank();
    std::array<std::size_t, kMaxRank> strides{};  // in bytes, of the file
    std::array<std::int64_t, kMaxRank> position{};
    std::size_t stride = size;
    for (int axis = 0; axis < rank; ++axis) {
      strides[static_cast<std::size_t>(axis)] = stride;
      stride *= static_cast<std::size_t>(header.shape[axis]);
    }
    std::size_t from = 0;
    for (std::size_t to = 0; to < result.size(); to += size) {
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), size,
                  result.begin() + static_cast<std::ptrdiff_t>(to));
      for (int axis = rank; axis-- > 0;) {
        const auto k = static_cast<std::size_t>(axis);
        from += strides[k];
        if (++position[k] < header.shape[axis]) break;
        from -= strides[k] * static_cast<std::size_t>(header.shape[axis]);
        position[k] = 0;
      }
    }
    bytes = std::move(result);
  }
  return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

Tensor tensor_of(const HostArray& array, const Device& device) {
  return from_host(array.view, array.dtype, array.shape, device);
}

}  // namespace

HostArray npy_array(const HostView& file, const Fault& fault) {
  const NpyHeader header = parse_npy(file.bytes, fault);
  const std::span<const std::byte> data = file.bytes.subspan(header.offset);
  if (header.dtype == DType::kBool) {
    const auto wrong = std::ranges::find_if(data, [](std::byte b) { return b > std::byte{1}; });
    if (wrong != data.end()) {
      fault(fmt::format("has the byte {} for the bool at element {}; 0 or 1 is expected", std::to_integer<int>(*wrong),
                        wrong - data.begin()));
    }
  }
  if (!header.swapped && (!header.reversed || header.shape.rank() < 2)) {
    return {{data, file.owner, false}, header.dtype, header.shape};
  }
  const auto bytes = reordered(data, header);
  return {{*bytes, bytes, false}, header.dtype, header.shape};
}

HostArray read_npy(const fs::path& path, std::string_view function) {
  const auto file = std::make_shared<const os::MappedFile>(path);
  return npy_array({file->bytes(), file, false}, Fault(path.string(), function));
}

std::vector<std::pair<std::string, HostArray>> read_npz(const fs::path& path, std::string_view function,
                                                        const std::function<bool(std::string_view)>& takes) {
  const auto file = std::make_shared<const os::MappedFile>(path);
  const Fault fault(path.string(), function);
  std::vector<std::pair<std::string, HostArray>> arrays;
  std::unordered_set<std::string> seen;
  for (const ZipMember& member : zip_members(file->bytes(), fault)) {
    if (!member.name.ends_with(".npy")) continue;
    std::string name = member.name.substr(0, member.name.size() - 4);
    if (!seen.insert(name).second) fault(fmt::format("has the array {} twice", quote(name)));
    if (takes && !takes(name)) continue;
    const Fault of_member(path.string() + ":" + name, function);
    HostArray array = npy_array(unzip({file->bytes(), file, false}, member, of_member), of_member);
    arrays.emplace_back(std::move(name), std::move(array));
  }
  return arrays;
}

Tensor load_npy(const fs::path& path, const Device& device) { return tensor_of(read_npy(path, "load_npy"), device); }

Tree load_npz(const fs::path& path, const LoadOptions& options) {
  const auto arrays = read_npz(path, "load_npz");
  std::vector<Loadable> all;
  for (const auto& [name, array] : arrays) all.push_back({name, array.view.bytes.size()});
  const auto named =
      load_named(all, options, [&](std::size_t i) { return tensor_of(arrays[i].second, options.device); });
  return tree_of(named, Fault(path.string(), "load_npz"));
}

}  // namespace tessera::io
