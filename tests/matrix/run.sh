# Runs products and attention on matrix units: run.sh MESA_LAUNCHER TEST_MATRIX TEST_CONFORMANCE TEST_ATTENTION. Without
# the launcher, the generator's tests alone; 77 says that the others were skipped.
if [ -x "$1" ]; then
  # Compiling for the driver takes most of the time of a full run, and one core of each process.
  shards=1
  [ -z "$TESSERA_TEST_FULL" ] || shards=$(nproc)
  pids=
  failed=
  for shard in $(seq 0 $((shards - 1))); do
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$shard "$1" "$2" &
    pids="$pids $!"
  done
  for pid in $pids; do wait "$pid" || failed=1; done
  [ -z "$failed" ] || exit 1
  # Of the slowest of attention, a quarter (CONTRIBUTING.md).
  skipped=
  i=0
  for slow in 'AttentionViews.Heads*' 'Attention.HalvesOfEverySize*' 'AttentionQuantized.Halves*' 'AttentionGradientKernels.HalvesWithMasks*'; do
    [ -n "$TESSERA_TEST_FULL" ] || [ "$i" -eq $((${TESSERA_TEST_QUARTER:-0} % 4)) ] || skipped="$skipped:On/$slow"
    i=$((i + 1))
  done
  "$1" "$3" "--gtest_filter=On/Matmul.AllTypes*:On/Matmul.Batches*" &&
    "$1" "$4" "--gtest_filter=On/Attention.Halves*:On/AttentionScores.Halves*:On/AttentionQuantized.Halves*:On/AttentionGradientKernels.Halves*:On/AttentionGradientKernels.AnInfinite*:On/AttentionViews.Heads*-${skipped#:}"
  exit
fi
"$2" || exit 1
echo "skipped: there is no driver with matrix units for this build (tools/mesa.sh gets one for wgpu-rs without sanitizers)"
exit 77
