// Lowering of calls: what a node of kCall becomes on a device. A lowering is a file of this folder with a line in
// calls.cpp; it builds nodes with the functions of ops/, and calls of kernels with those of kernels.h.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "graph/call.h"
#include "ops/build.h"
#include "schedule/device_model.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

/// How the inputs and results of a call are stored.
struct CallLayout {
  /// Some result is stored as it is, so that one whose memory has another order would be copied.
  bool in_order = true;
  bool channels_last = false;              // the result is read with axis 1 as the last
  std::vector<bool> channels_last_inputs;  // whose axis 1 is contiguous; shorter: the others are not
  [[nodiscard]] bool last(std::size_t input) const {
    return input < channels_last_inputs.size() && channels_last_inputs[input];
  }
};

/// A call, and the device that it is lowered for.
struct CallToLower {
  const Call& call;
  std::vector<NodePtr> inputs;  // placeholders: only dtype and shape are known of them
  const DeviceInfo& device;
  const DeviceModel& model;
  CallLayout layout;
  template <class T>
  [[nodiscard]] T attributes() const {
    return from_attributes<T>(call.attributes);
  }
  /// Whether a kernel can bind so many elements of 4 bytes whole, and count them in 32 bits.
  [[nodiscard]] bool binds(std::int64_t elements) const;
  /// Bytes of one buffer that a kernel can bind.
  [[nodiscard]] std::uint64_t binding_limit() const;
};

struct Lowering {
  std::string_view op;
  /// Nodes with the dtypes and shapes of call.outputs. They may hold calls, which are lowered in turn.
  std::vector<NodePtr> (*lower)(const CallToLower& x);
  /// Floating-point operations, for the choice of the side that a small graph runs on; null: not known, and such graphs
  /// stay on their device.
  double (*flops)(const Call& call, std::span<const TensorSpec> inputs) = nullptr;
};

/// The table, in no order.
std::span<const Lowering> lowerings();
const Lowering& lowering_of(const Call& call);

/// What a call becomes on a device; `inputs` gives dtypes and shapes. The placeholders are the first argument's inputs.
struct LoweredCall {
  std::vector<NodePtr> placeholders;
  std::vector<NodePtr> results;
};
LoweredCall lower(const Call& call, std::span<const TensorSpec> inputs, const DeviceInfo& device,
                  const CallLayout& layout = {});

}  // namespace tessera::schedule
