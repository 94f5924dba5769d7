// Nodes: scalar values, publication of results, release of long chains, and the order of a graph.
#include "graph/node.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/fail.h"
#include "base/sizes.h"
#include "graph/gradient.h"
#include "graph/made_nodes.h"
#include "graph/node_log.h"
#include "graph/op.h"
#include "graph/op_name.h"

namespace tessera {

std::span<const std::weak_ptr<const Node>> results_of_call(const Node& node) {
  if (node.op() == Op::kCustom) return node.custom().call->results;
  if (node.op() == Op::kCall) return node.call().call->results;
  return {};
}

double Scalar::as_double() const { return as_complex().real(); }

std::complex<double> Scalar::as_complex() const {
  if (const auto* c = std::get_if<std::complex<double>>(&value)) return *c;
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* u = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*u);
  return std::get<double>(value);
}

std::int64_t Scalar::as_int() const {
  if (const auto* c = std::get_if<std::complex<double>>(&value)) return Scalar{c->real()}.as_int();
  if (const double* d = std::get_if<double>(&value)) {
    if (std::isnan(*d)) return 0;
    if (*d >= 9223372036854775808.0)
      return std::bit_cast<std::int64_t>(static_cast<std::uint64_t>(std::min(*d, 1.8446744073709550e19)));
    if (*d < -9223372036854775808.0) return INT64_MIN;
    return static_cast<std::int64_t>(*d);
  }
  if (const std::uint64_t* u = std::get_if<std::uint64_t>(&value)) return std::bit_cast<std::int64_t>(*u);
  return std::get<std::int64_t>(value);
}

bool operator==(const Scalar& a, const Scalar& b) {
  if (a.value.index() != b.value.index() || a.weak != b.weak) return false;
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  if (const double* d = std::get_if<double>(&a.value)) return same(*d, std::get<double>(b.value));
  if (const auto* c = std::get_if<std::complex<double>>(&a.value)) {
    const auto& other = std::get<std::complex<double>>(b.value);
    return same(c->real(), other.real()) && same(c->imag(), other.imag());
  }
  return a.value == b.value;
}

namespace {
thread_local bool gradients_on = true;
thread_local MadeNodes* noted = nullptr;
thread_local NodeLog* logged = nullptr;

bool any_tracked(const Node::Inputs& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const NodePtr& n) { return n->tracked(); });
}

std::string_view name_of(Op op, const Attrs& attrs) {
  if (const auto* call = std::get_if<CallResult>(&attrs)) return call->call->op;
  if (const auto* custom = std::get_if<CustomResult>(&attrs)) return custom->call->kernel->name;
  return op_name(op);
}

/// Only the call "blocks" makes tensors of block dtypes, and ops that take them read its inputs.
void check_blocks(Op op, DType dtype, const Node::Inputs& inputs, const Attrs& attrs) {
  const auto found = std::ranges::find_if(inputs, [](const NodePtr& in) { return is_block(in->dtype()); });
  if (!is_block(dtype) && found == inputs.end()) return;
  const std::string_view what = name_of(op, attrs);
  if (found != inputs.end()) {
    fail(ErrorKind::kDType,
         "{}: a tensor of the block dtype {} was given, which only matmul, linear, embedding, take and slices of whole "
         "rows read. Dequantize it first, by astype(f16).",
         what, name((*found)->dtype()));
  }
  if (op == Op::kInput) {
    fail(ErrorKind::kDType,
         "A tensor of the block dtype {} was given as an argument of a function. Use it inside of the function instead "
         "of passing it, or dequantize it first, by astype(f16).",
         name(dtype));
  }
  if (what != "blocks") {
    fail(ErrorKind::kDType, "{}: the result was to have the block dtype {}; quantize(x, {}) and from_blocks make one.",
         what, name(dtype), name(dtype));
  }
}
}  // namespace

MadeNodes::MadeNodes() : outer_(noted) { noted = this; }
MadeNodes::MadeNodes(const MadeNodes* before) : nodes_(before->nodes_), outer_(noted) { noted = this; }
MadeNodes::~MadeNodes() { stop(); }
bool MadeNodes::noting() { return noted != nullptr; }
void MadeNodes::stop() {
  if (noted == this) noted = outer_;
}

