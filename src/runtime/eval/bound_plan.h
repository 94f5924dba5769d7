// Bound plans: what a compiled function replays.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "runtime/device.h"
#include "runtime/memory/storage.h"
#include "schedule/plan.h"

namespace tessera::runtime {

/// A plan bound to sizes and buffers: replays with other buffers for its inputs and outputs and other positions of its
/// random draws. It owns its intermediates. One run at a time.
class BoundPlan {
 public:
  /// `graph` has been simplified. `inputs` are the positions of its placeholders, -1 for one that the graph dropped;
  /// `drawn` those of the draws that change in each run.
  BoundPlan(std::shared_ptr<Device> device, Graph graph, std::vector<int> inputs, std::vector<int> donated,
            std::vector<RandomState> drawn = {});
  ~BoundPlan();
  /// A twin for a concurrent run. Twins share intermediates if submissions run one after the other.
  [[nodiscard]] std::unique_ptr<BoundPlan> twin() const;
  BoundPlan(const BoundPlan&) = delete;
  BoundPlan& operator=(const BoundPlan&) = delete;

  /// Divides each run: it calls back when the kernels that store these roots, given by position, are submitted; in
  /// order.
  void set_stops(std::span<const std::vector<int>> roots);
  using AtStop = std::function<void(std::size_t stop)>;

  /// Runs with one storage per input and one position per draw; `outputs` gets a storage per root. An input that is
  /// overwritten must not be used again. Error of kind value if a captured tensor was donated meanwhile. Allocates
  /// nothing on the host if the pool has free buffers. `outputs` are there at the first stop.
  void run(std::span<const std::shared_ptr<Storage>> inputs, std::span<const RandomState> drawn,
           std::span<std::shared_ptr<Storage>> outputs, const AtStop& at_stop = {});

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] std::size_t kernel_count() const { return plan_->kernels.size(); }
  /// For each input: whether a run writes a result into its buffer. Only donated inputs are.
  [[nodiscard]] const std::vector<char>& overwritten() const { return overwritten_; }

 private:
  struct Place {  // of a buffer in the submission
    std::size_t dispatch;
    std::size_t buffer;
    RangeBuffer* range;  // it is bound as this range; null: whole
  };
  struct Patch {  // a buffer that may change from run to run
    Place place;
    int node;
  };
  struct Captured {  // a captured tensor; a Buffer handle on it may be written between runs
    int node;
    Buffer* bound;
    std::vector<Place> places;  // none if it is only returned
  };
  struct Draw {  // four words of the parameters
    std::size_t word;
    std::size_t draw;
  };
  BoundPlan(std::shared_ptr<Device> device, Graph graph, std::vector<int> inputs, std::vector<int> donated,
            std::vector<RandomState> drawn, const BoundPlan* twin);
  void set(const Place& place, Buffer& buffer);
  void submit(const AtStop& at_stop);
  void note_captured();
  void note_draws();

  std::shared_ptr<Device> device_;
  Graph graph_;
  std::vector<int> inputs_;
  std::vector<int> donated_;
  std::vector<RandomState> drawn_;  // in the graph
  std::shared_ptr<const schedule::Plan> plan_;
  std::deque<Binding> bindings_;
  Submission submission_;
  std::vector<Patch> patches_;
  std::vector<Captured> captured_;
  std::vector<Draw> draws_;
  std::vector<std::shared_ptr<Storage>> owned_;
  std::vector<std::shared_ptr<Storage>> storages_;  // by node; only inputs and roots, only during a run
  std::vector<int> made_;                           // nodes that need a new storage in each run
  std::vector<std::pair<int, int>> taken_;          // (donated input, result written into its buffer)
  std::vector<char> overwritten_;
  std::vector<std::size_t> stored_;  // by root: how many dispatches it needs
  std::vector<std::size_t> stops_;   // dispatches in front of each
  std::deque<RangeBuffer> ranges_;   // what nodes in the memory of others are bound as
};

}  // namespace tessera::runtime
