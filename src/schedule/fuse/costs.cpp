// The table of costs.
#include "schedule/fuse/costs.h"

namespace tessera::schedule {

int cost_of(Op op) {
  switch (op) {
    case Op::kView:
    case Op::kCopy:
    case Op::kScalar:
    case Op::kIota:
    case Op::kInput:
      return 0;
    case Op::kRandom:
      return 16;
    case Op::kGather:
    case Op::kSqrt:
    case Op::kRsqrt:
    case Op::kReciprocal:
    case Op::kDivide:
    case Op::kRemainder:
    case Op::kFloorDivide:
      return 3;
    default:
      break;
  }
  if ((op >= Op::kExp && op <= Op::kSigmoid && op != Op::kSquare) || op == Op::kPower || op == Op::kAtan2) return 8;
  return 1;
}

}  // namespace tessera::schedule
