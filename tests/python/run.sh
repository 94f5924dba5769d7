#!/bin/sh
# Runs the Python tests, doctests and types: run.sh PYTHON BUILD_FOLDER; without a Python it says why it is skipped.
if [ -z "$1" ] || [ ! -x "$1" ]; then
  echo "skipped: the Python package was not built; ./test builds it where Python 3.11, its headers and PyPI can be had"
  exit 77
fi
python=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
export PYTHONPATH="$2/python" PYTHONDONTWRITEBYTECODE=1 TESSERA_DEVICE="${TESSERA_TEST_DEVICE:-cpu}"
cd "$root" || exit 1
"$python" -m pytest tests/python -q -rs || exit 1
if [ -n "$TESSERA_TEST_FULL" ]; then
  TESSERA_DEVICE=webgpu:llvmpipe GALLIVM_PERF=nopt "$python" -m pytest tests/python -q -rs --ignore tests/python/test_array_api.py || exit 1
fi
"$python" tests/python/doctests.py || exit 1
# The package itself is checked along, since it is what the types of the user's code come from.
MYPYPATH="$2/python" "$python" -m mypy --warn-unused-ignores --cache-dir "$2/mypy" tests/python/typed.py
