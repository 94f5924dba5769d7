// Rewrite rules: what custom kernels read, the tables of gathers, and what is updated, lie in memory in order; strided
// inputs of kernels may be views.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

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

bool is_pack(const Rewriter&, const Graph::Entry& e) { return e.op() == Op::kPack; }

/// Every piece becomes a copy of its own, whose memory is a part of the arena. Fusion makes the copy the last step of
/// the kernel that computes the piece.
int pack(Rewriter& out, const Graph::Entry& e) {
  std::vector<int> pieces;
  for (const int n : e.inputs) pieces.push_back(out.separate_copy(n));
  return out.add({e.node, std::move(pieces), nullptr});
}

bool is_custom(const Rewriter&, const Graph::Entry& e) { return e.op() == Op::kCustom; }

/// A view that a kernel reads without a copy.
struct StridedInput {
  int base = -1;
  InputStrides strides;
};

/// Whether a node is written to memory in any case: something is computed in a loop nest of its own, and `n` is its
/// result or its epilogue.
bool is_stored(const Graph& graph, int n, int depth = 8) {
  const Graph::Entry& e = graph[n];
  if (e.op() == Op::kInput || e.op() == Op::kMatmul || e.op() == Op::kCustom || is_reduction(e.op())) return true;
  if (!is_elementwise(e.op()) || depth == 0) return false;
  return std::ranges::any_of(e.inputs, [&](int in) {
    if (graph[in].op() == Op::kView && graph.node(in).view().identity()) in = graph[in].inputs[0];
    return graph[in].op() != Op::kInput && graph.node(in).numel() == e.node->numel() && is_stored(graph, in, depth - 1);
  });
}

bool binds(const DeviceInfo& device, const Node& node) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(node.numel()) * size_of(node.dtype());
  return node.numel() <= 0xffffffffLL &&
         (device.type == DeviceType::kCpu || bytes <= device.limits.max_storage_binding_size);
}

/// The dims of a level as axes of rows and, if there are fewer than four, one of so many columns.
std::optional<std::array<Dim, InputStrides::kMaxRank>> split_rows(const ViewLevel& level, std::int64_t cols,
                                                                  int row_axes) {
  std::vector<Dim> dims = level.dims;
  std::array<Dim, InputStrides::kMaxRank> axes{};
  if (row_axes < InputStrides::kMaxRank && cols > 1) {
    if (dims.empty() || dims.back().size % cols != 0) return {};
    axes.back() = {cols, dims.back().stride};
    dims.back() = {dims.back().size / cols, dims.back().stride * cols};
    if (dims.back().size == 1) dims.pop_back();
  }
  if (dims.size() > as_index(row_axes)) return {};
  std::ranges::copy(dims, axes.begin());
  return axes;
}

