#!/usr/bin/env bash
# Builds what runs in a browser into build/web: the package in build/web/package, and the C++ tests as programs for a page.
# Sourced after tools/setup.sh it only gives `build_web`.
source "$(dirname "${BASH_SOURCE[0]}")/emscripten.sh"

# get_node_packages: Playwright, TypeScript and Vite, as tests/web/package-lock.json pins them, in build/_deps/node.
get_node_packages() {
  local target=build/_deps/node
  cmp -s tests/web/package-lock.json "$target/package-lock.json" && [[ -d $target/node_modules ]] && return
  if ! command -v npm >/dev/null; then
    say "no browser tests: npm is needed to get Playwright"
    return 1
  fi
  rm -rf "$target" && mkdir -p "$target" && cp tests/web/package.json "$target"
  (cd "$target" && cp "$root/tests/web/package-lock.json" . && npm ci --ignore-scripts --no-audit --no-fund) \
    >>"$log" 2>&1 </dev/null && return
  rm -rf "$target"
  say "no browser tests: npm could not get Playwright (more in $log)"
  return 1
}

# build_web: says in one line why when it cannot, and returns 1; code that does not compile ends the script.
build_web() {
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then install_packages web; fi
  get_emscripten || return 1
  export EMSCRIPTEN_ROOT=$emscripten
  if [[ ! -f build/web/build.ninja || CMakePresets.json -nt build/web/build.ninja ]] ||
    ! grep -qF "$emscripten/" build/web/CMakeCache.txt; then
    say "configuring web with $emscripten"
    logged cmake --preset web || fail "configuring web failed"
  fi
  say "building web"
  logged ninja -C build/web -j "$(nproc)" || fail "building web failed"
  get_node_packages
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -u
  source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
  build_web && echo "$root/build/web/package"
fi
