// The public scope of mixed precision.
#include "tessera/autocast.h"

#include "base/fail.h"
#include "ops/autocast.h"

namespace tessera {

Autocast::Autocast(std::optional<DType> dtype) {
  if (dtype.has_value() && *dtype != f16 && *dtype != bf16) {
    fail(ErrorKind::kDType, "Autocast: the dtype {} was given; f16 or bf16 is expected, or none to disable it.",
         name(*dtype));
  }
  was_ = ops::set_autocast_dtype(dtype);
}
Autocast::~Autocast() { ops::set_autocast_dtype(was_); }

std::optional<DType> Autocast::dtype() { return ops::autocast_dtype(); }

}  // namespace tessera
