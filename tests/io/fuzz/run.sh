#!/bin/sh
# Fuzzes the parsers with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer: run.sh SOURCE_FOLDER BUILD_FOLDER [SECONDS].
# Needs clang with its runtime (Debian: clang-19, libclang-rt-19-dev), or CLANG as its path; only in full runs of the tests.
root=$1
folder=$2/fuzz
seconds=${3:-60}
if [ -z "$TESSERA_TEST_FULL" ]; then
  echo "skipped: fuzzing is part of full runs (./test --full); test_io replays the corpus"
  exit 77
fi
for clang in "$CLANG" clang++-19 clang++; do
  [ -n "$clang" ] && command -v "$clang" >/dev/null && break
  clang=
done
mkdir -p "$folder"
if [ -z "$clang" ] || ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
  "$clang" -x c++ -fsanitize=fuzzer,address,undefined - -o "$folder/probe" 2>/dev/null; then
  echo "skipped: there is no clang with libFuzzer"
  exit 77
fi
io=$root/src/io
"$clang" -std=c++20 -w -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
  -DTESSERA_LIBFUZZER -I"$root/include" -I"$root/src" -I"$root/tests" "$root/tests/io/fuzz/targets.cpp" \
  "$io/gguf_header.cpp" "$io/gguf_types.cpp" "$io/idx_header.cpp" "$io/json.cpp" "$io/json_document.cpp" \
  "$io/safetensors_header.cpp" "$root/src/base/base.cpp" "$root"/src/base/os/*.cpp -lfmt -ldl \
  -o "$folder/fuzz" || exit 1
for target in gguf safetensors json idx; do
  mkdir -p "$folder/corpus/$target"
  # What is found grows the corpus of the build folder; an input that fails is left there too.
  TESSERA_FUZZ=$target "$folder/fuzz" -max_total_time="$seconds" -max_len=8192 -rss_limit_mb=1024 -timeout=10 \
    -print_final_stats=1 -artifact_prefix="$folder/$target-" "$folder/corpus/$target" \
    "$root/tests/io/fuzz/corpus/$target" >"$folder/$target.log" 2>&1 || { tail -60 "$folder/$target.log"; exit 1; }
  echo "$target: $(grep number_of_executed_units "$folder/$target.log")"
done
