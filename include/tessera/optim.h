// Optimizers and schedules.
#pragma once

#include "tessera/optim/optimizer.h"   // IWYU pragma: export
#include "tessera/optim/optimizers.h"  // IWYU pragma: export
#include "tessera/optim/scaler.h"      // IWYU pragma: export
#include "tessera/optim/schedule.h"    // IWYU pragma: export
#include "tessera/optim/shards.h"      // IWYU pragma: export
