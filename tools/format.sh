#!/usr/bin/env bash
# Formats our C++ sources in place; with --check only reports (exit 77, "skipped", when clang-format-19 is missing).
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
if ! command -v clang-format-19 >/dev/null; then
  echo "skipped: clang-format-19 is not installed"
  exit 77
fi
mode=(-i)
if [[ ${1:-} == --check ]]; then mode=(--dry-run -Werror); fi
for dir in include src apps bindings providers tests benchmarks examples; do
  if [[ -d $dir ]]; then find "$dir" \( -name node_modules -o -name target \) -prune -o \( -name '*.h' -o -name '*.cpp' \) -print0; fi
done | xargs -0 -r clang-format-19 --style=file "${mode[@]}"
