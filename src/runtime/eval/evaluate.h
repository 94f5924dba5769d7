// Eager evaluation: from nodes to submitted kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "graph/graph.h"
#include "runtime/device.h"
#include "runtime/memory/storage.h"

namespace tessera::runtime {

/// The purpose of an evaluation: a value that the host is about to read may be computed there (see placement.h).
enum class Purpose : std::uint8_t { kCompute, kRead };

/// Computes the nodes without a storage and publishes them; never waits for a device. Nodes without a device run on
/// `fallback`.
void evaluate(std::span<const NodePtr> roots, const std::shared_ptr<Device>& fallback,
              Purpose purpose = Purpose::kCompute);

/// Computes `root` on its device into the first bytes of an existing storage, which may also be an input. `padding`:
/// the bytes after them, up to a whole quad, may be overwritten. `whole`: its other contents need not be kept.
void evaluate_into(const NodePtr& root, const std::shared_ptr<Device>& device, const std::shared_ptr<Storage>& into,
                   bool padding, bool whole);

/// A copy of the node's storage on its device, for results that are to be written into memory which others still read.
/// The profiler lists it as a kernel `copy`.
std::shared_ptr<Storage> copy_of_storage(const Node& node, std::shared_ptr<Storage> storage);

/// Error of kind unsupported if the device lacks a dtype of the graph.
void check_types(const Graph& graph, const DeviceInfo& device);
/// Error of kind unsupported or limit if the device cannot run all custom kernels of a simplified graph.
void check_kernels(const Graph& graph, const DeviceInfo& device);
/// Error of kind unsupported, with the name `what`, if the device has no tensors of the dtype.
void check_type(std::string_view what, DType dtype, const DeviceInfo& device);

/// snapshot() with current storages.
Graph current_snapshot(std::span<const NodePtr> roots);

}  // namespace tessera::runtime
