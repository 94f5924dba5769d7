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
target_compile_definitions(tessera_dependencies INTERFACE FMT_HEADER_ONLY)
set(TESSERA_HAVE_ONEDNN OFF)

# Highway before 1.1 (whose base.h does not say its version) has no f64 in its target for wasm; its portable one has all.
file(STRINGS ${web_include}/hwy/base.h hwy_version REGEX "define HWY_(MAJOR|MINOR) ")
string(REGEX REPLACE "[^0-9]*([0-9]+)[^0-9]+([0-9]+).*" "\\1.\\2" hwy_version "${hwy_version}")
message(STATUS "Highway: ${hwy_version}")
if(hwy_version VERSION_LESS 1.1)
  target_compile_definitions(tessera_dependencies INTERFACE HWY_COMPILE_ONLY_EMU128)
endif()
