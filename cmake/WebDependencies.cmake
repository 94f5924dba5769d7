# Defines tessera_dependencies for a browser: the packages as headers alone, in an include folder of their own, since those
# of this system lie among headers that must not be seen.
set(web_include ${CMAKE_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${web_include})
foreach(wanted fmt/format.h hwy/highway.h nlohmann/json.hpp Eigen/Core gtest/gtest.h)
  get_filename_component(package ${wanted} DIRECTORY)
  find_path(${package}_include ${wanted} PATHS ${EMSCRIPTEN_ROOT_PATH}/../../include /usr/include /usr/include/eigen3 /usr/local/include /usr/local/include/eigen3
            NO_CMAKE_FIND_ROOT_PATH NO_DEFAULT_PATH REQUIRED)
  file(CREATE_LINK ${${package}_include}/${package} ${web_include}/${package} SYMBOLIC)
endforeach()

add_library(tessera_dependencies INTERFACE)
target_include_directories(tessera_dependencies SYSTEM INTERFACE ${web_include})
set(TESSERA_HAVE_ONEDNN OFF)

# fmt 9 is compiled once; as headers alone it would take half of the time of most sources.
file(STRINGS ${web_include}/fmt/core.h fmt_version REGEX "define FMT_VERSION ")
string(REGEX REPLACE "[^0-9]*([0-9]+).*" "\\1" fmt_version "${fmt_version}")
if(fmt_version GREATER_EQUAL 90000 AND fmt_version LESS 100000)
  set(fmt_source ${CMAKE_BINARY_DIR}/generated/fmt.cpp)
  file(CONFIGURE OUTPUT ${fmt_source} CONTENT [[
#include <fmt/format-inl.h>

namespace fmt::detail {
template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
template locale_ref::locale_ref(const std::locale&);
template std::locale locale_ref::get<std::locale>() const;
template thousands_sep_result<char> thousands_sep_impl<char>(locale_ref);
template char decimal_point_impl<char>(locale_ref);
}  // namespace fmt::detail
]] @ONLY)
  add_library(fmt_static STATIC ${fmt_source})
  target_include_directories(fmt_static SYSTEM PRIVATE ${web_include})
  target_link_libraries(tessera_dependencies INTERFACE fmt_static)
else()
  target_compile_definitions(tessera_dependencies INTERFACE FMT_HEADER_ONLY)
endif()

# Highway before 1.1 (whose base.h does not say its version) has no f64 in its target for wasm; its portable one has all.
file(STRINGS ${web_include}/hwy/base.h hwy_version REGEX "define HWY_(MAJOR|MINOR) ")
string(REGEX REPLACE "[^0-9]*([0-9]+)[^0-9]+([0-9]+).*" "\\1.\\2" hwy_version "${hwy_version}")
message(STATUS "Highway: ${hwy_version}")
if(hwy_version VERSION_LESS 1.1)
  target_compile_definitions(tessera_dependencies INTERFACE HWY_COMPILE_ONLY_EMU128)
endif()
