#!/bin/sh
# Builds the wheel around the engine of a build folder and uses it in an empty environment: wheel.sh PYTHON BUILD_FOLDER.
if [ -z "$1" ] || [ ! -x "$1" ]; then
  echo "skipped: the Python package was not built; ./test builds it where Python 3.11, its headers and PyPI can be had"
  exit 77
fi
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$2/python-wheel
cd "$root" || exit 1
rm -rf "$work" && mkdir -p "$work"
cmake --install "$2" --prefix "$work/engine" --strip >"$work/install.log" 2>&1 || { tail "$work/install.log"; exit 1; }
# Compiled quickly: the extension of the build folder has the optimised code, and the same tests.
SKBUILD_CMAKE_DEFINE="CMAKE_CXX_FLAGS_RELEASE=-O1" tools/wheel.sh --prefix "$work/engine" || exit $?
wheel=$(ls build/wheelhouse/*.whl)
"$1" -m venv "$work/empty" || exit 1
if ! "$work/empty/bin/python" -m pip install --quiet --disable-pip-version-check "$wheel" >"$work/pip.log" 2>&1; then
  grep -q "No matching distribution\|Could not find a version\|Connection\|Temporary failure" "$work/pip.log" &&
    echo "skipped: pip could not get NumPy" && exit 77
  cat "$work/pip.log"
  exit 1
fi
# Nothing of this folder, of the build or of the system's Vulkan is to help it.
rm -rf "$work/engine"
cd / || exit 1
env -i HOME="$work" PATH=/usr/bin:/bin TESSERA_CACHE="$work/cache" "$work/empty/bin/python" "$root/tests/python/use_wheel.py" "$work/empty"
