// Runs the package in Node on Dawn and lavapipe, which have f16 and subgroups, and compiles the texts of a folder there:
// dawn.mjs [FOLDER of .wgsl files]. The package's results are compared with those of its CPU backend.
import {spawnSync} from "node:child_process";
import {existsSync, readdirSync} from "node:fs";
import {readFile} from "node:fs/promises";
import {createRequire} from "node:module";
import path from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";

import {root, skip} from "./page.mjs";

const packaged = path.join(root, "build/web/package");
const modules = path.join(root, "build/_deps/node/node_modules");
const mesa = path.join(root, "build/_deps/mesa/run");
const folder = process.argv[2];

if (!process.env.TESSERA_ON_DAWN) {
  if (!existsSync(path.join(packaged, "index.js"))) skip("there is no package for the browser; ./test makes it, and says why where it cannot");
  if (!existsSync(path.join(modules, `webgpu/dist/${process.platform}-${process.arch}/dawn.node`))) skip("the npm package webgpu, with Dawn for this system, is not there; ./test gets it with npm");
  if (!existsSync(mesa)) skip("there is no Mesa in build/_deps/mesa; ./test gets it from Debian");
  const {status, signal} = spawnSync(mesa, ["node", "--expose-gc", fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    {stdio: "inherit", env: {...process.env, TESSERA_ON_DAWN: "1", GALLIVM_PERF: "nopt"}});
  if (signal) console.log(`FAILED: ended by ${signal}`);
  process.exit(status ?? 1);
}

const {create, globals} = await import(pathToFileURL(createRequire(path.join(modules, "x.js")).resolve("webgpu")));
Object.assign(globalThis, globals);
Object.defineProperty(globalThis, "navigator", {value: {gpu: create([])}, configurable: true});
const adapter = await navigator.gpu.requestAdapter();
if (!adapter) skip("Dawn finds no adapter on this Mesa");
for (const feature of ["shader-f16", "subgroups"]) if (!adapter.features.has(feature)) skip(`this Mesa has no ${feature} for Dawn`);
const faults = [];

// ---- The texts that the tests of this machine made ----

if (folder && existsSync(folder)) {
  const device = await adapter.requestDevice({requiredFeatures: ["shader-f16", "subgroups"]});
  const counts = {all: 0, f16: 0, subgroups: 0};
  const names = new RegExp(/const names = \/(.*)\/;/.exec(await readFile(path.join(root, "providers/web/webgpu.js"), "utf8"))[1]);
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".wgsl"))) {
    let code = await readFile(path.join(folder, name), "utf8");
    if (code.includes("enable wgpu_cooperative_matrix;")) continue;  // no browser has it
    const groups = names.test(code);
    if (groups) code = "enable subgroups; " + code;
    ++counts.all;
    counts.f16 += /^enable f16;/m.test(code);
    counts.subgroups += groups;
    device.pushErrorScope("validation");
    const {messages} = await device.createShaderModule({code}).getCompilationInfo();
    await device.popErrorScope();
    const error = messages.find((m) => m.type === "error");
    if (error) faults.push(`${name}:${error.lineNum}: ${error.message}`);
  }
  console.log(`Dawn compiles ${counts.all - faults.length} of ${counts.all} texts; ${counts.f16} of them use f16, ${counts.subgroups} subgroups`);
  device.destroy();
}

// ---- The package ----

const used = {f16: 0, subgroups: 0};
const make = GPUDevice.prototype.createShaderModule;
GPUDevice.prototype.createShaderModule = function (descriptor) {
  used.f16 += /enable f16;/.test(descriptor.code);
  used.subgroups += descriptor.code.startsWith("enable subgroups;");
  return make.call(this, descriptor);
};
const ts = await import(pathToFileURL(path.join(packaged, "index.js")));
const module = {wasmBinary: await readFile(path.join(packaged, "tessera.wasm"))};

