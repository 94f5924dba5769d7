// Functions of a module in a worker, callable from the page, which stays responsive while they compute.
import {TesseraError} from "./runtime.js";

/** The transferable buffers in a value, without shared ones. */
export function transferable(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) transferable(value.buffer, found);
  else if (value instanceof ArrayBuffer) found.add(value);
  else if (Array.isArray(value)) for (const v of value) transferable(v, found);
  else if (value && Object.getPrototypeOf(value) === Object.prototype) for (const v of Object.values(value)) transferable(v, found);
  return found;
}

const given = new WeakSet();
/** Marks arrays to be transferred to a worker instead of copied: they are detached after the call. */
export function transfer(value) {
  for (const buffer of transferable(value)) given.add(buffer);
  return value;
}

function received(error) {
  if (error.kind) return new TesseraError(error);
  return Object.assign(new Error(error.message), {name: error.name ?? "Error"});
}

/**
 * Starts a worker with the module at the URL and returns an object with its exported functions, which return promises, and
 * terminate(). Arguments and results are plain data: numbers, strings, lists, objects and typed arrays; results are
 * transferred, and so are arguments marked with transfer(), others are copied. Tensors stay in the
 * worker, where the module calls ts.init() itself. Exceptions of a function are rethrown here, with their kind.
 */
export async function startWorker(url) {
  const worker = new Worker(new URL("./worker_main.js", import.meta.url), {type: "module"});
  const pending = new Map();
  let next = 0;
  const failAll = (error) => {
    for (const {reject} of pending.values()) reject(error);
    pending.clear();
  };
  worker.onmessage = ({data: {number, result, error}}) => {
    const {resolve, reject} = pending.get(number);
    pending.delete(number);
    if (error) reject(received(error)); else resolve(result);
  };
  worker.onerror = (event) => failAll(new TesseraError({kind: "io", message: `The worker does not run: ${event.message ?? "its script was not found"}.`}));
  const ask = (name, args) => new Promise((resolve, reject) => {
    const number = next++;
    pending.set(number, {resolve, reject});
    try {
      worker.postMessage({number, name, args}, [...transferable(args)].filter((buffer) => given.has(buffer)));
    } catch (error) {  // something that is no plain data, such as a tensor
      pending.delete(number);
      reject(new TesseraError({kind: "value", message: `${name}: an argument cannot be sent to a worker: ${error.message}.`}));
    }
  });
  try {
    const remote = {};
    for (const name of await ask("", [String(new URL(url, globalThis.location?.href))])) remote[name] = (...args) => ask(name, args);
    remote.terminate = () => {
      worker.terminate();
      failAll(new TesseraError({kind: "cancelled", message: "The worker was terminated before it answered."}));
    };
    return remote;
  } catch (error) {
    worker.terminate();
    throw error;
  }
}
