// All of Tessera's public API.
#pragma once

#include "tessera/async.h"          // IWYU pragma: export
#include "tessera/attention.h"      // IWYU pragma: export
#include "tessera/buffer.h"         // IWYU pragma: export
#include "tessera/compile.h"        // IWYU pragma: export
#include "tessera/conv.h"           // IWYU pragma: export
#include "tessera/device.h"         // IWYU pragma: export
#include "tessera/error.h"          // IWYU pragma: export
#include "tessera/executor.h"       // IWYU pragma: export
#include "tessera/explain.h"        // IWYU pragma: export
#include "tessera/grad.h"           // IWYU pragma: export
#include "tessera/index.h"          // IWYU pragma: export
#include "tessera/linalg.h"         // IWYU pragma: export
#include "tessera/math.h"           // IWYU pragma: export
#include "tessera/metrics.h"        // IWYU pragma: export
#include "tessera/nn.h"             // IWYU pragma: export
#include "tessera/ops.h"            // IWYU pragma: export
#include "tessera/profile.h"        // IWYU pragma: export
#include "tessera/quant.h"          // IWYU pragma: export
#include "tessera/random.h"         // IWYU pragma: export
#include "tessera/retry.h"          // IWYU pragma: export
#include "tessera/sort.h"           // IWYU pragma: export
#include "tessera/tensor.h"         // IWYU pragma: export
#include "tessera/wgsl.h"           // IWYU pragma: export
#include "tessera/wgsl_dispatch.h"  // IWYU pragma: export
#include "tessera/work.h"           // IWYU pragma: export
