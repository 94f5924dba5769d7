// Converts the provider's reports to Errors.
#include <cctype>

#include "base/fail.h"
#include "runtime/webgpu/core.h"

namespace tessera::runtime::webgpu {

namespace {
thread_local ErrorCatch* innermost_catch = nullptr;
}

ErrorCatch::ErrorCatch() : outer_(innermost_catch) { innermost_catch = this; }
ErrorCatch::~ErrorCatch() { innermost_catch = outer_; }
ErrorCatch* ErrorCatch::innermost() { return innermost_catch; }

void ErrorCatch::keep(WGPUErrorType type, std::string_view message) {
  if (caught()) return;
  type_ = type;
  message_ = message;
}

std::string one_line(std::string_view message) {
  std::string out;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    std::string_view line = message.substr(0, end);
    message.remove_prefix(std::min(end + 1, message.size()));
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())) != 0) line.remove_prefix(1);
    while (!line.empty() && (std::isspace(static_cast<unsigned char>(line.back())) != 0 || line.back() == '.')) {
      line.remove_suffix(1);
    }
    if (line.empty() || line == "Validation Error" || line == "Caused by:") continue;
    if (!out.empty()) out += out.back() == ':' ? " " : ": ";
    out += line;
  }
  return out;
}

Error translate(WGPUErrorType type, std::string_view message, std::string_view what) {
  if (type == WGPUErrorType_OutOfMemory) {
    return {ErrorKind::kOutOfMemory, fmt::format("Out of memory while {}.", what)};
  }
  const bool shader = message.find("hader") != std::string_view::npos;
  return {shader ? ErrorKind::kShader : ErrorKind::kDevice,
          fmt::format("WebGPU refused while {}: {}.", what, one_line(message))};
}

}  // namespace tessera::runtime::webgpu
