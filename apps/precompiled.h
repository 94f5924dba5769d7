// What nearly every source of the command line includes, compiled once (TESSERA_PCH). Each source still includes what
// it uses.
#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tessera/tessera.h"
