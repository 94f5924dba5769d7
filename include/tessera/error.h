// The exception type: a kind, a full sentence, and machine-readable fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tessera/export.h"

namespace TESSERA_API tessera {

enum class ErrorKind : std::uint8_t {
  kShape,
  kDType,
  kValue,
  kDevice,
  kDeviceLost,
  kOutOfMemory,
  kLimit,
  kUnsupported,
  kShader,
  kIo,
  kParse,
  kCancelled,
  kPeerLost,  // another process of the job does not answer, or messages to it fail (tessera/distributed.h)
};
inline constexpr std::size_t kErrorKinds = 13;

/// "shape", "dtype", ..., "cancelled", "peer_lost".
std::string_view name(ErrorKind kind);

class Error : public std::runtime_error {
 public:
  /// Details for error handling; zero or empty if not applicable.
  struct Fields {
    std::uint64_t requested = 0;  // out_of_memory and limit: the requested amount
    /// out_of_memory: the budget, or without one the device's memory, minus the memory in use; limit: the limit.
    std::uint64_t available = 0;
    int line = 0;  // shader, parse
    int column = 0;
    std::string op = {};  // the op or kernel, if known
  };

  Error(ErrorKind kind, const std::string& message) : Error(kind, message, Fields{}) {}
  Error(ErrorKind kind, const std::string& message, Fields fields)
      : std::runtime_error(message), kind_(kind), fields_(std::move(fields)) {}

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] const Fields& fields() const noexcept { return fields_; }

 private:
  ErrorKind kind_;
  Fields fields_;
};

}  // namespace tessera
