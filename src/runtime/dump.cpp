// Writing graphs and kernels to the folder of TESSERA_DUMP.
#include "runtime/dump.h"

#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "base/os/system.h"
#include "graph/op_name.h"

namespace tessera::runtime {

const std::string& dump_folder() {
  static const std::string kFolder = os::environment("TESSERA_DUMP").value_or("");
  return kFolder;
}

std::string to_text(const Kernel& k) {
  std::string s = fmt::format("kernel {}\n", k.label());
  for (const Kernel& part : k.parts) s += to_text(part);
  for (std::size_t i = 0; i < k.inputs.size(); ++i)
    s += fmt::format("  in{} = %{} {}\n", i, k.inputs[i].node, name(k.inputs[i].dtype));
  for (std::size_t i = 1; i < k.indices.size(); ++i) {
    constexpr std::array<const char*, 6> kKinds{"element", "row", "col", "view", "window", "position"};
    const Index& x = k.indices[i];
    s += fmt::format("  x{} = {} of x{} {}\n", i, kKinds[static_cast<std::size_t>(x.kind)], x.parent, x.layout_text());
  }
  for (std::size_t i = 0; i < k.instrs.size(); ++i) {
    constexpr std::array<const char*, 8> kKinds{"load", "scalar", "iota", "random", "", "pad", "reduce", "contract"};
    const Instr& x = k.instrs[i];
    std::string what = kKinds[static_cast<std::size_t>(x.kind)];
    if (x.kind == Instr::Kind::kOp || x.kind == Instr::Kind::kReduce)
      what += (what.empty() ? "" : " ") + std::string(op_name(x.op));
    if (x.slot >= 0) what += fmt::format(" in{}", x.slot);
    if (x.index >= 0) what += fmt::format(" [x{}]", x.index);
    s += fmt::format("  v{}{} = {} {}{}{}\n", i, x.row ? " (row)" : "", name(x.dtype), what, x.args.empty() ? "" : " v",
                     fmt::join(x.args, " v"));
  }
  for (const Store& x : k.stores)
    s += fmt::format("  out{} = %{} <- v{}\n", x.slot, k.outputs[static_cast<std::size_t>(x.slot)].node, x.instr);
  if (k.kind == Kernel::Kind::kCustom) {
    for (std::size_t i = 0; i < k.outputs.size(); ++i)
      s += fmt::format("  out{} = %{} {}\n", i, k.outputs[i].node, name(k.outputs[i].dtype));
  }
  return s;
}

std::string to_text(const schedule::Plan& plan) {
  std::string s;
  for (const Kernel& k : plan.kernels) s += to_text(k);
  return s;
}

void dump_graph(const Graph& graph, const schedule::Plan& plan) {
  if (dump_folder().empty()) return;
  static std::mutex mutex;
  static std::set<const schedule::Plan*> seen;
  const std::lock_guard lock(mutex);
  if (!seen.insert(&plan).second) return;
  std::error_code ignored;
  std::filesystem::create_directories(dump_folder(), ignored);
  const std::string stem = fmt::format("{}/plan-{:04}", dump_folder(), plan.id);
  std::ofstream(stem + ".dot") << to_graphviz(graph);
  std::ofstream(stem + ".txt") << to_text(graph) << '\n' << to_text(plan);
}

}  // namespace tessera::runtime
