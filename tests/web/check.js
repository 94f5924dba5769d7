// What test modules share: comparisons, expected errors, and running the tests one by one.
import * as ts from "../../build/web/package/index.js";

export {ts};

const text = (v) => JSON.stringify(v, (_, x) => typeof x === "bigint" ? `${x}n` : ArrayBuffer.isView(x) ? [...x].map(String) : x);

export function same(got, expected, what = "value") {
  if (text(got) !== text(expected)) throw new Error(`${what} is ${text(got)}; expected ${text(expected)}`);
}
export function near(got, expected, tolerance = 1e-5) {
  const g = [got].flat(Infinity), e = [expected].flat(Infinity);
  if (g.length !== e.length) throw new Error(`there are ${g.length} values; expected ${e.length}`);
  g.forEach((x, i) => {
    if (!(Math.abs(x - e[i]) <= tolerance * Math.max(1, Math.abs(e[i])))) throw new Error(`value ${i} is ${x}; expected ${e[i]}`);
  });
}
/** The TesseraError that body throws, of that kind and with these words. */
export async function fails(kind, words, body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof ts.TesseraError)) throw new Error(`threw ${error.name} '${error.message}'; expected a TesseraError`);
    same(error.kind, kind, `kind of '${error.message}'`);
    if (!error.message.includes(words)) throw new Error(`the message is '${error.message}'; expected the words '${words}'`);
    return error;
  }
  throw new Error(`nothing was thrown; expected an error of kind ${kind}`);
}

/** ts.memory(), once the garbage collector has found what earlier tests left behind, so that it does not in the middle of one that counts. */
export async function settled() {
  for (let before = -1; before !== ts.memory().tensors;) {
    before = ts.memory().tensors;
    for (let i = 0; i < 2; ++i) {
      gc();
      await new Promise((go) => setTimeout(go, 10));
    }
  }
  return ts.memory();
}

/** Runs tests {name: function} on the WebGPU device, or another one; those whose names hold `only`. */
export async function run(tests, only, device = "webgpu") {
  const results = [];
  for (const [name, body] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const start = performance.now();
    try {
      await ts.init({device});
      await Promise.race([body(), new Promise((_, no) => setTimeout(() => no(new Error("no answer within 60 s")), 60000))]);
      results.push({name, ms: Math.round(performance.now() - start)});
    } catch (error) {
      results.push({name, error: `${error.message}\n${error.stack ?? ""}`.slice(0, 600)});
    }
  }
  return results;
}
