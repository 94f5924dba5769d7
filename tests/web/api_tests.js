// Tests of the package as a page sees it. Expected values are written out or computed here, in plain JavaScript.
import * as ts from "../../build/web/package/index.js";
import {table} from "../../build/web/package/ops.js";
import {fails, near, same, settled} from "./check.js";
import {inspectTests} from "./inspect_tests.js";
import {memoryTests} from "./memory_tests.js";

const tests = [];
const test = (name, body) => tests.push({name, body});

test("what is used before init says so", async () => {
  if (ts.device() !== null) return;  // another suite of this page was first
  await fails("device", "await ts.init()", () => ts.tensor([1, 2]));
});

test("init gives a device with limits", async () => {
  const info = (await navigator.gpu.requestAdapter()).info;
  if (info.architecture === "swiftshader" && ts.device() === null) {
    const chosen = await ts.init();
    same(chosen.id, "cpu", "the device chosen beside a software adapter");
    if (!chosen.reason.includes("software")) throw new Error(`the reason is '${chosen.reason}'`);
  }
  const device = await ts.init({device: "webgpu"});
  same(device.available, true);
  same(device.backend, "WebGPU");
  if (!(device.limits.maxBufferSize >= 2 ** 28)) throw new Error(`the largest buffer is ${device.limits.maxBufferSize}`);
  same((await ts.init()).id, device.id, "the device of a second init");
  await fails("value", "expected cpu or webgpu", () => ts.init({device: "gpu"}));
});

test("the first ten lines", async () => {
  const a = ts.tensor([[1, 2], [3, 4]]);
  const b = ts.tensor(new Float32Array([1, 0, 0, 1]), [2, 2]);
  const y = ts.softmax(ts.matmul(a, b));
  same(y.shape, [2, 2]);
  same(y.dtype, "f32");
  const e = Math.exp(-1);
  near([...await y.data()], [e / (1 + e), 1 / (1 + e), e / (1 + e), 1 / (1 + e)]);
});

test("the lines of docs/web.md run", async () => {
  const page = await (await fetch(new URL("../../docs/web.md", import.meta.url))).text();
  const lines = page.match(/```js\n([^]*?)```/)[1].replace('"tessera"', JSON.stringify(String(new URL("../../build/web/package/index.js", import.meta.url))));
  const said = [];
  const log = console.log;
  console.log = (...values) => said.push(values);
  try {
    await import(URL.createObjectURL(new Blob([lines], {type: "text/javascript"})));
  } finally {
    console.log = log;
  }
  same(said.length, 3, "lines said");
  same(said[1][0].length, 1024, "rows of argmax");
  same(said[2][0], [512, 256], "the gradient's shape");
});

test("tensors from arrays keep their type and shape", async () => {
  same(ts.tensor([[1, 2, 3], [4, 5, 6]]).shape, [2, 3]);
  for (const [array, dtype] of [[new Float32Array(2), "f32"], [new Int32Array(2), "i32"], [new Uint8Array(2), "u8"],
                                [new Uint8ClampedArray(2), "u8"], [new BigInt64Array(2), "i64"], [new Uint32Array(2), "u32"],
                                [new Int16Array(2), "i16"]]) {
    same(ts.tensor(array).dtype, dtype);
  }
  same(await ts.tensor([true, false, true]).array(), [true, false, true]);
  same([...await ts.tensor([1, -2, 3], "i64").data()].map(String), ["1", "-2", "3"]);
  near(await ts.tensor([1.5, -2.25], "f16").array(), [1.5, -2.25]);
  near(await ts.tensor([1.5, -2.25], "bf16").array(), [1.5, -2.25]);
  same(await ts.tensor(7).item(), 7);
  same(await ts.tensor([]).array(), []);
  same(await ts.tensor(new Float32Array([5, 6, 7, 8]).subarray(1, 3)).array(), [6, 7], "of a part of an array");
});

test("data comes back in arrays of the tensor's type", async () => {
  const cases = {f32: Float32Array, i32: Int32Array, u8: Uint8Array, i64: BigInt64Array, u32: Uint32Array, bool: Uint8Array};
  for (const [dtype, Kind] of Object.entries(cases)) {
    const data = await ts.ones([3], dtype).data();
    if (!(data instanceof Kind)) throw new Error(`${dtype} came as ${data.constructor.name}`);
    same([...data].map(Number), [1, 1, 1]);
  }
});

