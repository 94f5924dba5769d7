// Rewrite rules: what custom kernels read, the tables of gathers, and what is updated, lie in memory in order.
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

/// Something that lies in memory in the order of `n`: what is not so is written out.
int in_memory(Rewriter& out, int n) {
  const auto plain = [&](int x) {
    return out.graph()[x].op() == Op::kView && out.graph()[x].node->view().identity() &&
           out.graph()[x].inputs.size() == 1;
  };
  while (plain(n)) n = out.graph()[n].inputs[0];
  const Graph::Entry x = out.graph()[n];
  if (x.op() != Op::kView && x.op() != Op::kScalar && x.op() != Op::kIota) return n;
  return out.make(Op::kCopy, x.node->dtype(), x.node->shape(), {n});
}

bool is_gather(const Rewriter&, const Graph::Entry& e) { return e.op() == Op::kGather; }

int gather(Rewriter& out, const Graph::Entry& e) {
  const int table = in_memory(out, e.inputs[0]);
  return out.add({e.node, {table, e.inputs[1]}, nullptr});
}

bool is_put(const Rewriter&, const Graph::Entry& e) { return e.op() == Op::kPut; }

int put(Rewriter& out, const Graph::Entry& e) {
  const int base = in_memory(out, e.inputs[0]);
  return out.add({e.node, {base, e.inputs[1], e.inputs[2]}, nullptr});
}

bool is_custom(const Rewriter&, const Graph::Entry& e) { return e.op() == Op::kCustom; }

/// A custom kernel reads whole tensors from memory and writes all of its results, which become neighbours here.
int custom(Rewriter& out, const Graph::Entry& e) {
  std::vector<int> inputs = e.inputs;
  for (int& in : inputs) in = in_memory(out, in);
  const CustomResult own = e.node->custom();
  int result = -1;
  for (std::size_t i = 0; i < own.call->outputs.size(); ++i) {
    const auto output = static_cast<int>(i);
    const TensorSpec& t = own.call->outputs[i];
    const int at = output == own.output
                       ? out.add({e.node, inputs, nullptr})
                       : out.make(Op::kCustom, t.dtype, t.shape, inputs, CustomResult{own.call, output});
    if (output == own.output) result = at;
  }
  return result;
}

}  // namespace

extern const RewriteRule kGatherInMemory{"gather from memory", is_gather, always_legal, gather};
extern const RewriteRule kPutInMemory{"put to memory", is_put, always_legal, put};
extern const RewriteRule kCustomInMemory{"custom kernel on memory", is_custom, always_legal, custom};

}  // namespace tessera::schedule
