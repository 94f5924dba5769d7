# Sourced by ./run, ./test and tools/: installs what is missing, configures and builds; details go to build/<script>.log.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
mkdir -p build
script=$(basename "$0" .sh)
log=build/$script.log
: >"$log"

say() { echo "[$script] $*" >&2; }

# fail MESSAGE: shows the end of the log.
fail() {
  tail -n 40 "$log" >&2
  say "$* (all of it: $log)"
  exit 1
}

# logged COMMAND...: runs it with its output in the log.
logged() {
  echo "+ $*" >>"$log"
  "$@" >>"$log" 2>&1 </dev/null
}

# missing_packages GROUP... : prints "name [optional]" for each package of these groups that is not installed.
missing_packages() {
  local installed group name kind
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' | sed -n 's/^ii *//p' | sort -u)
  while read -r group name kind; do
    [[ " $* " == *" $group "* ]] || continue
    grep -qxF "$name" <<<"$installed" || echo "$name $kind"
  done <tools/packages.txt
}

# install_packages GROUP... : makes sure that the packages of these groups are there.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not Debian or Ubuntu: relying on what is installed (tools/packages.txt lists what is needed)"
    return
  fi
  local name kind required=() optional=() sudo=() unavailable=build/.unavailable-packages
  while read -r name kind; do
    if [[ $kind != optional ]]; then
      required+=("$name")
    elif ! grep -qsxF "$name" "$unavailable"; then
      optional+=("$name")
    fi
  done < <(missing_packages "$@")
  ((${#required[@]} + ${#optional[@]})) || return 0

  if [[ $(id -u) != 0 ]]; then
    if ! sudo -n true 2>/dev/null; then
      if ((${#required[@]})); then
        say "packages are missing; please run: sudo apt-get install -y ${required[*]} ${optional[*]}"
        exit 1
      fi
      say "going on without optional packages; to have them: sudo apt-get install -y ${optional[*]}"
      return 0
    fi
    sudo=(sudo -n)
  fi

  local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get)
  say "installing packages: ${required[*]} ${optional[*]}"
  logged "${apt[@]}" update || say "apt-get update failed; trying with the package lists that are there"
  for name in "${optional[@]}"; do
    if apt-cache show "$name" >/dev/null 2>&1; then
      required+=("$name")
    else
      say "this system offers no package $name; going on without it"
      echo "$name" >>"$unavailable"
    fi
  done
  ((${#required[@]})) || return 0
  logged "${apt[@]}" install -y --no-install-recommends "${required[@]}" ||
    fail "packages could not be installed: ${required[*]}"
}

# choose_provider: sets `provider` to wgpu-rs where it can be built, and `cargo` to what builds it; else to wgpu-native. The libraries of
# tokenizers and of image files are built along. TESSERA_PROVIDER overrides it.
choose_provider() {
  provider=${TESSERA_PROVIDER:-wgpu-native}
  cargo=
  [[ ${TESSERA_PROVIDER:-wgpu-rs} == wgpu-rs ]] || return 0
  source tools/rust.sh
  if ! get_cargo; then
    cargo=
    if [[ ${TESSERA_PROVIDER:-} ]]; then fail "TESSERA_PROVIDER is wgpu-rs, but $why"; fi
    say "$why: the WebGPU provider is wgpu-native, which has no tensor cores, and there are no tokenizers and no PNG and JPEG files (docs/guide/install.md)"
    return
  fi
  if [[ ${TESSERA_PROVIDER:-} ]]; then return; fi
  [[ -d build/_deps/wgpu-rs/release ]] || say "building the WebGPU provider wgpu-rs, the tokenizers and the decoders of images (a few minutes, once)"
  if (cd providers && CARGO_TARGET_DIR=$root/build/_deps/wgpu-rs "$cargo" build --release --locked) \
    >>"$log" 2>&1 </dev/null; then
    provider=wgpu-rs
  else
    cargo=
    say "cargo could not download or build wgpu-rs, text-rs and image-rs ($log says why): the WebGPU provider is wgpu-native, and there are no tokenizers and no PNG and JPEG files"
  fi
}

# configure PRESET [BUILD_DIR]: runs CMake unless Ninja can see to it. With `python` set, the Python package is built too.
configure() {
  local dir=${2:-build/$1} package=() text=OFF
  choose_provider
  if [[ ${python:-} ]]; then package=(-DTESSERA_PYTHON=ON "-DPython_EXECUTABLE=$python"); fi
  if [[ $cargo ]]; then package+=("-DTESSERA_CARGO:FILEPATH=$cargo") text=ON; fi
  if [[ ! -f $dir/build.ninja || ! -f $dir/.configured || CMakePresets.json -nt $dir/.configured ]] ||
    ! grep -qxF "TESSERA_PROVIDER:STRING=$provider" "$dir/CMakeCache.txt" ||
    ! grep -qxF "TESSERA_TEXT:BOOL=$text" "$dir/CMakeCache.txt" ||
    { [[ $cargo ]] && ! grep -qxF "TESSERA_CARGO:FILEPATH=$cargo" "$dir/CMakeCache.txt"; } ||
    { [[ ${python:-} ]] && ! grep -qxF "TESSERA_PYTHON:BOOL=ON" "$dir/CMakeCache.txt"; }; then
    say "configuring $1 with $provider"
    logged cmake --preset "$1" "-DTESSERA_PROVIDER=$provider" "-DTESSERA_TEXT:BOOL=$text" "${package[@]}" || fail "configuring $1 failed"
    touch "$dir/.configured"
  fi
}

# build PRESET [BUILD_DIR] [TARGET...]
build() {
  local preset=$1 dir=${2:-build/$1}
  configure "$preset" "$dir"
  say "building $preset"
  logged ninja -C "$dir" -j "$(nproc)" "${@:3}" || fail "building $preset failed"
}