test("bad input is an error with a kind and both values", async () => {
  await fails("shape", "a list has 1 entries", () => ts.tensor([[1, 2], [3]]));
  await fails("shape", "a number stands where a list", () => ts.tensor([[1, 2], 3]));
  await fails("dtype", "expected numbers", () => ts.tensor([1, "2"]));
  await fails("shape", "3 elements were given for shape [2, 2]", () => ts.tensor(new Float32Array(3), [2, 2]));
  await fails("dtype", "There is no type 'f31'", () => ts.zeros([2], "f31"));
  await fails("dtype", "DataView", () => ts.tensor(new DataView(new ArrayBuffer(8))));
  await fails("shape", "inner dimensions 3 and 2 differ", () => ts.matmul(ts.zeros([2, 3]), ts.zeros([2, 3])));
  await fails("value", "axes is 'rows'; expected a list of whole numbers", () => ts.sum(ts.zeros([2]), "rows"));
  await fails("value", "x is nothing; expected a tensor", () => ts.exp());
  await fails("value", "at most 1", () => ts.exp(ts.zeros([2]), 3));
  await fails("value", "no option 'strid'", () => ts.conv2d(ts.zeros([1, 1, 4, 4]), ts.zeros([1, 1, 3, 3]), null, {strid: 2}));
  await fails("value", "expected one of mean, sum, none", () => ts.mse_loss(ts.zeros([2]), ts.zeros([2]), "average"));
  const t = ts.zeros([2]);
  t.dispose();
  t.dispose();
  await fails("value", "was disposed", () => t.exp());
  await fails("value", "was disposed", () => t.data());
  await fails("limit", "largest on", () => ts.zeros([2 ** 28]).add(1).data());
  near(await ts.tensor([1, 2]).add(1).array(), [2, 3]);  // and the next call works
});

test("arguments by position, by name and with options", async () => {
  const x = ts.tensor([[1, 2], [3, 4]]);
  same(await ts.sum(x).item(), 10);
  same(await ts.sum(x, 0).array(), [4, 6]);
  same(await ts.sum(x, [1], true).array(), [[3], [7]]);
  same(await x.sum({axes: 1, keepdims: true}).array(), [[3], [7]]);
  same(await ts.arange(0, 5).array(), [0, 1, 2, 3, 4]);
  const image = ts.arange(0, 16, 1, "f32").reshape([1, 1, 4, 4]);
  const kernel = ts.ones([1, 1, 2, 2]);
  same(await ts.conv2d(image, kernel, null, {stride: 2}).array(), [[[[10, 18], [42, 50]]]]);
  same(ts.conv2d(image, ts.ones([1, 1, 3, 3]), null, {padding: "same"}).shape, [1, 1, 4, 4]);
  same(await ts.index(x, [0, {start: 0, stop: 1}]).array(), [1]);
  same(await x.slice([{step: -1}]).array(), [[3, 4], [1, 2]]);
  same(await ts.einsum("ij,kj->ik", [x, x]).array(), [[5, 11], [11, 25]]);
  same((await ts.concat([x, x], 1).array())[0], [1, 2, 1, 2]);
  same(await ts.where(x.greater(2), x, 0).array(), [[0, 0], [3, 4]]);
});

test("overloads are chosen by what is given", async () => {
  const x = ts.arange(0, 6);
  same(ts.split(x, 3).map((t) => t.shape[0]), [2, 2, 2]);
  same(ts.split(x, [1, 5]).map((t) => t.shape[0]), [1, 5]);
  near(await ts.quantile(ts.tensor([1, 2, 3, 4, 5]), 0.5).item(), 3);
  near(await ts.quantile(ts.tensor([1, 2, 3, 4, 5]), [0, 1]).array(), [1, 5]);
  const {values, indices} = ts.topk(ts.tensor([3, 1, 2]), 2);
  same(await values.array(), [3, 2]);
  same(await indices.array(), [0, 2]);
});

test("every op of the engine's catalog is a function", () => {
  const bound = new Set(table.map(([name]) => name));
  same(ts.catalog().filter((name) => !bound.has(name)), ["quantize"], "ops that are not bound under their name");
  for (const name of bound) {
    const [space, short] = name.includes("::") ? name.split("::") : [null, name];
    const op = space ? ts[space][short] : ts[short];
    if (typeof op !== "function") throw new Error(`${name} is ${typeof op}`);
  }
});

