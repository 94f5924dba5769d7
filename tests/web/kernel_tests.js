// Tests of kernels in WGSL of one's own, when they are wrong and when they have gradients, and of quantized weights.
import {fails, near, run as runTests, same, ts} from "./check.js";

const tests = {};
const kMain = "@compute @workgroup_size(workgroup_x)\nfn main(@builtin(global_invocation_id) id: vec3u) {\n";
const scale = (changes = {}) => ts.wgslKernel({
  name: "scale", inputs: ["x"], outputs: ["y"], params: {factor: {f32: 2}},
  source: `${kMain}  if (id.x < params.y_size) { y[id.x] = x[id.x] * params.factor; }\n}`, ...changes});

tests["a text that does not compile is an error of its results alone"] = async () => {
  const before = ts.tensor([1, 2, 3]).add(1).eval();
  const bad = scale({name: "typo", source: `${kMain}  y[id.x] = x[id.x] * factr;\n}`});
  const y = bad([ts.tensor([1, 2])]);
  y.eval();
  const error = await fails("shader", "factr", () => y.data());
  same([error.line, error.column, error.op], [3, 23, "typo"]);
  await fails("shader", "factr", () => y.add(1).sum().item());
  await fails("shader", "factr", () => bad([ts.tensor([1, 2])]).data());
  const both = await Promise.allSettled([bad([ts.ones([4])]).data(), ts.ones([4]).add(1).data()]);
  same([both[0].status, both[0].reason.kind, both[1].status, [...both[1].value]], ["rejected", "shader", "fulfilled", [2, 2, 2, 2]]);
  same(ts.device().available, true);
  same(await before.array(), [2, 3, 4], "what was computed before");
  same(await scale()([ts.tensor([1, 2])]).array(), [2, 4], "the next kernel");
};
tests["what only the pipeline shows is told too"] = async () => {
  const none = scale({name: "nameless", source: "@compute @workgroup_size(workgroup_x)\nfn other() {}"});
  await fails("shader", "main", () => none([ts.tensor([1])]).data());
  same(ts.device().available, true);
};
tests["bindings of its own that do not fit are an error of its results alone"] = async () => {
  const read = (line, what) => scale({name: "contrary", source: `${line}\n${kMain}  if (id.x < params.y_size) { y[id.x] = x[id.x] + ${what}; }\n}`});
  for (const bad of [read("@group(0) @binding(7) var<storage, read> mine: array<f32>;", "mine[id.x]"),
                     read("@group(0) @binding(0) var<storage, read_write> mine: array<f32>;", "mine[id.x]"),
                     read("@group(2) @binding(0) var<uniform> mine: vec4f;", "mine.x")]) {
    await fails("shader", "contrary", () => bad([ts.tensor([1, 2])]).data());
    same(ts.device().available, true);
  }
  same(await read("// @group(0) @binding(9) var<storage, read> mine: array<f32>;", "1.0")([ts.tensor([1, 2])]).array(), [2, 3], "one in a comment");
  same(await scale()([ts.tensor([1, 2])]).array(), [2, 4], "the next kernel");
};
tests["a text is checked for each type that it is given"] = async () => {
  const add = ts.wgslKernel({name: "half", inputs: ["x"], outputs: ["y"], source: `${kMain}  if (id.x < params.y_size) { y[id.x] = x[id.x] + 0.5; }\n}`});
  same(await add([ts.tensor([1, 2])]).array(), [1.5, 2.5]);
  await fails("shader", "", () => add([ts.tensor([1, 2], "i32")]).data());
  same(await add([ts.tensor([1, 2])]).array(), [1.5, 2.5]);
};
tests["a tensor may be disposed while its kernel is checked"] = async () => {
  const x = ts.tensor([3, 4]);
  const y = scale({name: "gone"})([x]);
  const reading = y.data();
  x.dispose();
  y.dispose();
  same([...await reading], [6, 8]);
};
tests["compile waits for nothing and is right"] = async () => {
  const kernel = scale({name: "inside"});
  const f = ts.compile((x) => kernel([x]).add(1));
  for (let i = 0; i < 3; ++i) same(await f(ts.tensor([i, 1])).array(), [2 * i + 1, 3]);
  const bad = scale({name: "wrong", source: `${kMain}  y[id.x] = nothing;\n}`});
  const lazy = bad([ts.tensor([1])]);  // its check is under way
  const g = ts.compile((x) => bad([x]).add(1));
  await fails("shader", "nothing", () => g(ts.tensor([1])).data());
  await fails("shader", "nothing", () => lazy.data());
  await fails("shader", "nothing", () => g(ts.tensor([1])));
  same(ts.device().available, true);
};
tests["gradients of a kernel"] = async () => {
  const seen = [];
  const kernel = scale({name: "product", inputs: ["a", "b"], params: {factor: {f32: 3}},
    source: `${kMain}  if (id.x < params.y_size) { y[id.x] = a[id.x] * b[id.x] * params.factor; }\n}`,
    gradient: ([a, b], [y], [g], {factor}) => {
      seen.push([y.shape, g.shape, factor.rank]);
      return [g.multiply(b).multiply(factor), g.multiply(a).multiply(factor)];
    }});
  const [a, b] = [ts.tensor([1, 2]), ts.tensor([5, 7])];
  const {value, grads} = ts.valueAndGrad((u, v) => kernel([u, v]).sum())(a, b);
  same(await value.item(), 57);
  same(await Promise.all(grads.map((t) => t.array())), [[15, 21], [3, 6]]);
  same(seen, [[[2], [2], 0]], "what the function was given");
  // With another number, and twice: the function's own ops have gradients too.
  near(await ts.grad((u) => kernel([u, b], {factor: 10}).sum())(a).array(), [50, 70]);
  near(await ts.grad((u) => ts.grad((v) => kernel([v, v]).sum())(u).sum())(a).array(), [6, 6]);
  const one = scale({name: "stop", inputs: ["a", "b"], source: `${kMain}  if (id.x < params.y_size) { y[id.x] = a[id.x] + b[id.x] * params.factor; }\n}`,
    gradient: (inputs, outputs, [g]) => [g, null]});
  same(await Promise.all(ts.grad((u, v) => one([u, v]).sum())(a, b).map((t) => t.array())), [[1, 1], [0, 0]]);
};
tests["bad gradients are said"] = async () => {
  const x = ts.tensor([1, 2]);
  const slope = (gradient) => () => ts.grad((v) => scale({name: "g", gradient})([v]).sum())(x);
  await fails("value", "gave a list of 0; expected a list of 1", slope(() => []));
  await fails("value", "gave number; expected", slope(() => 3));
  await fails("value", "the gradient is string; expected a function", () => scale({gradient: "x"}));
  let caught = null;
  try { slope(() => { throw new RangeError("mine"); })(); } catch (error) { caught = error; }
  same([caught?.name, caught?.message], ["RangeError", "mine"]);
  await fails("unsupported", "gradient", slope(undefined));
};

