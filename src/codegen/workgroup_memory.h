// The workgroup memory of a WGSL text; not every provider checks it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::codegen {

/// Bytes of all `var<workgroup>` of the text, in WGSL's layout. `constants` are names that the text may use besides its
/// own. A variable of a type that this reader does not know counts as 0 bytes.
std::uint64_t workgroup_memory(std::string_view text,
                               const std::vector<std::pair<std::string, std::uint64_t>>& constants);

}  // namespace tessera::codegen
