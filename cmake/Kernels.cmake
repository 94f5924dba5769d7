# Embeds src/kernels/*.wgsl: sets TESSERA_KERNELS_SOURCE to the generated C++ file behind src/kernels/kernels.h.
file(GLOB_RECURSE kernel_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernels/*.wgsl)
set(TESSERA_KERNELS_SOURCE ${CMAKE_BINARY_DIR}/generated/kernels.cpp)
add_custom_command(
  OUTPUT ${TESSERA_KERNELS_SOURCE}
  COMMAND ${CMAKE_COMMAND} "-DFILES=${kernel_files}" -DOUTPUT=${TESSERA_KERNELS_SOURCE}
          -P ${CMAKE_CURRENT_LIST_DIR}/EmbedKernels.cmake
  DEPENDS ${kernel_files} ${CMAKE_CURRENT_LIST_DIR}/EmbedKernels.cmake
  COMMENT "Embedding the WGSL kernels"
  VERBATIM)
