// Training runs: the Trainer, metrics, checkpoints, logs, plots and progress.
#pragma once

#include "tessera/train/anomaly.h"        // IWYU pragma: export
#include "tessera/train/checkpoint.h"     // IWYU pragma: export
#include "tessera/train/log.h"            // IWYU pragma: export
#include "tessera/train/memory_advice.h"  // IWYU pragma: export
#include "tessera/train/metric.h"         // IWYU pragma: export
#include "tessera/train/metrics.h"        // IWYU pragma: export
#include "tessera/train/plot.h"           // IWYU pragma: export
#include "tessera/train/progress.h"       // IWYU pragma: export
#include "tessera/train/run_file.h"       // IWYU pragma: export
#include "tessera/train/trainer.h"        // IWYU pragma: export
