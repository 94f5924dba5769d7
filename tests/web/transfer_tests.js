// Tests of how data goes in and out: where it is copied, how often, and what may happen to an array after that.
import {engine} from "../../build/web/package/runtime.js";
import {fails, run as runTests, same, settled, ts} from "./check.js";

const tests = {};
const heap = () => engine().HEAPU8.byteLength;

// What f hands to writeBuffer, as lists of arguments.
async function writes(f) {
  const original = GPUQueue.prototype.writeBuffer;
  const seen = [];
  GPUQueue.prototype.writeBuffer = function (...args) {
    seen.push(args);
    return original.apply(this, args);
  };
  try {
    await f();
  } finally {
    GPUQueue.prototype.writeBuffer = original;
  }
  return seen;
}
const device = () => engine().TesseraWeb.objects.find((object) => object?.events && !object.dead);
// A device that holds queue work back: a pipeline that it has not made yet is being compiled.
let sizes = 3;
function keepBusy() {
  const x = ts.tensor(new Float32Array(2)).eval();
  let y = x;
  ++sizes;
  for (let i = 0; i < sizes; ++i) y = y.multiply(1.5 + i).sin();
  y.eval();
  same(device().busy, true, "whether the device is busy");
}

tests["an array goes to writeBuffer itself"] = async () => {
  const floats = Float32Array.from({length: 5000}, (_, i) => i);
  const seen = await writes(() => ts.tensor(floats.subarray(7, 4007), [40, 100]));
  same(seen.length, 1, "writes");
  const [, offset, data, from = 0, size = data.length - from] = seen[0];
  same(data.buffer === floats.buffer, true, "whether the view is on the array's own memory");
  same([offset, data.byteOffset + from, size * data.BYTES_PER_ELEMENT], [0, 28, 16000]);
};
tests["nothing large passes through the module's memory"] = async () => {
  const bytes = heap();  // as many again cannot fit into it
  const data = new Uint8Array(bytes).fill(7);
  data[bytes - 1] = 9;
  const x = ts.tensor(data);
  const back = await x.data();
  same(heap(), bytes, "the heap after a round trip");
  same([back.length, back[0], back[bytes - 2], back[bytes - 1]], [bytes, 7, 7, 9]);
  x.dispose();
  const header = new TextEncoder().encode(JSON.stringify({w: {dtype: "U8", shape: [bytes], data_offsets: [0, bytes]}}));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setUint32(0, header.length, true);
  const {w} = await ts.load(new Blob([length, header, data]));
  same(heap(), bytes, "the heap after a load");
  same((await w.slice([{start: bytes - 3}]).data()).join(), "7,7,9");
  w.dispose();
};
tests["a read of several pieces is whole"] = async () => {
  const bytes = 70 * 2 ** 20 + 3;  // a staging buffer has 64 MiB
  const data = new Uint8Array(bytes);
  for (let i = 0; i < bytes; i += 9973) data[i] = i % 251;
  const [small, back] = await ts.readAll([ts.tensor([1, 2]), ts.tensor(data)]);
  same([...small], [1, 2]);
  same(back.length, bytes);
  const wrong = back.findIndex((v, i) => v !== data[i]);
  same(wrong, -1, "the first byte that differs");
};
tests["what happens to an array later does not reach the tensor"] = async () => {
  const array = new Float32Array([1, 2, 3]);
  const x = ts.tensor(array);
  array.fill(0);
  same([...await x.data()], [1, 2, 3]);
  keepBusy();
  const bytes = new Uint8Array([1, 2, 3, 4, 5]);
  const y = ts.tensor(bytes);
  bytes.fill(0);
  structuredClone(bytes, {transfer: [bytes.buffer]});
  same([...await y.data()], [1, 2, 3, 4, 5], "while the device was busy");
};
tests["every type and odd number of bytes comes back as it went"] = async () => {
  const kinds = {i8: Int8Array, u8: Uint8Array, i16: Int16Array, u16: Uint16Array, i32: Int32Array, u32: Uint32Array, i64: BigInt64Array,
                 u64: BigUint64Array, f32: Float32Array, f16: globalThis.Float16Array};
  for (const [dtype, Kind] of Object.entries(kinds)) {
    if (!Kind) continue;
    for (const count of [0, 1, 2, 3, 4, 5, 7, 33, 257]) {
      const array = Kind.from({length: count}, (_, i) => dtype.endsWith("64") ? BigInt(i % 100) : i % 100);
      const x = ts.tensor(array);
      same([x.dtype, x.shape], [dtype, [count]]);
      const back = await x.data();
      same([back.constructor.name, [...back].map(Number)], [Kind.name, [...array].map(Number)], `${count} of ${dtype}`);
      // As kernels see it.
      if (count) same(await x.cast("i32").sum().item(), [...array].map(Number).reduce((a, b) => a + b), `the sum of ${count} of ${dtype}`);
    }
  }
  same([...await ts.tensor([true, false, true, true, false]).data()], [1, 0, 1, 1, 0]);
  same(await ts.tensor(new Float32Array(0), [0, 3]).array(), []);
};
tests["parts of arrays, shared and resizable memory"] = async () => {
  const odd = new Uint8Array([9, 1, 2, 3, 4, 5, 9]).subarray(1, 6);
  same([...await ts.tensor(odd).data()], [1, 2, 3, 4, 5]);
  const shared = new Float32Array(new WebAssembly.Memory({initial: 1, maximum: 1, shared: true}).buffer, 8, 3);
  shared.set([1, 2, 3]);
  same([...await ts.tensor(shared).data()], [1, 2, 3], "of shared memory");
  const resizable = new Int32Array(new ArrayBuffer(12, {maxByteLength: 64}));
  resizable.set([4, 5, 6]);
  const x = ts.tensor(resizable);
  resizable.buffer.resize(4);
  same([...await x.data()], [4, 5, 6], "of memory that changes its size");
};
tests["memory that is not there is an error"] = async () => {
  const before = (await settled()).tensors;
  const gone = new Float32Array(4);
  structuredClone(gone, {transfer: [gone.buffer]});
  await fails("value", "it is detached", () => ts.tensor(gone));
  await fails("value", "it is detached", () => ts.tensor(gone, [4]));
  await fails("value", "it is detached", () => ts.load(gone));
  await fails("value", "it is detached", () => ts.fromBlocks("q8_0", gone, [1, 32]));
  await fails("unsupported", "f64 tensors run on the CPU", () => ts.tensor(new Float64Array(2)));
  await fails("shape", "3 elements were given for shape [2, 2]", () => ts.tensor(new Float32Array(3), [2, 2]));
  await fails("shape", "negative size", () => ts.tensor(new Float32Array(4), [-2, -2]));
  same(ts.memory().tensors - before, 0, "tensors left behind");
};
tests["uploads and downloads are counted"] = async () => {
  const {result, ...p} = await ts.profile(async () => (await ts.tensor(new Float32Array([1, 2, 3])).add(1).data()).join());
  same([result, p.uploads, p.uploadedBytes, p.downloads, p.downloadedBytes], ["2,3,4", 1, 12, 1, 12]);
};
tests["a lost device is an error of the call"] = async () => {
  const x = ts.tensor(new Float32Array(1000));
  x.dispose();  // its memory is there for the next one
  ts.loseDevice();
  await fails("device_lost", "was lost", () => ts.ones([2]).add(1).data());
  await fails("device_lost", "was lost", () => ts.tensor(new Float32Array(1000)));
  await ts.init();
  same([...await ts.tensor(new Float32Array([5])).data()], [5]);
};
tests["files that come in bits of any length"] = async () => {
  const url = new URL("../../build/web/files/all.safetensors", import.meta.url);
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const whole = await ts.load(bytes);
  for (const step of [1, 2, 3, 5, 7]) {
    let at = 0;
    const stream = new ReadableStream({pull(c) {
      if (at >= bytes.length) return c.close();
      c.enqueue(bytes.slice(at, at += step));
    }});
    if (step === 3) keepBusy();
    const parts = await ts.load(new Response(stream), {format: "safetensors"});
    for (const name in whole) same([...await parts[name].data()].map(String), [...await whole[name].data()].map(String), `${name} in bits of ${step}`);
  }
};
tests["in a fresh worker: one copy on the CPU, arrays handed over, copies that outlive a loss"] = async () => {
  const remote = await ts.startWorker(new URL("./worker_tasks.js", import.meta.url));
  try {
    const {before, after, bytes, back} = await remote.cpuRoundTrip();
    same(back, [bytes, 7, 9]);
    // The tensor itself; a copy on the way in or out would be as much again.
    if (!(after - before < 1.5 * bytes)) throw new Error(`the heap grew from ${before} to ${after} for ${bytes} bytes`);
    const copied = new Float32Array([1, 2]), handed = new Float32Array([3, 4]), both = {list: [new Float32Array([5, 6])]};
    same(await remote.total([copied, ts.transfer(handed), ts.transfer(both)]), 21);
    same([copied.length, handed.length, both.list[0].length], [2, 0, 0], "lengths after the call");
    await fails("value", "cannot be sent to a worker", () => remote.total([ts.transfer(handed)]));
    same(await remote.outlives(), [[1, 2, 3], [4, 5]]);
  } finally {
    remote.terminate();
  }
};

export const run = (only) => runTests(tests, only);
