// Division that rounds up, and multiples.
#include "base/ints.h"

#include <cstdint>
#include <limits>

namespace tessera {
namespace {

static_assert(as_index(std::int64_t{7}) == 7U);

static_assert(ceil_div(0, 4) == 0);
static_assert(ceil_div(1, 4) == 1);
static_assert(ceil_div(4, 4) == 1);
static_assert(ceil_div(5, 4) == 2);
static_assert(ceil_div(-3, 4) == 0);
static_assert(ceil_div(-5, 4) == -1);
static_assert(ceil_div(std::numeric_limits<std::int64_t>::max(), 2) == std::int64_t{1} << 62);
static_assert(ceil_div(std::numeric_limits<std::uint64_t>::max(), 2) == std::uint64_t{1} << 63U);

static_assert(round_up(0, 16) == 0);
static_assert(round_up(1, 16) == 16);
static_assert(round_up(std::uint64_t{17}, 16) == 32);

}  // namespace
}  // namespace tessera
