// Collectives as ops on tensors: at once, or as host steps of the function that compile() traces; and their gradients.
#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>

#include "api/distributed/exchange.h"
#include "api/storage_of.h"
#include "api/transforms/host_calls.h"
#include "api/transforms/loop_trace.h"
#include "base/fail.h"
#include "base/ints.h"
#include "graph/gradient.h"
#include "graph/host_step.h"
#include "graph/made_nodes.h"
#include "graph/op.h"
#include "ops/build.h"
#include "runtime/memory/new_storage.h"
#include "runtime/registry.h"
#include "tessera/distributed.h"
#include "tessera/profile.h"

namespace tessera::distributed {

namespace {

using DevicePtr = std::shared_ptr<runtime::Device>;
using StoragePtr = std::shared_ptr<Storage>;

enum class Kind : std::uint8_t { kAllReduce, kAllGather, kReduceScatter, kBroadcast, kSend, kRecv };

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kAllReduce:
      return "all_reduce";
    case Kind::kAllGather:
      return "all_gather";
    case Kind::kReduceScatter:
      return "reduce_scatter";
    case Kind::kBroadcast:
      return "broadcast";
    case Kind::kSend:
      return "send";
    case Kind::kRecv:
      return "recv";
  }
  return "";
}

std::string_view name_of(Reduce op) {
  switch (op) {
    case Reduce::kSum:
      return "sum";
    case Reduce::kMean:
      return "mean";
    case Reduce::kMin:
      return "min";
    case Reduce::kMax:
      return "max";
  }
  return "";
}

/// One collective of one tensor.
struct Collective {
  Kind kind = Kind::kAllReduce;
  Reduce op = Reduce::kSum;
  int peer = 0;  // the root, or the other rank
  std::shared_ptr<Group::State> group;
  TensorSpec input;
  TensorSpec output;

  [[nodiscard]] std::string tensor() const { return fmt::format("{} {}", name(input.dtype), input.shape); }
  /// Equal on all ranks, but for send() and recv().
  [[nodiscard]] std::string text() const {
    switch (kind) {
      case Kind::kAllReduce:
      case Kind::kReduceScatter:
        return fmt::format("{} ({}) of {}", name_of(kind), name_of(op), tensor());
      case Kind::kBroadcast:
      case Kind::kRecv:
        return fmt::format("{} from rank {} of {}", name_of(kind), peer, tensor());
      case Kind::kSend:
        return fmt::format("send to rank {} of {}", peer, tensor());
      case Kind::kAllGather:
        break;
    }
    return fmt::format("all_gather of {}", tensor());
  }
};

std::size_t bytes_in(const TensorSpec& tensor) {
  return static_cast<std::size_t>(tensor.shape.numel()) * size_of(tensor.dtype);
}

/// One run of a collective: made on the calling thread, exchange() in the queue of the group, result() on the calling
/// thread again.
class Run : public std::enable_shared_from_this<Run> {
 public:
  Run(const Collective& collective, DevicePtr device, const StoragePtr& input)
      : c_(collective),
        device_(std::move(device)),
        on_host_(device_->info().type == DeviceType::kCpu),
        output_(runtime::new_storage(device_, c_.output.shape.numel(), c_.output.dtype)) {
    if (on_host_) {
      to_ = std::span(static_cast<std::byte*>(output_->device_memory(true).host()), bytes_in(c_.output));
    } else {
      received_ = c_.group->block(bytes_in(c_.output));
      to_ = std::span(received_->data(), bytes_in(c_.output));
    }
    if (c_.kind != Kind::kRecv && bytes_in(c_.input) > 0) read(input);
  }

  /// Waits for the elements, and for the other ranks.
  void exchange();
  /// Waits for what was submitted before, which begins with the elements. The device runs callbacks meanwhile.
  void wait_for_elements() {
    if (download_ != nullptr) device_->wait();
  }
  /// After exchange().
  [[nodiscard]] const StoragePtr& result() const { return output_; }

