// The engines of the benchmark: each prepares a task as {run, finish, values, dispose}, or reports why it is not available.
import * as ts from "../package/index.js";
import {model} from "./onnx.js";

const kOps = {
  gemm: (a, b) => ts.matmul(a, b),
  bandwidth: (a, b) => ts.add(a, b),
  softmax: (x) => ts.softmax(x, 1),
  conv: (x, w) => ts.conv2d(x, w, null, {padding: 1}),
};

/** This engine, on its current device. */
export function tessera(task) {
  const inputs = task.inputs.map((data, i) => ts.tensor(data, task.shapes[i]));
  ts.evaluate(...inputs);
  let last = null;
  const read = (places) => {
    const some = ts.tidy(() => ts.take(last.reshape([-1]), ts.tensor(Int32Array.from(places)), 0));
    return some.data().finally(() => some.dispose());
  };
  return {
    run() {
      last?.dispose();
      last = ts.tidy(() => kOps[task.name](...inputs).eval());
    },
    finish: () => read([0]),
    values: () => read(task.places),
    dispose() {
      last?.dispose();
      for (const t of inputs) t.dispose();
    },
  };
}

// A module (.mjs) or a classic script from an address that the page was given.
async function loaded(address, name) {
  const url = new URL(address, location.href);
  if (url.pathname.endsWith(".mjs")) return import(url.href);
  await new Promise((done, no) => {
    const script = document.createElement("script");
    script.src = url.href;
    script.onload = done;
    script.onerror = () => no(new Error(`${url.href} does not load`));
    document.head.append(script);
  });
  return globalThis[name];
}

// The parts of a library, from a global or from the addresses (with commas between) of a parameter.
async function library(name) {
  if (globalThis[name]) return globalThis[name];
  const addresses = new URLSearchParams(location.search).get(name);
  if (!addresses) return null;
  let found = null;
  for (const address of addresses.split(",")) found = await loaded(address, name) ?? found;
  return globalThis[name] ?? found;
}

async function tensorflow() {
  const tf = await library("tf");
  if (!tf) return {why: "not present: no global tf, no ?tf=ADDRESS"};
  if (!await tf.setBackend("webgpu").catch(() => false)) return {why: "present, but without its WebGPU backend"};
  await tf.ready();
  const ops = {
    gemm: (a, b) => tf.matMul(a, b),
    bandwidth: (a, b) => tf.add(a, b),
    softmax: (x) => tf.softmax(x, 1),
    conv: (x, w) => tf.conv2d(x, w, 1, "same"),
  };
  return {
    version: tf.version?.["tfjs-core"] ?? tf.version_core ?? "",
    async prepare(task) {
      const conv = task.name === "conv";
      const given = task.inputs.map((data, i) => tf.tensor(data, task.shapes[i]));
      // It needs channels last.
      const inputs = conv ? [tf.transpose(given[0], [0, 2, 3, 1]), tf.transpose(given[1], [2, 3, 1, 0])] : given;
      for (const t of inputs) await t.data();
      let last = null;
      return {
        run() {
          last?.dispose();
          last = ops[task.name](...inputs);
        },
        async finish() {
          const one = tf.tidy(() => tf.slice(tf.reshape(last, [-1]), 0, 1));
          await one.data();
          one.dispose();
        },
        async values() {
          const whole = conv ? tf.transpose(last, [0, 3, 1, 2]) : last;
          const data = await whole.data();
          if (conv) whole.dispose();
          return task.places.map((p) => data[p]);
        },
        dispose() { for (const t of [last, ...inputs, ...given]) if (t && !t.isDisposed) t.dispose(); },
      };
    },
  };
}

async function onnxruntime() {
  const ort = await library("ort");
  if (!ort) return {why: "not present: no global ort, no ?ort=ADDRESS"};
  return {
    version: ort.env?.versions?.web ?? "",
    async prepare(task) {
      const session = await ort.InferenceSession.create(model(task), {executionProviders: ["webgpu"], preferredOutputLocation: "gpu-buffer"});
      const device = await ort.env.webgpu.device;
      const buffers = task.inputs.map((data) => {
        const buffer = device.createBuffer({size: data.byteLength, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST});
        device.queue.writeBuffer(buffer, 0, data);
        return buffer;
      });
      const feeds = Object.fromEntries(buffers.map((buffer, i) => [`x${i}`, ort.Tensor.fromGpuBuffer(buffer, {dataType: "float32", dims: task.shapes[i]})]));
      let last = null;
      return {
        async run() {
          last?.dispose();
          last = (await session.run(feeds)).y;
        },
        finish: () => device.queue.onSubmittedWorkDone(),
        async values() {
          const data = await last.getData();
          return task.places.map((p) => data[p]);
        },
        async dispose() {
          last?.dispose();
          for (const buffer of buffers) buffer.destroy();
          await session.release();
        },
      };
    },
  };
}

/** The other engines, each {name, version, prepare} or {name, why}. */
export async function others() {
  const found = [];
  for (const [name, look] of [["TensorFlow.js, WebGPU", tensorflow], ["ONNX Runtime Web, WebGPU", onnxruntime]]) {
    found.push({name, ...await look().catch((error) => ({why: `not usable: ${error.message}`}))});
  }
  return found;
}