test("elementwise ops give what Math gives", async () => {
  const values = [0.1, 0.5, 0.9];
  for (const name of ["exp", "sin", "cos", "tanh", "sqrt", "log", "log1p", "expm1", "asin", "acos", "atan", "sinh", "cosh",
                      "abs", "floor", "ceil", "sign", "atanh", "asinh", "log2", "log10", "trunc"]) {
    near(await ts[name](ts.tensor(values)).array(), values.map(Math[name]), 2e-5);
  }
});

test("a whole number keeps an integer tensor whole", async () => {
  same(ts.tensor([1, 2], "i32").add(1).dtype, "i32");
  same(ts.tensor([1, 2], "i32").multiply(0.5).dtype, "f32");
  same(ts.tensor([1, 2]).add(1).dtype, "f32");
});

test("ops that look at values are promises", async () => {
  const x = ts.tensor([0, 3, 0, 5]);
  same(await (await ts.nonzero(x)).array(), [[1], [3]]);
  same(await (await ts.masked_select(x, x.greater(2))).array(), [3, 5]);
  const {values, counts} = await ts.unique(x);
  same(await values.array(), [0, 3, 5]);
  same(await counts.array(), [2, 1, 1]);
  same(await ts.allclose(x, x.add(1e-9)), true);
  same(await ts.allclose(x, x.add(1)), false);
  near(await (await ts.linalg.inv(ts.tensor([[2, 0], [0, 4]]))).array(), [[0.5, 0], [0, 0.25]]);
  const {q, r} = await ts.linalg.qr(ts.tensor([[1, 2], [3, 4]]));
  near(await ts.matmul(q, r).array(), [[1, 2], [3, 4]]);
  await fails("shape", "square", () => ts.linalg.inv(ts.zeros([2, 3])));
});

test("gradients", async () => {
  const f = (x) => x.square().sum();
  same(await ts.grad(f)(ts.tensor([1, 2, 3])).array(), [2, 4, 6]);
  const {value, grads} = ts.valueAndGrad((a, b) => ts.matmul(a, b).sum())(ts.tensor([[1, 2]]), ts.tensor([[3], [4]]));
  same(await value.item(), 11);
  same(await grads[0].array(), [[3, 4]]);
  same(await grads[1].array(), [[1], [2]]);
  const second = ts.grad((x) => ts.grad((y) => y.power(3).sum())(x).sum());
  near(await second(ts.tensor([2])).array(), [12]);
  await fails("value", "expected a tensor or a list", () => ts.grad(() => 3)(ts.tensor([1])));
  await fails("value", "expected a tensor", () => ts.grad(f)(3));
  let caught = null;
  try {
    ts.grad(() => { throw new RangeError("mine"); })(ts.tensor([1]));
  } catch (error) {
    caught = error;
  }
  same([caught?.name, caught?.message], ["RangeError", "mine"], "what the function threw");
  same(await ts.grad(f)(ts.tensor([1])).array(), [2], "after that");
});

test("a step of gradient descent fits a line", async () => {
  const x = ts.tensor([[0], [1], [2], [3]]);
  const y = ts.tensor([[1], [3], [5], [7]]);
  let w = ts.zeros([1, 1]), b = ts.zeros([1]);
  const step = ts.valueAndGrad((u, v) => ts.mse_loss(ts.matmul(x, u).add(v), y));
  for (let i = 0; i < 150; ++i) {
    [w, b] = ts.tidy(() => {
      const {grads} = step(w, b);
      return [w.subtract(grads[0].multiply(0.1)), b.subtract(grads[1].multiply(0.1))].map((t) => t.eval());
    });
  }
  near([await w.item(), await b.item()], [2, 1], 0.02);
});

test("compile traces once and replays", async () => {
  let calls = 0;
  const f = ts.compile((x, rate) => { ++calls; return x.multiply(rate).sum(); });
  for (let i = 0; i < 5; ++i) near(await f(ts.tensor([1, 2, i]), ts.tensor(0.5)).item(), (3 + i) / 2);
  same([calls, f.traces], [1, 1], "traces");
  near(await f(ts.tensor([1, 2]), ts.tensor(2)).item(), 6);
  const g = ts.compile((a, b) => [a.add(b), a.subtract(b)]);
  const [sum, difference] = g(ts.tensor([3]), ts.tensor([1]));
  same([await sum.array(), await difference.array()], [[4], [2]]);
});

