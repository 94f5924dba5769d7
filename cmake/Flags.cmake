# Defines tessera_flags: the warnings and sanitizers that all of our own code is compiled with.
add_library(tessera_flags INTERFACE)
target_compile_options(tessera_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                               -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tessera_flags INTERFACE -Wno-restrict)  # false alarms in std::string of GCC 12
endif()
if(TESSERA_WERROR)
  # Not in Release, which users build: GCC 12's -O3 sees array bounds passed where none are.
  target_compile_options(tessera_flags INTERFACE $<$<NOT:$<CONFIG:Release>>:-Werror>)
endif()

if(TESSERA_SANITIZE)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(tessera_flags INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow
                           -Wno-stringop-overread)  # false alarms in <regex> and <string> when sanitizing
  endif()
  # Global, so that every object of the build agrees.
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
  # Eigen loads complex numbers of two floats as if they were doubles.
  file(GLOB eigen_users ${PROJECT_SOURCE_DIR}/src/ops/linalg/decompose/*.cpp)
  set_source_files_properties(${eigen_users} PROPERTIES COMPILE_DEFINITIONS EIGEN_DONT_VECTORIZE)
endif()

# tessera_compile_together(TARGET): compiles four sources at a time, since half of the time of a small one goes into the headers.
# Helpers in anonymous namespaces need names that differ within a folder.
function(tessera_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # it takes sources that are included for headers
  endif()
endfunction()
