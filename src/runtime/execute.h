// Runs graphs: from nodes to submitted kernels, and from a traced function to a replayable one.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "runtime/device.h"
#include "runtime/memory/storage.h"
#include "schedule/plan.h"

namespace tessera::runtime {

/// What an evaluation is for: a value that the host is about to read may be computed there (see placement.h).
enum class Purpose : std::uint8_t { kCompute, kRead };

/// Computes what has no storage yet and publishes it; never waits for a device. Nodes without a device run on
/// `fallback`.
void evaluate(std::span<const NodePtr> roots, const std::shared_ptr<Device>& fallback,
              Purpose purpose = Purpose::kCompute);

/// Computes `root` on its device into the first bytes of a storage that somebody else owns; it may be an input too.
/// `padding`: what lies after them, up to a whole quad, may be overwritten. `whole`: nothing else of it is to be kept.
void evaluate_into(const NodePtr& root, const std::shared_ptr<Device>& device, const std::shared_ptr<Storage>& into,
                   bool padding, bool whole);

/// Error of kind unsupported, in the name of `what`, where the device has no tensors of the type.
void check_type(std::string_view what, DType dtype, const DeviceInfo& device);

/// Bytes of a buffer for so many elements: whole quads, since kernels write them whole.
std::size_t storage_bytes(std::int64_t numel, DType dtype);
std::shared_ptr<Storage> new_storage(const std::shared_ptr<Device>& device, std::int64_t numel, DType dtype);
/// The node's storage, or null before evaluation; where its device was made anew since, one with the host's copy.
std::shared_ptr<Storage> current_storage(const Node& node);
/// snapshot() with current storages.
Graph current_snapshot(std::span<const NodePtr> roots);
/// A storage with these elements. Where the device takes part in placement or keeps host copies, a host side has them.
std::shared_ptr<Storage> storage_from(const std::shared_ptr<Device>& device, std::int64_t numel, DType dtype,
                                      std::span<const std::byte> data);

/// A graph bound to its numbers: ready to run again and again with other buffers behind its inputs and outputs, and
/// other positions of its random draws. It owns its intermediates. One run at a time.
class BoundPlan {
 public:
  /// `graph` has been simplified. `inputs` are the positions of its placeholders, -1 for one that the graph dropped;
  /// `drawn` those of its draws that each run gives anew.
  BoundPlan(std::shared_ptr<Device> device, Graph graph, std::vector<int> inputs, std::vector<int> donated,
            std::vector<RandomState> drawn = {});
  ~BoundPlan();
  /// Another one for a run at the same time. They share intermediates where submissions run one after the other.
  [[nodiscard]] std::unique_ptr<BoundPlan> twin() const;
  BoundPlan(const BoundPlan&) = delete;
  BoundPlan& operator=(const BoundPlan&) = delete;

  /// Runs with one storage for each input and one position for each draw; `outputs` gets a storage for each root. An
  /// input that an output takes over must not be used again. Allocates nothing on the host when the pool has buffers to
  /// give.
  void run(std::span<const std::shared_ptr<Storage>> inputs, std::span<const RandomState> drawn,
           std::span<std::shared_ptr<Storage>> outputs);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] std::size_t kernel_count() const { return plan_->kernels.size(); }
  /// For each input: whether an output takes its buffer over.
  [[nodiscard]] const std::vector<char>& consumed() const { return consumed_; }

 private:
  struct Patch {  // a buffer of a dispatch that may change from run to run
    std::size_t dispatch;
    std::size_t buffer;
    int node;
  };
  struct Captured {  // what the function captured; a Buffer behind it may be written between runs
    int node;
    Buffer* bound;
    std::vector<std::pair<std::size_t, std::size_t>> places;  // (dispatch, buffer)
  };
  struct Draw {  // four words of the parameters
    std::size_t word;
    std::size_t draw;
  };
  BoundPlan(std::shared_ptr<Device> device, Graph graph, std::vector<int> inputs, std::vector<int> donated,
            std::vector<RandomState> drawn, const BoundPlan* twin);
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
  std::vector<std::pair<int, int>> taken_;          // (input node, output node) of aliases
  std::vector<char> consumed_;
};

}  // namespace tessera::runtime
