// Language models: configs, blocks, models with caches, sampling, and generation of text.
#pragma once

#include "tessera/llm/batch.h"           // IWYU pragma: export
#include "tessera/llm/blocks.h"          // IWYU pragma: export
#include "tessera/llm/config.h"          // IWYU pragma: export
#include "tessera/llm/context.h"         // IWYU pragma: export
#include "tessera/llm/convert.h"         // IWYU pragma: export
#include "tessera/llm/language_model.h"  // IWYU pragma: export
#include "tessera/llm/model.h"           // IWYU pragma: export
#include "tessera/llm/sampler.h"         // IWYU pragma: export
