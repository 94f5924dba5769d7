// Lowering of scans: one dispatch over rows; for few long rows, totals of tiles, their scan, and the tiles again.
#include "schedule/calls/scan.h"

#include <array>

#include <fmt/format.h>

#include "base/ints.h"
#include "schedule/calls/calls.h"
#include "schedule/calls/kernels.h"

namespace tessera::schedule {

namespace {

using ops::ScanAttributes;
using ops::ScanKind;
using ops::ScanStep;

/// Longer rows are split into tiles, unless there are enough rows to fill a device.
constexpr std::int64_t kEnoughRows = 512;

/// Lanes of a workgroup: it keeps a little more than six values per lane in at most 16 KiB.
std::uint32_t log_workgroup(ScanKind kind, DType t) { return ops::running_words(kind, t) == 4 ? 7 : 8; }

CustomKernel make_kernel(const ScanVariant& v) {
  CustomKernel k;
  const std::uint32_t lanes = 1U << log_workgroup(v.kind, v.dtype);
  const bool of_totals = v.step == ScanStep::kOfTotals;
  const int width = v.quads ? 4 : 1;
  k.text = "scan";
  k.variant = to_attributes(v);
  k.workgroup = {lanes, 1, 1};
  k.workgroup_bytes = std::uint64_t{4} * ops::running_words(v.kind, v.dtype) * (6 * lanes + lanes / 8);
  k.params = u32_params({"log_lanes", "segments", "tiles", "tile", "loops", "cols"});
  k.host = ops::scan_host({v.kind, v.exclusive, v.reverse}, v.step, v.dtype);
  if (v.strided) {
    KernelBinding& x = k.inputs.emplace_back(rows_input("x", true));
    // Tiles are read twice. A copy reads a transpose once, and both read the copy in whole lines.
    x.coalesced = v.step != ScanStep::kWhole;
  } else {
    k.inputs.emplace_back(of_totals ? "totals" : (v.quads ? "x_quads" : "x"), of_totals ? 1 : width);
  }
  if (v.step == ScanStep::kWithCarry) k.inputs.emplace_back("carries");
  if (v.step == ScanStep::kTotals || of_totals) {
    k.outputs = {"sums"};
  } else {
    k.outputs.emplace_back(v.quads ? "y_quads" : "y", width);
    if (ops::with_index(v.kind)) k.outputs.emplace_back(v.quads ? "at_quads" : "at", width);
  }
  return k;
}

std::shared_ptr<const CustomKernel> kernel_of(const ScanVariant& v) {
  constexpr std::array<const char*, 4> kSteps{"", "_totals", "_of_totals", "_tiles"};
  const std::string key =
      fmt::format("{}{}_{}{}{}{}", name_of(v.kind), kSteps[static_cast<std::size_t>(v.step)], name(v.dtype),
                  v.quads ? "_quads" : "", v.exclusive ? "_exclusive" : "", v.reverse ? "_reverse" : "");
  if (v.step == ScanStep::kOfTotals) return engine_kernel(key, [&] { return make_kernel(v); });
  return engine_kernel_on_views(key, [&](bool strided) {
    ScanVariant own = v;
    own.strided = strided;
    return make_kernel(own);
  });
}

std::vector<std::uint32_t> words_of(const ops::ScanParams& p) {
  return {p.log_lanes, p.segments, p.tiles, p.tile, p.loops, p.cols};
}

std::vector<NodePtr> lower_scan(const CallToLower& x) {
  const auto a = x.attributes<ScanAttributes>();
  const NodePtr& in = x.inputs[0];
  const DType t = in->dtype();
  const std::int64_t rows = in->shape()[0];
  const std::int64_t cols = in->shape()[1];
  const bool quads = cols % 4 == 0 && size_of(t) == 4;
  const std::uint32_t log_group = log_workgroup(a.kind, t);
  const std::int64_t tile = std::int64_t{16} << log_group;
  const ScanVariant whole{a.kind, t, ScanStep::kWhole, a.exclusive, a.reverse, quads};
  if (cols <= tile || rows >= kEnoughRows || is_complex(t)) {
    std::uint32_t log_lanes = 0;
    while (log_lanes < log_group && (std::int64_t{16} << log_lanes) < cols) ++log_lanes;
    const std::int64_t loops = ceil_div(cols, std::int64_t{16} << log_lanes);
    return call_kernel(kernel_of(whole), {in}, x.call.outputs,
                       words_of({log_lanes, word(rows), 1, 0, word(loops), word(cols)}),
                       static_cast<std::uint64_t>(ceil_div(rows, std::int64_t{1} << (log_group - log_lanes))));
  }
  const std::int64_t tiles = ceil_div(cols, tile);
  const TensorSpec totals_of{DType::kU32, {rows, tiles * ops::running_words(a.kind, t)}};
  const auto by_tiles = words_of({log_group, word(rows * tiles), word(tiles), word(tile), 1, word(cols)});
  const auto groups = static_cast<std::uint64_t>(rows * tiles);
  const ScanVariant of_tiles{a.kind, t, ScanStep::kTotals, false, a.reverse, quads};
  const ScanVariant of_totals{a.kind, t, ScanStep::kOfTotals, false, false, false};
  ScanVariant with_carry = whole;
  with_carry.step = ScanStep::kWithCarry;
  const NodePtr totals = call_kernel(kernel_of(of_tiles), {in}, {totals_of}, by_tiles, groups)[0];
  const NodePtr carries = call_kernel(kernel_of(of_totals), {totals}, {totals_of},
                                      words_of({log_group, word(rows), 1, 0, word(ceil_div(tiles, tile)), word(tiles)}),
                                      static_cast<std::uint64_t>(rows))[0];
  return call_kernel(kernel_of(with_carry), {in, carries}, x.call.outputs, by_tiles, groups);
}

}  // namespace

extern const Lowering kLowerScan{"scan", lower_scan};

}  // namespace tessera::schedule
