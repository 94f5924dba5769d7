// Neural networks: the losses.
#pragma once

#include "tessera/losses.h"  // IWYU pragma: export