function numbers(count, seed) {
  let state = seed;
  return Float32Array.from({length: count}, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
// Numbers that f16 holds exactly: both devices start from the same.
const tensor = (shape, seed) => ts.tensor(numbers(shape.reduce((a, b) => a * b, 1), seed).map((v) => Math.round(v * 512) / 512), shape);

// Each takes tensors of the shapes and gives one.
const kCases = {
  "a chain": [[[1000], [1000]], (a, b) => a.multiply(b).add(a).tanh().exp().subtract(b)],
  gelu: [[[4, 77]], (x) => ts.gelu(x)],
  softmax: [[[33, 257]], (x) => ts.softmax(x, -1)],
  "log softmax": [[[5, 1000]], (x) => ts.log_softmax(x, -1)],
  "layer norm": [[[17, 384]], (x) => ts.layer_norm(x)],
  "sum of rows": [[[20, 300]], (x) => x.sum(1)],
  "mean of columns": [[[300, 20]], (x) => x.mean(0)],
  "sum of all": [[[40, 50]], (x) => x.abs().mean()],
  max: [[[9, 130]], (x) => x.max(1)],
  matmul: [[[64, 96], [96, 80]], (a, b) => ts.matmul(a, b).multiply(0.125)],
  "matmul with bias": [[[65, 33], [33, 31], [31]], (a, b, c) => ts.matmul(a, b).add(c).relu()],
  "one row": [[[1, 256], [256, 128]], (a, b) => ts.matmul(a, b).multiply(0.125)],
  "one row, transposed": [[[1, 256], [128, 256]], (a, b) => ts.matmul(a, b.transpose()).multiply(0.125)],
  "batched matmul": [[[3, 17, 20], [3, 20, 18]], (a, b) => ts.matmul(a, b)],
  conv2d: [[[2, 5, 12, 12], [7, 5, 3, 3]], (x, w) => ts.conv2d(x, w, null, {padding: 1, stride: 2}).multiply(0.25)],
  attention: [[[1, 2, 24, 32], [1, 2, 24, 32], [1, 2, 24, 32]], (q, k, v) => ts.scaled_dot_product_attention(q, k, v)],
  transpose: [[[30, 50]], (x) => x.transpose().add(1)],
  "gather and pad": [[[20, 8]], (x) => ts.take(x, ts.tensor([3, 0, 19], "i32"), 0).multiply(2)],
  gradient: [[[16, 24], [24, 8]], (x, w) => ts.grad((v) => ts.matmul(x, v).tanh().square().mean())(w).multiply(16)],
};

const cpu = {};
await ts.init({device: "cpu", module});
for (const [name, [shapes, f]] of Object.entries(kCases)) cpu[name] = await f(...shapes.map((shape, i) => tensor(shape, i + 1))).data();

const device = await ts.init({device: "webgpu"});
console.log(`${device.name}: f16 ${device.features.f16}, subgroups ${device.features.subgroups}`);
if (!device.features.f16 || !device.features.subgroups) faults.push("the engine does not see f16 and subgroups");
let right = 0;
for (const dtype of ["f32", "f16"]) {
  // f16 holds eleven bits; sums are kept in f32 between.
  const tolerance = dtype === "f16" ? 2 ** -9 : 2e-5;
  for (const [name, [shapes, f]] of Object.entries(kCases)) {
    try {
      const y = f(...shapes.map((shape, i) => tensor(shape, i + 1).cast(dtype)));
      if (y.dtype !== dtype) throw new Error(`gives ${y.dtype}`);
      const got = await y.cast("f32").data();
      const at = cpu[name].findIndex((value, i) => !(Math.abs(got[i] - value) <= tolerance * Math.max(1, Math.abs(value))));
      if (got.length !== cpu[name].length || at >= 0) throw new Error(`number ${at} is ${got[at]}; the CPU gives ${cpu[name][at]}`);
      ++right;
    } catch (error) {
      faults.push(`${dtype} ${name}: ${error.message}`);
    }
  }
}
console.log(`${right} of ${2 * Object.keys(kCases).length} results agree with the CPU; the engine wrote ${used.f16} texts with f16 and ${used.subgroups} with subgroups`);
if (!used.f16 || !used.subgroups) faults.push("no text used f16, or none subgroups: nothing was proven");
for (const module of ["kernel_tests.js", "gguf_tests.js"]) {
  const results = await (await import(`./${module}`)).run("");
  for (const {name, error} of results) if (error) faults.push(`${name}: ${error}`);
  console.log(`${results.filter(({error}) => !error).length} of ${results.length} tests of ${module} pass`);
}
for (const fault of faults) console.log(`FAILED ${fault}`);
process.exit(faults.length ? 1 : 0);
