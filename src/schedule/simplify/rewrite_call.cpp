// Rewrite rule: a call becomes what schedule/calls makes of it on the device.
#include "graph/op.h"
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

bool is_call(const Rewriter&, const Graph::Entry& e) { return e.op() == Op::kCall; }

int lower_call(Rewriter& out, const Graph::Entry& e) {
  const CallResult own = e.node->call();
  return out.lowered(own.call, e.inputs)[as_index(own.output)];
}

}  // namespace

extern const RewriteRule kLowerCall{"lower call", is_call, always_legal, lower_call};

}  // namespace tessera::schedule
