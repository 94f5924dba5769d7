// A small model of a matmul's time: the roofline of one tile times the number of waves.
#include "codegen/matmul/matmul_cost.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/ints.h"

namespace tessera::codegen {

namespace {

constexpr double kMatrixRate = 8;      // multiply-adds on tensor cores in the time of a plain one
constexpr double kByte = 6;            // plain multiply-adds in the time of loading one byte
constexpr double kUsualThreads = 256;  // threads of a workgroup of the usual size
constexpr double kWorst = 4;           // candidates within this factor of the best modeled cost are measured
constexpr double kWaste = 2;           // candidates within this factor of the least work are measured
constexpr std::size_t kMost = 16;

double tiles(const MatmulShape& s, const Binding& b) {
  return static_cast<double>(ceil_div(b.m, s.tile_m())) * static_cast<double>(ceil_div(b.n, s.tile_n())) *
         static_cast<double>(b.batch);
}

/// Elements of the result, including those of partial tiles.
double work(const MatmulShape& s, const Binding& b) { return tiles(s, b) * s.tile_m() * s.tile_n(); }

}  // namespace

std::string tile_text(const MatmulShape& s) {
  if (s.unit != 0) {
    return fmt::format("matrix {}, {}x{}x{} of {}x{}{}{}", s.unit, s.bm, s.bn, s.depth, s.wm, s.wn,
                       s.slices > 1 ? fmt::format(" in {} slices", s.slices) : "",
                       s.pipeline_depth > 1 ? fmt::format(", pipeline depth {}", s.pipeline_depth) : "");
  }
  if (s.one_row) return fmt::format("one row x {}, k in {} slices", s.tile_n(), s.ty);
  return fmt::format("plain {}x{}x{} by {}x{}", s.tile_m(), s.tile_n(), s.depth, s.ty, s.tx);
}

double matmul_cost(const MatmulShape& s, const Binding& b, const schedule::DeviceModel& model) {
  const auto k = static_cast<double>(round_up(b.k, s.depth));
  const double compute = static_cast<double>(s.tile_m()) * s.tile_n() * k / (s.unit != 0 ? kMatrixRate : 1);
  const double load = static_cast<double>(s.tile_m() + s.tile_n()) * k * (s.unit != 0 ? 2 : 4) * kByte;
  const double tile = std::max(compute, load) + 0.25 * std::min(compute, load);
  // Several small workgroups run in the place of one of the usual size.
  const double share = std::clamp(s.threads() / kUsualThreads, 0.125, 2.0);
  return std::ceil(tiles(s, b) * share / static_cast<double>(model.workgroups)) * tile / share;
}

std::vector<MatmulShape> worth_measuring(const std::vector<MatmulShape>& candidates, const Binding& b,
                                         const schedule::DeviceModel& model) {
  if (candidates.empty()) return {};
  const auto cost = [&](const MatmulShape& s) { return matmul_cost(s, b, model); };
  std::vector<MatmulShape> others(candidates.begin() + 1, candidates.end());
  std::ranges::stable_sort(others, {}, cost);
  double cheapest = cost(candidates[0]);
  double least = work(candidates[0], b);
  for (const MatmulShape& s : others) {
    cheapest = std::min(cheapest, cost(s));
    least = std::min(least, work(s, b));
  }
  std::erase_if(others,
                [&](const MatmulShape& s) { return cost(s) > kWorst * cheapest || work(s, b) > kWaste * least; });
  if (others.size() >= kMost) others.resize(kMost - 1);
  others.insert(others.begin(), candidates[0]);
  return others;
}

}  // namespace tessera::codegen
