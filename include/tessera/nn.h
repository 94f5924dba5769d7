// Neural networks: modules, initial values, losses, and transforms of functions that use modules.
#pragma once

#include "tessera/losses.h"          // IWYU pragma: export
#include "tessera/nn/activation.h"   // IWYU pragma: export
#include "tessera/nn/attention.h"    // IWYU pragma: export
#include "tessera/nn/containers.h"   // IWYU pragma: export
#include "tessera/nn/conv.h"         // IWYU pragma: export
#include "tessera/nn/init.h"         // IWYU pragma: export
#include "tessera/nn/linear.h"       // IWYU pragma: export
#include "tessera/nn/lora.h"         // IWYU pragma: export
#include "tessera/nn/module.h"       // IWYU pragma: export
#include "tessera/nn/norm.h"         // IWYU pragma: export
#include "tessera/nn/recurrent.h"    // IWYU pragma: export
#include "tessera/nn/summary.h"      // IWYU pragma: export
#include "tessera/nn/transformer.h"  // IWYU pragma: export
#include "tessera/nn/transforms.h"   // IWYU pragma: export
