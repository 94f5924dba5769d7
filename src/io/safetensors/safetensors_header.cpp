// The header of a safetensors file: every field is checked before a tensor is made of it.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "base/fail.h"
#include "base/sizes.h"
#include "io/safetensors/safetensors_format.h"

namespace tessera::io {

namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

std::string dtype_list() {
  std::string text;
  for (const auto& [dtype, code] : kSafetensorsDTypes) text += (text.empty() ? "" : ", ") + std::string(code);
  return text;
}

/// Collects the entries. Offsets are from the beginning of the data until finish().
class HeaderVisitor final : public JsonVisitor {
 public:
  /// `available`: the bytes behind the header, if they are known.
  HeaderVisitor(std::optional<std::uint64_t> available, const Fault& fault) : available_(available), fault_(fault) {}

  void value(const JsonPath& path, const JsonValue& v) override {
    switch (path.depth()) {
      case 0:
        return;  // visit_json expects an object
      case 1:
        return begin_entry(path.keys[0], v);
      case 2:
        return path.keys[0] == kMetadataKey ? metadata(path.keys[1], v) : field(path.keys[1], v);
      case 3:
        return element(path.keys[1], v);
      default:
        return;  // inside of a field that the format does not have
    }
  }

  void end(const JsonPath& path) override {
    if (path.depth() == 1 && path.keys[0] != kMetadataKey) end_entry();
  }

  SafetensorsHeader finish(std::uint64_t data) {
    auto& entries = header_.entries;
    std::ranges::stable_sort(entries, {}, [](const TensorEntry& e) { return std::pair(e.offset, e.bytes); });
    std::uint64_t at = 0;
    for (TensorEntry& e : entries) {
      if (e.offset != at) {
        fault_(fmt::format("has a tensor {} that {} the one before it: it begins at {}; {} is expected", quote(e.name),
                           e.offset < at ? "overlaps" : "leaves a gap behind", e.offset, at));
      }
      at += e.bytes;
      e.offset += data;
    }
    if (available_ && at != *available_) {
      fault_(fmt::format("has tensors of {} bytes together and {} bytes of data; equal numbers are expected", at,
                         *available_),
             {.requested = at, .available = *available_});
    }
    return std::move(header_);
  }

 private:
  [[noreturn]] void wrong(const std::string& text) const {
    fault_(fmt::format("has a tensor {} {}", quote(name_), text));
  }

  void begin_entry(const std::string& name, const JsonValue& v) {
    if (name == kMetadataKey) {
      if (v.kind != JsonKind::kObject) fault_(fmt::format("has the metadata {}; an object is expected", v.str()));
      return;
    }
    name_ = name;
    dtype_.reset();
    shape_.reset();
    offsets_.reset();
    if (v.kind != JsonKind::kObject) {
      wrong(fmt::format("whose entry is {}; an object with dtype, shape and data_offsets is expected", v.str()));
    }
  }

  void metadata(const std::string& key, const JsonValue& v) {
    if (v.kind != JsonKind::kText) {
      fault_(fmt::format("has the metadata {} of value {}; a text is expected", quote(key), v.str()));
    }
    header_.metadata.emplace(key, v.text);
  }

  void field(const std::string& key, const JsonValue& v) {
    if (key == "dtype") {
      const auto* const found = std::ranges::find_if(
          kSafetensorsDTypes, [&](const auto& d) { return v.kind == JsonKind::kText && d.second == v.text; });
      if (found == kSafetensorsDTypes.end()) {
        wrong(fmt::format("of dtype {}; one of {} is expected", v.str(), dtype_list()));
      }
      dtype_ = *found;
    } else if (key == "shape") {
      if (v.kind != JsonKind::kList) wrong(fmt::format("with the shape {}; a list of sizes is expected", v.str()));
      shape_.emplace();
    } else if (key == "data_offsets") {
      if (v.kind != JsonKind::kList) {
        wrong(fmt::format("with the data_offsets {}; a list of two integers is expected", v.str()));
      }
      offsets_.emplace();
    }
  }

  void element(const std::string& key, const JsonValue& v) {
    const bool is_shape = key == "shape";
    if (!is_shape && key != "data_offsets") return;
    if (v.kind != JsonKind::kInteger || v.integer >= std::uint64_t{1} << 63U) {
      wrong(fmt::format("with {} in its {}; integers from 0 to 2^63 - 1 are expected", v.str(), key));
    }
    if (!is_shape) {
      if (offsets_->size() == 2) wrong("with more than two data_offsets; a begin and an end are expected");
      offsets_->push_back(v.integer);
      return;
    }
    if (shape_->rank() == kMaxRank) {
      wrong(fmt::format("with more than {} axes; at most {} are expected", kMaxRank, kMaxRank));
    }
    shape_->push_back(static_cast<std::int64_t>(v.integer));
  }

