// Rewrite rule, the last for matmuls: operands that have neither plain strides nor an im2col view are copied first.
#include "schedule/lower/operand.h"
#include "schedule/simplify/rewrite_matmul.h"

namespace tessera::schedule {

namespace {

constexpr std::int64_t kManyColumns = 64;

/// Whether a GPU reads this operand through an im2col view. Such views do not support chunks.
bool read_as_im2col(const Rewriter& out, int in) {
  if (!out.gpu() || out.longest_row() != kAnyRow) return false;
  const auto map = im2col_view(out.graph(), in);
  return map.has_value() && out.graph().node(in).numel() > out.graph().node(map->base).numel();
}

bool matches(const Rewriter&, const Graph::Entry& e) { return e.op() == Op::kMatmul; }

int rewrite(Rewriter& out, const Graph::Entry& e) {
  return out.add({e.node, readable_operands(out, e.inputs), nullptr});
}

}  // namespace

bool readable(const Rewriter& out, int in) { return is_strided_operand(out.graph(), in) || read_as_im2col(out, in); }

std::int64_t depth(const Rewriter& out, const Graph::Entry& matmul) {
  return out.graph().node(matmul.inputs[0]).shape().back();
}

bool is_gemv(const Rewriter& out, const Graph::Entry& matmul) {
  const Shape& c = matmul.node->shape();
  return out.longest_row() == kAnyRow && c[c.rank() - 2] == 1 && c.back() >= kManyColumns &&
         depth(out, matmul) >= kManyColumns && is_float(matmul.node->dtype()) &&
         is_strided_operand(out.graph(), matmul.inputs[0]) && is_strided_operand(out.graph(), matmul.inputs[1]) &&
         out.split(matmul.inputs[1]).dims.back().stride == 1;
}

std::vector<int> readable_operands(Rewriter& out, std::vector<int> operands) {
  for (int& in : operands) {
    const Graph::Entry x = out.graph()[in];
    const Op base = x.op() == Op::kView ? out.graph()[x.inputs[0]].op() : x.op();
    if (base == Op::kScalar || base == Op::kIota || !readable(out, in)) {
      in = out.make(Op::kCopy, x.node->dtype(), x.node->shape(), {in});
    }
  }
  return operands;
}

extern const RewriteRule kMatmulOperands{"matmul operands in memory", matches, always_legal, rewrite};

}  // namespace tessera::schedule
