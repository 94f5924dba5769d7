// Vertical rules: maps with maps, matmuls with their epilogues, reductions over the same rows, and reductions with the
// maps in front of and behind them.
#include <array>

#include "graph/op.h"
#include "schedule/fuse/merge.h"

namespace tessera::schedule {

namespace {

using Kind = Kernel::Kind;

std::array<SizeRef, 2> size_refs(const Group& reduce) {
  return {SizeRef::numel(reduce.domain), SizeRef{SizeRef::What::kCols, reduce.domain}};
}

bool require_equal(const Graph& graph, const SizeRef& x, const SizeRef& y, std::vector<Guard>& guards) {
  guards.push_back({Guard::Kind::kEqual, x, y});
  return guards.back().holds(graph);
}

bool is_row(const Fusion& fusion, int n) { return fusion.row[as_index(n)] != 0; }

/// The level at which a node reads its arguments: a reduction reads elements.
bool reads_rows(const Fusion& fusion, int n) { return is_row(fusion, n) && !is_reduction(fusion.graph[n].op()); }

/// Whether a row-broadcast view spreads one value over the columns of the group.
bool spreads_rows(const Fusion& fusion, int view, const Group& reduce, std::vector<Guard>& guards) {
  const int dims = static_cast<int>(fusion.graph.node(view).view().levels[0].dims.size());
  return require_equal(fusion.graph, {SizeRef::What::kViewDim, view, dims - 1}, size_refs(reduce)[1], guards);
}

/// How many reads there are between two groups; none where some read is not at the element.
std::optional<int> plain_reads(const Fusion& fusion, int a, int b) {
  int count = 0;
  const bool plain = fusion.groups.cross_reads(a, b, [&](int, const Read& r) {
    ++count;
    return r.access == Access::kIdentity;
  });
  return plain ? std::optional(count) : std::nullopt;
}

std::optional<Merge> map_with_map(const Fusion& fusion, int a, int b) {
  Merge merge;
  const std::optional<int> reads = plain_reads(fusion, a, b);
  if (!reads.has_value()) return std::nullopt;
  if (*reads == 0 && !require_equal(fusion.graph, SizeRef::numel(fusion.groups[a].domain),
                                    SizeRef::numel(fusion.groups[b].domain), merge.guards)) {
    return std::nullopt;
  }
  return merge;
}

std::optional<Merge> matmul_with_epilogue(const Fusion& fusion, int a, int b) {
  const Group& other = fusion.groups[fusion.groups[a].kind == Kind::kMatmul ? b : a];
  if (other.kind != Kind::kMap || plain_reads(fusion, a, b).value_or(0) == 0) return std::nullopt;
  return Merge{};
}

std::optional<Merge> reduce_with_reduce(const Fusion& fusion, int a, int b) {
  Merge merge;
  const auto sizes_a = size_refs(fusion.groups[a]);
  const auto sizes_b = size_refs(fusion.groups[b]);
  if (!require_equal(fusion.graph, sizes_a[0], sizes_b[0], merge.guards) ||
      !require_equal(fusion.graph, sizes_a[1], sizes_b[1], merge.guards)) {
    return std::nullopt;
  }
  const bool ok = fusion.groups.cross_reads(a, b, [&](int n, const Read& r) {
    const bool source_row = is_row(fusion, r.source);
    if (r.access == Access::kIdentity) return source_row == reads_rows(fusion, n);
    return r.access == Access::kRowBroadcast && source_row && !reads_rows(fusion, n) &&
           spreads_rows(fusion, r.view, fusion.groups[a], merge.guards);
  });
  return ok ? std::optional(std::move(merge)) : std::nullopt;
}

/// The map's nodes have one value an element or one a row, whichever all reads between the groups agree on.
std::optional<Merge> reduce_with_map(const Fusion& fusion, int a, int b) {
  Merge merge;
  const int map = fusion.groups[a].kind == Kind::kMap ? a : b;
  const Group& reduce = fusion.groups[map == a ? b : a];
  const bool ok = fusion.groups.cross_reads(a, b, [&](int n, const Read& r) {
    if (r.access == Access::kOther) return false;
    const bool reader_in_map = fusion.groups.of(n) == map;
    bool row = false;
    if (r.access == Access::kRowBroadcast) {
      if (!spreads_rows(fusion, r.view, reduce, merge.guards)) return false;
      if (reader_in_map ? !is_row(fusion, r.source) : reads_rows(fusion, n)) return false;
      row = !reader_in_map;
    } else {
      row = reader_in_map ? is_row(fusion, r.source) : reads_rows(fusion, n);
    }
    if (merge.map_is_row.value_or(row) != row) return false;
    merge.map_is_row = row;
    return true;
  });
  return ok && merge.map_is_row.has_value() ? std::optional(std::move(merge)) : std::nullopt;
}

bool kinds(const Group& a, const Group& b, Kind x, Kind y) {
  return (a.kind == x && b.kind == y) || (a.kind == y && b.kind == x);
}

}  // namespace

extern const VerticalRule kMapWithMap{
    "map with map", [](const Group& a, const Group& b) { return kinds(a, b, Kind::kMap, Kind::kMap); }, map_with_map};
extern const VerticalRule kMatmulWithEpilogue{
    "matmul with epilogue",
    [](const Group& a, const Group& b) { return a.kind == Kind::kMatmul || b.kind == Kind::kMatmul; },
    matmul_with_epilogue};
extern const VerticalRule kReduceWithReduce{
    "reduction with reduction",
    [](const Group& a, const Group& b) { return kinds(a, b, Kind::kReduce, Kind::kReduce); }, reduce_with_reduce};
extern const VerticalRule kReduceWithMap{
    "reduction with map", [](const Group& a, const Group& b) { return kinds(a, b, Kind::kReduce, Kind::kMap); },
    reduce_with_map};

}  // namespace tessera::schedule