test("one trace serves all sizes of dynamic axes", async () => {
  let calls = 0;
  const f = ts.compile((x, y) => { ++calls; return [x.multiply(y).mean(), x.add(1)]; }, {dynamicAxes: {0: {0: "n"}, 1: {0: "n"}}});
  let first = 0;
  for (const n of [5, 2, 3, 17, 40]) {
    const x = ts.arange(0, n, 1, "f32");
    const [mean, sum] = f(x, x);
    near(await mean.item(), (n - 1) * (2 * n - 1) / 6, 1e-2);
    same((await sum.array()).length, n);
    first ||= calls;
  }
  same([f.traces, calls], [1, first], "traces and calls");
  const wrong = ts.compile((x) => x, {dynamicAxes: {0: {1: "n"}}});
  await fails("value", "an axis from -1 to 0 is expected", () => wrong(ts.tensor([1, 2])));
});

test("scan and loop trace once, with gradients of what they capture", async () => {
  let calls = 0;
  const cell = (w) => ([c], [x]) => { ++calls; const y = c.multiply(w).add(x); return {carry: [y], ys: [y]}; };
  const xs = ts.tensor([[1, 1], [2, 2], [3, 3]]);
  const start = ts.zeros([2]);
  const {carry, ys} = ts.scan(cell(ts.tensor([1, 0.5])), [start], [xs]);
  same([await carry[0].array(), await ys[0].array(), calls], [[6, 4.25], [[1, 1], [3, 2.5], [6, 4.25]], 1]);
  const back = ts.scan(cell(ts.tensor([1, 1])), [start], [xs], {reverse: true, unroll: 2});
  same(await back.ys[0].array(), [[6, 6], [5, 5], [3, 3]]);
  const last = (w) => ts.scan(cell(w), [start], [xs], {checkpointEvery: 2}).carry[0].sum();
  near(await ts.grad(last)(ts.tensor([1, 0.5])).array(), [4, 3]);  // 2 + 2 w
  near(await ts.grad((w) => ts.grad(last)(w).sum())(ts.tensor([1, 0.5])).array(), [2, 2]);
  same(await ts.loop(4, (step, [c]) => [c.multiply(2).add(step)], [ts.tensor([0, 1], "i32")])[0].array(), [11, 27]);
  const inside = ts.compile((x) => ts.loop(3, (step, [c]) => [c.add(x)], [x])[0]);
  for (const i of [1, 2]) same(await inside(ts.tensor([i])).array(), [4 * i]);
  await fails("value", "neither xs nor a length", () => ts.scan(([c]) => ({carry: [c]}), [start]));
  await fails("value", "f32 [] as carry 0", () => ts.scan(([c]) => ({carry: [c.sum()]}), [start], [xs]));
  await fails("value", "a carry of 0 tensors; expected 1", () => ts.scan(() => ({carry: []}), [start], [xs]));
  await fails("value", "read it first", () => ts.loop(ts.tensor(3, "i32"), (step, c) => c, [start]));
  await fails("value", "unroll is 0.5", () => ts.scan(([c]) => ({carry: [c]}), [start], [xs], {unroll: 0.5}));
});

test("tidy disposes what is not given back", async () => {
  const before = (await settled()).tensors;
  const y = ts.tidy(() => {
    const a = ts.ones([4]);
    ts.tidy(() => a.exp().add(1));
    return {kept: a.add(1), list: [a.multiply(3)]};
  });
  same(ts.memory().tensors - before, 2);
  same(await y.kept.array(), [2, 2, 2, 2]);
  y.kept.dispose();
  y.list[0].dispose();
  same(ts.memory().tensors - before, 0);
  await fails("value", "gives a promise", () => ts.tidy(async () => ts.ones([1])));
});

test("what nobody holds is given back", async () => {
  const before = (await settled()).tensors;
  (() => { for (let i = 0; i < 100; ++i) ts.full([4], i); })();
  same(ts.memory().tensors - before, 100);
  same((await settled()).tensors - before, 0);
});

test("ten thousand tensors leave memory as it was", async () => {
  const round = async (count) => {
    for (let i = 0; i < count; i += 100) {
      const last = ts.tidy(() => {
        let x = ts.full([256], i);
        for (let j = 0; j < 98; ++j) x = x.add(1);
        return x;
      });
      same((await last.data())[0], i + 98);
      last.dispose();
    }
  };
  await round(500);
  const before = await settled();
  await round(10000);
  const after = await settled();
  same(after.tensors, before.tensors, "tensors");
  same(after.bytes, before.bytes, "bytes in use");
  same(after.allocated, before.allocated, "bytes allocated");
});