 private:
  /// A read from the device, which ends on any thread, whatever becomes of this run.
  struct Download {
    Download(StoragePtr f, std::shared_ptr<Block> t) : from(std::move(f)), to(std::move(t)) {}
    StoragePtr from;
    std::shared_ptr<Block> to;
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::exception_ptr error;
    void end(std::exception_ptr e) {
      from = nullptr;  // before anyone goes on
      to = nullptr;
      const std::lock_guard lock(mutex);
      error = std::move(e);
      done = true;
      ended.notify_all();
    }
    void wait() {
      std::unique_lock lock(mutex);
      ended.wait(lock, [this] { return done; });
      if (error != nullptr) std::rethrow_exception(error);
    }
  };

  /// Begins to read the elements, in order with submissions.
  void read(const StoragePtr& input) {
    const std::size_t bytes = bytes_in(c_.input);
    if (on_host_) {
      input_ = input;
      device_->wait();  // throws errors of earlier kernels
      from_ = {static_cast<const std::byte*>(input->buffer().host()), bytes};
      return;
    }
    sent_ = c_.group->block(bytes);
    from_ = {sent_->data(), bytes};
    download_ = std::make_shared<Download>(input, sent_);
    const Storage::Side side = input->readable();
    side.device->download({{side.buffer, 0, bytes, sent_->data()}},
                          [download = download_](std::exception_ptr error) { download->end(std::move(error)); });
  }

  Collective c_;
  DevicePtr device_;
  bool on_host_;
  StoragePtr input_;
  StoragePtr output_;
  std::shared_ptr<Block> sent_, received_;  // of a device with memory of its own
  std::span<const std::byte> from_;
  std::span<std::byte> to_;
  std::shared_ptr<Download> download_;
};

void copy_bytes(std::span<const std::byte> from, std::byte* to) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

void Run::exchange() {
  const std::string label = c_.text();
  const std::string track =
      fmt::format("collectives, rank {}", c_.group->ranks[static_cast<std::size_t>(c_.group->rank)]);
  if (download_ != nullptr) {
    const HostSpan span(Device(device_), track, "wait for " + c_.tensor());
    download_->wait();
  }
  const HostSpan span(Device(device_), track, label);
  Exchange exchange(c_.group, label);
  exchange.hold(shared_from_this());
  std::byte* const to = to_.data();
  if (c_.kind != Kind::kSend && c_.kind != Kind::kRecv) exchange.agree();
  const auto count = static_cast<std::size_t>(c_.input.shape.numel());
  switch (c_.kind) {
    case Kind::kAllReduce:
      copy_bytes(from_, to);
      exchange.all_reduce(c_.op, c_.input.dtype, to, count);
      break;
    case Kind::kAllGather:
      copy_bytes(from_, to + static_cast<std::size_t>(c_.group->rank) * from_.size());
      exchange.all_gather(to, from_.size());
      break;
    case Kind::kReduceScatter:
      exchange.reduce_scatter(c_.op, c_.input.dtype, from_.data(), to,
                              static_cast<std::size_t>(c_.output.shape.numel()));
      break;
    case Kind::kBroadcast:
      if (c_.group->rank == c_.peer) copy_bytes(from_, to);
      exchange.broadcast(to, from_.size(), c_.peer);
      break;
    case Kind::kSend:
      exchange.send(from_.data(), from_.size(), c_.peer, c_.tensor());
      std::ranges::fill(to_, std::byte{0});
      break;
    case Kind::kRecv:
      exchange.receive(to, to_.size(), c_.peer, c_.tensor());
      break;
  }
  if (!on_host_ && !to_.empty()) device_->upload(output_->device_memory(true), 0, to_);
  output_->written_on_device();
}

/// Runs it at once.
StoragePtr run_collective(const Collective& c, const DevicePtr& device, const StoragePtr& input) {
  const GroupUse use(c.group, c.text());
  const auto run = std::make_shared<Run>(c, device, input);
  run->wait_for_elements();
  c.group->queue.run([&] { run->exchange(); });
  return run->result();
}

// ---- In a compiled function ----

/// Kernels that do not read the result run meanwhile.
class BoundCollective final : public HostStep::Bound {
 public:
  BoundCollective(Collective collective, DevicePtr device)
      : collective_(std::move(collective)), device_(std::move(device)) {}

