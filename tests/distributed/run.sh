# run.sh MPIRUN RANKS TEST LIBRARY [lost]: runs the tests of collectives as so many processes; 77: there is no MPI.
mpirun=$1 ranks=$2 tests=$3 library=$4 what=${5:-all}
if [ ! -x "$mpirun" ]; then
  echo "skipped: there is no mpirun (Debian: openmpi-bin)"
  exit 77
fi
if [ ! -f "$library" ]; then
  echo "skipped: the library tessera_mpi was not built, since there was no mpicc (Debian: libopenmpi-dev)"
  exit 77
fi
# Other MPIs have no such options.
options=
if "$mpirun" --version 2>&1 | grep -q "Open MPI"; then
  options="--oversubscribe --bind-to none"
  if [ "$(id -u)" = 0 ]; then options="$options --allow-run-as-root"; fi
fi
export TESSERA_DISTRIBUTED_TIMEOUT="${TESSERA_DISTRIBUTED_TIMEOUT:-120}"
if [ "$what" = all ]; then
  exec "$mpirun" $options -n "$ranks" "$tests"
fi
# The ranks that wait end with an Error, and the launcher ends the one that sleeps.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
start=$(date +%s)
timeout 50 "$mpirun" $options -n "$ranks" "$tests" --gtest_also_run_disabled_tests --gtest_filter='*APeerThatDoesNotAnswer' >"$log" 2>&1
code=$?
cat "$log"
took=$(($(date +%s) - start))
if [ "$code" = 0 ] || [ "$code" = 124 ]; then
  echo "mpirun returned $code after $took s; it is to end the job with an error"
  exit 1
fi
if grep -q "Failure" "$log"; then exit 1; fi
grep -q "did not answer in 1 s" "$log"
