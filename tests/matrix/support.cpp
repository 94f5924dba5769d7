// The adapter that the tests run on, and the comparison of all candidates with one answer of the oracle.
#include "matrix/support.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <unordered_map>

namespace tessera::test {

namespace {

/// The first WebGPU device of the tests that has matrix units; null where none has. Made once, never destroyed.
const std::shared_ptr<runtime::WebGpuDevice>& adapter() {
  static const auto& made = *new std::shared_ptr<runtime::WebGpuDevice>([] {
    for (const TestDevice& d : devices()) {
      if (!d.device.starts_with("webgpu")) continue;
      auto device = std::dynamic_pointer_cast<runtime::WebGpuDevice>(open(d).impl());
      if (device != nullptr && !device->info().matrices.empty()) return device;
    }
    return std::shared_ptr<runtime::WebGpuDevice>();
  }());
  return made;
}

struct Answer {
  std::vector<Bounded> expected, flushed;
};

/// What the oracle says. Data is read back from the leaves, and changed by `change` first.
Answer ask_oracle(const std::vector<Tensor>& tensors, const std::function<void(reference::Value&)>& change) {
  std::vector<NodePtr> nodes;
  for (const Tensor& t : tensors) nodes.push_back(t.node());
  std::vector<Tensor> leaves;
  for (const Graph::Entry& e : snapshot(nodes).entries) {
    if (e.storage != nullptr) leaves.emplace_back(e.node);
  }
  std::vector<reference::Value> values = read_values(leaves);
  std::unordered_map<const Node*, const reference::Value*> data;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    change(values[i]);
    data.emplace(leaves[i].node().get(), &values[i]);
  }
  const auto input = [&](const Node& n) { return *data.at(&n); };
  const auto flushed_input = [&](const Node& n) {
    reference::Value v = *data.at(&n);
    for (double& x : v.f) {
      if (std::abs(x) < smallest_normal(DType::kF32)) x = std::copysign(0.0, x);
    }
    return v;
  };
  return {evaluate_bounded(nodes, input, true), evaluate_bounded(nodes, flushed_input, true)};
}

std::vector<Tensor> made(const std::vector<Case>& cases) {
  std::vector<Tensor> tensors;
  for (const Case& c : cases) {
    for (const Tensor& t : c.make()) tensors.push_back(t);
  }
  return tensors;
}

std::string keys(std::span<const codegen::MatmulShape> shapes) {
  std::string text;
  for (const codegen::MatmulShape& s : shapes.first(std::min<std::size_t>(shapes.size(), 3))) {
    text += (text.empty() ? "" : "; ") + s.key();
  }
  return text;
}

/// A failure that says what is wrong with one tensor, if anything is.
void compare(const std::string& what, const reference::Value& got, const Bounded& expected, const Bounded& flushed) {
  std::size_t unknown = 0;
  const std::int64_t wrong = first_wrong(got, expected, flushed, {.flush = true, .zero_sign = false}, unknown);
  if (unknown != 0 && unknown == static_cast<std::size_t>(got.shape.numel())) {
    ADD_FAILURE() << what << ": the error bound of every element is infinite, so nothing was tested";
  }
  if (wrong < 0) return;
  const auto at = static_cast<std::size_t>(wrong);
  ADD_FAILURE() << fmt::format("{}: element {} of {} is {:.9g}, expected {:.9g} within {:.3g}", what, wrong,
                               got.shape.str(), got.f[at], expected.value.f[at], expected.error[at]);
}

}  // namespace

void Matrix::SetUp() {
  if (adapter() == nullptr) GTEST_SKIP() << "no adapter has matrix units; tools/mesa.sh gets a driver that has them";
  become("as it is", [](DeviceInfo&) {});
}

void Matrix::become(const std::string& name, const std::function<void(DeviceInfo&)>& change) {
  // Never destroyed: programs are kept from test to test; all those of a full run would take some 20 GB.
  static auto& known = *new std::map<std::string, std::shared_ptr<ChoosingDevice>>;
  if (full()) known.clear();
  choosing_ = known[name];
  if (choosing_ == nullptr) {
    DeviceInfo info = adapter()->info();
    change(info);
    choosing_ = known[name] = std::make_shared<ChoosingDevice>(adapter(), info);
  }
  device_ = Device(choosing_);
  device_.set_current();
}

void Matrix::check(const std::vector<Case>& all, With with, bool rounded) {
  ran_.clear();
  runs_ = 0;
  // A software driver compiles large tiles for minutes: they have their turn in a full run.
  const bool slow = device_.info().type == DeviceType::kSoftware && !full();
  const bool each = with == With::kEach || !slow;
  std::vector<Case> cases;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (each || i == 0 || in_turn(i)) cases.push_back(all[i]);
  }
  const Answer exact = ask_oracle(made(cases), [](reference::Value&) {});
  Answer reduced;
  if (rounded) {
    reduced = ask_oracle(made(cases), [](reference::Value& v) {
      for (double& x : v.f) x = reference::round_to(x, f16);
    });
  }
  const std::uint32_t results = slow ? 16 * 16 : UINT32_MAX;
  std::size_t rounds = 1;
  for (std::size_t round = 0; round < rounds; ++round) {
    if (slow && round > 0 && !in_turn(round)) continue;
    if (each) {
      choosing_->choose(round, results);
    } else {
      choosing_->choose_in_turn(results);
    }
    std::size_t answer = 0;
    for (const Case& c : cases) {
      const std::size_t before = choosing_->shapes().size();
      const std::vector<reference::Value> got = read_values(c.make());
      const auto shapes = std::span(choosing_->shapes()).subspan(before);
      ran_.insert(ran_.end(), shapes.begin(), shapes.end());
      ++runs_;
      const bool by_matrices = std::ranges::any_of(shapes, [](const auto& s) { return s.unit != 0; });
      const Answer& right = rounded && by_matrices ? reduced : exact;
      for (const reference::Value& v : got) {
        compare(fmt::format("{} with {}", c.name, keys(shapes)), v, right.expected[answer], right.flushed[answer]);
        ++answer;
      }
    }
    if (each) rounds = std::max(rounds, choosing_->most());
  }
}

}  // namespace tessera::test