  void run(std::span<StoragePtr> inputs, std::span<const RandomState> /*drawn*/,
           std::span<StoragePtr> outputs) override {
    outputs[0] = run_collective(collective_, device_, inputs[0]);
  }
  void start(std::span<StoragePtr> inputs) override {
    use_.emplace(collective_.group, collective_.text());
    try {
      run_ = std::make_shared<Run>(collective_, device_, inputs[0]);
      ticket_ = collective_.group->queue.start([run = run_] { run->exchange(); });
    } catch (...) {
      end();
      throw;
    }
  }
  void finish(std::span<StoragePtr> outputs) override {
    try {
      ticket_.wait();
    } catch (...) {
      end();
      throw;
    }
    outputs[0] = run_->result();
    end();
  }
  [[nodiscard]] std::span<const char> overwritten() const override { return overwritten_; }
  [[nodiscard]] std::size_t kernel_count() const override { return 0; }
  [[nodiscard]] std::unique_ptr<Bound> twin() const override {
    return std::make_unique<BoundCollective>(collective_, device_);
  }

 private:
  void end() {
    run_ = nullptr;
    ticket_ = {};
    use_.reset();
  }

  Collective collective_;
  DevicePtr device_;
  std::array<char, 1> overwritten_{};
  std::optional<GroupUse> use_;  // from start() to finish()
  std::shared_ptr<Run> run_;
  Queue::Ticket ticket_;
};

class CollectiveStep final : public HostStep {
 public:
  CollectiveStep(Collective collective, DevicePtr device)
      : collective_(std::move(collective)), device_(std::move(device)) {}
  [[nodiscard]] std::unique_ptr<Bound> bind(std::span<const char> /*used*/,
                                            std::span<const RandomState> /*drawn*/) const override {
    return std::make_unique<BoundCollective>(collective_, device_);
  }
  [[nodiscard]] bool asynchronous() const override { return true; }

 private:
  Collective collective_;
  DevicePtr device_;
};

/// Whether the calling thread traces a function for compile(). Error of kind unsupported in other traces.
bool in_compiled_function(std::string_view what) {
  if (!MadeNodes::noting()) return false;
  if (HostCalls::noting() && !LoopCalls::inside_body() && !LoopTrace::now()) return true;
  fail(ErrorKind::kUnsupported,
       "{}: collectives run in functions that compile() traces, and not in the function of a loop (scan, loop) or for "
       "sizes that "
       "vary (dynamic_axes).",
       what);
}

/// The result without a gradient.
NodePtr result_of(const Collective& c, const NodePtr& x) {
  const DevicePtr device = x->device();
  const std::string_view what = name_of(c.kind);
  if (in_compiled_function(what)) {
    const NodePtr in = ops::stop_gradient(x);
    NodePtr out = ops::host_call(what, std::make_shared<CollectiveStep>(c, device), {in}, {c.output}, device)[0];
    HostCalls::note(out);
    return out;
  }
  auto node = std::make_shared<const Node>(Op::kInput, c.output.dtype, c.output.shape, device, Node::Inputs{});
  node->publish(run_collective(c, device, storage_of(x)));
  return node;
}

// ---- Arguments ----

/// A tensor on a device, with elements that can be sent.
NodePtr operand(Kind kind, const Tensor& t) {
  if (!t.defined()) fail(ErrorKind::kValue, "{}: an empty Tensor was given; it holds no value.", name_of(kind));
  const NodePtr& x = t.node();
  if (is_block(x->dtype())) {
    fail(ErrorKind::kDType, "{}: a tensor of the block dtype {} was given; dequantize it first.", name_of(kind),
         name(x->dtype()));
  }
  if (x->device() != nullptr) return x;
  // Constants, and what was made of constants alone, are of no device.
  if (x->op() == Op::kScalar) return ops::full(x->shape(), x, runtime::default_device());
  return std::make_shared<const Node>(Op::kCopy, x->dtype(), x->shape(), runtime::default_device(), Node::Inputs{x});
}

void check_op(Kind kind, Reduce op, DType dtype) {
  const char* expected = nullptr;
  if (op == Reduce::kSum && dtype == DType::kBool) expected = "numbers are expected; cast it first";
  if (op == Reduce::kMean && !is_float(dtype) && !is_complex(dtype)) expected = "floats are expected; cast it first";
  if ((op == Reduce::kMin || op == Reduce::kMax) && is_complex(dtype)) expected = "complex numbers have no order";
  if (expected != nullptr) {
    fail(ErrorKind::kDType, "{}: the {} of {} was asked for; {}.", name_of(kind), name_of(op), name(dtype), expected);
  }
}