memoryTests(test, {same, settled, fails});
inspectTests(test, {same, near, fails});

test("many reads at once and in any order", async () => {
  const all = await Promise.all(Array.from({length: 40}, (_, i) => ts.full([3], i).add(1).data()));
  same(all.map((d) => d[2]), Array.from({length: 40}, (_, i) => i + 1));
  const [a, b] = await ts.readAll([ts.tensor([1, 2]), ts.tensor([3], "i32")]);
  same([[...a], [...b]], [[1, 2], [3]]);
});

test("large arrays go and come back whole", async () => {
  const n = 3_000_001;
  const data = Float32Array.from({length: n}, (_, i) => i % 1000);
  const back = await ts.tensor(data).add(1).data();
  for (const i of [0, 1, 999, 1000, n - 1]) same(back[i], (i % 1000) + 1, `element ${i}`);
});

test("a kernel of one's own", async () => {
  const scale = ts.wgslKernel({
    name: "scale_add",
    source: `@compute @workgroup_size(workgroup_x)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&y)) { y[id.x] = x[id.x] * params.factor + f32(params.offset); }
}`,
    inputs: ["x"], outputs: ["y"], params: {factor: {f32: 2}, offset: 1},
  });
  const x = ts.tensor([1, 2, 3]);
  same(await scale([x]).array(), [3, 5, 7]);
  same(await scale([x.add(1)], {factor: 10}).add(1).array(), [22, 32, 42]);
  await fails("value", "expected a number", () => ts.wgslKernel({name: "k", source: "", params: {a: "b"}}));
});

test("a lost device is noticed, named and made anew", async () => {
  const x = ts.tensor([1, 2, 3]).add(1).eval();
  const name = ts.device().name;
  ts.loseDevice();
  await fails("device_lost", name, () => x.data());
  await fails("device_lost", "was lost", () => ts.tensor([1]).add(1).data());
  const again = await ts.init();
  same([again.name, again.available], [name, true]);
  near(await ts.tensor([1, 2]).add(1).array(), [2, 3]);
});

test("random numbers follow the seed's stream and their shape", async () => {
  const u = await ts.random.uniform([1000]).data();
  const mean = u.reduce((a, b) => a + b) / u.length;
  if (!(mean > 0.4 && mean < 0.6 && u.every((v) => v >= 0 && v < 1))) throw new Error(`the mean is ${mean}`);
  same(ts.random.normal([2, 3]).shape, [2, 3]);
});

test("functions of a module in a worker", async () => {
  if (typeof document === "undefined") return;  // in the page
  const remote = await ts.startWorker(new URL("./worker_tasks.js", import.meta.url));
  same(await remote.setUp(), "WebGPU");
  near([...await remote.softmax(new Float32Array([1, 1, 1, 1]))], [0.25, 0.25, 0.25, 0.25]);
  await fails("shape", "inner dimensions 3 and 2 differ", () => remote.mismatch());
  let caught = null;
  await remote.broken().catch((error) => { caught = error; });
  same([caught?.name, caught?.message], ["RangeError", "not mine"]);
  const waiting = remote.forever();
  remote.terminate();
  await fails("cancelled", "terminated", () => waiting);
  await fails("io", "does not load", () => ts.startWorker("./nothing_here.js"));
});

test("the CPU serves too", async () => {
  same((await ts.init({device: "cpu"})).id, "cpu");
  near(await ts.softmax(ts.tensor([1, 1])).array(), [0.5, 0.5]);
  same(await (await ts.nonzero(ts.tensor([0, 1]))).array(), [[1]]);
  same(await ts.tensor([1.5], "f64").multiply(2).array(), [3]);
  same((await ts.init({device: "webgpu"})).backend, "WebGPU");
});

export async function run(only) {
  const results = [];
  for (const {name, body} of tests) {
    if (only && !name.includes(only) && !name.startsWith("init")) continue;
    const start = performance.now();
    try {
      await Promise.race([body(), new Promise((_, no) => setTimeout(() => no(new Error("no answer within 60 s")), 60000))]);
      results.push({name, ms: Math.round(performance.now() - start)});
    } catch (error) {
      results.push({name, error: `${error.message}\n${error.stack ?? ""}`.slice(0, 600)});
    }
  }
  return results;
}