// ---- Quantized weights: the formats as ggml defines them, decoded here ----

// Bytes of random blocks; the scales are small halves.
function blocks(count, bytes, scales, seed) {
  const out = new Uint8Array(count * bytes);
  let state = seed;
  for (let i = 0; i < out.length; ++i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out[i] = state >>> 24;
  }
  for (let b = 0; b < count; ++b) for (const at of scales) new DataView(out.buffer).setUint16(b * bytes + at, 0x2c00 + ((b * 37 + at) % 256), true);
  return out;
}
const half = (view, at) => {
  const bits = view.getUint16(at, true);
  return (bits & 0x8000 ? -1 : 1) * (1 + (bits & 1023) / 1024) * 2 ** (((bits >> 10) & 31) - 15);
};
const kFormats = {
  q4_0: {bytes: 18, elements: 32, scales: [0], decode: (v, at) => Array.from({length: 32}, (_, i) => {
    const byte = v.getUint8(at + 2 + i % 16);
    return half(v, at) * ((i < 16 ? byte & 15 : byte >> 4) - 8);
  })},
  q8_0: {bytes: 34, elements: 32, scales: [0], decode: (v, at) => Array.from({length: 32}, (_, i) => half(v, at) * v.getInt8(at + 2 + i))},
  q6_k: {bytes: 210, elements: 256, scales: [208], decode: (v, at) => Array.from({length: 256}, (_, i) => {
    const [part, quarter, l] = [i >> 7, (i >> 5) & 3, i & 31];
    const low = v.getUint8(at + part * 64 + (quarter & 1) * 32 + l);
    const high = (v.getUint8(at + 128 + part * 32 + l) >> (2 * quarter)) & 3;
    const q = ((quarter < 2 ? low & 15 : low >> 4) | (high << 4)) - 32;
    return half(v, at + 208) * v.getInt8(at + 192 + part * 8 + quarter * 2 + (l >> 4)) * q;
  })},
};

