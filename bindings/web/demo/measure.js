// The measurement: warm-up, then several repetitions of enough runs each, and the median.
export const kRepetitions = 7;
export const kLongEnoughMs = 40;  // of one repetition
const kMostRuns = 1000;
const kMostMs = 4000;  // of all repetitions

export const kMethod = `Inputs are on the device. Two warm-up runs compile the pipelines, three more determine how many runs take about ${kLongEnoughMs} ms. ` +
  `Then ${kRepetitions} repetitions of that many runs, each ended by reading back one number, which waits for all of them. The median of the repetitions, divided by the number of runs, ` +
  `is shown; the JSON also has the fastest and the slowest. Eight values of each result are compared with plain JavaScript; if they differ, no time is shown.`;

/** run() starts one run, without waiting where it can; finish() waits for all. Times are of one run, in milliseconds. */
export async function measure(run, finish, {repetitions = kRepetitions, stopped = () => false} = {}) {
  const once = async (runs) => {
    const start = performance.now();
    for (let i = 0; i < runs; ++i) await run();
    await finish();
    return performance.now() - start;
  };
  await once(1);
  await once(1);
  // The fastest of three: one that was held up by something else would make repetitions too short for the clock.
  const single = Math.max(0.02, Math.min(await once(1), await once(1), await once(1)));
  const runs = Math.max(1, Math.min(kMostRuns, Math.round(kLongEnoughMs / single)));
  const times = [];
  const start = performance.now();
  while (times.length < repetitions && !stopped() && (times.length < 3 || performance.now() - start < kMostMs)) times.push(await once(runs) / runs);
  times.sort((a, b) => a - b);
  return {medianMs: times[times.length >> 1], fastestMs: times[0], slowestMs: times.at(-1), repetitions: times.length, runs};
}
