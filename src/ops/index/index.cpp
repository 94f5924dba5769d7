// Gathers, and updates of a slice.
#include "ops/index/index.h"

#include "base/fail.h"
#include "graph/op.h"
#include "ops/build.h"

namespace tessera::ops {

NodePtr checked_index(const NodePtr& index, std::int64_t size) {
  const DType t = index->dtype();
  if (!is_integer(t)) fail(ErrorKind::kDType, "An index of type {} was given; integers are expected.", name(t));
  NodePtr i = index;
  // An index that does not fit i32 stays out of bounds.
  if (t == DType::kI64 || t == DType::kU64 || t == DType::kU32) {
    i = elementwise(Op::kMinimum, {i, scalar({std::int64_t{0x7fffffff}}, t)});
    if (t == DType::kI64) i = elementwise(Op::kMaximum, {i, scalar({-std::int64_t{0x7fffffff} - 1}, t)});
  }
  return elementwise(Op::kCheckIndex, {cast(i, DType::kI32), scalar({size}, DType::kI32)});
}

NodePtr gather(const NodePtr& x, const NodePtr& positions) {
  if (x->numel() > 0x7fffffffLL) {
    throw Error(ErrorKind::kLimit,
                fmt::format("gather: a tensor of {} elements was given; indices reach {}.", x->numel(), 0x7fffffffLL),
                {.requested = static_cast<std::uint64_t>(x->numel()), .available = 0x7fffffffULL, .op = "gather"});
  }
  if (x->numel() == 0 && positions->numel() != 0) {
    fail(ErrorKind::kValue, "gather: {} elements were asked for of a tensor of shape {}, which has none.",
         positions->numel(), x->shape());
  }
  const NodePtr at = cast(positions, DType::kI32);
  auto device = common_device("gather", std::vector<NodePtr>{x, at});
  return std::make_shared<const Node>(Op::kGather, x->dtype(), at->shape(), std::move(device), Node::Inputs{x, at});
}

NodePtr put(const NodePtr& x, const NodePtr& values, const NodePtr& positions) {
  if (x->numel() > 0x7fffffffLL) {
    throw Error(ErrorKind::kLimit,
                fmt::format("put: a tensor of {} elements was given; indices reach {}.", x->numel(), 0x7fffffffLL),
                {.requested = static_cast<std::uint64_t>(x->numel()), .available = 0x7fffffffULL, .op = "put"});
  }
  const NodePtr at = cast(positions, DType::kI32);
  const NodePtr v = cast(values, x->dtype());
  if (v->numel() == 0) return x;
  auto device = common_device("put", std::vector<NodePtr>{x, v, at});
  return std::make_shared<const Node>(Op::kPut, x->dtype(), x->shape(), std::move(device), Node::Inputs{x, v, at});
}

NodePtr replace(const NodePtr& x, const NodePtr& part, std::span<const std::int64_t> low) {
  PadLow window{{low.begin(), low.end()}};
  window.low.resize(static_cast<std::size_t>(x->shape().rank()), 0);
  auto device = common_device("index_set", std::vector<NodePtr>{x, part});
  return std::make_shared<const Node>(Op::kPad, x->dtype(), x->shape(), std::move(device), Node::Inputs{part, x},
                                      std::move(window));
}

}  // namespace tessera::ops
