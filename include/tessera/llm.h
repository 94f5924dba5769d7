// Language models: configs, blocks, and models with caches.
#pragma once

#include "tessera/llm/blocks.h"  // IWYU pragma: export
#include "tessera/llm/config.h"  // IWYU pragma: export
#include "tessera/llm/model.h"   // IWYU pragma: export
