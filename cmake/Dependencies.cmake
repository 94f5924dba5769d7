# Defines tessera_dependencies: the packages that the library links.
if(EMSCRIPTEN)
  include(WebDependencies)
  return()
endif()
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
find_package(hwy CONFIG REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)

add_library(tessera_dependencies INTERFACE)
target_link_libraries(tessera_dependencies INTERFACE fmt::fmt Threads::Threads ${CMAKE_DL_LIBS} hwy::hwy
                                                     $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
                                                     $<BUILD_INTERFACE:Eigen3::Eigen>)
if(TARGET hwy::hwy_contrib)
  target_link_libraries(tessera_dependencies INTERFACE hwy::hwy_contrib)
endif()

# By hand: oneDNN's own CMake files insist on OpenCL's headers, which we do not use.
set(TESSERA_HAVE_ONEDNN OFF)
if(TESSERA_ONEDNN)
  find_path(ONEDNN_INCLUDE_DIR dnnl.hpp)
  find_library(ONEDNN_LIBRARY dnnl)
  if(ONEDNN_INCLUDE_DIR AND ONEDNN_LIBRARY)
    set(TESSERA_HAVE_ONEDNN ON)
    target_include_directories(tessera_dependencies SYSTEM INTERFACE $<BUILD_INTERFACE:${ONEDNN_INCLUDE_DIR}>)
    target_link_libraries(tessera_dependencies INTERFACE $<BUILD_INTERFACE:${ONEDNN_LIBRARY}> $<INSTALL_INTERFACE:dnnl>)
  elseif(NOT TESSERA_ONEDNN STREQUAL "AUTO")
    message(FATAL_ERROR "TESSERA_ONEDNN=ON, but dnnl.hpp and libdnnl were not found: install libdnnl-dev.")
  endif()
endif()
message(STATUS "oneDNN: ${TESSERA_HAVE_ONEDNN} (TESSERA_ONEDNN=${TESSERA_ONEDNN})")
