// What the tests of startWorker() run in a worker.
import * as ts from "../../build/web/package/index.js";
import {engine} from "../../build/web/package/runtime.js";

export async function setUp() { return (await ts.init({device: "webgpu"})).backend; }
export async function softmax(values) { return ts.softmax(ts.tensor(values)).data(); }
export async function mismatch() { return ts.matmul(ts.zeros([2, 3]), ts.zeros([2, 3])).data(); }
export function broken() { throw new RangeError("not mine"); }
export function forever() { return new Promise(() => {}); }
/** A tensor as large as the heap, there and back. */
export async function cpuRoundTrip() {
  await ts.init({device: "cpu"});
  const before = engine().HEAPU8.byteLength;
  const data = new Uint8Array(before).fill(7);
  data[before - 1] = 9;
  const back = await ts.tensor(data).data();
  return {before, after: engine().HEAPU8.byteLength, bytes: before, back: [back.length, back[0], back.at(-1)]};
}
export function total(value) {
  if (ArrayBuffer.isView(value)) return value.reduce((a, b) => a + b, 0);
  return Object.values(value).reduce((sum, v) => sum + total(v), 0);
}
export async function outlives() {
  await ts.init({device: "webgpu", keepHostCopies: true});
  const [x, y] = [ts.tensor([1, 2, 3]), ts.tensor(new Uint8Array([4, 5]))];
  await x.add(1).data();
  ts.loseDevice();
  await x.data().catch(() => {});
  await new Promise((go) => setTimeout(go, 50));
  await ts.init();
  return [[...await x.data()], [...await y.data()]];
}
