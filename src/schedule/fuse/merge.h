// Merging: rules by which groups of nodes become one kernel. Vertical rules put a node's group together with those that
// it reads from; horizontal rules put groups together that do not read each other.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "schedule/device_model.h"
#include "schedule/fuse/groups.h"
#include "schedule/fuse/guards.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

/// What fusion works on.
struct Fusion {
  Fusion(const Graph& simplified, const DeviceInfo& on);

  const Graph& graph;
  const DeviceInfo& device;
  const DeviceModel model;
  std::size_t max_buffers;  // that one kernel binds
  std::vector<Guard> guards;
  std::vector<int> inlined;  // see find_inline()
  Groups groups;
  std::vector<char> row;  // of a node: in its group it has one value a row
};

/// What a vertical merge takes for granted, and what it changes.
struct Merge {
  std::vector<Guard> guards;
  std::optional<bool> map_is_row;  // the level of a map merged into a reduction
};

/// Two loop nests that one can serve. Rules are tried in order, and the first that matches decides.
struct VerticalRule {
  std::string_view name;
  /// By the kinds of the groups.
  bool (*matches)(const Group& a, const Group& b);
  /// Whether all reads between the groups can stay inside of one loop nest.
  std::optional<Merge> (*legal)(const Fusion& fusion, int a, int b);
};

/// A pass over all groups. Passes run in order, after all vertical merges.
struct HorizontalRule {
  std::string_view name;
  void (*run)(Fusion& fusion);
};

/// The lists of rules: merge_rules.cpp.
std::span<const VerticalRule> vertical_rules();
std::span<const HorizontalRule> horizontal_rules();

constexpr std::size_t kMaxGroupNodes = 96;  // keeps a kernel's text, registers and compile time in bounds

/// Puts the nodes of group `b` into `a` where a vertical rule allows it.
bool try_merge(Fusion& fusion, int a, int b);
/// Gives group `b` a share of the dispatch of `a`, where they are independent.
bool add_part(Fusion& fusion, int a, int b);
constexpr std::size_t kMaxParts = 8;

/// Writes the kernels of all groups, in order.
std::vector<Kernel> emit_groups(Fusion& fusion);

}  // namespace tessera::schedule
