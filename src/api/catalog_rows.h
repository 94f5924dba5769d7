// The rows of the op catalog that are not generated from the elementwise table. Each file of api/ops has a function
// with the rows of its ops; catalog.cpp lists these functions.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "tessera/catalog.h"

namespace tessera::catalog {

/// Ops that differ in their names only.
struct Row {
  std::string_view family;  // one of kFamilies in catalog.cpp
  std::string_view types;
  bool gradient;
  OpInfo::Made made;
  std::string_view names;  // separated by ", "
  OpInfo::Autocast autocast = OpInfo::Autocast::kPromote;
};
using Rows = std::span<const Row>;

inline constexpr std::string_view kAny = "any";
inline constexpr std::string_view kAnyComplex = "any, complex";
inline constexpr std::string_view kNumbers = "numbers";
inline constexpr std::string_view kNumbersComplex = "numbers, complex";
inline constexpr std::string_view kFloats = "floats; integers become f32";

inline constexpr bool kGradient = true;
inline constexpr bool kNoGradient = false;

inline constexpr OpInfo::Made kPrimitive = OpInfo::Made::kPrimitive;
inline constexpr OpInfo::Made kComposed = OpInfo::Made::kComposition;
inline constexpr OpInfo::Made kKernel = OpInfo::Made::kKernel;
inline constexpr OpInfo::Made kLibrary = OpInfo::Made::kLibrary;

inline constexpr OpInfo::Autocast kLow = OpInfo::Autocast::kLow;
inline constexpr OpInfo::Autocast kInF32 = OpInfo::Autocast::kF32;

// One per file of api/ops.
Rows activations();
Rows attention();
Rows conv();
Rows index();
Rows linalg();
Rows losses();
Rows math();
Rows norms();
Rows ops();
Rows pool();
Rows quant();
Rows random();
Rows sort();

}  // namespace tessera::catalog
