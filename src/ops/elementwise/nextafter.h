// nextafter, and the host function of its kernel.
#pragma once

#include "ops/build.h"

namespace tessera::ops {

/// The next f32 or f64 after a towards b.
NodePtr nextafter(const NodePtr& a, const NodePtr& b);
void nextafter_host(const CustomHostCall& call);

}  // namespace tessera::ops
