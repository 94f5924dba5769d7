// Loads npy and npz files: arrays in host memory, with bytes and axes in our order, and tensors of them.
#include "io/npy/npy.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "base/fail.h"
#include "base/os/files.h"
#include "base/utf8.h"
#include "io/named_tensors.h"
#include "io/npy/zip.h"
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

constexpr std::size_t kSmallMember = std::size_t{1} << 16U;

/// The header is checked against the size of a member before all of it is unpacked: there is no memory for sizes that
/// are not true.
void check_first(const HostView& archive, const ZipMember& member, const Fault& fault) {
  if (!member.deflated || member.size <= kSmallMember) return;
  const std::size_t offset = npy_offset(unzip_first(archive, member, kNpyFirst), member.size, fault);
  (void)parse_npy(unzip_first(archive, member, offset), member.size, fault);
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
  return in_host_memory(path.string(), function,
                        [&] { return npy_array({file->bytes(), file, false}, Fault(path.string(), function)); });
}

NamedArrays npz_arrays(const HostView& file, const std::string& name, std::string_view function,
                       const std::function<bool(std::string_view)>& takes) {
  const Fault fault(name, function);
  NamedArrays arrays;
  std::unordered_set<std::string> seen;
  for (const ZipMember& member : zip_members(file.bytes, fault)) {
    if (!member.name.ends_with(".npy")) continue;
    std::string array = member.name.substr(0, member.name.size() - 4);
    if (!is_utf8(array)) fault(fmt::format("has an array {}, whose name is not UTF-8", quote(array)));
    if (!seen.insert(array).second) fault(fmt::format("has the array {} twice", quote(array)));
    if (takes && !takes(array)) continue;
    const std::string quoted = quote(array);
    const std::string place = fmt::format("{}:{}", name, std::string_view(quoted).substr(1, quoted.size() - 2));
    const Fault of_member(place, function);
    arrays.emplace_back(std::move(array), in_host_memory(place, function, [&] {
                          check_first(file, member, of_member);
                          return npy_array(unzip(file, member, of_member), of_member);
                        }));
  }
  return arrays;
}

NamedArrays read_npz(const fs::path& path, std::string_view function,
                     const std::function<bool(std::string_view)>& takes) {
  const auto file = std::make_shared<const os::MappedFile>(path);
  return npz_arrays({file->bytes(), file, false}, path.string(), function, takes);
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
