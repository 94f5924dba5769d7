#!/usr/bin/env bash
# Builds the Python wheel and makes it self-contained: tools/wheel.sh [--prefix DIR] [--python PYTHON]; the result is build/wheelhouse/.
# With --prefix it packs the engine that is installed there instead of building one; --python names another interpreter to build for.
set -u
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
source tools/python.sh

prefix=
interpreter=
while (($#)); do
  case $1 in
    --prefix) prefix=$(realpath "${2:?--prefix needs a folder}") && shift ;;
    --python) interpreter=${2:?--python needs an interpreter} && shift ;;
    *)
      echo "usage: tools/wheel.sh [--prefix DIR] [--python PYTHON]" >&2
      exit 2
      ;;
  esac
  shift
done

get_python || exit 77
settings=()
if [[ $prefix ]]; then
  settings+=("-Ccmake.define.TESSERA_PREFIX=$prefix" "-Cbuild-dir=build/wheel/prefix-{wheel_tag}")
else
  choose_provider
  settings+=("-Ccmake.define.TESSERA_PROVIDER=$provider")
fi
isolation=(--no-build-isolation)
if [[ $interpreter ]]; then isolation=(); fi

rm -rf build/wheelhouse build/wheel/raw
mkdir -p build/wheelhouse build/wheel/raw
say "building the wheel"
PATH=$(dirname "$python"):$PATH logged "${interpreter:-$python}" -m pip wheel . --no-deps "${isolation[@]}" "${settings[@]}" \
  --wheel-dir build/wheel/raw || fail "the wheel could not be built"
say "repairing the wheel"
PATH=$(dirname "$python"):$PATH logged "$python" -m auditwheel repair --strip --wheel-dir build/wheelhouse build/wheel/raw/*.whl ||
  fail "auditwheel could not repair the wheel"
ls build/wheelhouse/*.whl
