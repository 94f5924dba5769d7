// Functions of a module that runs in a worker, callable from the page: the page stays free while they compute.
import {TesseraError} from "./runtime.js";

/** The memory in a value that can be handed over instead of copied: not what is shared anyway. */
export function transferable(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) transferable(value.buffer, found);
  else if (value instanceof ArrayBuffer) found.add(value);
  else if (Array.isArray(value)) for (const v of value) transferable(v, found);
  else if (value && Object.getPrototypeOf(value) === Object.prototype) for (const v of Object.values(value)) transferable(v, found);
  return found;
}

const given = new WeakSet();
/** Has a worker's function take the memory of these arrays over instead of copying it: they are empty after the call. */
export function transfer(value) {
  for (const buffer of transferable(value)) given.add(buffer);
  return value;
}

function received(error) {
  if (error.kind) return new TesseraError(error);
  return Object.assign(new Error(error.message), {name: error.name ?? "Error"});
}

/**
 * Starts a worker with the module of that URL and gives an object with its exported functions, each a promise, and
 * terminate(). Arguments and results are plain data: numbers, strings, lists, objects and typed arrays; results are handed
 * over, and so are arguments that transfer() was told of, others are copied. Tensors stay in the
 * worker, where the module calls ts.init() itself. What a function throws is thrown here, with its kind.
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
