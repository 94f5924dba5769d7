// Text made line by line.
#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

namespace tessera {

class Lines {
 public:
  template <class... Args>
  void operator()(fmt::format_string<Args...> text, Args&&... args) {
    text_ += fmt::format(text, std::forward<Args>(args)...);
    text_ += '\n';
  }
  void add(const std::string& statements) { text_ += statements; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace tessera
