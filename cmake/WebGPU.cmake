# Provides webgpu.h, wgpu.h and libwgpu_native.so, from TESSERA_WEBGPU_ROOT, else from the pinned Python wheel; with
# TESSERA_PROVIDER=wgpu-rs the provider of our own; and with TESSERA_TEXT the libraries of tokenizers and of image files.
set(wgpu_version 0.32.0)
set(wgpu_sha256_webgpu.h a483031c3fed05ea5dd1c74082a71676c46c5b2b820ccca10da515c033efc997)
set(wgpu_sha256_wgpu.h 7bd23656d394f620a804b1f174444ea17082b6d330a2fca0c0e6b1121ec4b284)
set(wgpu_sha256_x86_64 be0d8270dd9d78e1039eeb413ee21be8a89776a752e56d6b0f57eefbbc2d749c)
set(wgpu_sha256_aarch64 51d8a711c9a687f824712c42a206800b69f14eff8667a88f2f86936cdef0ebd0)

function(tessera_webgpu_fail reason)
  message(FATAL_ERROR "WebGPU headers: ${reason}; or configure with -DTESSERA_WEBGPU_ROOT=DIR, where DIR holds "
                      "webgpu.h, wgpu.h and, if you like, libwgpu_native.so.")
endfunction()

# Sets `out` to whether `dir` holds the three files with the right contents.
function(tessera_webgpu_verify dir arch out)
  set(wgpu_sha256_libwgpu_native.so ${wgpu_sha256_${arch}})
  set(${out} ON PARENT_SCOPE)
  foreach(name webgpu.h wgpu.h libwgpu_native.so)
    set(actual missing)
    if(EXISTS ${dir}/${name})
      file(SHA256 ${dir}/${name} actual)
    endif()
    if(NOT actual STREQUAL wgpu_sha256_${name})
      set(${out} OFF PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Sets `out` to a Python that has pip.
function(tessera_find_pip out)
  foreach(python python3 /usr/bin/python3)
    execute_process(COMMAND ${python} -m pip --version RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
      set(${out} ${python} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  tessera_webgpu_fail("python3 with pip is needed to download them (on Debian: apt-get install python3-pip)")
endfunction()

# Downloads and unpacks the wheel into `dir`.
function(tessera_webgpu_download dir arch)
  tessera_find_pip(python)
  message(STATUS "WebGPU: downloading wgpu ${wgpu_version} for ${arch}")
  set(temporary ${dir}.tmp)
  file(REMOVE_RECURSE ${dir} ${temporary})
  execute_process(
    COMMAND ${python} -m pip download --quiet --disable-pip-version-check --no-input --no-deps --only-binary=:all:
            --platform manylinux_2_28_${arch} --require-hashes
            --requirement ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/wgpu-requirements.txt --dest ${temporary}
    RESULT_VARIABLE result ERROR_VARIABLE errors)
  file(GLOB wheel ${temporary}/wgpu-*.whl)
  if(NOT result EQUAL 0 OR NOT wheel)
    message(STATUS "pip said:\n${errors}")
    tessera_webgpu_fail("pip could not download wgpu ${wgpu_version}: check the network and pip's configuration")
  endif()
  file(ARCHIVE_EXTRACT INPUT ${wheel} DESTINATION ${temporary} PATTERNS "wgpu/resources/*")
  file(MAKE_DIRECTORY ${dir})
  file(RENAME ${temporary}/wgpu/resources/webgpu.h ${dir}/webgpu.h)
  file(RENAME ${temporary}/wgpu/resources/wgpu.h ${dir}/wgpu.h)
  file(RENAME ${temporary}/wgpu/resources/libwgpu_native-release.so ${dir}/libwgpu_native.so)
  file(REMOVE_RECURSE ${temporary})
endfunction()

if(TESSERA_WEBGPU_ROOT)
  set(TESSERA_WEBGPU_INCLUDE_DIR ${TESSERA_WEBGPU_ROOT})
  if(NOT EXISTS ${TESSERA_WEBGPU_ROOT}/webgpu.h OR NOT EXISTS ${TESSERA_WEBGPU_ROOT}/wgpu.h)
    tessera_webgpu_fail("${TESSERA_WEBGPU_ROOT} holds no webgpu.h and wgpu.h: correct TESSERA_WEBGPU_ROOT or unset it")
  endif()
  file(GLOB webgpu_library ${TESSERA_WEBGPU_ROOT}/libwgpu_native.so ${TESSERA_WEBGPU_ROOT}/libwgpu_native-release.so)
  list(SUBLIST webgpu_library 0 1 webgpu_library)
else()
  set(system ${CMAKE_SYSTEM_NAME})
  set(arch ${CMAKE_SYSTEM_PROCESSOR})
  if(EMSCRIPTEN)  # of the wheel only the headers are used
    set(system ${CMAKE_HOST_SYSTEM_NAME})
    set(arch ${CMAKE_HOST_SYSTEM_PROCESSOR})
  endif()
  if(NOT system STREQUAL "Linux" OR NOT DEFINED wgpu_sha256_${arch})
    tessera_webgpu_fail("no wheel is pinned for ${system} ${arch}: add its hashes to cmake/")
  endif()
  # One folder for all presets, so only the first one downloads.
  set(TESSERA_WEBGPU_INCLUDE_DIR ${PROJECT_SOURCE_DIR}/build/_deps/wgpu-${wgpu_version})
  file(LOCK ${PROJECT_SOURCE_DIR}/build/_deps/wgpu.lock GUARD FILE TIMEOUT 300)
  tessera_webgpu_verify(${TESSERA_WEBGPU_INCLUDE_DIR} ${arch} webgpu_ok)
  if(NOT webgpu_ok)
    tessera_webgpu_download(${TESSERA_WEBGPU_INCLUDE_DIR} ${arch})
    tessera_webgpu_verify(${TESSERA_WEBGPU_INCLUDE_DIR} ${arch} webgpu_ok)
    if(NOT webgpu_ok)
      tessera_webgpu_fail("the downloaded wheel does not hold the expected files: correct the hashes in cmake/")
    endif()
  endif()
  set(webgpu_library ${TESSERA_WEBGPU_INCLUDE_DIR}/libwgpu_native.so)
endif()
message(STATUS "WebGPU: ${TESSERA_WEBGPU_INCLUDE_DIR}")

# Sets `ok` to whether a cargo is of the version `needed` or newer, and `cargo_version` to its version.
function(tessera_check_cargo ok cargo)
  execute_process(COMMAND ${cargo} --version OUTPUT_VARIABLE version ERROR_QUIET)
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${version}")
  set(cargo_version "${version}" PARENT_SCOPE)
  if(NOT version OR version VERSION_LESS needed)
    set(${ok} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Sets TESSERA_CARGO to the first cargo that is new enough for providers/, as tools/rust.sh does, and
# TESSERA_CARGO_COMMAND to how it is called: with one target folder for all presets, so only the first one builds.
function(tessera_find_cargo source)
  file(STRINGS ${source}/wgpu-rs/Cargo.toml needed REGEX "^rust-version")
  string(REGEX REPLACE "[^0-9.]" "" needed "${needed}")
  if(TESSERA_CARGO AND NOT EXISTS ${TESSERA_CARGO})
    unset(TESSERA_CARGO CACHE)
  endif()
  find_program(TESSERA_CARGO cargo HINTS $ENV{HOME}/.cargo/bin PATHS ${PROJECT_SOURCE_DIR}/build/_deps/rust
               VALIDATOR tessera_check_cargo)
  set(ok TRUE)
  if(TESSERA_CARGO)
    tessera_check_cargo(ok ${TESSERA_CARGO})
  endif()
  if(NOT TESSERA_CARGO OR NOT ok)
    unset(TESSERA_CARGO CACHE)
    message(FATAL_ERROR "TESSERA_PROVIDER=wgpu-rs and TESSERA_TEXT=ON need cargo ${needed} or newer, and there is none in ~/.cargo/bin or PATH. "
                        "tools/rust.sh gets one on Debian and Ubuntu; rustup.rs has it too. Or configure with "
                        "-DTESSERA_PROVIDER=wgpu-native -DTESSERA_TEXT=OFF.")
  endif()
  set(TESSERA_CARGO_COMMAND
      ${CMAKE_COMMAND} -E env CARGO_TARGET_DIR=${PROJECT_SOURCE_DIR}/build/_deps/wgpu-rs --unset=RUSTFLAGS
      ${CMAKE_COMMAND} -E chdir ${source} ${TESSERA_CARGO}
      PARENT_SCOPE)
  message(STATUS "providers/ with cargo ${cargo_version}")
endfunction()

# The engine loads its provider at run time; the build folder has them where an installation has them, ours first.
set(provider_dir ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/tessera)
set(rust_source ${PROJECT_SOURCE_DIR}/providers)
set(TESSERA_PROVIDER_FILES "")
set(TESSERA_TEXT_FILES "")
set(TESSERA_TEXT_OPTIONS -isystem${rust_source}/text-rs/include -isystem${rust_source}/image-rs/include)
set(TESSERA_WEBGPU_OPTIONS -isystem${TESSERA_WEBGPU_INCLUDE_DIR} -isystem${rust_source}/wgpu-rs/include)
if(EMSCRIPTEN)
  return()  # the provider is linked: providers/web
endif()
if(NOT TESSERA_PROVIDER MATCHES "^wgpu-(rs|native)$")
  message(FATAL_ERROR "TESSERA_PROVIDER is '${TESSERA_PROVIDER}': choose wgpu-rs or wgpu-native.")
endif()
# What cargo builds, in one call: the provider, and the libraries of text and of images.
set(rust_libraries "")
set(TESSERA_CARGO_PACKAGES "")
foreach(package wgpu text image)
  if((package STREQUAL "wgpu" AND TESSERA_PROVIDER STREQUAL "wgpu-rs") OR (NOT package STREQUAL "wgpu" AND TESSERA_TEXT))
    list(APPEND TESSERA_CARGO_PACKAGES --package tessera-${package})
    list(APPEND rust_libraries ${CMAKE_SHARED_LIBRARY_PREFIX}tessera_${package}${CMAKE_SHARED_LIBRARY_SUFFIX})
  else()
    file(GLOB stale ${provider_dir}/*tessera_${package}.*)
    if(stale)
      file(REMOVE ${stale})
    endif()
  endif()
endforeach()
if(rust_libraries)
  tessera_find_cargo(${rust_source})
  file(GLOB_RECURSE rust_sources CONFIGURE_DEPENDS ${rust_source}/wgpu-rs/src/*.rs ${rust_source}/text-rs/src/*.rs
       ${rust_source}/image-rs/src/*.rs)
  list(TRANSFORM rust_libraries PREPEND ${PROJECT_SOURCE_DIR}/build/_deps/wgpu-rs/release/ OUTPUT_VARIABLE built)
  list(TRANSFORM rust_libraries PREPEND ${provider_dir}/)
  add_custom_command(
    OUTPUT ${rust_libraries}
    COMMAND ${TESSERA_CARGO_COMMAND} build --release --locked --quiet ${TESSERA_CARGO_PACKAGES}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${provider_dir}
    COMMAND ${CMAKE_COMMAND} -E copy ${built} ${provider_dir}
    DEPENDS ${rust_sources} ${rust_source}/Cargo.toml ${rust_source}/Cargo.lock ${rust_source}/wgpu-rs/Cargo.toml
            ${rust_source}/text-rs/Cargo.toml ${rust_source}/image-rs/Cargo.toml
    COMMENT "Building the Rust libraries of providers/")
  set(TESSERA_PROVIDER_FILES ${rust_libraries})
  list(FILTER TESSERA_PROVIDER_FILES INCLUDE REGEX "tessera_wgpu")
  set(TESSERA_TEXT_FILES ${rust_libraries})
  list(FILTER TESSERA_TEXT_FILES INCLUDE REGEX "tessera_(text|image)")
else()
  unset(TESSERA_CARGO CACHE)
endif()
if(webgpu_library)
  add_custom_command(
    OUTPUT ${provider_dir}/libwgpu_native.so
    COMMAND ${CMAKE_COMMAND} -E copy ${webgpu_library} ${provider_dir}/libwgpu_native.so
    DEPENDS ${webgpu_library}
    COMMENT "Copying libwgpu_native.so")
  list(APPEND TESSERA_PROVIDER_FILES ${provider_dir}/libwgpu_native.so)
endif()
add_custom_target(webgpu_provider ALL DEPENDS ${TESSERA_PROVIDER_FILES} ${TESSERA_TEXT_FILES})