void check_rank(Kind kind, const Group::State& group, int r, bool other) {
  if (r < 0 || r >= group.size()) {
    fail(ErrorKind::kValue, "{}: rank {} was given; the group has ranks 0 to {}.", name_of(kind), r, group.size() - 1);
  }
  if (other && r == group.rank) fail(ErrorKind::kValue, "{}: rank {} is this process itself.", name_of(kind), r);
}

Collective collective(Kind kind, const std::shared_ptr<Group::State>& group, const NodePtr& x) {
  return {.kind = kind, .group = group, .input = {x->dtype(), x->shape()}, .output = {x->dtype(), x->shape()}};
}

// ---- Collectives along the first axis, with their gradients ----

NodePtr all_reduced(const std::shared_ptr<Group::State>& group, const NodePtr& x, Reduce op);

/// The gradient of an extreme: to those that have it.
NodePtr to_extremes(const std::shared_ptr<Group::State>& group, const Gradient::Call& call) {
  const DType dtype = call.gradients[0]->dtype();
  const NodePtr has =
      ops::cast(ops::elementwise(Op::kEqual, {call.inputs[0], ops::stop_gradient(call.outputs[0])}), dtype);
  const NodePtr gradient = all_reduced(group, call.gradients[0], Reduce::kSum);
  return gradient * has / all_reduced(group, has, Reduce::kSum);
}

NodePtr all_reduced(const std::shared_ptr<Group::State>& group, const NodePtr& x, Reduce op) {
  if (group->size() == 1) return x;
  Collective c = collective(Kind::kAllReduce, group, x);
  c.op = op;
  const NodePtr out = result_of(c, x);
  return ops::with_gradient("all_reduce", {x}, out, [group, op](const Gradient::Call& call) -> std::vector<NodePtr> {
    if (op == Reduce::kMin || op == Reduce::kMax) return {to_extremes(group, call)};
    return {all_reduced(group, call.gradients[0], op)};
  });
}

NodePtr gathered(const std::shared_ptr<Group::State>& group, const NodePtr& x);

NodePtr scattered(const std::shared_ptr<Group::State>& group, const NodePtr& x, Reduce op) {
  if (group->size() == 1) return x;
  Collective c = collective(Kind::kReduceScatter, group, x);
  c.op = op;
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < x->shape().rank(); ++i) sizes.push_back(x->shape()[i]);
  sizes[0] /= group->size();
  c.output.shape = Shape(sizes);
  Gradient::Function rule;
  if (op == Reduce::kSum || op == Reduce::kMean) {
    rule = [group, op](const Gradient::Call& call) -> std::vector<NodePtr> {
      const NodePtr gradient = gathered(group, call.gradients[0]);
      return {op == Reduce::kMean ? gradient / group->size() : gradient};
    };
  }
  return ops::with_gradient("reduce_scatter", {x}, result_of(c, x), std::move(rule));
}

NodePtr gathered(const std::shared_ptr<Group::State>& group, const NodePtr& x) {
  if (group->size() == 1) return x;
  Collective c = collective(Kind::kAllGather, group, x);
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < x->shape().rank(); ++i) sizes.push_back(x->shape()[i]);
  sizes[0] *= group->size();
  c.output.shape = Shape(sizes);
  return ops::with_gradient("all_gather", {x}, result_of(c, x),
                            [group](const Gradient::Call& call) -> std::vector<NodePtr> {
                              return {scattered(group, call.gradients[0], Reduce::kSum)};
                            });
}

/// Zeros that depend on x: so the gradient of a gradient passes the collectives behind it, as on the other ranks.
NodePtr zeros_behind(const NodePtr& x) {
  const NodePtr never = ops::scalar({std::int64_t{0}}, DType::kBool);
  return ops::elementwise(Op::kWhere, {never, x, ops::number(0)});
}

NodePtr received(const std::shared_ptr<Group::State>& group, const NodePtr& like, int from);

