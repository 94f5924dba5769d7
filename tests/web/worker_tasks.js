// What the tests of startWorker() run in a worker.
import * as ts from "../../build/web/package/index.js";

export async function setUp() { return (await ts.init({device: "webgpu"})).backend; }
export async function softmax(values) { return ts.softmax(ts.tensor(values)).data(); }
export async function mismatch() { return ts.matmul(ts.zeros([2, 3]), ts.zeros([2, 3])).data(); }
export function broken() { throw new RangeError("not mine"); }
export function forever() { return new Promise(() => {}); }
