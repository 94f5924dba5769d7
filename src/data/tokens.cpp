// Windows of token streams, of files or in memory.
#include <cstring>
#include <limits>
#include <memory>

#include "base/fail.h"
#include "base/os/files.h"
#include "tessera/data/sources.h"

namespace tessera::data {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMaxToken = std::numeric_limits<std::int32_t>::max();

class Tokens final : public Dataset {
 public:
  /// `bytes` are whole tokens of a dtype, not always aligned.
  Tokens(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, DType dtype, std::string name,
         const TokenOptions& options)
      : bytes_(bytes), owner_(std::move(owner)), dtype_(dtype), name_(std::move(name)) {
    context_ = options.context;
    stride_ = options.stride == 0 ? context_ : options.stride;
    vocabulary_ = options.vocabulary;
    if (context_ < 1) {
      fail(ErrorKind::kValue, "from_tokens: a context of {} was given; at least 1 is expected.", context_);
    }
    if (stride_ < 1) {
      fail(ErrorKind::kValue, "from_tokens: a stride of {} was given; at least 1 is expected, or 0 for the context.",
           stride_);
    }
    if (vocabulary_ < 0 || vocabulary_ > kMaxToken) {
      fail(ErrorKind::kValue, "from_tokens: a vocabulary of {} was given; 0 to {} is expected.", vocabulary_,
           kMaxToken);
    }
    const auto tokens = static_cast<std::int64_t>(bytes_.size() / size_of(dtype_));
    if (tokens <= context_) {
      fail(ErrorKind::kValue, "from_tokens: {} has {} tokens; more than the context of {} are expected.", name_, tokens,
           context_);
    }
    size_ = (tokens - context_ - 1) / stride_ + 1;
  }

  [[nodiscard]] std::int64_t size() const override { return size_; }

  [[nodiscard]] Sample get(std::int64_t i) const override {
    const std::vector<std::int32_t> window = window_at(i * stride_);
    return {{"tokens", Array(std::vector<std::int32_t>(window.begin(), window.end() - 1), {context_})},
            {"targets", Array(std::vector<std::int32_t>(window.begin() + 1, window.end()), {context_})}};
  }

  [[nodiscard]] std::string name(std::int64_t i) const override {
    return fmt::format("{}, tokens {} to {}", name_, i * stride_, i * stride_ + context_);
  }

 private:
  [[nodiscard]] std::vector<std::int32_t> window_at(std::int64_t first) const {
    std::vector<std::int32_t> window(static_cast<std::size_t>(context_) + 1);
    const std::size_t size = size_of(dtype_);
    const std::int64_t limit = vocabulary_ > 0 ? vocabulary_ - 1 : kMaxToken;
    const std::byte* at = bytes_.data() + static_cast<std::size_t>(first) * size;
    for (std::size_t k = 0; k < window.size(); ++k, at += size) {
      std::int64_t token = 0;
      if (size == sizeof(std::uint16_t)) {
        std::uint16_t stored = 0;
        std::memcpy(&stored, at, sizeof stored);
        token = stored;
      } else {
        std::uint32_t stored = 0;
        std::memcpy(&stored, at, sizeof stored);
        token = dtype_ == i32 ? std::int64_t{static_cast<std::int32_t>(stored)} : std::int64_t{stored};
      }
      if (token < 0 || token > limit) {
        fail(ErrorKind::kParse, "from_tokens: {} has the token {} at position {}; 0 to {} is expected.", name_, token,
             first + static_cast<std::int64_t>(k), limit);
      }
      window[k] = static_cast<std::int32_t>(token);
    }
    return window;
  }

  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
  DType dtype_;
  std::string name_;
  std::int64_t context_ = 0, stride_ = 0, vocabulary_ = 0, size_ = 0;
};

}  // namespace

DatasetPtr from_tokens(const fs::path& path, const TokenOptions& options) {
  if (options.dtype != u16 && options.dtype != i32 && options.dtype != u32) {
    fail(ErrorKind::kDType, "from_tokens: the dtype {} was given; u16, i32 or u32 is expected.", name(options.dtype));
  }
  const auto file = std::make_shared<const os::MappedFile>(path);
  const std::span<const std::byte> bytes = file->bytes();
  if (options.offset < 0 || static_cast<std::uint64_t>(options.offset) > bytes.size()) {
    fail(ErrorKind::kParse, "from_tokens: '{}' has {} bytes; tokens were expected from byte {} on.", path.string(),
         bytes.size(), options.offset);
  }
  const auto data = bytes.subspan(static_cast<std::size_t>(options.offset));
  if (data.size() % size_of(options.dtype) != 0) {
    fail(ErrorKind::kParse, "from_tokens: '{}' has {} bytes of tokens, which are no whole tokens of {}.", path.string(),
         data.size(), name(options.dtype));
  }
  return std::make_shared<const Tokens>(data, file, options.dtype, "'" + path.string() + "'", options);
}

DatasetPtr from_tokens(std::vector<std::int32_t> tokens, const TokenOptions& options) {
  const auto owner = std::make_shared<const std::vector<std::int32_t>>(std::move(tokens));
  return std::make_shared<const Tokens>(std::as_bytes(std::span(*owner)), owner, i32, "the stream", options);
}

}  // namespace tessera::data