NodeLog::NodeLog() : outer_(logged) { logged = this; }
NodeLog::~NodeLog() { stop(); }
bool NodeLog::recording() { return logged != nullptr; }
void NodeLog::stop() {
  if (logged == this) logged = outer_;
}
int NodeLog::set_label(int label) { return std::exchange(label_, label); }
const NodeLog::Made* NodeLog::find(const Node* node) const {
  const auto it = nodes_.find(node);
  return it == nodes_.end() ? nullptr : &it->second;
}
void NodeLog::add(const Node* node, std::shared_ptr<const Node::Inputs> inputs) {
  // A node that is gone may have had this address.
  Made made{.order = count_++, .label = label_, .inputs = std::move(inputs), .gradient_of = gradient_of_};
  std::swap(nodes_[node], made);
}

NodeLog::GradientOf::GradientOf(const Node& node, const std::string* rule) : log_(logged) {
  if (log_ == nullptr) return;
  const Made* made = log_->find(&node);
  label_ = log_->set_label(made != nullptr ? made->label : log_->label_);
  before_ = std::exchange(log_->gradient_of_,
                          std::make_shared<const std::string>(rule != nullptr ? *rule : op_name_of(node)));
}
NodeLog::GradientOf::~GradientOf() {
  if (log_ == nullptr) return;
  log_->label_ = label_;
  log_->gradient_of_ = std::move(before_);
}

std::string op_name_of(const Node& node) { return std::string(name_of(node.op(), node.attrs())); }

bool gradients_enabled() { return gradients_on; }
bool enable_gradients(bool on) { return std::exchange(gradients_on, on); }

Node::Node(Op op, DType dtype, Shape shape, std::shared_ptr<runtime::Device> device, Inputs inputs, Attrs attrs,
           std::shared_ptr<const Gradient> gradient)
    : op_(op),
      dtype_(dtype),
      shape_(shape),
      numel_(checked_numel(op_name(op), shape, dtype)),
      device_(std::move(device)),
      attrs_(std::move(attrs)) {
  check_blocks(op, dtype, inputs, attrs_);
  if (gradient != nullptr) {
    tracked_ = gradients_on && (gradient->slot != nullptr || any_tracked(*gradient->inputs));
    if (tracked()) gradient_ = std::move(gradient);
  } else {
    tracked_ = gradients_on && any_tracked(inputs);
  }
  static const auto kNone = std::make_shared<const Inputs>();  // leaves allocate no list of inputs
  auto kept = inputs.empty() ? kNone : std::make_shared<const Inputs>(std::move(inputs));
  if (logged != nullptr) logged->add(this, kept);
  inputs_.store(std::move(kept));
  for (MadeNodes* m = noted; m != nullptr; m = m->outer_) m->nodes_.insert(this);
}

namespace {
// Inputs are released iteratively, so that a chain of a million nodes needs no stack.
void release(std::shared_ptr<const Node::Inputs> inputs) {
  static thread_local std::vector<std::shared_ptr<const Node::Inputs>>* pending = nullptr;
  if (inputs == nullptr) return;
  if (pending != nullptr) {
    pending->push_back(std::move(inputs));
    return;
  }
  std::vector<std::shared_ptr<const Node::Inputs>> list;
  list.push_back(std::move(inputs));
  pending = &list;
  while (!list.empty()) {
    const auto last = std::move(list.back());
    list.pop_back();
  }
  pending = nullptr;
}
}  // namespace

Node::~Node() {
  auto inputs = inputs_.exchange(nullptr);
  if (inputs != nullptr && !inputs->empty()) release(std::move(inputs));
}

void Node::publish(std::shared_ptr<Storage> storage) const {
  std::shared_ptr<Storage> none;
  storage_.compare_exchange_strong(none, std::move(storage));
  if (!tracked() || (gradient_ != nullptr && gradient_->slot == nullptr)) release(inputs_.exchange(nullptr));
}

void Node::set_tracked(bool tracked) const {
  tracked_.store(tracked, std::memory_order_relaxed);
  if (!tracked && storage() != nullptr) release(inputs_.exchange(nullptr));
}

Gradient::~Gradient() { release(std::move(inputs)); }

std::int64_t reduce_cols(const Node& node, const Node& input) {
  // Without rows the size of the reduced axes is not needed: nothing is written.
  return node.numel() == 0 ? 0 : input.numel() / node.numel();
}

}  // namespace tessera
