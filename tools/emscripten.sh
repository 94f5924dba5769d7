#!/usr/bin/env bash
# Finds the compiler for the browser: an emscripten of 3.1.69 or newer from PATH, else Debian 13's in build/_deps/emscripten.
#
#   tools/emscripten.sh     prints its folder; gets it once: 370 MB to download, 900 MB on disk; remove the folder to renew it
#
# Debian's programs start under their own dynamic loader and C library, so they run on older systems too; Python and Node
# are this system's. Highway comes along, since older ones know too little of wasm. Sourced after tools/setup.sh it only gives `get_emscripten`.
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

# unpack_emscripten APT_FOLDER TARGET: makes the target from the packages that were fetched.
unpack_emscripten() {
  local apt=$1 target=$2 package lib loader home llvm tool link
  for package in "$apt"/archives/*.deb; do
    case ${package##*/} in
      *python3* | nodejs* | libnode* | *-dev_* | libclang1-* | *san[0-9]* | binutils* | ccache* | tzdata*)
        [[ $package == *libclang-common-* || $package == *libhwy-dev* ]] || continue
        ;;
    esac
    echo "+ unpacking $package" >>"$log"
    # Of its libraries only those for plain modules: none for threads, workers, sanitizers, old OpenGL or linking by LLVM.
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$target" --exclude='./usr/share/emscripten/test' \
      --exclude='./usr/share/emscripten/docs' --exclude='*/wasm32-emscripten/lto' --exclude='*/wasm32-emscripten/pic' \
      --exclude='*/wasm32-emscripten/lib*-mt*' --exclude='*/wasm32-emscripten/lib*-ww*' \
      --exclude='*/wasm32-emscripten/*asan*' --exclude='*/wasm32-emscripten/libGL*-emu*' \
      --exclude='./usr/share/doc' --exclude='./usr/share/man' --exclude='./usr/share/locale' \
      >>"$log" 2>&1 || return 1
    dpkg-deb --show "$package" >>"$target/versions.new"
  done
  home=$target/usr/share/emscripten
  llvm=$(cd "$target" && echo usr/lib/llvm-*)
  lib=$(dirname "$(cd "$target" && ls usr/lib/*/libLLVM.so.*)")
  loader=$(cd "$target" && ls "$lib"/ld-linux-*.so.*)
  [[ -f $home/emcc.py && -f $target/$loader && -f $target/$llvm/bin/clang ]] || return 1
  mkdir -p "$target/programs/bin"
  for tool in clang clang++ wasm-ld llvm-ar llvm-nm llvm-ranlib llvm-objcopy llvm-strip llvm-dwarfdump llvm-readobj; do
    # clang looks for its own headers from where /proc/self/exe is, which is the loader.
    link="$llvm/bin/$tool"
    cat >"$target/programs/$tool" <<END
#!/bin/sh
here=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")
exec "\$here/$loader" --library-path "\$here/$lib:\$here/$llvm/lib" --argv0 "$tool" "\$here/$link" "\$@"$(
      [[ $tool == clang* ]] && echo " -resource-dir \"\$here/$(cd "$target" && ls -d "$llvm"/lib/clang/*)\""
    )
END
  done
  for tool in "$target"/usr/bin/wasm*; do
    tool=${tool##*/}
    [[ $tool == wasm-ld* ]] && continue
    cat >"$target/programs/bin/$tool" <<END
#!/bin/sh
here=\$(dirname "\$(dirname "\$(dirname "\$(readlink -f "\$0")")")")
exec "\$here/$loader" --library-path "\$here/$lib" --argv0 "$tool" "\$here/usr/bin/$tool" "\$@"
END
  done
  chmod +x "$target"/programs/* "$target"/programs/bin/*
  ln -sfn ../nodejs "$home/node_modules"
  cat >"$home/.emscripten" <<END
LLVM_ROOT = BINARYEN_ROOT = '$target/programs'
NODE_JS = '$(command -v node)'
FROZEN_CACHE = True
END
  echo 'int main() { return 0; }' >"$target/try.cpp"
  logged "$home/em++" -fwasm-exceptions -c "$target/try.cpp" -o "$target/try.o" &&
    logged "$home/em++" -fwasm-exceptions "$target/try.o" -o "$target/try.mjs" &&
    rm "$target"/try.* && mv "$target/versions.new" "$target/versions"
}

# get_emscripten: sets `emscripten` to the folder of em++; says in one line why when it cannot be had, and returns 1.
get_emscripten() {
  local target=$root/build/_deps/emscripten have
  if command -v em++ >/dev/null; then
    have=$(em++ --version 2>/dev/null | sed -n '1s/^emcc[^0-9]*\([0-9.]*\).*/\1/p')
    if [[ $(printf '%s\n' 3.1.69 "${have:-0}" | sort -V | head -n 1) == 3.1.69 ]]; then
      emscripten=$(em-config EMSCRIPTEN_ROOT) && return
    fi
  fi
  emscripten=$target/usr/share/emscripten
  [[ -f $target/versions ]] && return
  if ! command -v node >/dev/null || ! command -v python3 >/dev/null; then
    say "no compiler for the browser: emscripten needs node and python3"
    return 1
  fi
  if ! has_debian || [[ $(dpkg --print-architecture) != amd64 ]]; then
    say "no compiler for the browser: put emscripten 3.1.69 or newer on PATH, or use apt with debian-archive-keyring"
    return 1
  fi
  say "getting Debian 13's emscripten (370 MB)"
  rm -rf "$target" && mkdir -p "$target"
  fetch_debian trixie "$target/apt" emscripten libhwy-dev && unpack_emscripten "$target/apt" "$target" && rm -rf "$target/apt" && return
  rm -rf "$target"
  say "no compiler for the browser: Debian 13's packages could not be had (more in $log)"
  return 1
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -u
  source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
  get_emscripten && echo "$emscripten"
fi
