// A node of the graph: one immutable op, and its storage once it is evaluated.
#pragma once

#include <atomic>
#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "base/atomic_shared.h"
#include "graph/custom.h"
#include "graph/op_fwd.h"
#include "graph/view.h"
#include "tessera/dtype.h"
#include "tessera/shape.h"

namespace tessera {

class Storage;  // owned by the runtime, opaque here
namespace runtime {
class Device;
}

class Node;
using NodePtr = std::shared_ptr<const Node>;
struct Gradient;

/// A scalar's value, in the widest type of its kind.
struct Scalar {
  std::variant<double, std::int64_t, std::uint64_t, std::complex<double>> value;
  /// A weak scalar, from a plain number of the host language: it takes the dtype of the other operand, and keeps f32
  /// precision next to f16 and bf16.
  bool weak = false;
  [[nodiscard]] double as_double() const;  // the real part
  [[nodiscard]] std::complex<double> as_complex() const;
  [[nodiscard]] std::int64_t as_int() const;                 // two's complement for u64; floats truncate
  friend bool operator==(const Scalar& a, const Scalar& b);  // by bits: NaN equals itself, -0 differs from 0
};

/// kPad: the position of the first input inside the output.
struct PadLow {
  std::vector<std::int64_t> low;  // coordinates of its first element, one per axis
  friend bool operator==(const PadLow&, const PadLow&) = default;
};

/// kRandom: the generator's key and the position of this draw; two draws never share a position.
struct RandomState {
  std::uint64_t seed = 0;
  std::uint64_t counter = 0;
  friend bool operator==(const RandomState&, const RandomState&) = default;
};

/// kCopy in a separate kernel that reads its input in binding ranges: the input is too large to be bound, and its reads
/// are scattered.
struct InRanges {
  friend bool operator==(const InRanges&, const InRanges&) = default;
};

using Attrs = std::variant<std::monostate, Scalar, View, PadLow, RandomState, InRanges, CustomResult, CallResult>;

/// Conventions of the structural ops:
/// - a reduction's input has the reduced axes last; rows = numel of the result, cols = the rest of the input;
/// - both matmul inputs carry the same batch axes; an empty batch is rank 2;
/// - kPad's second input has the output's shape;
/// - kPack has rank 1;
/// - in a simplified graph, kInput may have an input, another kInput: it is a range of its memory, with a View from the
///   range's first element on;
/// - kMark has its first input's type and shape;
/// - the results of one call, of a kernel or of an op, are nodes with the same inputs and the same call.
class Node {
 public:
  using Inputs = std::vector<NodePtr>;

  Node(Op op, DType dtype, Shape shape, std::shared_ptr<runtime::Device> device, Inputs inputs, Attrs attrs = {},
       std::shared_ptr<const Gradient> gradient = nullptr);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  [[nodiscard]] Op op() const { return op_; }
  [[nodiscard]] DType dtype() const { return dtype_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::int64_t numel() const { return numel_; }
  /// Null for scalars and expressions of them alone: they take the device of the other operand.
  [[nodiscard]] const std::shared_ptr<runtime::Device>& device() const { return device_; }
  [[nodiscard]] const Attrs& attrs() const { return attrs_; }
  [[nodiscard]] const View& view() const { return std::get<View>(attrs_); }
  [[nodiscard]] const Scalar& scalar() const { return std::get<Scalar>(attrs_); }
  [[nodiscard]] const PadLow& pad_low() const { return std::get<PadLow>(attrs_); }
  [[nodiscard]] const RandomState& random() const { return std::get<RandomState>(attrs_); }
  [[nodiscard]] const CustomResult& custom() const { return std::get<CustomResult>(attrs_); }
  [[nodiscard]] const CallResult& call() const { return std::get<CallResult>(attrs_); }
  [[nodiscard]] bool in_ranges() const { return std::holds_alternative<InRanges>(attrs_); }

  /// Whether the node depends on a variable of autograd: then it keeps its inputs for the backward pass.
  [[nodiscard]] bool tracked() const { return tracked_.load(std::memory_order_relaxed); }
  void set_tracked(bool tracked) const;
  /// kMark: the gradient rule, or null.
  [[nodiscard]] const std::shared_ptr<const Gradient>& gradient() const { return gradient_; }

  /// A snapshot of the inputs; null once they were dropped, and then storage() is set.
  [[nodiscard]] std::shared_ptr<const Inputs> inputs() const { return inputs_.load(); }

  /// The result, or null before evaluation. Published with release semantics, after the commands that compute it were
  /// submitted.
  [[nodiscard]] std::shared_ptr<Storage> storage() const { return storage_.load(); }
  /// Publishes the result; the first one stays. Then drops the inputs, so that history does not accumulate, unless the
  /// node is tracked.
  void publish(std::shared_ptr<Storage> storage) const;
  /// Takes the storage for donation; the node is then a placeholder without a value.
  std::shared_ptr<Storage> take_storage() const { return storage_.exchange(nullptr); }
  /// Replay of a compiled function: stores a new result in an output node without other owners.
  void replace_storage(std::shared_ptr<Storage> storage) const { storage_.store(std::move(storage)); }

 private:
  Op op_;
  DType dtype_;
  Shape shape_;
  std::int64_t numel_;
  std::shared_ptr<runtime::Device> device_;
  Attrs attrs_;
  std::shared_ptr<const Gradient> gradient_;
  mutable std::atomic<bool> tracked_ = false;
  mutable AtomicShared<const Inputs> inputs_;
  mutable AtomicShared<Storage> storage_;
};

/// kCustom and kCall: the results of the same call, where they are still referenced; none of other ops.
std::span<const std::weak_ptr<const Node>> results_of_call(const Node& node);

/// Reductions: the number of rows, and of elements per row.
inline std::int64_t reduce_rows(const Node& node) { return node.numel(); }
std::int64_t reduce_cols(const Node& node, const Node& input);

}  // namespace tessera
