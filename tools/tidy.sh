#!/usr/bin/env bash
# Runs clang-tidy over src/ and apps/ with the compile commands of a build folder: tools/tidy.sh [build/dev].
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
build=${1:-build/dev}
for dir in src apps; do
  if [[ -d $dir ]]; then find "$dir" -name '*.cpp' -print0; fi
done | xargs -0 -r -n 1 -P "$(nproc)" clang-tidy-19 --quiet -p "$build" \
  --extra-arg=-Wno-ignored-gch --extra-arg=-Wno-unknown-warning-option --extra-arg=-Qunused-arguments
