// Lowering of sorting, searching and selecting: short rows are sorted in workgroup memory, long ones by stable passes
// over digits of 4 bits.
#include "schedule/calls/sort.h"

#include <array>
#include <bit>

#include <fmt/format.h>

#include "base/ints.h"
#include "ops/rows.h"
#include "ops/sort/sort.h"
#include "schedule/calls/calls.h"
#include "schedule/calls/kernels.h"

namespace tessera::schedule {

namespace {

using ops::SortSource;

constexpr std::uint32_t kLanes = 256;
constexpr std::int64_t kSlots = 1024;  // of a workgroup that sorts short rows

std::uint64_t groups_for(std::int64_t elements) { return static_cast<std::uint64_t>(ceil_div(elements, kLanes)); }

CustomKernel sort_kernel(std::vector<KernelBinding> inputs, std::vector<KernelBinding> outputs,
                         std::initializer_list<const char*> params) {
  CustomKernel k;
  k.inputs = std::move(inputs);
  k.outputs = std::move(outputs);
  k.workgroup = {kLanes, 1, 1};
  k.params = u32_params(params);
  return k;
}

std::shared_ptr<const CustomKernel> small_kernel(DType t, bool descending) {
  return engine_kernel_on_views(fmt::format("sort_rows_{}{}", name(t), descending ? "_down" : ""), [&](bool strided) {
    CustomKernel k = sort_kernel({rows_input("x", strided)}, {"y", "at"}, {"rows", "cols", "log_width"});
    k.text = "sort_small";
    k.variant = to_attributes(SortSmallVariant{t, descending, kSlots, strided});
    k.workgroup_bytes = static_cast<std::uint64_t>(kSlots) * (size_of(t) + 4);
    k.host = [descending](const CustomHostCall& call) { ops::sort_rows_host(call, descending); };
    return k;
  });
}

// ---- Passes over digits ----

std::string pass_name(const char* step, const SortPassVariant& v) {
  constexpr std::array<const char*, 3> kSources{"", "_down", "_keys"};
  return fmt::format("{}{}_{}{}", step, kSources[static_cast<std::size_t>(v.source)], name(v.dtype),
                     v.quads ? "_quads" : "");
}

CustomKernel pass_kernel(const char* text, const SortPassVariant& v) {
  CustomKernel k = sort_kernel({}, {}, {"rows", "cols", "tiles", "shift"});
  k.text = text;
  k.variant = to_attributes(v);
  k.inputs.emplace_back(v.quads ? "x_quads" : "x", v.quads ? 4 : 1);
  k.workgroup_bytes = std::uint64_t{10} * kLanes * 4;
  return k;
}

std::shared_ptr<const CustomKernel> count_kernel(const SortPassVariant& v) {
  return engine_kernel(pass_name("sort_count", v), [&] {
    CustomKernel k = pass_kernel("sort_count", v);
    k.outputs = {"tile_counts"};
    k.host = [source = v.source](const CustomHostCall& call) { ops::sort_count_host(call, source); };
    return k;
  });
}

std::shared_ptr<const CustomKernel> move_kernel(const SortPassVariant& v) {
  return engine_kernel(pass_name(v.last ? "sort_move_last" : "sort_move", v), [&] {
    CustomKernel k = pass_kernel("sort_move", v);
    k.workgroup_bytes += 64;
    k.inputs.emplace_back("offsets");
    if (v.source == SortSource::kKeys)
      k.inputs.emplace_back(v.quads ? "places_in_quads" : "places_in", v.quads ? 4 : 1);
    k.outputs = {"places_out"};
    if (!v.last) k.outputs.emplace_back("keys_out");
    k.host = [source = v.source](const CustomHostCall& call) { ops::sort_move_host(call, source); };
    return k;
  });
}

// The elements have no strides: views are copied. A copy is a fraction of one of the four to sixteen passes, and the
// values are gathered from it.
/// The order of rows [rows, cols] of a wide dtype by bits [low, high) of their keys.
NodePtr order_by_digits(const NodePtr& x, bool descending, int low, int high) {
  const std::int64_t rows = x->shape()[0];
  const std::int64_t cols = x->shape()[1];
  const std::int64_t tiles = ceil_div(cols, ops::kSortTile);
  const auto groups = static_cast<std::uint64_t>(rows * tiles);
  NodePtr keys = x;
  NodePtr places;
  for (int shift = low; shift < high; shift += 4) {
    SortPassVariant v;
    v.source = places != nullptr ? SortSource::kKeys : (descending ? SortSource::kElementsDown : SortSource::kElements);
    v.dtype = keys->dtype();
    v.quads = cols % 4 == 0 && size_of(v.dtype) == 4;
    const std::vector<std::uint32_t> params{word(rows), word(cols), word(tiles), word(shift)};
    const NodePtr counts = call_kernel(count_kernel(v), {keys}, {{DType::kU32, {rows, 16 * tiles}}}, params, groups)[0];
    const NodePtr offsets = ops::cumsum(counts, 1, {.exclusive = true});
    v.last = shift + 4 >= high;
    std::vector<NodePtr> inputs{keys, offsets};
    if (places != nullptr) inputs.push_back(places);
    std::vector<TensorSpec> outputs{{DType::kI32, x->shape()}};
    if (!v.last) outputs.push_back({size_of(v.dtype) == 8 ? DType::kU64 : DType::kU32, x->shape()});
    const auto moved = call_kernel(move_kernel(v), inputs, outputs, params, groups);
    places = moved[0];
    if (!v.last) keys = moved[1];
  }
  return places;
}

/// The bits of a wide dtype's keys that can differ, given the narrower dtype of the values.
std::pair<int, int> key_bits(DType t) {
  switch (t) {
    case DType::kBF16:
      return {16, 32};
    case DType::kF16:
      return {12, 32};
    case DType::kBool:
      return {0, 1};
    case DType::kU8:
    case DType::kI8:
      return {0, 8};
    case DType::kU16:
    case DType::kI16:
      return {0, 16};
    default:
      return {0, static_cast<int>(8 * size_of(t))};
  }
}

/// Elements as kernels sort them: keys of small integers start at 0.
NodePtr widened(const NodePtr& x) {
  const DType t = x->dtype();
  if (t == DType::kI8 || t == DType::kI16) {
    return ops::cast(ops::cast(x, DType::kI32) + ops::integer(t == DType::kI8 ? 128 : 32768), DType::kU32);
  }
  return ops::cast(x, t == DType::kBool ? DType::kU32 : ops::wide_type(t));
}

/// The small integers before widened().
NodePtr narrowed(const NodePtr& x, DType t) {
  if (t == DType::kI8 || t == DType::kI16) {
    return ops::cast(ops::cast(x, DType::kI32) - ops::integer(t == DType::kI8 ? 128 : 32768), t);
  }
  return ops::cast(x, t);
}

std::vector<NodePtr> lower_sort(const CallToLower& x) {
  const auto a = x.attributes<ops::SortAttributes>();
  const DType t = x.inputs[0]->dtype();
  const NodePtr in = widened(x.inputs[0]);
  const std::int64_t rows = in->shape()[0];
  const std::int64_t cols = in->shape()[1];
  const auto kept = [&](const NodePtr& y) {
    const std::array<ops::Range, 2> front{{{0, rows, 1}, {0, a.keep, 1}}};
    return a.keep == cols ? y : ops::slice(y, front);
  };
  if (cols <= kSlots) {
    const int log_width = std::bit_width(static_cast<std::uint64_t>(cols - 1));
    const auto found = call_kernel(
        small_kernel(in->dtype(), a.descending), {in}, {{in->dtype(), in->shape()}, {DType::kI32, in->shape()}},
        {word(rows), word(cols), word(log_width)}, static_cast<std::uint64_t>(ceil_div(rows, kSlots >> log_width)));
    return {narrowed(kept(found[0]), t), kept(found[1])};
  }
  const auto [low, high] = a.bits > 0 ? std::pair(0, a.bits) : key_bits(t);
  const NodePtr at = order_by_digits(in, a.descending, low, high);
  return {narrowed(kept(ops::take_in_rows(in, at)), t), kept(at)};
}

std::vector<NodePtr> lower_put_in_rows(const CallToLower& x) {
  const TensorSpec& y = x.call.outputs[0];
  const auto kernel = engine_kernel_on_views(fmt::format("put_in_rows_{}", name(y.dtype)), [](bool strided) {
    CustomKernel k = sort_kernel({rows_input("x", strided), rows_input("at", strided)}, {"y"}, {"cols", "count"});
    k.text = "put_in_rows";
    k.variant = to_attributes(PutInRowsVariant{strided});
    k.host = ops::put_in_rows_host;
    return k;
  });
  const std::int64_t n = y.shape.numel();
  return call_kernel(kernel, x.inputs, {y}, {word(y.shape[1]), word(n)}, groups_for(n));
}

std::vector<NodePtr> lower_searchsorted(const CallToLower& x) {
  const auto a = x.attributes<ops::SearchAttributes>();
  const DType t = x.inputs[0]->dtype();
  const std::string key = fmt::format("searchsorted_{}{}", name(t), a.right ? "_right" : "");
  const auto kernel = engine_kernel_on_views(key, [&](bool strided) {
    CustomKernel k =
        sort_kernel({rows_input("sorted", strided), rows_input("values", strided)}, {"y"}, {"n", "count", "each"});
    k.text = "searchsorted";
    k.variant = to_attributes(SearchVariant{t, a.right, strided});
    k.host = [right = a.right](const CustomHostCall& call) { ops::searchsorted_host(call, right); };
    return k;
  });
  const Shape& sorted = x.inputs[0]->shape();
  const Shape& values = x.inputs[1]->shape();
  const std::int64_t n = values.numel();
  const std::int64_t each = sorted.rank() == 1 ? n : values.back();
  const NodePtr by_rows = ops::reshape(x.inputs[1], {n / each, each});
  return call_kernel(kernel, {x.inputs[0], by_rows}, x.call.outputs, {word(sorted.back()), word(n), word(each)},
                     groups_for(n));
}

std::vector<NodePtr> lower_picked(const CallToLower& x) {
  const auto kernel = engine_kernel("picked", [] {
    CustomKernel k = sort_kernel({"counts"}, {"y"}, {"n", "count"});
    k.host = ops::picked_host;
    return k;
  });
  const std::int64_t n = x.inputs[0]->numel();
  return call_kernel(kernel, x.inputs, x.call.outputs, {word(n), word(x.call.outputs[0].shape.numel())}, groups_for(n));
}

}  // namespace

extern const Lowering kLowerSort{"sort", lower_sort};
extern const Lowering kLowerPutInRows{"put_in_rows", lower_put_in_rows};
extern const Lowering kLowerSearchsorted{"searchsorted", lower_searchsorted};
extern const Lowering kLowerPicked{"picked", lower_picked};

}  // namespace tessera::schedule
