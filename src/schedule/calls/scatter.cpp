// Lowering of scattering, without atomics: updates are sorted by target, and the run of each target is combined in
// order.
#include "schedule/calls/scatter.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/ints.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "ops/rows.h"
#include "schedule/calls/calls.h"
#include "schedule/calls/kernels.h"

namespace tessera::schedule {

namespace {

using ops::ScatterMode;

constexpr std::uint32_t kLanes = 256;
constexpr std::uint32_t kColumnLanes = 64;
constexpr std::int64_t kManyColumns = 32;
constexpr int kRowAxes = 4;  // of views: columns may have several axes, too

// ---- Runs of equal keys, in levels: each level combines the chunk ends of the level below ----

std::shared_ptr<const CustomKernel> segments_kernel(const ScatterSegmentsVariant& v) {
  const std::string key = fmt::format("scatter_{}{}{}_{}", name_of(v.mode), v.by_cols ? "_cols" : "",
                                      v.first ? "" : "_ends", name(v.dtype));
  const auto make = [&](bool strided) {
    ScatterSegmentsVariant own = v;
    own.strided = strided;
    CustomKernel k;
    k.text = "scatter_segments";
    k.variant = to_attributes(own);
    k.inputs = {"keys", rows_input("values", strided, kRowAxes)};
    if (v.first) k.inputs.emplace_back("order");
    k.outputs = {"y"};
    k.workgroup = {v.by_cols ? kColumnLanes : kLanes, 1, 1};
    if (!v.by_cols) k.workgroup_bytes = kLanes * (2 * size_of(v.dtype) + 4);
    k.params = u32_params({"entries", "cols", "key_step", "log_chunk"});
    k.host = [mode = v.mode](const CustomHostCall& call) { ops::scatter_segments_host(call, mode); };
    return k;
  };
  return v.first ? engine_kernel_on_views(key, make) : engine_kernel(key, [&] { return make(false); });
}

std::shared_ptr<const CustomKernel> join_kernel(const ScatterJoinVariant& v) {
  const bool set = v.mode == ScatterMode::kSet;
  const std::string key =
      fmt::format("scatter_{}_{}{}_{}", name_of(v.mode), set ? "last" : fmt::format("join{}", v.levels),
                  v.with_base ? "" : "_zeros", name(v.dtype));
  const auto make = [&](bool strided) {
    ScatterJoinVariant own = v;
    own.strided = strided;
    CustomKernel k;
    k.text = "scatter_join";
    k.variant = to_attributes(own);
    k.inputs = {"starts"};
    if (set) {
      k.inputs.insert(k.inputs.end(), {rows_input("updates", strided, kRowAxes), "order"});
    } else {
      for (std::int64_t l = 0; l < v.levels; ++l) k.inputs.emplace_back(fmt::format("runs{}", l));
    }
    if (v.with_base) k.inputs.push_back(rows_input("base", strided, kRowAxes));
    k.outputs = {"y"};
    k.workgroup = {kLanes, 1, 1};
    k.params = u32_params({"cols", "count", "log_chunk"});
    k.host = [v](const CustomHostCall& call) { ops::scatter_join_host(call, v.mode, v.levels, v.with_base); };
    return k;
  };
  return set || v.with_base ? engine_kernel_on_views(key, make) : engine_kernel(key, [&] { return make(false); });
}

/// For tensors that kernels can bind whole.
NodePtr scattered_whole(const NodePtr& base, std::int64_t rows, std::int64_t cols, const NodePtr& index,
                        const NodePtr& updates, ScatterMode mode) {
  const DType own = updates->dtype();
  const DType t = ops::wide_type(own);
  const std::int64_t n = index->numel();
  const ops::Runs runs = ops::runs_of(rows, index);
  std::vector<NodePtr> inputs{runs.starts};
  std::int64_t levels = 1;
  std::uint32_t log_chunk = 8;
  if (mode == ScatterMode::kSet) {
    inputs.insert(inputs.end(), {ops::cast(updates, t), runs.order});
  } else {
    const bool by_cols = cols >= kManyColumns;
    if (by_cols && n <= (1 << 24)) log_chunk = 6;
    std::int64_t length = n;  // of the level
    std::int64_t before = n;  // of the level below
    std::int64_t key_step = 1;
    NodePtr values = ops::cast(updates, t);
    for (levels = 0; levels == 0 || before > std::int64_t{1} << log_chunk; ++levels) {
      if (levels > 0) length = before >> log_chunk;  // of whole chunks: the remainder has no successor
      std::vector<NodePtr> in{runs.keys, values};
      if (levels == 0) in.push_back(runs.order);
      const auto chunks = static_cast<std::uint64_t>(ceil_div(length, std::int64_t{1} << log_chunk));
      values = call_kernel(segments_kernel({mode, t, levels == 0, by_cols}), in, {{t, {length, cols}}},
                           {word(length), word(cols), word(key_step), log_chunk},
                           by_cols ? chunks * static_cast<std::uint64_t>(ceil_div(cols, kColumnLanes)) : chunks)[0];
      inputs.push_back(values);
      before = length;
      key_step <<= log_chunk;
    }
  }
  if (base != nullptr) inputs.push_back(ops::cast(base, t));
  const NodePtr y = call_kernel(join_kernel({mode, t, levels, base != nullptr}), inputs, {{t, {rows, cols}}},
                                {word(cols), word(rows * cols), log_chunk},
                                static_cast<std::uint64_t>(ceil_div(rows * cols, kLanes)))[0];
  return ops::cast(y, own);
}

/// Elements `start` to `stop` along an axis.
NodePtr part(const NodePtr& x, int axis, std::int64_t start, std::int64_t stop) {
  std::vector<ops::Range> ranges;
  for (const std::int64_t size : x->shape()) ranges.push_back({0, size, 1});
  ranges[static_cast<std::size_t>(axis)] = {start, stop, 1};
  return ops::slice(x, ranges);
}

/// Tensors that the device cannot bind whole are processed in parts of the rows, the columns and the updates, in the
/// order of the updates.
std::vector<NodePtr> lower_scatter(const CallToLower& x) {
  const ScatterMode mode = x.attributes<ops::ScatterAttributes>().mode;
  const NodePtr& index = x.inputs[0];
  const NodePtr& updates = x.inputs[1];
  const NodePtr base = x.inputs.size() > 2 ? x.inputs[2] : nullptr;
  const std::int64_t rows = x.call.outputs[0].shape[0];
  const std::int64_t cols = x.call.outputs[0].shape[1];
  const std::int64_t n = index->numel();
  const auto size = static_cast<std::int64_t>(std::max<std::size_t>(size_of(ops::wide_type(updates->dtype())), 4));
  const auto words = static_cast<std::int64_t>(std::min<std::uint64_t>(x.binding_limit(), kMaxTensorBytes)) / size;
  const std::int64_t width = std::min(cols, std::max<std::int64_t>(words - 1, 1));
  const std::int64_t most = std::max<std::int64_t>((words - 1) / width, 1);  // there is one more run start than rows
  if (width == cols && rows <= most && n <= most) return {scattered_whole(base, rows, cols, index, updates, mode)};
  std::vector<NodePtr> columns;
  for (std::int64_t c = 0; c < cols; c += width) {
    const std::int64_t wide = std::min(width, cols - c);
    std::vector<NodePtr> pieces;
    for (std::int64_t r = 0; r < rows; r += most) {
      const std::int64_t high = std::min(most, rows - r);
      NodePtr y = base == nullptr ? nullptr : part(part(base, 0, r, r + high), 1, c, c + wide);
      const NodePtr here = ops::elementwise(Op::kSubtract, {index, ops::integer(r)});  // other rows are out of range
      for (std::int64_t u = 0; u < n; u += most) {
        const std::int64_t end = std::min(u + most, n);
        y = scattered_whole(y, high, wide, ops::contiguous(part(here, 0, u, end)),
                            part(part(updates, 0, u, end), 1, c, c + wide), mode);
      }
      pieces.push_back(y);
    }
    columns.push_back(ops::concat(pieces, 0));
  }
  return {ops::concat(columns, 1)};
}

}  // namespace

extern const Lowering kLowerScatter{"scatter", lower_scatter};

}  // namespace tessera::schedule