  void end_entry() {
    if (!dtype_ || !shape_ || !offsets_) {
      wrong(fmt::format("without {}; dtype, shape and data_offsets are expected",
                        !dtype_ ? "dtype" : (!shape_ ? "shape" : "data_offsets")));
    }
    if (offsets_->size() != 2) {
      wrong(fmt::format("with {} data_offsets; a begin and an end are expected", offsets_->size()));
    }
    const std::uint64_t begin = (*offsets_)[0];
    const std::uint64_t end = (*offsets_)[1];
    if (begin > end || (available_ && end > *available_)) {
      wrong(fmt::format("at the bytes {} to {}; a range of the {}bytes of data is expected", begin, end,
                        available_ ? fmt::format("{} ", *available_) : ""));
    }
    const auto [dtype, code] = *dtype_;
    const std::uint64_t expected = bytes_of(dtype);
    if (end - begin != expected) {
      wrong(fmt::format("of shape {} and dtype {} in {} bytes; {} bytes are expected", *shape_, code, end - begin,
                        expected));
    }
    header_.entries.push_back({name_, dtype, *shape_, begin, expected});
  }

  [[nodiscard]] std::uint64_t bytes_of(DType dtype) const {
    constexpr auto kMost = static_cast<std::uint64_t>(kMaxTensorBytes);
    std::uint64_t product = size_of(dtype);  // without sizes of 0: strides must fit as well
    for (const std::int64_t n : *shape_) {
      const auto size = static_cast<std::uint64_t>(n);
      if (size > 1 && product > kMost / size) {
        wrong(fmt::format("of shape {}; sizes of at most 2^60 bytes together are expected", *shape_));
      }
      product *= std::max<std::uint64_t>(size, 1);
    }
    return std::ranges::find(*shape_, 0) == shape_->end() ? product : 0;
  }

  std::optional<std::uint64_t> available_;
  const Fault& fault_;
  SafetensorsHeader header_;
  // Of the entry that is read:
  std::string name_;
  std::optional<std::pair<DType, std::string_view>> dtype_;
  std::optional<Shape> shape_;
  std::optional<std::vector<std::uint64_t>> offsets_;
};

constexpr std::size_t kLengthBytes = sizeof(std::uint64_t);  // in front of the header

/// The size of the header with the number in front of it.
std::size_t header_bytes(std::span<const std::byte> first, std::optional<std::uint64_t> size, const Fault& fault) {
  const std::uint64_t all = std::min<std::uint64_t>(first.size(), size.value_or(first.size()));
  if (all < kLengthBytes) fault(fmt::format("has {} bytes; at least {} are expected", all, kLengthBytes));
  std::uint64_t length = 0;
  std::memcpy(&length, first.data(), kLengthBytes);
  const std::uint64_t most =
      std::min<std::uint64_t>(size.value_or(kMaxHeaderBytes + kLengthBytes) - kLengthBytes, kMaxHeaderBytes);
  if (length > most) {
    fault(fmt::format("has a header of {} bytes; at most {} are expected", length, most),
          {.requested = length, .available = most});
  }
  return kLengthBytes + static_cast<std::size_t>(length);
}

}  // namespace

SafetensorsHeader read_header(std::span<const std::byte> header, std::optional<std::uint64_t> size,
                              const Fault& fault) {
  const std::size_t data = header_bytes(header, size, fault);
  if (data > header.size()) {
    fault(fmt::format("has a header of {} bytes, of which {} were given", data - kLengthBytes,
                      header.size() - kLengthBytes));
  }
  HeaderVisitor visitor(size ? std::optional(*size - data) : std::nullopt, fault);
  visit_json({reinterpret_cast<const char*>(header.data()) + kLengthBytes, data - kLengthBytes}, "a header", visitor,
             fault);
  return visitor.finish(data);
}

std::size_t safetensors_header_bytes(std::span<const std::byte> first, std::optional<std::uint64_t> size,
                                     const std::string& name) {
  return header_bytes(first, size, Fault(name));
}

SafetensorsHeader parse_safetensors_header(std::span<const std::byte> header, std::optional<std::uint64_t> size,
                                           const std::string& name) {
  return read_header(header, size, Fault(name));
}

}  // namespace tessera::io
