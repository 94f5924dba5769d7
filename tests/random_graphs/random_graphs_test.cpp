// Random graphs, fused, against the oracle, for several sizes through one plan cache; a failing one is shrunk and
// printed.
#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/op.h"
#include "program.h"
#include "runtime/device.h"
#include "schedule/plan.h"
#include "schedule/simplify/simplify.h"
#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

/// A plan is made first for sizes that coincide, which it may not take for granted for the others. Then plain ones, and
/// ones where axes have size 1.
constexpr Sizes kAlike[] = {{4, 4, 4}, {2, 3, 6}, {4, 8, 8}};
constexpr Sizes kOthers[] = {{6, 5, 4}, {7, 9, 3}, {1, 8, 5}, {5, 1, 33}};
/// For bindings of a few KiB: tensors on both sides of that.
constexpr Sizes kWindowed[] = {{12, 9, 10}, {9, 13, 7}, {1, 16, 15}};

/// All of them; where kernels take long to compile, three, which change from seed to seed.
std::vector<Sizes> sizes_for(const Program& program, const Device& device) {
  if (device.info().limits.max_storage_binding_size <= 4096) {
    return {kAlike[program.seed % 3], kWindowed[program.seed % 3]};
  }
  std::vector<Sizes> sizes{kAlike[program.seed % 3]};
  if (full() || device.info().type == DeviceType::kCpu) {
    sizes.insert(sizes.end(), std::begin(kOthers), std::end(kOthers));
    sizes.push_back(kAlike[(program.seed + 1) % 3]);
  } else {
    sizes.push_back(kOthers[program.seed % 2]);
    sizes.push_back(kOthers[2 + program.seed % 2]);
  }
  return sizes;
}

struct Outcome {
  std::string failure;  // empty: all was right
  std::size_t compared = 0;
  std::size_t unknown = 0;
  std::size_t hits = 0;
  std::size_t other_kernels = 0;  // hits whose kernels differ from a new plan's
};

std::string signatures(const schedule::Plan& plan) {
  std::string text;
  for (const Kernel& kernel : plan.kernels) text += kernel.signature() + "\n";
  return text;
}

/// The inputs of a program in arenas, one for each dtype, and where each of them is.
struct PackedInputs {
  struct Place {
    std::size_t arena;
    std::int64_t offset;
    Shape shape;
    Tensor range;  // its memory
  };
  std::vector<Tensor> arenas;
  std::vector<Place> places;  // by input

  PackedInputs(const Program& program, const Sizes& sizes, const Device& device) {
    std::vector<Tensor> inputs;
    static_cast<void>(program.build(sizes, device, [&](const Tensor& t) { return inputs.emplace_back(t); }));
    places.resize(inputs.size());
    std::map<DType, std::vector<std::size_t>> by_dtype;
    for (std::size_t i = 0; i < inputs.size(); ++i) by_dtype[inputs[i].dtype()].push_back(i);
    for (const auto& [dtype, list] : by_dtype) {
      std::vector<Tensor> tensors;
      std::vector<Shape> shapes;
      for (const std::size_t i : list) {
        tensors.push_back(inputs[i]);
        shapes.push_back(inputs[i].shape());
      }
      const Packing packing(shapes, dtype, device);
      const std::vector<Tensor> made = packing.pack(tensors);
      eval(made);
      tensors = packing.unpack(made);
      for (std::size_t k = 0; k < list.size(); ++k) places[list[k]] = {0, 0, shapes[k], tensors[k]};
      for (std::size_t a = 0; a < made.size(); ++a) {
        std::int64_t offset = 0;
        for (const auto& [tensor, numel] : packing.members(a)) {
          places[list[tensor]].arena = arenas.size();
          places[list[tensor]].offset = offset;
          offset += numel;
        }
        arenas.push_back(made[a]);
      }
    }
  }
  /// What a program is built with: ranges, or views of these arenas.
  [[nodiscard]] auto ranges() const {
    return [this, i = std::size_t{0}](const Tensor&) mutable { return places[i++].range; };
  }
  [[nodiscard]] auto views(std::vector<Tensor> of) const {
    return [this, of = std::move(of), i = std::size_t{0}](const Tensor&) mutable {
      const Place& p = places[i++];
      if (p.shape.numel() == 0) return p.range;
      return slice(of[p.arena], {{p.offset, p.offset + p.shape.numel()}}).reshape(p.shape);
    };
  }
};

