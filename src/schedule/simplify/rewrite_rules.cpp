// The list of rewrite rules. A rule is a file of its own with two lines here.
#include <array>

#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

extern const RewriteRule kLowerCall;          // rewrite_call.cpp
extern const RewriteRule kChannelsLast;       // rewrite_channels_last.cpp
extern const RewriteRule kStridedReduction;   // rewrite_strided_reduction.cpp
extern const RewriteRule kStagedReduction;    // rewrite_staged_reduction.cpp
extern const RewriteRule kMatmulAsReduction;  // rewrite_matmul_as_reduction.cpp
extern const RewriteRule kMatmulLongK;        // rewrite_matmul_long_k.cpp
extern const RewriteRule kMatmulSplitK;       // rewrite_matmul_split_k.cpp
extern const RewriteRule kMatmulOperands;     // rewrite_matmul_operands.cpp
extern const RewriteRule kCustomInMemory;     // rewrite_in_memory.cpp
extern const RewriteRule kGatherInMemory;
extern const RewriteRule kPutInMemory;
extern const RewriteRule kPackPieces;
extern const RewriteRule kRangeOfArena;  // rewrite_range.cpp
extern const RewriteRule kDropMark;      // rewrite_views.cpp
extern const RewriteRule kViewOfView;
extern const RewriteRule kSumOfPads;  // rewrite_sum_of_pads.cpp
extern const RewriteRule kPower;      // rewrite_power.cpp

std::span<const RewriteRule> rewrite_rules() {
  static const std::array kRules{
      kLowerCall,   kChannelsLast, kStridedReduction, kStagedReduction, kMatmulAsReduction,
      kMatmulLongK, kMatmulSplitK, kMatmulOperands,   kCustomInMemory,  kGatherInMemory,
      kPutInMemory, kPackPieces,   kRangeOfArena,     kDropMark,        kViewOfView,
      kSumOfPads,   kPower,
  };
  return kRules;
}

int apply_rules(Rewriter& out, const Graph::Entry& e) {
  for (const RewriteRule& rule : rewrite_rules()) {
    if (!rule.matches(out, e) || !rule.legal(out, e)) continue;
    if (const int result = rule.rewrite(out, e); result >= 0) return result;
  }
  return out.add(e);
}

}  // namespace tessera::schedule
