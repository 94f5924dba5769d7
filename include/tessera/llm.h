// Language models: configs, blocks, models with caches, and sampling.
#pragma once

#include "tessera/llm/blocks.h"   // IWYU pragma: export
#include "tessera/llm/config.h"   // IWYU pragma: export
#include "tessera/llm/model.h"    // IWYU pragma: export
#include "tessera/llm/sampler.h"  // IWYU pragma: export
