// What a graph would take on either side, for the choice of the side that it runs on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "graph/graph.h"

namespace tessera::schedule {

/// What evaluating a graph takes, as far as its nodes tell.
struct GraphWork {
  double moved = 0;     // bytes that its loop nests read and write at least
  double ops = 0;       // elements times the cost of the ops on them
  double flops = 0;     // of contractions
  double kernels = 0;   // loop nests, about
  double transfer = 0;  // bytes to the device and back; filled in by who knows where the data is
};
GraphWork work_of(const Graph& graph);
/// The floating-point operations of a call, where its lowering knows them.
std::optional<double> flops_of(const Graph& graph, const Graph::Entry& call);

/// Times of one side, as measured. Between the sizes they are interpolated, beyond the last one carried on.
struct Speeds {
  static constexpr std::array<std::int64_t, 7> kElements{16, 1 << 10, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22};
  static constexpr std::array<std::int64_t, 2> kEdges{64, 256};  // of square matmuls
  static constexpr int kLightCost = 2;                           // additions an element
  static constexpr int kHeavyCost = 26;
  std::array<double, kElements.size()> light{};  // us of a map of f32, from data in the host's memory to data there
  std::array<double, kElements.size()> heavy{};
  std::array<double, kElements.size()> arrive{};  // us for the data to get into the host's memory; 0 for a device
  std::array<double, kEdges.size()> matmul{};     // us of a matmul, less what its transfer takes
  double kernel = 0;                              // us of one more loop nest
};

/// Microseconds for so many bytes to get into the host's memory.
double predict_arrival(double bytes, const Speeds& speeds);
/// Microseconds; `bytes` are those that the side has to get through memory or over the bus.
double predict(const GraphWork& work, double bytes, const Speeds& speeds);

}  // namespace tessera::schedule
