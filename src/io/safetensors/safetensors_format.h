// The safetensors format: dtype codes in the order of the reference implementation, and the header.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "io/json.h"
#include "tessera/io.h"

namespace tessera::io {

/// In the order in which tensors are written: the widest first, so that all are aligned.
inline constexpr std::array<std::pair<DType, std::string_view>, 14> kSafetensorsDTypes{{
    {DType::kU64, "U64"},
    {DType::kI64, "I64"},
    {DType::kF64, "F64"},
    {DType::kC64, "C64"},
    {DType::kF32, "F32"},
    {DType::kU32, "U32"},
    {DType::kI32, "I32"},
    {DType::kBF16, "BF16"},
    {DType::kF16, "F16"},
    {DType::kU16, "U16"},
    {DType::kI16, "I16"},
    {DType::kI8, "I8"},
    {DType::kU8, "U8"},
    {DType::kBool, "BOOL"},
}};

inline constexpr std::string_view kMetadataKey = "__metadata__";

/// Parses and checks a header; `size` is that of the whole file.
SafetensorsHeader read_header(std::span<const std::byte> header, std::optional<std::uint64_t> size, const Fault& fault);

}  // namespace tessera::io