/// The results, and then all of them in arenas.
std::vector<Tensor> with_arenas(std::vector<Tensor> results) {
  std::map<DType, std::vector<Tensor>> by_dtype;
  for (const Tensor& t : results) by_dtype[t.dtype()].push_back(t);
  for (const auto& [dtype, list] : by_dtype) {
    for (const Tensor& arena : pack(list).arenas) results.push_back(arena);
  }
  return results;
}

/// The results of a program; if it `packs`, over inputs in arenas.
std::vector<Tensor> build(const Program& program, const Sizes& sizes, const Device& device, bool packs) {
  if (!packs) return program.build(sizes, device);
  const PackedInputs inputs(program, sizes, device);
  const bool views = program.seed % 2 == 1;
  return with_arenas(views ? program.build(sizes, device, inputs.views(inputs.arenas))
                           : program.build(sizes, device, inputs.ranges()));
}

/// What every plan must keep to: kernels after what they read, no more buffers than the device binds. Empty: it does.
std::string fault_of(const schedule::Plan& plan, const Graph& graph, const DeviceInfo& device) {
  std::vector<char> made(graph.entries.size(), 0);
  const auto is_made = [&](int n) {
    const auto stored = [&](int i) { return made[static_cast<std::size_t>(i)] != 0; };
    if (graph[n].op() == Op::kPack) return std::ranges::all_of(graph[n].inputs, stored);
    return graph[n].op() == Op::kInput || stored(n);
  };
  for (const Kernel& kernel : plan.kernels) {
    for (const Slot& slot : kernel.inputs) {
      if (!is_made(slot.node)) {
        return fmt::format("kernel {} reads %{} before it is made", kernel.label(), slot.node);
      }
    }
    for (const Slot& slot : kernel.outputs) made[static_cast<std::size_t>(slot.node)] = 1;
    const std::size_t buffers = kernel.inputs.size() + kernel.outputs.size();
    if (buffers > device.limits.max_storage_buffers) {
      return fmt::format("kernel {} binds {} buffers of at most {}", kernel.label(), buffers,
                         device.limits.max_storage_buffers);
    }
  }
  for (const int root : graph.roots) {
    if (!is_made(root)) {
      return fmt::format("the root %{} is never made", root);
    }
  }
  return {};
}

/// Evaluates the program's roots for these sizes and compares them; false where the sizes do not suit it.
bool check_once(const Program& program, const Sizes& sizes, const Device& device, const char* how, Outcome& outcome,
                bool packs) {
  std::vector<Tensor> roots;
  try {
    roots = build(program, sizes, device, packs);
  } catch (const Error&) {
    return false;
  }
  std::vector<NodePtr> nodes;
  for (const Tensor& t : roots) nodes.push_back(t.node());
  const std::string graph = to_text(snapshot(nodes));
  Checker check(device);
  check.report = [&](const std::string& text) {
    if (!outcome.failure.empty()) return;
    outcome.failure = fmt::format("A = {}, B = {}, C = {}{}: {}\n{}", sizes[0], sizes[1], sizes[2], how, text, graph);
  };
  for (std::size_t i = 0; i < roots.size(); ++i) check.add(fmt::format("root {}", i), roots[i], false);
  check.run();
  outcome.compared += check.compared;
  outcome.unknown += check.unknown;
  return true;
}