NodePtr sent(const std::shared_ptr<Group::State>& group, const NodePtr& x, int to) {
  Collective c = collective(Kind::kSend, group, x);
  c.peer = to;
  c.output.shape = Shape{};
  return ops::with_gradient(
      "send", {x}, result_of(c, x), [group, to](const Gradient::Call& call) -> std::vector<NodePtr> {
        return {received(group, ops::broadcast_to(zeros_behind(call.gradients[0]), call.inputs[0]->shape()), to)};
      });
}

NodePtr received(const std::shared_ptr<Group::State>& group, const NodePtr& like, int from) {
  Collective c = collective(Kind::kRecv, group, like);
  c.peer = from;
  return ops::with_gradient("recv", {like}, result_of(c, like),
                            [group, from](const Gradient::Call& call) -> std::vector<NodePtr> {
                              return {ops::broadcast_to(sent(group, call.gradients[0], from), call.inputs[0]->shape())};
                            });
}

}  // namespace

Tensor all_reduce(const Tensor& x, Reduce op, const Group& group) {
  const auto members = members_of("all_reduce", group);
  const NodePtr node = operand(Kind::kAllReduce, x);
  check_op(Kind::kAllReduce, op, node->dtype());
  return members->size() == 1 ? x : Tensor(all_reduced(members, node, op));
}

Tensor all_gather(const Tensor& x, int axis, const Group& group) {
  const auto members = members_of("all_gather", group);
  NodePtr node = operand(Kind::kAllGather, x);
  if (node->shape().rank() == 0) {
    fail(ErrorKind::kShape, "all_gather: a tensor of rank 0 was given; reshape it to [1].");
  }
  const int at = ops::normal_axis("all_gather", axis, node->shape().rank());
  if (members->size() == 1) return x;
  if (at != 0) node = ops::swap_axes(node, 0, at);
  node = gathered(members, node);
  return Tensor(at != 0 ? ops::swap_axes(node, 0, at) : node);
}

Tensor reduce_scatter(const Tensor& x, Reduce op, int axis, const Group& group) {
  const auto members = members_of("reduce_scatter", group);
  NodePtr node = operand(Kind::kReduceScatter, x);
  check_op(Kind::kReduceScatter, op, node->dtype());
  const int at = ops::normal_axis("reduce_scatter", axis, node->shape().rank());
  if (node->shape()[at] % members->size() != 0) {
    fail(ErrorKind::kShape, "reduce_scatter: axis {} of {} has {} elements, which {} ranks cannot share equally.", at,
         node->shape(), node->shape()[at], members->size());
  }
  if (members->size() == 1) return x;
  if (at != 0) node = ops::swap_axes(node, 0, at);
  node = scattered(members, node, op);
  return Tensor(at != 0 ? ops::swap_axes(node, 0, at) : node);
}

Tensor broadcast(const Tensor& x, int root, const Group& group) {
  const auto members = members_of("broadcast", group);
  const NodePtr node = operand(Kind::kBroadcast, x);
  check_rank(Kind::kBroadcast, *members, root, false);
  if (members->size() == 1) return x;
  Collective c = collective(Kind::kBroadcast, members, node);
  c.peer = root;
  return Tensor(ops::with_gradient("broadcast", {node}, result_of(c, node),
                                   [members, root](const Gradient::Call& call) -> std::vector<NodePtr> {
                                     const NodePtr sum = all_reduced(members, call.gradients[0], Reduce::kSum);
                                     return {members->rank == root ? sum : zeros_behind(sum)};
                                   }));
}

Tensor send(const Tensor& x, int to, const Group& group) {
  const auto members = members_of("send", group);
  const NodePtr node = operand(Kind::kSend, x);
  check_rank(Kind::kSend, *members, to, true);
  return Tensor(sent(members, node, to));
}

Tensor recv(const Tensor& like, int from, const Group& group) {
  const auto members = members_of("recv", group);
  const NodePtr node = operand(Kind::kRecv, like);
  check_rank(Kind::kRecv, *members, from, true);
  return Tensor(received(members, node, from));
}

void barrier(const Group& group) {
  const auto members = members_of("barrier", group);
  if (MadeNodes::noting()) {
    fail(ErrorKind::kUnsupported, "barrier: it waits for other ranks now, and a traced function computes nothing yet.");
  }
  if (members->size() == 1) return;
  const GroupUse use(members, "barrier");
  members->queue.run([&] { Exchange(members, "barrier").agree(); });
}

}  // namespace tessera::distributed
