# Script: writes OUTPUT, a C++ file that holds the text of each file in FILES, found by its name without extension.
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(APPEND entries "    {\"${name}\", R\"__wgsl__(${text})__wgsl__\"},\n")
endforeach()

file(WRITE "${OUTPUT}" "// Generated from src/kernels/*.wgsl.
#include \"kernels/kernels.h\"

#include <utility>

namespace tessera::kernels {

std::string_view wgsl(std::string_view name) {
  // The empty entry at the end keeps the table valid without kernels.
  static constexpr std::pair<std::string_view, std::string_view> kTable[] = {
${entries}    {},
  };
  for (const auto& [key, text] : kTable) {
    if (key == name) return text;
  }
  return {};
}

}  // namespace tessera::kernels
")