Outcome check_program(const Program& program, const Device& device, bool packs) {
  Outcome outcome;
  runtime::PlanCache& plans = device.impl()->plans();
  plans.clear();
  for (const Sizes& sizes : sizes_for(program, device)) {
    const auto before = plans.stats().hits;
    std::vector<NodePtr> nodes;
    std::string fresh;
    std::string found;
    try {
      for (const Tensor& t : build(program, sizes, device, packs)) nodes.push_back(t.node());
      const Graph graph = schedule::simplify(snapshot(nodes), device.info());
      const schedule::Plan plan = schedule::make_plan(graph, {}, device.info());
      fresh = signatures(plan);
      const std::string fault = fault_of(plan, graph, device.info());
      if (!fault.empty()) {
        outcome.failure =
            fmt::format("A = {}, B = {}, C = {}: {}\n{}", sizes[0], sizes[1], sizes[2], fault, to_text(graph));
        return outcome;
      }
      if (plans.stats().misses > 0) found = signatures(*plans.find_or_make(graph, {}, device.info()));
    } catch (const Error&) {
      continue;
    }
    const bool hit = plans.stats().hits > before;
    if (!check_once(program, sizes, device, hit ? " (plan found again)" : "", outcome, packs)) continue;
    if (!outcome.failure.empty()) return outcome;
    if (!hit) continue;
    ++outcome.hits;
    if (found == fresh) continue;
    // Both must be right.
    ++outcome.other_kernels;
    plans.clear();
    check_once(program, sizes, device, " (new plan)", outcome, packs);
    if (!outcome.failure.empty()) return outcome;
  }
  return outcome;
}

class RandomGraphs : public DeviceTest {
 protected:
  void run(std::uint32_t first, std::uint32_t count) {
    Outcome all;
    double unknown_share = 0;  // of each graph, added up: a large graph counts no more than a small one
    int failures = 0;
    for (std::uint32_t seed = first; seed < first + count && failures < 5; ++seed) {
      const Program program = make_program(seed, device_);
      const Outcome outcome = check_program(program, device_, packs_);
      all.compared += outcome.compared;
      all.unknown += outcome.unknown;
      // Gradients hang on comparisons of what is not exact more often than values do.
      if (outcome.compared > 0 && !program.gradients) {
        unknown_share += static_cast<double>(outcome.unknown) / static_cast<double>(outcome.compared);
      }
      all.hits += outcome.hits;
      all.other_kernels += outcome.other_kernels;
      if (outcome.failure.empty()) continue;
      ++failures;
      const Program small =
          shrink(program, [&](const Program& p) { return !check_program(p, device_, packs_).failure.empty(); });
      const std::string again = check_program(small, device_, packs_).failure;
      ADD_FAILURE() << (again.empty() ? program.text() + outcome.failure + "(not seen again)" : small.text() + again);
    }
    fmt::print(
        "{} graphs: {} elements compared, {} of them unknown, {} plans found again, {} with other kernels than "
        "a new plan's\n",
        count, all.compared, all.unknown, all.hits, all.other_kernels);
    // A test that knows nothing would pass; a share of one says little of that.
    if (std::getenv("TESSERA_TEST_SEED") == nullptr) {
      EXPECT_LT(unknown_share, 0.05 * count);
      EXPECT_GT(all.hits, count / 4);
    }
  }

  /// A software adapter takes minutes over what a GPU does in one.
  [[nodiscard]] std::uint32_t of_gpu(std::uint32_t count) const {
    return device_.info().type == DeviceType::kSoftware ? count / 10 : count;
  }
  /// TESSERA_TEST_SEED=N runs that one alone, N+COUNT so many from there on: shares of a full run.
  void run_default(std::uint32_t first, std::uint32_t count) {
    if (const char* seed = std::getenv("TESSERA_TEST_SEED")) {
      char* end = nullptr;
      first = static_cast<std::uint32_t>(std::strtoul(seed, &end, 10));
      count = *end == '+' ? static_cast<std::uint32_t>(std::strtoul(end + 1, nullptr, 10)) : 1;
    }
    run(first, count);
  }

  bool packs_ = false;
};

