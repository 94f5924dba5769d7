// Philox over many counters in SIMD lanes, compiled for several instruction sets.
#include "runtime/cpu/random.h"

#include <algorithm>

#include "base/philox.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/cpu/random.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera::runtime::cpu::HWY_NAMESPACE {
namespace {

// Like philox() in base/philox.h, one lane per counter.
void random_block(const std::uint32_t* words, std::uint32_t first, std::int64_t groups,
                  std::uint32_t* HWY_RESTRICT out) {
  constexpr std::int64_t kLanes = 32;
  while (groups >= kLanes) {
    std::uint32_t c[4][kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      c[0][i] = first + i;
      c[1][i] = 0;
      c[2][i] = words[2];
      c[3][i] = words[3];
    }
    std::uint32_t key0 = words[0];
    std::uint32_t key1 = words[1];
    for (int round = 0; round < 10; ++round) {
      for (std::int64_t i = 0; i < kLanes; ++i) {
        const std::uint64_t x = std::uint64_t{0xd2511f53U} * c[0][i];
        const std::uint64_t y = std::uint64_t{0xcd9e8d57U} * c[2][i];
        c[0][i] = static_cast<std::uint32_t>(y >> 32U) ^ c[1][i] ^ key0;
        c[2][i] = static_cast<std::uint32_t>(x >> 32U) ^ c[3][i] ^ key1;
        c[1][i] = static_cast<std::uint32_t>(y);
        c[3][i] = static_cast<std::uint32_t>(x);
      }
      key0 += 0x9e3779b9U;
      key1 += 0xbb67ae85U;
    }
    for (std::int64_t i = 0; i < kLanes; ++i) {
      for (std::int64_t w = 0; w < 4; ++w) out[4 * i + w] = c[w][i];
    }
    first += static_cast<std::uint32_t>(kLanes);
    groups -= kLanes;
    out += 4 * kLanes;
  }
  for (; groups > 0; --groups, ++first, out += 4) {
    const PhiloxWords four = philox({first, 0, words[2], words[3]}, words[0], words[1]);
    std::copy(four.begin(), four.end(), out);
  }
}

}  // namespace
}  // namespace tessera::runtime::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::runtime::cpu {

HWY_EXPORT(random_block);

void random_words(const std::uint32_t* words, std::uint32_t first, std::int64_t groups, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(random_block)(words, first, groups, out);
}

}  // namespace tessera::runtime::cpu
#endif