/// The strides of a view of that shape, if an input `b` can have them and what lies under the view can be bound.
std::optional<StridedInput> strided(const Rewriter& out, int n, const Shape& shape, const KernelBinding& b) {
  const Graph& graph = out.graph();
  const Graph::Entry& e = graph[n];
  // A view with more inputs waits for them, and only a copy can.
  if (e.op() != Op::kView || e.inputs.size() != 1 || e.node->view().levels.size() != 1) return {};
  const int base = e.inputs[0];
  const Node& under = graph.node(base);
  if (graph[base].op() == Op::kScalar || graph[base].op() == Op::kIota || under.numel() == 0) return {};
  // What is cheap is computed as the view reads it, unless it is read whole.
  const bool whole = is_stored(graph, base) || out.read_whole(base);
  if (!whole && (b.row_axes > 0 || under.numel() > e.node->numel())) return {};
  if (!binds(out.device(), under)) return {};
  if (b.row_axes > 0) {
    const ViewLevel& level = e.node->view().levels[0];
    const auto axes = split_rows(level, shape.back(), b.row_axes);
    if (!axes || (b.coalesced && std::abs(axes->back().stride) > 1)) return {};
    StridedInput x{base, {}};
    x.strides.offset = static_cast<std::uint32_t>(level.offset);
    for (std::size_t i = 0; i < axes->size(); ++i) {
      x.strides.strides[i] = static_cast<std::uint32_t>((*axes)[i].stride);
      if (i > 0) x.strides.sizes[i - 1] = static_cast<std::uint32_t>((*axes)[i].size);
    }
    return x;
  }
  const SplitView split = split_view(e.node->view(), shape);
  if (!split.below.empty() || split.dims.size() > InputStrides::kMaxRank || split.offset % b.width != 0) return {};
  StridedInput x{base, {}};
  x.strides.offset = static_cast<std::uint32_t>(split.offset / b.width);
  for (std::size_t i = 0; i < split.dims.size(); ++i) {
    const Dim& d = split.dims[i];
    if (b.width > 1 && i + 1 == split.dims.size()) {
      if (d.stride != 1 || d.size % b.width != 0) return {};
      x.strides.strides[i] = 1;
      continue;
    }
    if (d.stride % b.width != 0) return {};
    x.strides.strides[i] = static_cast<std::uint32_t>(d.stride / b.width);
  }
  return x;
}

/// The call with room for the views that its kernel reads.
std::shared_ptr<CustomCall> call_on_views(const CustomCall& own) {
  auto call = std::make_shared<CustomCall>(own);
  call->results.clear();
  call->bound = call->inputs;
  if (own.kernel->on_views == nullptr) return call;
  call->kernel = own.kernel->on_views;
  call->params.resize(static_cast<std::size_t>(call->kernel->param_words));
  for (std::size_t i = 0; i < call->inputs.size(); ++i) {
    const KernelBinding& b = call->kernel->inputs[i];
    if (b.strided) put_strides(call->params, b, row_major_strides(call->inputs[i].shape, b));
  }
  return call;
}

/// A custom kernel reads whole tensors from memory, or strided views of them, and writes all of its results, which
/// become neighbours here.
int custom(Rewriter& out, const Graph::Entry& e) {
  std::vector<int> inputs = e.inputs;
  CustomResult own = e.node->custom();
  const CustomKernel& kernel = own.call->kernel->on_views != nullptr ? *own.call->kernel->on_views : *own.call->kernel;
  // The host functions of users get row-major tensors.
  const bool views = kernel.trusted || out.device().type != DeviceType::kCpu;
  std::shared_ptr<CustomCall> strided_call;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (views && kernel.inputs[i].strided) {
      if (const auto x = strided(out, inputs[i], own.call->inputs[i].shape, kernel.inputs[i])) {
        if (strided_call == nullptr) strided_call = call_on_views(*own.call);
        inputs[i] = x->base;
        strided_call->bound[i].shape = out.graph().node(x->base).shape();
        put_strides(strided_call->params, kernel.inputs[i], x->strides);
        continue;
      }
    }
    inputs[i] = in_memory(out, inputs[i]);
  }
  if (strided_call != nullptr) own.call = strided_call;
  int result = -1;
  for (std::size_t i = 0; i < own.call->outputs.size(); ++i) {
    const auto output = static_cast<int>(i);
    const TensorSpec& t = own.call->outputs[i];
    const int at = output == own.output && strided_call == nullptr
                       ? out.add({e.node, inputs, nullptr})
                       : out.make(Op::kCustom, t.dtype, t.shape, inputs, CustomResult{own.call, output});
    if (output == own.output) result = at;
  }
  return result;
}

}  // namespace

extern const RewriteRule kGatherInMemory{"gather from memory", is_gather, always_legal, gather};
extern const RewriteRule kPutInMemory{"put to memory", is_put, always_legal, put};
extern const RewriteRule kPackPieces{"pieces of an arena", is_pack, always_legal, pack};
extern const RewriteRule kCustomInMemory{"custom kernel on memory", is_custom, always_legal, custom};

}  // namespace tessera::schedule
