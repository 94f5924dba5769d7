// The dtypes of tensors, their names and sizes, and type promotion.
#pragma once

#include <array>
#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tessera/export.h"

namespace TESSERA_API tessera {

/// The dtype of a tensor. The order is the order of kDTypeInfo, then of kBlockDTypeInfo.
enum class DType : std::uint8_t {
  kBool,
  kI8,
  kU8,
  kI16,
  kU16,
  kI32,
  kU32,
  kI64,
  kU64,
  kF16,
  kBF16,
  kF32,
  kF64,
  kC64,
  kC128,
  // Block dtypes, the block formats of ggml: rows in blocks of 32 elements (256: the K formats and IQ4_XS) that share
  // scales (tessera/quant.h).
  kQ4_0,
  kQ4_1,
  kQ5_0,
  kQ5_1,
  kQ8_0,
  kQ2_K,
  kQ3_K,
  kQ4_K,
  kQ5_K,
  kQ6_K,
  kIQ4_NL,
  kIQ4_XS,
  kMXFP4
};

inline constexpr DType boolean = DType::kBool;
inline constexpr DType i8 = DType::kI8;
inline constexpr DType u8 = DType::kU8;
inline constexpr DType i16 = DType::kI16;
inline constexpr DType u16 = DType::kU16;
inline constexpr DType i32 = DType::kI32;
inline constexpr DType u32 = DType::kU32;
inline constexpr DType i64 = DType::kI64;
inline constexpr DType u64 = DType::kU64;
inline constexpr DType f16 = DType::kF16;
inline constexpr DType bf16 = DType::kBF16;
inline constexpr DType f32 = DType::kF32;
inline constexpr DType f64 = DType::kF64;
inline constexpr DType c64 = DType::kC64;  // two f32, the real part first; complex dtypes are CPU only
inline constexpr DType c128 = DType::kC128;
inline constexpr DType q4_0 = DType::kQ4_0;
inline constexpr DType q4_1 = DType::kQ4_1;
inline constexpr DType q5_0 = DType::kQ5_0;
inline constexpr DType q5_1 = DType::kQ5_1;
inline constexpr DType q8_0 = DType::kQ8_0;
inline constexpr DType q2_k = DType::kQ2_K;
inline constexpr DType q3_k = DType::kQ3_K;
inline constexpr DType q4_k = DType::kQ4_K;
inline constexpr DType q5_k = DType::kQ5_K;
inline constexpr DType q6_k = DType::kQ6_K;
inline constexpr DType iq4_nl = DType::kIQ4_NL;
inline constexpr DType iq4_xs = DType::kIQ4_XS;
inline constexpr DType mxfp4 = DType::kMXFP4;

/// The kind of a dtype; promotion orders the kinds, except for blocks, which are not promoted.
enum class DTypeKind : std::uint8_t { kBool, kSigned, kUnsigned, kFloat, kComplex, kBlock };

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  std::size_t size;  // bytes of one element in memory; of a block in a file, for block dtypes
  DTypeKind kind;
  std::int64_t elements = 1;  // of a block
};

inline constexpr std::array kDTypeInfo{
    DTypeInfo{DType::kBool, "bool", 1, DTypeKind::kBool},     DTypeInfo{DType::kI8, "i8", 1, DTypeKind::kSigned},
    DTypeInfo{DType::kU8, "u8", 1, DTypeKind::kUnsigned},     DTypeInfo{DType::kI16, "i16", 2, DTypeKind::kSigned},
    DTypeInfo{DType::kU16, "u16", 2, DTypeKind::kUnsigned},   DTypeInfo{DType::kI32, "i32", 4, DTypeKind::kSigned},
    DTypeInfo{DType::kU32, "u32", 4, DTypeKind::kUnsigned},   DTypeInfo{DType::kI64, "i64", 8, DTypeKind::kSigned},
    DTypeInfo{DType::kU64, "u64", 8, DTypeKind::kUnsigned},   DTypeInfo{DType::kF16, "f16", 2, DTypeKind::kFloat},
    DTypeInfo{DType::kBF16, "bf16", 2, DTypeKind::kFloat},    DTypeInfo{DType::kF32, "f32", 4, DTypeKind::kFloat},
    DTypeInfo{DType::kF64, "f64", 8, DTypeKind::kFloat},      DTypeInfo{DType::kC64, "c64", 8, DTypeKind::kComplex},
    DTypeInfo{DType::kC128, "c128", 16, DTypeKind::kComplex},
};

