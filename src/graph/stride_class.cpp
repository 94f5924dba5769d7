// Stride classes as text.
#include "graph/stride_class.h"

#include "base/fail.h"

namespace tessera {

void StrideClasses::append_to(std::string& text) const {
  for (std::size_t i = 0; i < size_; ++i) text += letter((*this)[i]);
}

void StrideClasses::fail_full() {
  fail(ErrorKind::kLimit, "An index map with more than {} dims was asked for; {} at most is expected.", kMost, kMost);
}

}  // namespace tessera
