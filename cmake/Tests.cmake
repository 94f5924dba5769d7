# Makes the test binaries, the benchmarks, the examples and the checks over the sources, each found by its folder.
find_package(GTest REQUIRED)
set(tests_dir ${PROJECT_SOURCE_DIR}/tests)

# What tests and benchmarks share: they may look inside the engine.
add_library(tessera_inside INTERFACE)
target_include_directories(tessera_inside INTERFACE ${PROJECT_SOURCE_DIR}/src ${tests_dir})
target_compile_definitions(tessera_inside INTERFACE TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(tessera_inside INTERFACE Tessera::tessera_static tessera_flags tessera_dependencies)

# Sanitizers: only the reports from libraries that are not ours are silenced.
set(suppressions ${PROJECT_SOURCE_DIR}/tools/sanitizers)
set(test_environment
    "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1"
    "LSAN_OPTIONS=suppressions=${suppressions}/lsan.txt:print_suppressions=0"
    "TSAN_OPTIONS=suppressions=${suppressions}/tsan.txt:second_deadlock_stack=1:print_suppressions=0"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "TESSERA_CACHE=${CMAKE_BINARY_DIR}/cache"
    "TESSERA_DUMP=${CMAKE_BINARY_DIR}/wgsl")

# Browsers use every core and much memory: one runs at a time. Software adapters spend most of their time in compiling
# shaders, on one thread.
function(tessera_add_test name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77 ENVIRONMENT "${test_environment}")
  if(name MATCHES "^(web_|chromium_)" AND NOT name STREQUAL "web_dawn")
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK browser)
  endif()
endfunction()

