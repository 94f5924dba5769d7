// Stacks samples into a batch, with names of the samples for messages.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "tessera/data/array.h"

namespace tessera::data {

/// Error of kind shape, dtype or value that names the field and the samples.
Sample stack_named(std::span<const Sample> samples, const std::function<std::string(std::size_t)>& name_of);

}  // namespace tessera::data
