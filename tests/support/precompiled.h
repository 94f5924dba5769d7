// What nearly every test includes, compiled once (TESSERA_PCH). Each test still includes what it uses.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tessera/tessera.h"
