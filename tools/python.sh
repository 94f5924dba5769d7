#!/usr/bin/env bash
# Makes the environment that the Python package is built and tested in: build/_deps/python, as tests/python/requirements.txt pins it.
# Sourced after tools/setup.sh it only gives `get_python`.

# get_python: sets `python` to the environment's interpreter; says in one line why when it cannot be had, and returns 1.
get_python() {
  local target=$root/build/_deps/python wanted=tests/python/requirements.txt base
  python=$target/bin/python
  cmp -s "$wanted" "$target/requirements.txt" && [[ -x $python ]] && return
  for base in python3 /usr/bin/python3; do
    "$base" -c 'import os, sys, sysconfig, venv, ensurepip
sys.exit(sys.version_info < (3, 11) or not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))' 2>>"$log" && break
    base=
  done
  if [[ ! $base ]]; then
    say "no Python package: Python 3.11 or newer with its headers and venv is needed (on Debian: python3-dev, python3-venv)"
    return 1
  fi
  say "getting the Python packages of $wanted"
  rm -rf "$target"
  logged "$base" -m venv "$target" && logged "$python" -m pip install --quiet --disable-pip-version-check -r "$wanted" &&
    cp "$wanted" "$target/requirements.txt" && return
  rm -rf "$target"
  say "no Python package: pip could not get what $wanted names (more in $log)"
  return 1
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -u
  source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
  get_python && echo "$python"
fi