TEST_P(RandomGraphs, MatchTheOracle) {
  const std::uint32_t gpu = full() ? of_gpu(5000) : 50;
  const std::uint32_t cpu = full() ? 20000 : 400;
  run_default(1, on_cpu() ? cpu : gpu);
}

/// Over tensors that are ranges of arenas, with results that are stored into arenas.
class PackedRandomGraphs : public RandomGraphs {
 protected:
  PackedRandomGraphs() { packs_ = true; }
};
TEST_P(PackedRandomGraphs, MatchTheOracle) {
  const std::uint32_t gpu = full() ? of_gpu(1000) : 8;
  const std::uint32_t cpu = full() ? 4000 : 150;
  run_default(300001, on_cpu() ? cpu : gpu);
}

void expect_same(const std::vector<reference::Value>& got, const std::vector<reference::Value>& expected,
                 const Program& program) {
  ASSERT_EQ(got.size(), expected.size());
  const auto same = [](const auto& a, const auto& b) {
    return std::ranges::equal(a, b, [](auto x, auto y) { return x == y || (x != x && y != y); });
  };
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(same(got[i].f, expected[i].f) && same(got[i].i, expected[i].i) && same(got[i].c, expected[i].c))
        << "value " << i << "\n"
        << program.text();
  }
}

/// The same in compiled functions that take arenas, which are donated: equal bits at every call.
TEST_P(PackedRandomGraphs, CompiledFunctionsGiveTheSame) {
  std::size_t compared = 0;
  const std::uint32_t count = on_cpu() ? (full() ? 500 : 60) : (full() ? 30 : 3);
  for (std::uint32_t seed = 400001; seed < 400001 + count; ++seed) {
    const Program program = make_program(seed, device_);
    const auto draws = [](const Step& s) { return s.kind == Step::Kind::kUniform; };
    if (program.gradients || std::ranges::any_of(program.steps, draws)) continue;
    const Sizes sizes = kOthers[seed % 2];
    std::vector<Tensor> expected;
    try {
      expected = with_arenas(program.build(sizes, device_));
      eval(expected);
    } catch (const Error&) {
      continue;
    }
    const PackedInputs inputs(program, sizes, device_);
    CompileOptions options;
    for (std::size_t i = 0; i < inputs.arenas.size(); ++i) options.donate.push_back(static_cast<int>(i));
    const Compiled compiled =
        compile([&](const Tensors& arenas) { return with_arenas(program.build(sizes, device_, inputs.views(arenas))); },
                options);
    const std::vector<reference::Value> right = read_values(expected);
    for (int call = 0; call < 2; ++call) {
      // First with ranges as other owners, so that the call copies what it overwrites, then without.
      PackedInputs given(program, sizes, device_);
      std::vector<Tensor> kept;
      for (const auto& place : given.places) kept.push_back(place.range);
      const std::vector<reference::Value> before = read_values(kept);
      if (call == 1) {
        kept.clear();
        given.places.clear();
      }
      expect_same(read_values(compiled(given.arenas)), right, program);
      if (call == 0) expect_same(read_values(kept), before, program);
      ++compared;
    }
  }
  EXPECT_GT(compared, count / 4);
}

class ReducedRandomGraphs : public RandomGraphs {};
TEST_P(ReducedRandomGraphs, MatchTheOracle) { run_default(100001, full() ? of_gpu(2000) : 16); }

class WindowedRandomGraphs : public RandomGraphs {};
TEST_P(WindowedRandomGraphs, MatchTheOracle) { run_default(200001, full() ? of_gpu(300) : 30); }

TESSERA_ON_ALL_DEVICES(RandomGraphs);
TESSERA_ON_ALL_DEVICES(PackedRandomGraphs);
TESSERA_ON_WINDOWED_DEVICES(WindowedRandomGraphs);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ReducedRandomGraphs);
TESSERA_ON_REDUCED_DEVICES(ReducedRandomGraphs);

}  // namespace
}  // namespace tessera::test
