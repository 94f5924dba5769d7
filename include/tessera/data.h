// Data sets and their loaders: samples in host memory, sources, combinators, batches on a device; and images.
#pragma once

#include "tessera/data/array.h"    // IWYU pragma: export
#include "tessera/data/augment.h"  // IWYU pragma: export
#include "tessera/data/dataset.h"  // IWYU pragma: export
#include "tessera/data/image.h"    // IWYU pragma: export
#include "tessera/data/loader.h"   // IWYU pragma: export
#include "tessera/data/sources.h"  // IWYU pragma: export
