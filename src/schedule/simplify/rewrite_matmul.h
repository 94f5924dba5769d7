// What the rewrites of matmuls share.
#pragma once

#include <vector>

#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

/// The length of the sums of a matmul.
std::int64_t depth(const Rewriter& out, const Graph::Entry& matmul);
/// One row by a matrix whose rows lie in memory as they are: a GEMV has a kernel of its own among the matmuls.
bool is_gemv(const Rewriter& out, const Graph::Entry& matmul);
/// Whether a matmul reads this operand from memory with one stride for each axis, or through a map (implicit GEMM)
/// where that reads elements several times.
bool readable(const Rewriter& out, int operand);
/// The operands, with those written out that are not readable.
std::vector<int> readable_operands(Rewriter& out, std::vector<int> operands);

}  // namespace tessera::schedule
