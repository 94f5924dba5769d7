# Builds for a browser: the engine with the provider over navigator.gpu, the package and the test programs.
set(web_source ${PROJECT_SOURCE_DIR}/providers/web)
set(web_options -fwasm-exceptions -msimd128)
add_compile_definitions(_LIBCPP_ENABLE_EXPERIMENTAL)  # std::stop_token
add_compile_options(${web_options})
add_link_options(${web_options})

# The engine as it is, but for the files that open shared libraries, and the tokenizers that come from one. Image files and
# collectives of several processes are an Error there: providers/web/image.cpp and distributed.cpp.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/src/runtime/webgpu/provider/library.cpp
     ${PROJECT_SOURCE_DIR}/src/base/os/library_posix.cpp ${PROJECT_SOURCE_DIR}/src/base/os/own_library.cpp
     ${PROJECT_SOURCE_DIR}/src/api/distributed/mpi.cpp ${PROJECT_SOURCE_DIR}/src/data/image_library.cpp ${PROJECT_SOURCE_DIR}/src/text/chat_template.cpp
     ${PROJECT_SOURCE_DIR}/src/text/library.cpp ${PROJECT_SOURCE_DIR}/src/text/stream_decoder.cpp
     ${PROJECT_SOURCE_DIR}/src/text/tokenizer.cpp)
