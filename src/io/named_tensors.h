// Tensors by name as files give them: the order of names, the tree of them, and loading with progress.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "tessera/load_options.h"
#include "tessera/tree.h"

namespace tessera::io {

/// Orders names key by key: positions as numbers and before texts, so that lists stay lists.
bool name_before(std::string_view a, std::string_view b);

/// What is wrong with the names is a fault.
Tree tree_of(const std::vector<Tree::Named>& named, const Fault& fault);

/// A tensor to load, in the order in which files have them.
struct Loadable {
  std::string_view name;
  std::uint64_t bytes;
};
/// Loads each by `load` with its position, reports the progress, and sorts by name.
std::vector<Tree::Named> load_named(const std::vector<Loadable>& tensors, const LoadOptions& options,
                                    const std::function<Tensor(std::size_t)>& load);

}  // namespace tessera::io