# tests/support/*.cpp: linked to every test.
file(GLOB_RECURSE support_sources CONFIGURE_DEPENDS ${tests_dir}/support/*.cpp)
if(support_sources)
  add_library(test_support STATIC ${support_sources})
  target_link_libraries(test_support PUBLIC tessera_inside GTest::gtest)
  # Tests are compiled quickly; what takes their time is in the engine.
  if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    target_compile_options(test_support PUBLIC -O1)
  endif()
  if(TESSERA_PCH)
    target_precompile_headers(test_support PRIVATE ${tests_dir}/support/precompiled.h)
    set_target_properties(test_support PROPERTIES POSITION_INDEPENDENT_CODE OFF)  # as programs are: they share it
  endif()
endif()

# tests/<name>/**/*_test.cpp: one binary test_<name> and one ctest entry <name>.
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${tests_dir}/*.cpp)
set(test_names ${test_sources})
list(FILTER test_names INCLUDE REGEX "_test\\.cpp$")
list(TRANSFORM test_names REPLACE "^${tests_dir}/" "")
list(FILTER test_names INCLUDE REGEX "/")
list(TRANSFORM test_names REPLACE "/.*" "")
list(REMOVE_DUPLICATES test_names)
list(REMOVE_ITEM test_names support)
foreach(name IN LISTS test_names)
  set(sources ${test_sources})
  list(FILTER sources INCLUDE REGEX "^${tests_dir}/${name}/")
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE tessera_inside)
  if(TARGET test_support)
    target_link_libraries(test_${name} PRIVATE test_support)
    if(TESSERA_PCH)
      target_precompile_headers(test_${name} REUSE_FROM test_support)
      set_target_properties(test_${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    endif()
  endif()
  tessera_compile_together(test_${name})
  if(EXISTS ${tests_dir}/${name}/main.cpp)
    target_link_libraries(test_${name} PRIVATE GTest::gtest)
  else()
    target_link_libraries(test_${name} PRIVATE GTest::gtest_main)
  endif()
  if(NOT name STREQUAL "matrix")
    tessera_add_test(${name} test_${name})
  endif()
endforeach()
# In a full run, on a software adapter.
set_tests_properties(conformance conv random_graphs PROPERTIES TIMEOUT 2700)

# Matrix units on the software driver that ./test gets; without it, what the generator makes is looked at all the same.
# Sanitizers do not run under its loader.
set(mesa ${PROJECT_SOURCE_DIR}/build/_deps/mesa/run)
if(TESSERA_SANITIZE OR NOT TESSERA_PROVIDER STREQUAL "wgpu-rs")
  set(mesa "")
endif()
tessera_add_test(matrix sh ${tests_dir}/matrix/run.sh "${mesa}" $<TARGET_FILE:test_matrix> $<TARGET_FILE:test_conformance>
                 $<TARGET_FILE:test_attention>)
set_property(TEST matrix APPEND PROPERTY ENVIRONMENT "TESSERA_TEST_DEVICE=webgpu:llvmpipe" "GALLIVM_PERF=nopt"
                                                     "MESA_SHADER_CACHE_DIR=${CMAKE_BINARY_DIR}/cache/mesa")
set_tests_properties(matrix PROPERTIES TIMEOUT 5400)

# Where both providers are there, the one that is not taken by itself serves a few suites, and all in a full run, with the
# sizes of a plain one.
list(LENGTH TESSERA_PROVIDER_FILES providers)
if(providers GREATER 1)
  list(GET TESSERA_PROVIDER_FILES 1 other)
  tessera_add_test(webgpu_on_wgpu-native test_webgpu)
  tessera_add_test(conformance_on_wgpu-native test_conformance --gtest_filter=On/Matmul.*:On/Horizontal.*:On/Rows.*)
  set(all_suites ${test_names})
  list(TRANSFORM all_suites REPLACE "(.+)" "$<TARGET_FILE:test_\\1>")
  tessera_add_test(all_on_wgpu-native sh -c
                   "test -n \"$TESSERA_TEST_FULL\" || exit 77\nunset TESSERA_TEST_FULL\nfor suite\ndo \"$suite\" || exit 1\ndone" sh ${all_suites})
  set_tests_properties(all_on_wgpu-native PROPERTIES TIMEOUT 3600)
  set_property(TEST webgpu_on_wgpu-native conformance_on_wgpu-native all_on_wgpu-native
               APPEND PROPERTY ENVIRONMENT "TESSERA_WEBGPU_LIBRARY=${other}")
endif()

# The tests of what cargo builds; in the release profile, and of the same packages, whose dependencies are built already.
if(TESSERA_CARGO)
  tessera_add_test(providers ${TESSERA_CARGO_COMMAND} test --release --locked ${TESSERA_CARGO_PACKAGES})
  set_property(TEST providers APPEND PROPERTY ENVIRONMENT
               "TESSERA_WEBGPU_HEADERS=${TESSERA_WEBGPU_INCLUDE_DIR}")
endif()

# tests/distributed runs as one process by itself, and here as several. Sanitizers report what MPI leaves behind.
if(NOT TESSERA_SANITIZE)
  find_program(TESSERA_MPIRUN mpirun)
  set(mpi_library ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/tessera/libtessera_mpi.so)
  set(in_ranks sh ${tests_dir}/distributed/run.sh "${TESSERA_MPIRUN}")
  foreach(ranks 1 2 4)
    tessera_add_test(distributed_${ranks} ${in_ranks} ${ranks} $<TARGET_FILE:test_distributed> ${mpi_library})
    set_tests_properties(distributed_${ranks} PROPERTIES PROCESSORS ${ranks})
  endforeach()
  tessera_add_test(distributed_lost ${in_ranks} 3 $<TARGET_FILE:test_distributed> ${mpi_library} lost)
  tessera_add_test(distributed_faults python3 ${tests_dir}/distributed/check_faults.py "${TESSERA_MPIRUN}" $<TARGET_FILE:tessera_app> ${mpi_library})
  set_tests_properties(distributed_faults PROPERTIES PROCESSORS 2)
endif()
if(TARGET tessera_mpi)
  add_dependencies(test_distributed tessera_mpi)
endif()

# tests/golden runs the rows of `tessera bench` on devices that compute nothing, tests/train the parts of `tessera train`.
foreach(name golden train)
  if(TARGET test_${name})
    target_sources(test_${name} PRIVATE $<TARGET_OBJECTS:tessera_app_objects>)
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/apps)
    target_link_libraries(test_${name} PRIVATE nlohmann_json::nlohmann_json)
  endif()
endforeach()

# tests/nn reads PyTorch's numbers, and tests/quant those of gguf.
foreach(name IN ITEMS nn quant)
  if(TARGET test_${name})
    find_package(nlohmann_json REQUIRED)
    target_link_libraries(test_${name} PRIVATE nlohmann_json::nlohmann_json)
  endif()
endforeach()

# tests/text reads JSON of its own.
if(TARGET test_text)
  find_package(nlohmann_json REQUIRED)
  target_link_libraries(test_text PRIVATE nlohmann_json::nlohmann_json)
endif()

# tests/apps starts the command line.
if(TARGET test_apps)
  add_dependencies(test_apps tessera_app)
endif()

# Tests in a folder called webgpu may include webgpu.h, as the code they mirror does.
target_compile_options(test_webgpu PRIVATE ${TESSERA_WEBGPU_OPTIONS})
set(sources ${test_sources})
list(FILTER sources INCLUDE REGEX "^${tests_dir}/.+/webgpu/")
set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${TESSERA_WEBGPU_OPTIONS}")

# Its operator new would be seen, and warned about, in the sources beside it.
set_source_files_properties(${tests_dir}/schedule/allocations.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# benchmarks/*.cpp: a binary each.
file(GLOB benchmark_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/*.cpp)
if(benchmark_sources)
  find_package(benchmark REQUIRED)
endif()
foreach(source IN LISTS benchmark_sources)
  get_filename_component(name ${source} NAME_WE)
  if(NOT name MATCHES "^bench_")
    set(name bench_${name})
  endif()
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE tessera_inside benchmark::benchmark)
endforeach()

# examples/*.cpp: a binary and a ctest entry each; they link what users link.
add_subdirectory(${PROJECT_SOURCE_DIR}/examples ${CMAKE_BINARY_DIR}/examples)
get_property(examples DIRECTORY ${PROJECT_SOURCE_DIR}/examples PROPERTY BUILDSYSTEM_TARGETS)
foreach(name IN LISTS examples)
  target_link_libraries(${name} PRIVATE tessera_flags)
  tessera_add_test(${name} ${name})
endforeach()

# Installs, moves and packs what was built, and builds programs against it. Sanitized libraries are for the tests alone.
if(PROJECT_IS_TOP_LEVEL AND NOT TESSERA_SANITIZE)
  tessera_add_test(install python3 ${tests_dir}/install/install_test.py ${CMAKE_BINARY_DIR})
endif()
# In a page of headless Chromium: the C++ tests against the oracle, and the package's JavaScript. ./test builds both.
if(NOT TESSERA_SANITIZE)
  set(in_node sh ${tests_dir}/web/run.sh)
  # Left out: operands of many kinds, and products side by side on a device with less, which are as many shaders for
  # SwiftShader to compile; web_dawn has their texts. Of the slowest that remain, a quarter (CONTRIBUTING.md).
  tessera_add_test(
    web_conformance ${in_node} program.mjs test_conformance
    --in-turn=On/Horizontal.Views*,On/Horizontal.AllTypes*,On/Matmul.LongSums*,On/Matmul.Transposed*,On/Elementwise.Binary*,On/Horizontal.Columns*,On/Elementwise.Unary*,On/Horizontal.WorkOn*,On/Matmul.Narrow*,On/Matmul.Batches*,On/Matmul.Epilogues*,On/Matmul.AllTypes*,On/Prologue.SeveralProducts*,On/Prologue.Batches*,Reduced/Reduce.LongRows*,On/Reduce.LongRows*
    --gtest_filter=-Reduced/Prologue.*:Reduced/Horizontal.*:*Prologue.SizesInEachPlace*:*Prologue.AllTypes*:*Prologue.RowsColumns*:*Prologue.Views*:*Prologue.Halves*:*Prologue.Beside*)
  # Left out: tests that start threads, or have a thread of the device call back by itself.
  tessera_add_test(
    web_provider ${in_node} program.mjs test_webgpu
    --gtest_filter=-*Thread*:*DestroyBesideUse:CoreTest.CallbacksThatWait*:Transfer.NothingToRead*:Transfer.OnDone*:Transfer.ACallbackMay*:Transfer.TheLastOwner*)
  tessera_add_test(web_package ${in_node} api.mjs)
  tessera_add_test(web_fresh_project ${in_node} fresh_project.mjs)
  tessera_add_test(web_pages ${in_node} pages.mjs)
  set_tests_properties(web_conformance web_provider web_package web_fresh_project web_pages PROPERTIES LABELS web)
  set_property(TEST web_conformance APPEND PROPERTY ENVIRONMENT "TESSERA_TEST_DEVICE=webgpu")
  set_property(TEST web_provider APPEND PROPERTY ENVIRONMENT "TESSERA_TEST_ADAPTER=swiftshader")
endif()

# The Python package, in the environment that ./test makes: its tests, doctests and types; and as a wheel in an empty one.
if(PROJECT_IS_TOP_LEVEL AND NOT TESSERA_SANITIZE)
  if(TESSERA_PYTHON)
    set(python ${Python_EXECUTABLE})
  else()
    set(python "")
  endif()
  tessera_add_test(python sh ${tests_dir}/python/run.sh "${python}" ${CMAKE_BINARY_DIR})
  tessera_add_test(python_wheel sh ${tests_dir}/python/wheel.sh "${python}" ${CMAKE_BINARY_DIR})
  set_tests_properties(python python_wheel PROPERTIES LABELS python)
endif()

# PyPI's tensorboard reads our event files; the test installs it into the build folder. It needs NumPy.
if(TESSERA_PYTHON)
  set(numpy_python ${Python_EXECUTABLE})
else()
  set(numpy_python python3)
endif()
tessera_add_test(tensorboard ${numpy_python} ${tests_dir}/trainer/check_tensorboard.py $<TARGET_FILE:tessera_app> ${CMAKE_BINARY_DIR})

# Parsers of files under libFuzzer, in full runs; test_io replays their corpus.
if(NOT TESSERA_SANITIZE)
  tessera_add_test(fuzz sh ${tests_dir}/io/fuzz/run.sh ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR})
endif()

# Checks over the sources.
tessera_add_test(layering python3 ${PROJECT_SOURCE_DIR}/tools/check_layers.py)
tessera_add_test(layering_self_test python3 ${PROJECT_SOURCE_DIR}/tools/check_layers.py --self-test)
tessera_add_test(terms python3 ${PROJECT_SOURCE_DIR}/tools/check_terms.py)
tessera_add_test(terms_self_test python3 ${PROJECT_SOURCE_DIR}/tools/check_terms.py --self-test)
tessera_add_test(ops_page python3 ${PROJECT_SOURCE_DIR}/tools/check_ops.py $<TARGET_FILE:tessera_app>
                 $<TARGET_FILE:tessera>)
tessera_add_test(members python3 ${PROJECT_SOURCE_DIR}/tools/members.py --check)
tessera_add_test(headers python3 ${tests_dir}/install/headers_test.py ${CMAKE_CXX_COMPILER})
tessera_add_test(format ${PROJECT_SOURCE_DIR}/tools/format.sh --check)

# Files, kernels and weights in a page and a worker; and what a step asks of WebGPU beside other libraries.
if(NOT TESSERA_SANITIZE)
  tessera_add_test(web_modules ${in_node} modules.mjs)
  tessera_add_test(web_comparison ${in_node} ../../benchmarks/web/compare.mjs --check)
  set_tests_properties(web_modules web_comparison PROPERTIES LABELS web)
endif()

# The slowest start first, whatever a build folder knows of earlier runs, and those in a browser, of which one runs at a time,
# before all others.
set(slowest attention 30 limits 35 sort 35 install 40 python 40 conformance_on_wgpu-native 40 headers 50 edges 60 random_graphs 85
    python_wheel 100 conv 110 matrix 150 conformance 165 web_provider 1010 web_fresh_project 1020 web_package 1040 web_modules 1070
    web_pages 1100 web_comparison 1120 web_conformance 1150)
while(slowest)
  list(POP_FRONT slowest name cost)
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES COST ${cost})
  endif()
endwhile()

# Every WGSL that the tests above made also compiles in Chromium and in Dawn in Node, which has f16 and subgroups, which SwiftShader
# in Chromium lacks, and where the package runs too. After all others: ctest sorts those by their costs.
get_property(others DIRECTORY PROPERTY TESTS)
if(NOT TESSERA_SANITIZE)
  tessera_add_test(web_dawn ${in_node} dawn.mjs ${CMAKE_BINARY_DIR}/wgsl)
  set_tests_properties(web_dawn PROPERTIES LABELS web DEPENDS "${others}")
endif()
tessera_add_test(chromium_wgsl python3 ${PROJECT_SOURCE_DIR}/tools/check_wgsl.py ${CMAKE_BINARY_DIR}/wgsl)
set_tests_properties(chromium_wgsl PROPERTIES DEPENDS "${others}")