file(GLOB provider_sources CONFIGURE_DEPENDS ${web_source}/*.cpp)
# What runs for a file, or for a trace, is compiled for size: the package is loaded over a network.
set(small_sources ${sources})
list(FILTER small_sources INCLUDE REGEX "/src/(io|llm|nn|optim|train)/")
list(REMOVE_ITEM sources ${small_sources})
add_library(tessera_small OBJECT ${small_sources})
target_compile_options(tessera_small PRIVATE -Oz)
add_library(tessera_static STATIC ${sources} ${provider_sources} ${TESSERA_KERNELS_SOURCE} $<TARGET_OBJECTS:tessera_small>)
add_library(Tessera::tessera_static ALIAS tessera_static)
foreach(target tessera_small tessera_static)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE tessera_flags tessera_dependencies)
  if(TESSERA_PCH)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/base/precompiled.h)
  endif()
endforeach()
set(webgpu_sources ${sources})
list(FILTER webgpu_sources INCLUDE REGEX "/src/runtime/webgpu/")
set_source_files_properties(${webgpu_sources} ${provider_sources} PROPERTIES COMPILE_OPTIONS "${TESSERA_WEBGPU_OPTIONS}")

# tessera_web_program(TARGET): links a program or module with the provider's JavaScript.
function(tessera_web_program target)
  target_link_libraries(${target} PRIVATE Tessera::tessera_static)
  target_link_options(
    ${target} PRIVATE "SHELL:--js-library ${web_source}/webgpu.js" -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=2MB
    -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web,worker)
  set_target_properties(${target} PROPERTIES SUFFIX .mjs LINK_DEPENDS ${web_source}/webgpu.js)
endfunction()

# The package: a module without a main, driven by callbacks, with the JavaScript around it.
set(package_source ${PROJECT_SOURCE_DIR}/bindings/web)
set(package ${CMAKE_BINARY_DIR}/package)
set(generated ${CMAKE_BINARY_DIR}/generated/web)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tessera/*.h)
add_custom_command(
  OUTPUT ${generated}/ops.cpp ${generated}/ops.js ${generated}/ops.d.ts
  COMMAND ${Python3_EXECUTABLE} ${package_source}/generate.py ${generated}
  COMMAND ${CMAKE_COMMAND} -E touch ${generated}/ops.cpp ${generated}/ops.js ${generated}/ops.d.ts
  DEPENDS ${package_source}/generate.py ${PROJECT_SOURCE_DIR}/bindings/headers.py ${headers} ${PROJECT_SOURCE_DIR}/docs/ops.md
  COMMENT "Binding the ops for JavaScript")
file(GLOB module_sources CONFIGURE_DEPENDS ${package_source}/src/*.cpp)
add_executable(tessera_module ${module_sources} ${generated}/ops.cpp)
target_include_directories(tessera_module PRIVATE ${package_source}/src)
target_link_libraries(tessera_module PRIVATE tessera_flags tessera_dependencies)
tessera_web_program(tessera_module)
# What a call of JavaScript takes is in the engine; the package is loaded over a network.
target_compile_options(tessera_module PRIVATE -Oz)
set_target_properties(tessera_module PROPERTIES OUTPUT_NAME tessera)
set_property(TARGET tessera_module APPEND PROPERTY LINK_DEPENDS ${package_source}/src/callbacks.js)
target_link_options(
  tessera_module PRIVATE --no-entry "SHELL:--js-library ${package_source}/src/callbacks.js" -sFILESYSTEM=0
  -sEXPORTED_RUNTIME_METHODS=UTF8ToString,stringToNewUTF8,TesseraWeb,HEAPU8,HEAP32,HEAPU32,HEAPF64
  -sEXPORTED_FUNCTIONS=_malloc,_free -sINCOMING_MODULE_JS_API=locateFile,wasmBinary,print,printErr)
file(GLOB package_files CONFIGURE_DEPENDS ${package_source}/*.js ${package_source}/*.d.ts ${package_source}/package.json
     ${package_source}/README.md)
list(APPEND package_files ${PROJECT_SOURCE_DIR}/LICENSE ${generated}/ops.js ${generated}/ops.d.ts)
add_custom_command(
  OUTPUT ${package}/.made
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${package}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${package}
  COMMAND ${CMAKE_COMMAND} -E copy ${package_files} $<TARGET_FILE:tessera_module>
          $<TARGET_FILE_DIR:tessera_module>/tessera.wasm ${package}
  COMMAND ${CMAKE_COMMAND} -E touch ${package}/.made
  DEPENDS ${package_files} tessera_module
  COMMENT "Putting the package together in build/web/package")
# The pages, beside the package that they import: serve build/web and open demo/index.html.
set(demo ${CMAKE_BINARY_DIR}/demo)
file(GLOB demo_files CONFIGURE_DEPENDS ${package_source}/demo/*)
add_custom_command(
  OUTPUT ${demo}/.made
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${demo}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${demo}
  COMMAND ${CMAKE_COMMAND} -E copy ${demo_files} ${demo}
  COMMAND ${CMAKE_COMMAND} -E touch ${demo}/.made
  DEPENDS ${demo_files}
  COMMENT "Copying the pages to build/web/demo")
add_custom_target(package_web ALL DEPENDS ${package}/.made ${demo}/.made)

# The C++ tests, as programs for a page: they wait by suspending, and tests/web runs them.
if(TESSERA_TESTS)
  find_path(gtest_source src/gtest-all.cc PATHS /usr/src/googletest/googletest NO_CMAKE_FIND_ROOT_PATH NO_DEFAULT_PATH REQUIRED)
  set(tests_dir ${PROJECT_SOURCE_DIR}/tests)
  file(GLOB support_sources CONFIGURE_DEPENDS ${tests_dir}/support/*.cpp)
  add_library(test_support STATIC ${support_sources} ${gtest_source}/src/gtest-all.cc ${gtest_source}/src/gtest_main.cc)
  set_source_files_properties(${gtest_source}/src/gtest-all.cc PROPERTIES COMPILE_OPTIONS "-I${gtest_source};-w")
  target_compile_definitions(test_support PUBLIC TESSERA_SOURCE_DIR="" GTEST_HAS_PTHREAD=0)
  target_include_directories(test_support PUBLIC ${PROJECT_SOURCE_DIR}/src ${tests_dir})
  target_link_libraries(test_support PUBLIC Tessera::tessera_static tessera_flags tessera_dependencies)
  # Tests are compiled and linked quickly; what takes their time is in the engine.
  target_compile_options(test_support PUBLIC -O1)
  target_link_options(test_support PUBLIC -O1)
  foreach(name conformance webgpu)
    file(GLOB sources CONFIGURE_DEPENDS ${tests_dir}/${name}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "/webgpu/(provider|pipeline_store)_test.cpp")  # of shared libraries and files
    add_executable(test_${name} ${sources})
    tessera_compile_together(test_${name})
    target_link_libraries(test_${name} PRIVATE test_support)
    target_link_options(test_${name} PRIVATE -sJSPI=1 -sEXIT_RUNTIME=1 -sEXPORTED_RUNTIME_METHODS=ENV)
    tessera_web_program(test_${name})
  endforeach()
  target_compile_options(test_webgpu PRIVATE ${TESSERA_WEBGPU_OPTIONS})
endif()
