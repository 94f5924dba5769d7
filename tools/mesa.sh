#!/usr/bin/env bash
# Gets a software Vulkan driver that has cooperative matrices: lavapipe of Debian sid, in build/_deps/mesa.
#
#   tools/mesa.sh                               gets it once: 80 MB to download, 200 MB on disk; remove the folder to renew it
#   build/_deps/mesa/run PROGRAM [ARGUMENT...]  starts a program of this system on it
#
# `run` starts the program under sid's own dynamic loader and C library, with this system's libraries for the rest, so
# libraries that it opens later (libvulkan.so.1, the WebGPU provider) find sid's too. Two things differ for the program:
# - /proc/self/exe is the loader. The engine finds its provider by the place of its own binary all the same; a program
#   that does not names it in TESSERA_WEBGPU_LIBRARY.
# - A process that it starts has this system's loader and sees the same driver, which then does not load: no adapter.
#
# Sourced after tools/setup.sh it only gives `get_mesa`.
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

# unpack_mesa APT_FOLDER TARGET: makes the target from the packages that were fetched.
unpack_mesa() {
  local apt=$1 target=$2 package lib loader driver
  for package in "$apt"/archives/*.deb; do
    logged dpkg -x "$package" "$target" || return 1
    dpkg-deb --show "$package" >>"$target/versions"
  done
  driver=$(cd "$target" && ls usr/lib/*/libvulkan_lvp.so)
  lib=$(dirname "$driver")
  loader=$(cd "$target" && ls "$lib"/ld-linux-*.so.*)
  [[ -f $target/$driver && -f $target/$loader ]] || return 1
  rm -rf "$target"/{etc,usr/share,usr/sbin,"$lib"/gconv}
  find "$target/$lib" -name 'libvulkan_*.so' ! -name libvulkan_lvp.so -delete
  # A path with a slash is taken from where the manifest lies.
  echo "{\"file_format_version\":\"1.0.1\",\"ICD\":{\"library_path\":\"./$driver\",\"api_version\":\"1.4.0\"}}" \
    >"$target/lavapipe.json"
  cat >"$target/run" <<EOF
#!/usr/bin/env bash
# Starts a program of this system on the lavapipe of this folder: run PROGRAM [ARGUMENT...].
here=\$(cd "\$(dirname "\${BASH_SOURCE[0]}")" && pwd)
program=\$(command -v -- "\${1:?usage: run PROGRAM [ARGUMENT...]}") || { echo "run: there is no program \$1" >&2; exit 127; }
unset VK_ICD_FILENAMES VK_ADD_DRIVER_FILES
export VK_DRIVER_FILES=\$here/lavapipe.json VK_LOADER_LAYERS_DISABLE=\${VK_LOADER_LAYERS_DISABLE-'~implicit~'}
exec "\$here/$loader" --library-path "\$here/$lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" \\
  --argv0 "\$program" "\$program" "\${@:2}"
EOF
  chmod +x "$target/run"
  ! "$target/$loader" --library-path "$target/$lib" --list "$target/$driver" 2>&1 | tee -a "$log" | grep -q 'not found' &&
    logged "$target/run" /bin/true
}

# get_mesa: makes sure that build/_deps/mesa/run is there; says in one line why when it cannot be had, and returns 1.
get_mesa() {
  local target=$root/build/_deps/mesa work=$root/build/_deps/mesa.new
  [[ -f $target/versions ]] && return
  if ! has_debian; then
    say "no Mesa with cooperative matrices: it comes from Debian, with apt and debian-archive-keyring"
    return 1
  fi
  say "getting Debian sid's Mesa (80 MB)"
  rm -rf "$work" && mkdir -p "$work/root"
  fetch_debian sid "$work/apt" mesa-vulkan-drivers libvulkan1 libstdc++6 && unpack_mesa "$work/apt" "$work/root" &&
    rm -rf "$target" && mv "$work/root" "$target" && rm -rf "$work" && return
  rm -rf "$work"
  say "no Mesa with cooperative matrices: Debian sid's packages could not be had (more in $log)"
  return 1
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -u
  source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
  get_mesa && echo "$root/build/_deps/mesa/run"
fi
