// StreamDecoder: decodes a window of the last tokens again with each token, and returns what is new and complete.
#include "tessera/text.h"

namespace tessera::text {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
// An incomplete character has at most three bytes, each of which may be shown as U+FFFD.
constexpr std::size_t kMaxHeld = 3;
// The window grows only while characters are incomplete or tokens are empty.
constexpr std::size_t kMaxWindow = 48;
constexpr std::size_t kKeptWindow = 16;

/// The bytes of U+FFFD at the end of a text that may become a character.
std::size_t held_bytes(std::string_view text) {
  std::size_t held = 0;
  while (held < kMaxHeld * kReplacement.size() && text.ends_with(kReplacement)) {
    text.remove_suffix(kReplacement.size());
    held += kReplacement.size();
  }
  return held;
}

}  // namespace

StreamDecoder::StreamDecoder(Tokenizer tokenizer, const DecodeOptions& options)
    : tokenizer_(std::move(tokenizer)), options_(options) {}

std::string StreamDecoder::decoded(std::span<const TokenId> ids) const { return tokenizer_.decode(ids, options_); }

// The context is a run of byte tokens which the new ones make invalid as a whole: another context takes its place.
void StreamDecoder::rewrite_window() {
  window_.erase(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(context_));
  context_ = 0;
  shown_.clear();
  if (!plain_) return;
  std::vector<TokenId> other{*plain_};
  std::string shown = decoded(other);
  other.insert(other.end(), window_.begin(), window_.end());
  if (!decoded(other).starts_with(shown)) return;
  window_ = std::move(other);
  context_ = 1;
  shown_ = std::move(shown);
}

// Keeps the last tokens as a context; the last `held` bytes of their text are not returned yet.
void StreamDecoder::trim_window(std::size_t held) {
  window_.erase(window_.begin(), window_.end() - kKeptWindow);
  context_ = kKeptWindow;
  shown_ = decoded(window_);
  shown_.erase(shown_.size() - std::min(held, shown_.size()));
}

std::string StreamDecoder::push(TokenId id) {
  // A token without text in front of another would make that one the first, whose space decoders strip.
  if (options_.skip_special_tokens && tokenizer_.is_special(id)) return {};
  window_.push_back(id);
  std::string text = decoded(window_);
  if (!text.starts_with(shown_)) {
    rewrite_window();
    text = decoded(window_);
  }
  std::string fresh = text.substr(shown_.size());
  const std::size_t held = held_bytes(fresh);
  fresh.erase(fresh.size() - held);
  shown_ += fresh;
  if (held == 0 && !fresh.empty()) {
    if (window_.size() == context_ + 1) plain_ = id;
    window_.erase(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(context_));
    context_ = window_.size();
    shown_ = decoded(window_);
  } else if (window_.size() > kMaxWindow) {
    trim_window(held);
  }
  return fresh;
}

std::string StreamDecoder::finish() {
  std::string rest = decoded(window_).substr(shown_.size());
  window_.clear();
  context_ = 0;
  shown_.clear();
  plain_.reset();
  return rest;
}

}  // namespace tessera::text
