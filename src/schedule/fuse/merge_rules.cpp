// The lists of merge rules. A rule is a file of its own with a line here.
#include <array>

#include "schedule/fuse/merge.h"

namespace tessera::schedule {

// merge_vertical.cpp
extern const VerticalRule kMapWithMap;
extern const VerticalRule kMatmulWithEpilogue;
extern const VerticalRule kReduceWithReduce;
extern const VerticalRule kReduceWithMap;

extern const HorizontalRule kSiblings;     // merge_siblings.cpp
extern const HorizontalRule kGroupedGemm;  // merge_grouped_gemm.cpp
extern const HorizontalRule kSmallMaps;    // merge_small_maps.cpp

std::span<const VerticalRule> vertical_rules() {
  static const std::array kRules{kMapWithMap, kMatmulWithEpilogue, kReduceWithReduce, kReduceWithMap};
  return kRules;
}

std::span<const HorizontalRule> horizontal_rules() {
  static const std::array kRules{kSiblings, kGroupedGemm, kSmallMaps};
  return kRules;
}

}  // namespace tessera::schedule
