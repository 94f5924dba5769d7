// The function of a loop, called once on placeholders, and one step of its backward pass.
#include "api/transforms/loops/body.h"

#include <optional>
#include <set>
#include <unordered_set>

#include "api/transforms/differentiating.h"
#include "api/transforms/loop_trace.h"
#include "api/transforms/traced.h"
#include "autograd/reverse.h"
#include "base/compute.h"
#include "base/fail.h"
#include "base/ints.h"
#include "graph/gradient.h"
#include "graph/op.h"
#include "ops/build.h"
#include "ops/index/index.h"
#include "runtime/memory/new_storage.h"

namespace tessera::loops {

Shape row_shape(const Shape& all) {
  std::vector<std::int64_t> sizes;
  for (int i = 1; i < all.rank(); ++i) sizes.push_back(all[i]);
  return Shape(sizes);
}

Shape with_rows(std::int64_t rows, const Shape& row) {
  std::vector<std::int64_t> sizes{rows};
  for (int i = 0; i < row.rank(); ++i) sizes.push_back(row[i]);
  return Shape(sizes);
}

Tensors tensors_of(std::span<const NodePtr> nodes) {
  Tensors tensors;
  for (const NodePtr& n : nodes) tensors.emplace_back(n);
  return tensors;
}

void append(Nodes& to, std::span<const NodePtr> nodes) { to.insert(to.end(), nodes.begin(), nodes.end()); }

NodePtr input(DType dtype, const Shape& shape, const DevicePtr& device, std::shared_ptr<Storage> storage) {
  auto node = std::make_shared<const Node>(Op::kInput, dtype, shape, device, Node::Inputs{});
  if (storage != nullptr) node->replace_storage(std::move(storage));
  return node;
}

NodePtr input_like(const NodePtr& n, const DevicePtr& device, std::shared_ptr<Storage> storage) {
  return input(n->dtype(), n->shape(), device, std::move(storage));
}

NodePtr zeros_like(const NodePtr& n, DType dtype, const DevicePtr& device) {
  return ops::full(n->shape(), ops::scalar({0.0}, dtype), device);
}

NodePtr i32(std::int64_t value) { return ops::scalar({value}, DType::kI32); }

namespace {

/// The positions of the elements of all[row].
NodePtr positions_in(const NodePtr& all, const NodePtr& row) {
  const Shape shape = row_shape(all->shape());
  const auto count = shape.numel();
  const NodePtr at = ops::arange(0, static_cast<double>(count), 1, DType::kI32, all->device());
  return ops::reshape(at, shape) + row * i32(count);
}

}  // namespace

NodePtr read_row(const NodePtr& all, const NodePtr& row) { return ops::gather(all, positions_in(all, row)); }

NodePtr write_row(const NodePtr& all, const NodePtr& value, const NodePtr& row) {
  if (all->numel() == 0) return all;
  const NodePtr values = ops::broadcast_to(ops::cast(value, all->dtype()), row_shape(all->shape()));
  return ops::put(all, values, positions_in(all, row));
}

std::shared_ptr<Body> trace(const Loop& loop, const Tensors& carry, const Tensors& xs) {
  // Loops inside of it are unrolled.
  std::optional<LoopTrace> alone;
  if (!MadeNodes::noting()) alone.emplace();
  const LoopCalls inside(LoopCalls::Use::kInsideBody);
  auto body = std::make_shared<Body>();
  const auto argument = [](const NodePtr& n) {
    return gradients_enabled() && is_float(n->dtype()) ? autograd::variable(n) : n;
  };
  body->row = input(DType::kI32, Shape{}, loop.device);
  for (const Tensor& c : carry) {
    body->carry.push_back(input_like(c.node(), loop.device));
    body->carry_in.push_back(argument(body->carry.back()));
  }
  for (const Tensor& x : xs) {
    body->xs.push_back(input_like(x.node(), loop.device));
    body->x_in.push_back(argument(read_row(body->xs.back(), body->row)));
  }
  const Scanned returned = loop.step(Tensor(body->row), tensors_of(body->carry_in), tensors_of(body->x_in));
  body->draws.stop();
  body->made.stop();
  check_step(loop, carry, returned);
  body->carry_out = nodes_of(returned.carry);
  body->ys = nodes_of(returned.ys);
  Nodes outputs = body->carry_out;
  append(outputs, body->ys);
  body->captured = autograd::captured_by(outputs, body->made);
  return body;
}

BackwardStep backward_step(const Loop& loop, const Body& body, const std::vector<char>& wanted,
                           const std::vector<char>& given) {
  const Tracking tracking;
  BackwardStep step;
  step.given = given;
  Nodes outputs;
  Nodes seeds;
  Nodes variables;
  for (std::size_t i = 0; i < body.carry.size(); ++i) {
    const NodePtr& out = body.carry_out[i];
    if (is_complex(out->dtype()) && out->tracked()) {
      fail(ErrorKind::kUnsupported, "{}: a gradient came to carry {}, of type {}; complex numbers have none yet.",
           loop.what, i, name(out->dtype()));
    }
    if (!is_float(out->dtype())) continue;
    step.carried.push_back(input_like(out, loop.device));
    outputs.push_back(out);
    seeds.push_back(step.carried.back());
    variables.push_back(body.carry_in[i]);
  }
  step.floats = step.carried.size();
  for (std::size_t i = 0; i < body.ys.size(); ++i) {
    if (given[i] == 0) continue;
    const NodePtr& y = body.ys[i];
    step.others.push_back(input(y->dtype(), with_rows(loop.steps, y->shape()), loop.device));
    outputs.push_back(y);
    seeds.push_back(read_row(step.others.back(), body.row));
  }
  const auto wanted_x = [&](std::size_t i) { return wanted[body.carry.size() + i] != 0; };
  for (std::size_t i = 0; i < body.xs.size(); ++i) {
    if (wanted_x(i)) variables.push_back(body.x_in[i]);
  }
  append(variables, body.captured);
  const autograd::Reached reached = autograd::reverse_to(outputs, seeds, variables);
  for (std::size_t i = 0; i < step.floats; ++i) {
    const NodePtr& g = reached.gradients[i];
    step.results.push_back(g != nullptr ? g : zeros_like(variables[i], variables[i]->dtype(), loop.device));
  }
  step.carried.push_back(body.row);
  step.results.push_back(body.row + i32(loop.reverse ? 1 : -1));
  std::size_t at = step.floats;
  for (std::size_t i = 0; i < body.xs.size(); ++i) {
    if (!wanted_x(i)) continue;
    step.carried.push_back(input_like(body.xs[i], loop.device));
    const NodePtr g = autograd::gradient_or_zeros(reached, at, variables[at]);
    step.results.push_back(write_row(step.carried.back(), g, body.row));
    ++at;
  }
  for (std::size_t i = 0; i < body.captured.size(); ++i, ++at) {
    if (wanted[body.carry.size() + body.xs.size() + i] == 0) continue;
    const NodePtr& w = body.captured[i];
    const DType wide = wide_float(w->dtype());  // sums over many steps
    step.carried.push_back(input(wide, w->shape(), loop.device));
    const NodePtr g = autograd::gradient_or_zeros(reached, at, w);
    const NodePtr& sum = step.carried.back();
    step.results.push_back(reached.gradients[at] != nullptr ? sum + ops::cast(g, wide) : sum);
  }
  return step;
}

namespace {

/// The values of the forward step that the backward step would compute again and that take long: matmuls and calls, or
/// a sum of several of them. The rest is computed again from them.
Nodes values_to_keep(const Body& body, const BackwardStep& step) {
  Nodes outputs = body.carry_out;
  append(outputs, body.ys);
  std::unordered_set<const Node*> forward;
  for (const Graph::Entry& e : snapshot(outputs).entries) forward.insert(e.node.get());
  std::unordered_set<const Node*> gradients;
  for (const auto* list : {&step.carried, &step.others}) {
    for (const NodePtr& n : *list) gradients.insert(n.get());
  }
  gradients.erase(body.row.get());
  const Graph graph = snapshot(step.results);
  std::unordered_set<const Node*> arguments{body.row.get()};
  for (const auto* list : {&body.carry, &body.xs}) {
    for (const NodePtr& n : *list) arguments.insert(n.get());
  }
  std::vector<char> late(graph.entries.size(), 0);    // depends on a gradient
  std::vector<char> varies(graph.entries.size(), 0);  // from step to step
  std::vector<std::set<int>> behind(graph.entries.size());
  const auto bytes = [&](int i) { return runtime::storage_bytes(graph.node(i).numel(), graph.node(i).dtype()); };
  std::set<int> kept;
  for (int i = 0; i < graph.size(); ++i) {
    const Graph::Entry& e = graph[i];
    late[as_index(i)] = gradients.contains(e.node.get()) ? 1 : 0;
    for (const int in : e.inputs) late[as_index(i)] = late[as_index(i)] | late[as_index(in)];
    if (late[as_index(i)] != 0) {
      for (const int in : e.inputs) kept.insert(behind[as_index(in)].begin(), behind[as_index(in)].end());
      continue;
    }
    varies[as_index(i)] = arguments.contains(e.node.get()) || e.op() == Op::kRandom ? 1 : 0;
    for (const int in : e.inputs) varies[as_index(i)] = varies[as_index(i)] | varies[as_index(in)];
    if (varies[as_index(i)] == 0) continue;
    std::set<int>& mine = behind[as_index(i)];
    for (const int in : e.inputs) mine.insert(behind[as_index(in)].begin(), behind[as_index(in)].end());
    if (e.inputs.empty() || !forward.contains(e.node.get())) continue;
    std::size_t instead = 0;
    for (const int k : mine) instead += bytes(k);
    const bool slow = e.op() == Op::kMatmul || e.op() == Op::kCall || e.op() == Op::kCustom;
    if (slow || (is_elementwise(e.op()) && mine.size() > 1 && bytes(i) < instead)) mine = {i};
  }
  for (const int r : graph.roots) {
    if (late[as_index(r)] == 0) kept.insert(behind[as_index(r)].begin(), behind[as_index(r)].end());
  }
  Nodes result;
  for (const int k : kept) result.push_back(graph[k].node);
  return result;
}

}  // namespace

std::vector<char> wanted_of(std::span<const NodePtr> inputs) {
  std::vector<char> wanted;
  for (const NodePtr& n : inputs) wanted.push_back(n->tracked() && is_float(n->dtype()) ? 1 : 0);
  return wanted;
}

void note_kept(const Loop& loop, Body& body, const std::vector<char>& wanted) try {
  const MadeNodes made(&body.made);
  std::vector<char> given;
  for (const NodePtr& y : body.ys) given.push_back(is_float(y->dtype()) ? 1 : 0);
  body.kept = values_to_keep(body, backward_step(loop, body, wanted, given));
} catch (...) {  // also what a gradient function of the user throws
  body.kept.clear();
}

Nodes picked(std::span<const NodePtr> all, const std::vector<char>& wanted) {
  Nodes result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (wanted[i] != 0) result.push_back(all[i]);
  }
  return result;
}

Nodes spread(std::span<const NodePtr> gradients, const std::vector<char>& wanted) {
  Nodes all(wanted.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (wanted[i] != 0) all[i] = gradients[next++];
  }
  return all;
}

}  // namespace tessera::loops
