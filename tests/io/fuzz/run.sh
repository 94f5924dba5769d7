#!/bin/sh
# Fuzzes the parsers with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer: run.sh SOURCE_FOLDER BUILD_FOLDER [SECONDS [TARGETS]].
# Needs clang with its runtime (Debian: clang-19, libclang-rt-19-dev), or CLANG as its path; only in full runs of the tests.
root=$1
build=$2
folder=$2/fuzz
seconds=${3:-60}
targets=${4:-gguf safetensors json idx npy zip gguf_model tokenizer config context csv pnm run_file log shards}
if [ -z "$TESSERA_TEST_FULL" ]; then
  echo "skipped: fuzzing is part of full runs (./test --full); test_io replays the corpus"
  exit 77
fi
for clang in "$CLANG" clang++-19 clang++; do
  [ -n "$clang" ] && command -v "$clang" >/dev/null && break
  clang=
done
mkdir -p "$folder"
rm -f "$folder"/*.o
if [ -z "$clang" ] || ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
  "$clang" -x c++ -fsanitize=fuzzer,address,undefined - -o "$folder/probe" 2>/dev/null; then
  echo "skipped: there is no clang with libFuzzer"
  exit 77
fi
# The parsers are compiled with the sanitizers; what they need of the engine comes from the library of the build.
parsers="base/base data/array data/csv data/csv_lines data/image data/image_pnm io/gguf/gguf_header io/gguf/gguf_load io/gguf/gguf_types
  io/idx_header io/json io/json_document io/npy/inflate io/npy/npy io/npy/npy_header io/npy/zip io/safetensors/safetensors_header
  io/safetensors/safetensors_load io/safetensors/safetensors_shards llm/generate/context llm/load/config llm/load/gguf llm/load/gguf_text
  llm/load/reader llm/rope text/gguf_pre_tokenizers text/gguf_vocabulary text/gguf_vocabulary_of train/log/log train/run_file"
for file in $(printf 'src/%s ' $parsers) tests/io/fuzz/targets tests/io/fuzz/model_targets tests/io/fuzz/data_targets; do
  echo "$root/$file.cpp $folder/$(echo "$file" | tr / _).cpp.o"
done | xargs -n 2 -P 2 sh -c '"$0" -std=c++20 -w -O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
  -fno-sanitize-recover=all -DTESSERA_LIBFUZZER -DTESSERA_VERSION=\"fuzz\" -I"$1/include" -I"$1/src" -I"$1/tests" -c "$2" -o "$3"' "$clang" "$root" || exit 1
# The libraries behind libtessera.a in the link of test_io.
libraries=$(ninja -C "$build" -t commands test_io | sed -n 's/.*libtessera\.a \(.*\) [^ ]*libgtest[^ ]* .*/\1/p' | tail -1)
"$clang" -fsanitize=fuzzer,address,undefined "$folder"/*.cpp.o "$build/lib/libtessera.a" $libraries -o "$folder/fuzz" || exit 1
for target in $targets; do
  mkdir -p "$folder/corpus/$target"
  # What is found grows the corpus of the build folder; an input that fails is left there too. The library has containers without
  # the sanitizer's marks.
  ASAN_OPTIONS=detect_container_overflow=0 TESSERA_LOG=error TESSERA_FUZZ=$target "$folder/fuzz" -max_total_time="$seconds" \
    -max_len=8192 -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 -artifact_prefix="$folder/$target-" \
    "$folder/corpus/$target" "$root/tests/io/fuzz/corpus/$target" >"$folder/$target.log" 2>&1 ||
    { tail -60 "$folder/$target.log"; exit 1; }
  echo "$target: $(grep number_of_executed_units "$folder/$target.log")"
done
