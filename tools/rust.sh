#!/usr/bin/env bash
# Finds a cargo that is recent enough for providers/: in ~/.cargo/bin, in PATH, else this system's newest in build/_deps/rust.
#
#   tools/rust.sh     prints its path; gets it once: 100 MB to download (Ubuntu: 260), 440 MB on disk (1.1 GB); remove the folder to renew it
#
# Debian and Ubuntu offer recent ones beside their old cargo: cargo-web, cargo-1.97 and the like. They conflict with the packages cargo,
# rustc and rustup, so they are unpacked, not installed: nothing that is there is removed, and root is not needed.
# Sourced after tools/setup.sh it only gives `get_cargo`.
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

# recent_rust VERSION: whether it is as new as providers/ needs.
recent_rust() {
  local need
  need=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' providers/wgpu-rs/Cargo.toml)
  [[ $(printf '%s\n' "$need" "${1:-0}" | sort -V | head -n 1) == "$need" ]]
}

# cargo_version PROGRAM: prints it.
cargo_version() { "$1" --version 2>/dev/null </dev/null | sed -n 's/^cargo \([0-9.]*\).*/\1/p'; }

# offered_cargo APT_FOLDER: prints the newest package with a cargo, and its version.
offered_cargo() {
  local names
  names=$(with_aside "$1" apt-cache pkgnames cargo | grep -xE 'cargo(-web|-[0-9.]+)?') || return 1
  # shellcheck disable=SC2086
  with_aside "$1" apt-cache --no-all-versions show $names |
    awk '$1 == "Package:" { name = $2 } $1 == "Version:" { print $2, name }' | sort -V | tail -n 1 | sed 's/\(.*\) \(.*\)/\2 \1/'
}

# unpack_rust APT_FOLDER TARGET: makes the target from the packages that were fetched, and tries it.
unpack_rust() {
  local apt=$1 target=$2 package libraries programs
  for package in "$apt"/archives/*.deb; do
    logged dpkg -x "$package" "$target" || return 1
    dpkg-deb --show "$package" >>"$target/versions.new"
  done
  rm -rf "$target"/usr/share/{doc,man,locale,lintian,bash-completion,zsh}
  # Ubuntu's are in a folder of their version. Where rustc is not among the packages it is installed.
  programs=$(cd "$target" && dirname "$(ls -d usr/lib/rust-*/bin/cargo usr/bin/cargo 2>/dev/null | head -n 1)")
  # shellcheck disable=SC2016
  libraries=$(cd "$target" && find usr lib -name '*.so*' -printf '$here/%h\n' 2>/dev/null | sort -u | paste -sd:)
  [[ -x $target/$programs/cargo ]] || return 1
  cat >"$target/cargo" <<END
#!/bin/sh
# Starts the cargo of this folder with its rustc and the libraries that came along.
here=\$(dirname "\$(readlink -f "\$0")")
export LD_LIBRARY_PATH="$libraries\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
if [ -x "\$here/$programs/rustc" ]; then export RUSTC="\$here/$programs/rustc"; fi
if [ -x "\$here/$programs/rustdoc" ]; then export RUSTDOC="\$here/$programs/rustdoc"; fi
exec "\$here/$programs/cargo" "\$@"
END
  chmod +x "$target/cargo"
  # A program, which takes its standard library and a linker.
  mkdir -p "$target/try/src" && echo 'fn main() {}' >"$target/try/src/main.rs" &&
    printf '[package]\nname = "try"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n' >"$target/try/Cargo.toml" &&
    logged "$target/cargo" run --offline --manifest-path "$target/try/Cargo.toml" &&
    rm -rf "$target/try" && mv "$target/versions.new" "$target/versions"
}

# fetch_cargo: sets `cargo` to this system's, from its packages; sets `why` where it cannot be had, and returns 1.
fetch_cargo() {
  local target=$root/build/_deps/rust package version unavailable=build/.unavailable-packages
  why="this system offers no recent one"
  ! grep -qsxF cargo "$unavailable" || return 1
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  rm -rf "$target" && mkdir -p "$target"
  update_aside "$target/apt"
  read -r package version < <(offered_cargo "$target/apt")
  if [[ ! ${package:-} ]]; then
    why="this system's packages cannot be listed"
  elif ! recent_rust "$version"; then
    why="this system offers no newer one than $version"
    echo cargo >>"$unavailable"
  else
    why="this system's $package could not be fetched or does not run (more in $log)"
    say "getting this system's $package (100 to 260 MB)"
    cargo=$target/cargo
    fetch_aside "$target/apt" "$package" && unpack_rust "$target/apt" "$target" && recent_rust "$(cargo_version "$cargo")" &&
      rm -rf "$target/apt" && return
  fi
  rm -rf "$target"
  return 1
}

# get_cargo: sets `cargo` to the first that is recent enough; sets `why` where there is none, and returns 1.
get_cargo() {
  local each version found=
  while read -r each; do
    [[ -x $each ]] || continue
    version=$(cargo_version "$each")
    cargo=$each
    recent_rust "$version" && return
    found=${found:-"cargo ${version:-without a version} is too old"}
  done < <(echo "${HOME:-}/.cargo/bin/cargo"; type -ap cargo; echo "$root/build/_deps/rust/cargo")
  fetch_cargo && return
  why="${found:-there is no cargo}, and $why"
  return 1
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -u
  source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
  get_cargo || { say "$why" && exit 1; }
  echo "$cargo"
fi
