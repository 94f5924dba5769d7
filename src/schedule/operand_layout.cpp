// Layouts of operands as text.
#include "schedule/operand_layout.h"

namespace tessera {

std::string Im2colLayout::str() const {
  std::string text;
  for (const StrideClasses& axis : strides) {
    axis.append_to(text);
    if (&axis != &strides.back()) text += '|';
  }
  for (const Axes& steps : tests) {
    text += ':';
    for (const StrideClasses& axis : steps) axis.append_to(text);
  }
  return text;
}

}  // namespace tessera
