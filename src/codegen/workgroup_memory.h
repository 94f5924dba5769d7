// How much workgroup memory a WGSL text asks for: not every provider checks it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::codegen {

/// Bytes of all `var<workgroup>` of the text together, laid out as WGSL lays them out. `constants` are names that the
/// text may use beside its own. A variable whose type is beyond this reader counts nothing.
std::uint64_t workgroup_memory(std::string_view text,
                               const std::vector<std::pair<std::string, std::uint64_t>>& constants);

}  // namespace tessera::codegen
