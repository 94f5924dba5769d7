// Compares what the libraries ask of WebGPU for the same steps in the same browser: a table, and with --check its judgement.
//
//   tools/web.sh && node benchmarks/web/compare.mjs [--check] [--long]
import {existsSync} from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";

import {root, skip, withPage} from "../../tests/web/page.mjs";

// Steps before those that count, and those: a product takes a software adapter many seconds. --long is for the host's time, where
// the first steps of a page, and those of an idle one, cost more.
const kSteps = process.argv.includes("--long") ? {matmul: [2, 4], other: [5, 20]} : {matmul: [1, 1], other: [2, 3]};
const kLibraries = {tessera: "Tessera", tfjs: "TensorFlow.js", ort: "ONNX Runtime"};
const kJudged = {dispatches: "dispatches", moved: "bytes moved", readBacks: "read-backs"};

if (!existsSync(path.join(root, "build/web/package/index.js"))) skip("there is no package for the browser; ./test makes it, and says why where it cannot");
const modules = path.join(root, "build/_deps/node/node_modules");
for (const name of ["@tensorflow/tfjs-core", "@tensorflow/tfjs-backend-webgpu", "@tensorflow/tfjs-backend-cpu", "onnxruntime-web"]) {
  if (!existsSync(path.join(modules, name))) skip(`${name} is not there; ./test gets it with npm`);
}

// {step: {counts, results, host}} of one library, in a page of its own.
const measure = (url) => withPage(async (page, origin) => {
  await page.addInitScript({path: path.join(root, "benchmarks/web/counter.js")});
  await page.goto(origin);
  const profiler = await page.context().newCDPSession(page);
  await profiler.send("Performance.enable", {timeDomain: "threadTicks"});
  const busy = async () => (await profiler.send("Performance.getMetrics")).metrics.find(({name}) => name === "TaskDuration").value;
  const names = await page.evaluate(async (url) => {
    globalThis.library = await import(url);
    globalThis.inputs = library.inputs ?? (await import("/benchmarks/web/data.js")).inputs;
    globalThis.steps = await library.setUp();
    globalThis.results = {};
    return Object.keys(globalThis.steps);
  }, origin + url);
  const all = {};
  for (const name of names) {
    // Its data is made beforehand: the counts and the time are the library's.
    const ready = (first, count) => page.evaluate(({name, first, count}) => {
      globalThis.data = Array.from({length: count}, (_, i) => inputs[name](first + i));
    }, {name, first, count});
    const run = () => page.evaluate(async (name) => {
      gpuCounter.reset();
      const start = performance.now();
      for (const data of globalThis.data) globalThis.results[name] = await steps[name](data);
      return {...gpuCounter.read(), wall: performance.now() - start};
    }, name);
    const [warm, counted] = kSteps[name] ?? kSteps.other;
    await ready(0, warm);
    await run();
    await ready(warm, counted);
    const before = await busy();
    const counts = await run();
    const host = (await busy() - before) * 1000 / counted;
    for (const key in counts) counts[key] /= counted;
    const text = await page.evaluate((name) => new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.readAsDataURL(new Blob([library.ordered?.[name]?.(results[name]) ?? results[name]]));
    }), name);
    const bytes = Buffer.from(text.slice(text.indexOf(",") + 1), "base64");
    all[name] = {counts, host, results: new Float32Array(new Uint8Array(bytes).buffer)};
  }
  return all;
});

// tfjs keeps its gradients in modules that only a bundler finds.
const {build} = createRequire(path.join(modules, "vite/package.json"))("esbuild");
const bundle = "build/web/compare/tfjs.js";
await build({entryPoints: [path.join(root, "benchmarks/web/tfjs.js")], outfile: path.join(root, bundle), bundle: true, format: "esm",
             nodePaths: [modules], logLevel: "error"});
const files = {tessera: "/benchmarks/web/tessera.js", tfjs: `/${bundle}`, ort: "/benchmarks/web/ort.js"};

const measured = {};
for (const library of Object.keys(kLibraries)) measured[library] = await measure(files[library]);

const shown = (bytes) => bytes.toLocaleString("en");
console.log(`| step | library | dispatches | submits | read-backs | bytes up | bytes copied | bytes back | host ms | until done, ms |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`);
const faults = [];
for (const [name, own] of Object.entries(measured.tessera)) {
  for (const [library, title] of Object.entries(kLibraries)) {
    const other = measured[library][name];
    if (!other) continue;
    const {dispatches, submits, readBacks, uploaded, copied, readBack} = other.counts;
    console.log(`| ${name} | ${title} | ${dispatches} | ${submits} | ${readBacks} | ${shown(uploaded)} | ${shown(copied)} | ${shown(readBack)} | ${other.host.toFixed(2)} | ${other.counts.wall.toFixed(0)} |`);
    if (!(dispatches > 0)) faults.push(`${name}: ${title} did not use the GPU`);
    for (const [key, word] of Object.entries(kJudged)) {
      if (own.counts[key] > other.counts[key]) faults.push(`${name}: ${word} are ${own.counts[key]}; ${title} has ${other.counts[key]}`);
    }
    if (own.results.length !== other.results.length) faults.push(`${name}: ${title} gives ${other.results.length} numbers; Tessera ${own.results.length}`);
    const at = own.results.findIndex((value, i) => !(Math.abs(value - other.results[i]) <= 1e-4 * Math.max(1, Math.abs(other.results[i]))));
    if (at >= 0) faults.push(`${name}: number ${at} is ${own.results[at]}; ${title} gives ${other.results[at]}`);
  }
}
console.log("Counted for each step, after the first ones. Host time is the main thread's CPU time: printed, not judged.");
if (process.argv.includes("--check")) {
  for (const fault of faults) console.log(`FAILED ${fault}`);
  console.log(faults.length ? `${faults.length} faults` : "the results agree, and Tessera has fewer or equal dispatches, bytes and read-backs everywhere");
  process.exit(faults.length ? 1 : 0);
}
process.exit(0);
