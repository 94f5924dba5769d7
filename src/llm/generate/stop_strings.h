// Stop strings in a stream of text: what may become one is held back.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::llm {

class StopStrings {
 public:
  explicit StopStrings(std::vector<std::string> texts) : texts_(std::move(texts)) {}

  /// What of the text so far is in front of all stop strings and was not returned before.
  std::string push(std::string_view text) {
    if (done()) return {};
    held_ += text;
    std::size_t first = std::string::npos;
    for (const std::string& stop : texts_) {
      const std::size_t at = held_.find(stop);
      if (at >= first) continue;
      first = at;
      found_ = stop;
    }
    std::size_t count = first;
    for (std::size_t i = 0; count == std::string::npos; ++i) {
      if (i == held_.size() || begins_stop(std::string_view(held_).substr(i))) count = i;
    }
    std::string out = held_.substr(0, count);
    held_ = done() ? std::string() : held_.substr(count);
    return out;
  }
  /// What is held back, at the end.
  std::string finish() { return std::move(held_); }

  [[nodiscard]] bool done() const { return !found_.empty(); }
  [[nodiscard]] const std::string& found() const { return found_; }

 private:
  [[nodiscard]] bool begins_stop(std::string_view text) const {
    return std::ranges::any_of(texts_, [&](const std::string& stop) { return stop.starts_with(text); });
  }

  std::vector<std::string> texts_;
  std::string held_;
  std::string found_;
};

}  // namespace tessera::llm