tests["quantized weights from blocks: their numbers and products"] = async () => {
  const [rows, columns] = [24, 512];
  const x = Float32Array.from({length: 3 * columns}, (_, i) => Math.sin(i));
  for (const [format, {bytes, elements, scales, decode}] of Object.entries(kFormats)) {
    const raw = blocks(rows * columns / elements, bytes, scales, 7);
    const view = new DataView(raw.buffer);
    const expected = Array.from({length: raw.length / bytes}, (_, b) => decode(view, b * bytes)).flat();
    const q = ts.fromBlocks(format, raw, [rows, columns]);
    same([q.dtype, q.shape], [format, [rows, columns]]);
    near([...await ts.dequantize(q).data()], expected, 1e-6);
    same(ts.dequantize(q, "f16").dtype, "f16");
    for (const few of [1, 3]) {
      const products = [];
      for (let i = 0; i < few; ++i) for (let n = 0; n < rows; ++n) {
        let sum = 0;
        for (let k = 0; k < columns; ++k) sum += x[i * columns + k] * expected[n * columns + k];
        products.push(sum);
      }
      const input = ts.tensor(x.subarray(0, few * columns), [few, columns]);
      near([...await ts.matmul(input, q.transpose()).data()], products, 1e-3);
      near([...await input.matmul(q.transpose()).data()], products, 1e-3);
    }
    q.dispose();
    q.dispose();
    await fails("value", "was disposed", () => ts.dequantize(q));
  }
};
tests["every format's product is that of its numbers"] = async () => {
  const sizes = {q4_0: [18, 32], q4_1: [20, 32], q5_0: [22, 32], q5_1: [24, 32], q8_0: [34, 32], q2_k: [84, 256], q3_k: [110, 256], q4_k: [144, 256],
                 q5_k: [176, 256], q6_k: [210, 256], iq4_nl: [18, 32], iq4_xs: [136, 256]};
  const x = ts.random.normal([2, 256]);
  for (const [format, [bytes, elements]] of Object.entries(sizes)) {
    const scales = {q4_1: [0, 2], q5_1: [0, 2], q2_k: [80, 82], q3_k: [108], q4_k: [0, 2], q5_k: [0, 2], q6_k: [208]}[format] ?? [0];
    const q = ts.fromBlocks(format, blocks(8 * 256 / elements, bytes, scales, 3), [8, 256]);
    const [fast, plain] = await ts.readAll([ts.matmul(x, q.transpose()), ts.matmul(x, ts.dequantize(q).transpose())]);
    near([...fast], [...plain], 1e-3);
  }
};
tests["quantizing a matrix, and a gradient through it"] = async () => {
  const w = ts.random.normal([4, 64]);
  const exact = await w.data();
  for (const [format, step] of [["q8_0", 1 / 127], ["q4_0", 1 / 8]]) {
    const q = await ts.quantize(w, format);
    const got = await ts.dequantize(q).data();
    got.forEach((v, i) => {
      const block = exact.subarray(i - i % 32, i - i % 32 + 32);
      const largest = Math.max(...block.map(Math.abs));
      if (!(Math.abs(v - exact[i]) <= largest * step * 1.01)) throw new Error(`${format}: number ${i} is ${v}; it was ${exact[i]}`);
    });
  }
  const q = await ts.quantize(w, "q8_0");
  const slope = ts.grad((x) => ts.matmul(x, q.transpose()).sum())(ts.ones([1, 64]));
  near([...await slope.data()], [...await ts.dequantize(q).sum(0).data()], 1e-4);
};
tests["bad blocks are said"] = async () => {
  const make = ts.fromBlocks;
  await fails("dtype", "the type is 'q3_x'", () => make("q3_x", new Uint8Array(34), [1, 32]));
  await fails("shape", "expected a list of sizes", () => make("q8_0", new Uint8Array(34), 32));
  await fails("dtype", "expected an ArrayBuffer", () => make("q8_0", [1, 2], [1, 32]));
  await fails("value", "33 bytes were given for [1, 32] in q8_0, which has 34", () => make("q8_0", new Uint8Array(33), [1, 32]));
  await fails("shape", "", () => make("q8_0", new Uint8Array(34), [1, 31]));
  await fails("shape", "expected a tensor", () => ts.quantize(ts.tensor(1), "q8_0"));
  await fails("value", "element 0 is inf", () => ts.quantize(ts.full([1, 256], Infinity), "q6_k"));
  const q = make("q8_0", new Uint8Array(34), [1, 32]);
  await fails("shape", "", () => ts.matmul(ts.ones([2, 31]), q.transpose()));
  await fails("dtype", "block dtype", () => ts.dequantize(ts.ones([2, 32])));
  await fails("dtype", "astype(f16)", () => ts.exp(q));
};

export const run = (only) => runTests(tests, only);
