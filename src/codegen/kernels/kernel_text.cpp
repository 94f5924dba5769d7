// The table of the kernels whose text is generated.
#include "codegen/kernels/kernel_text.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/fail.h"
#include "kernels/kernels.h"

namespace tessera::codegen {

extern const KernelText kAttentionText;                                                 // attention.cpp
extern const KernelText kDequantizeText, kQuantMatmulText, kQuantizeText;               // quant.cpp
extern const KernelText kFusedLinearText;                                               // fused_linear.cpp
extern const KernelText kScanText;                                                      // scan.cpp
extern const KernelText kScatterSegmentsText, kScatterJoinText;                         // scatter.cpp
extern const KernelText kPutInRowsText, kSortSmallText, kSortCountText, kSortMoveText;  // sort.cpp
extern const KernelText kSearchsortedText;                                              // sort.cpp
extern const KernelText kWindowMaxText;                                                 // window.cpp

namespace {

std::span<const KernelText> kernel_texts() {
  static const std::array kTexts{
      kAttentionText,       kDequantizeText,   kQuantMatmulText, kQuantizeText,    kScanText,
      kScatterSegmentsText, kScatterJoinText,  kPutInRowsText,   kSortSmallText,   kSortCountText,
      kSortMoveText,        kSearchsortedText, kWindowMaxText,   kFusedLinearText,
  };
  return kTexts;
}

}  // namespace

std::string kernel_text(const CustomKernel& kernel) {
  const auto rows = kernel_texts();
  const auto it = std::find_if(rows.begin(), rows.end(), [&](const KernelText& x) { return x.name == kernel.text; });
  if (it != rows.end()) return it->write(kernel.variant);
  const std::string_view text = kernels::wgsl(kernel.text);
  if (text.empty()) fail(ErrorKind::kUnsupported, "Kernel '{}' has no text '{}'.", kernel.name, kernel.text);
  return std::string(text);
}

}  // namespace tessera::codegen
