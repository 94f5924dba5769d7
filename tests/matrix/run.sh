# Runs products and attention on matrix units: run.sh MESA_LAUNCHER TEST_MATRIX TEST_CONFORMANCE TEST_ATTENTION. Without
# the launcher, the generator's tests alone; 77 says that the others were skipped.
if [ -x "$1" ]; then
  "$1" "$2" && "$1" "$3" "--gtest_filter=On/Matmul.AllTypes*:On/Matmul.Batches*" &&
    "$1" "$4" "--gtest_filter=On/Attention.Halves*:On/AttentionGradientKernels.Types*"
  exit
fi
"$2" || exit 1
echo "skipped: there is no driver with matrix units for this build (tools/mesa.sh gets one for wgpu-rs without sanitizers)"
exit 77
