// The table of the kernels whose text is generated.
#include "codegen/kernels/kernel_text.h"

#include <algorithm>
#include <span>

#include "base/fail.h"
#include "codegen/kernels/attention.h"
#include "kernels/kernels.h"

namespace tessera::codegen {

namespace {

std::span<const KernelText> kernel_texts() {
  static const std::initializer_list<KernelText> kTexts{
      {"attention", attention_text},
  };
  return {kTexts.begin(), kTexts.size()};
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