inline constexpr std::array kBlockDTypeInfo{
    DTypeInfo{DType::kQ4_0, "q4_0", 18, DTypeKind::kBlock, 32},
    DTypeInfo{DType::kQ4_1, "q4_1", 20, DTypeKind::kBlock, 32},
    DTypeInfo{DType::kQ5_0, "q5_0", 22, DTypeKind::kBlock, 32},
    DTypeInfo{DType::kQ5_1, "q5_1", 24, DTypeKind::kBlock, 32},
    DTypeInfo{DType::kQ8_0, "q8_0", 34, DTypeKind::kBlock, 32},
    DTypeInfo{DType::kQ2_K, "q2_k", 84, DTypeKind::kBlock, 256},
    DTypeInfo{DType::kQ3_K, "q3_k", 110, DTypeKind::kBlock, 256},
    DTypeInfo{DType::kQ4_K, "q4_k", 144, DTypeKind::kBlock, 256},
    DTypeInfo{DType::kQ5_K, "q5_k", 176, DTypeKind::kBlock, 256},
    DTypeInfo{DType::kQ6_K, "q6_k", 210, DTypeKind::kBlock, 256},
    DTypeInfo{DType::kIQ4_NL, "iq4_nl", 18, DTypeKind::kBlock, 32},
    DTypeInfo{DType::kIQ4_XS, "iq4_xs", 136, DTypeKind::kBlock, 256},
    DTypeInfo{DType::kMXFP4, "mxfp4", 17, DTypeKind::kBlock, 32},
};

constexpr const DTypeInfo& info(DType t) {
  const auto i = static_cast<std::size_t>(t);
  return i < kDTypeInfo.size() ? kDTypeInfo[i] : kBlockDTypeInfo[i - kDTypeInfo.size()];
}
constexpr std::string_view name(DType t) { return info(t).name; }
constexpr std::size_t size_of(DType t) { return info(t).size; }
/// Whether elements are quantized in blocks along the last axis.
constexpr bool is_block(DType t) { return info(t).kind == DTypeKind::kBlock; }
/// Bytes of so many elements; whole blocks, for block dtypes.
constexpr std::size_t byte_size(DType t, std::int64_t elements) {
  return static_cast<std::size_t>(elements / info(t).elements) * size_of(t);
}
constexpr bool is_float(DType t) { return info(t).kind == DTypeKind::kFloat; }
constexpr bool is_integer(DType t) {
  return info(t).kind == DTypeKind::kSigned || info(t).kind == DTypeKind::kUnsigned;
}
constexpr bool is_complex(DType t) { return info(t).kind == DTypeKind::kComplex; }
constexpr bool is_signed(DType t) {
  return info(t).kind != DTypeKind::kBool && info(t).kind != DTypeKind::kUnsigned && !is_block(t);
}
/// The dtype of the parts of a complex dtype; any other dtype itself.
constexpr DType real_of(DType t) { return t == DType::kC64 ? DType::kF32 : (t == DType::kC128 ? DType::kF64 : t); }

/// The promoted dtype, by the rules of the array API standard; a float wins over an integer, a complex dtype over a
/// real one (c64 with f64 gives c128), and u64 with a signed integer gives f32, the default float.
DType promote(DType a, DType b);

/// An IEEE half in storage format: convert to float to compute.
struct Half {
  std::uint16_t bits = 0;
  Half() = default;
  explicit Half(float v);
  explicit operator float() const;
  friend bool operator==(const Half&, const Half&) = default;
};

/// A bfloat16 in storage format: the upper half of a float, rounded to nearest even.
struct BFloat16 {
  std::uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float v);
  explicit operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U); }
  friend bool operator==(const BFloat16&, const BFloat16&) = default;
};

/// The DType of a C++ element type: dtype_of<float> is f32.
template <class T>
inline constexpr DType dtype_of = [] {
  static_assert(sizeof(T) == 0, "tessera: this C++ type is not the element type of any tensor");
  return DType::kF32;
}();
template <>
inline constexpr DType dtype_of<bool> = DType::kBool;
template <>
inline constexpr DType dtype_of<std::int8_t> = DType::kI8;
template <>
inline constexpr DType dtype_of<std::uint8_t> = DType::kU8;
template <>
inline constexpr DType dtype_of<std::int16_t> = DType::kI16;
template <>
inline constexpr DType dtype_of<std::uint16_t> = DType::kU16;
template <>
inline constexpr DType dtype_of<std::int32_t> = DType::kI32;
template <>
inline constexpr DType dtype_of<std::uint32_t> = DType::kU32;
template <>
inline constexpr DType dtype_of<std::int64_t> = DType::kI64;
template <>
inline constexpr DType dtype_of<std::uint64_t> = DType::kU64;
template <>
inline constexpr DType dtype_of<Half> = DType::kF16;
template <>
inline constexpr DType dtype_of<BFloat16> = DType::kBF16;
template <>
inline constexpr DType dtype_of<float> = DType::kF32;
template <>
inline constexpr DType dtype_of<double> = DType::kF64;
template <>
inline constexpr DType dtype_of<std::complex<float>> = DType::kC64;
template <>
inline constexpr DType dtype_of<std::complex<double>> = DType::kC128;

}  // namespace tessera
