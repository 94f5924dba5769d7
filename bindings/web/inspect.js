// Inspection and profiling: the kernels that tensors need, and the times of kernels while a function runs.
import {checked, checkedText, engine, settledByEngine, TesseraError, withIntegers} from "./runtime.js";
import {Tensor} from "./tensor.js";

/**
 * The kernels still needed to compute these tensors: an array in execution order, each with its
 * `label`, its `kind`, the fused `ops`, its loop nest as `text` and its `wgsl`. Nothing is run; the array is
 * empty if everything is computed. Its property `graph` has the nodes, one per line.
 */
export function explain(...tensors) {
  tensors = tensors.flat();
  if (!tensors.length) throw new TesseraError({kind: "value", op: "explain", message: "explain: nothing was given; expected at least one tensor."});
  tensors.forEach((t, i) => {
    if (!(t instanceof Tensor)) {
      throw new TesseraError({kind: "value", op: "explain", message: `explain: argument ${i} is ${t === null ? "null" : typeof t}; expected a tensor.`});
    }
  });
  const {graph, kernels} = JSON.parse(checkedText(withIntegers(tensors.map((t) => t.number), (numbers, count) => engine()._tessera_explain(numbers, count))));
  return Object.assign(kernels, {graph});
}

let running = false;

/**
 * Runs f, waits for it and for the device, and resolves to the measurements: the kernels in order, with their times if
 * the device has timestamps (else null), the peak memory of one evaluation, and counters. `result` is the result of f.
 */
export async function profile(f) {
  if (typeof f !== "function") throw new TesseraError({kind: "value", op: "profile", message: `profile: ${f === null ? "null" : typeof f} was given; expected a function.`});
  if (running) throw new TesseraError({kind: "value", op: "profile", message: "profile: another profile is under way; expected one at a time."});
  const number = checked(engine()._tessera_profile_start());
  running = true;
  try {
    const start = performance.now();
    let result;
    let failure = null;
    try {
      result = f();
      if (result instanceof Promise) result = await result;
    } catch (error) {
      failure = {error};
    }
    // Taken down after a failure too, which then counts for more than that of the device.
    const [bytes] = await settledByEngine(1, (promise) => engine()._tessera_profile_stop(number, promise))
      .catch((error) => { throw failure ? failure.error : error; });
    if (failure) throw failure.error;
    const measured = JSON.parse(new TextDecoder().decode(bytes));
    const timed = measured.kernels.every((k) => k.durationUs !== null);
    const kernelUs = timed ? measured.kernels.reduce((sum, k) => sum + k.durationUs, 0) : null;
    return {result, wallMs: performance.now() - start, timed, kernelUs, ...measured};
  } finally {
    running = false;
  }
}
