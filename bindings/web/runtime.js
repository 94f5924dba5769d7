// The engine's module: loading it, memory for arguments, errors, and promises that it settles.

/** What went wrong: `kind` says what it is, the other fields what it is about. */
export class TesseraError extends Error {
  constructor({kind, message, ...fields}) {
    super(message);
    this.name = "TesseraError";
    this.kind = kind;
    for (const key in fields) if (fields[key]) this[key] = fields[key];
  }
}

const kMostTensors = 4096;

let module = null;  // the loaded module
let loading = null;
let results = 0;  // room for the numbers of an op's results
const functions = new Map();  // JavaScript's functions that the engine may call
const promises = new Map();
let nextNumber = 1;
let thrown = null;  // what one of the functions threw
let polling = false;

export function engine() {
  if (module === null) {
    throw new TesseraError({kind: "device", message: "The engine is not loaded yet: `await ts.init()` comes first."});
  }
  return module;
}

/** Text that the engine made. */
export function takeText(pointer) {
  const text = module.UTF8ToString(pointer);
  module._free(pointer);
  return text;
}

/** The engine's last error as an exception. */
export function lastError() {
  const text = takeText(module._tessera_error());
  if (text) return new TesseraError(JSON.parse(text));
  const what = thrown;
  thrown = null;
  return what;
}

/** The result of a call, unless it says that there is an error. */
export function checked(result) {
  if (result < 0) throw lastError();
  return result;
}

/** The text that a call gave, unless it says that there is an error. */
export function checkedText(pointer) {
  if (!pointer) throw lastError();
  return takeText(pointer);
}

/** Calls f(pointer, count) with numbers in the engine's memory. */
export function withNumbers(numbers, f) {
  const pointer = module._malloc(Math.max(numbers.length, 1) * 8);
  try {
    module.HEAPF64.set(numbers, pointer >> 3);
    return f(pointer, numbers.length);
  } finally {
    module._free(pointer);
  }
}
export function withIntegers(numbers, f) {
  const pointer = module._malloc(Math.max(numbers.length, 1) * 4);
  try {
    module.HEAP32.set(numbers, pointer >> 2);
    return f(pointer, numbers.length);
  } finally {
    module._free(pointer);
  }
}
export function withText(text, f) {
  const pointer = module.stringToNewUTF8(text);
  try {
    return f(pointer);
  } finally {
    module._free(pointer);
  }
}

/** The numbers of the tensors that f(room) leaves in its room. Calls may nest: each takes its numbers at once. */
export function tensorNumbers(f) {
  const room = results || module._malloc(kMostTensors * 4);
  results = 0;
  try {
    const count = checked(f(room));
    return [...module.HEAP32.subarray(room >> 2, (room >> 2) + count)];
  } finally {
    if (results) module._free(room); else results = room;
  }
}

/** Has a function be callable by the engine. It is given numbers of tensors and gives numbers, which are the engine's then. */
export function addFunction(f) {
  functions.set(nextNumber, f);
  return nextNumber++;
}
export function removeFunction(number) { functions.delete(number); }

/** A promise for the bytes of each tensor. */
export function readBytes(numbers) {
  return settledByEngine(numbers.length, (promise) => withIntegers(numbers, (pointer, count) => module._tessera_read(pointer, count, promise)));
}
/** A promise whose number f hands to the engine, which settles it with so many ArrayBuffers. */
export function settledByEngine(count, f) {
  return new Promise((resolve, reject) => {
    const promise = nextNumber++;
    promises.set(promise, {resolve, reject, all: Array(count).fill(null), failure: null});
    try {
      checked(f(promise));
    } catch (error) {
      promises.delete(promise);
      reject(error);
    }
  });
}

let waiting = null;  // checks of kernels' texts that are under way

/** Has whatever computes wait for the promise, which never rejects. */
export function holdBack(promise) {
  const all = Promise.all([waiting, promise]).then(() => { if (waiting === all) waiting = null; });
  waiting = all;
}
/** The promise to wait for before something is computed, or null. */
export function heldBack() { return waiting; }

function onCall(number, pointer, count, out, room) {
  try {
    const given = functions.get(number)([...module.HEAP32.subarray(pointer >> 2, (pointer >> 2) + count)]);
    if (given.length > room) throw new TesseraError({kind: "limit", message: `A function gave ${given.length} tensors; at most ${room} are possible.`});
    module.HEAP32.set(given, out >> 2);
    return given.length;
  } catch (error) {
    thrown = error;
    return -1;
  }
}

// A piece of what a promise gives: copied out of the engine's memory or out of a mapped buffer of WebGPU.
function onPiece(number, i, total, at, host, object, offset, size) {
  const promise = promises.get(number);
  const {all} = promise;
  host >>>= 0;
  try {
    const bytes = object ? module.TesseraWeb.mapped(object, offset, size) : module.HEAPU8.subarray(host, host + size);
    if (size === total) {
      all[i] = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + size);
    } else {
      all[i] ??= new ArrayBuffer(total);
      new Uint8Array(all[i]).set(bytes, at);
    }
  } catch (error) {  // the engine's own frames are below: nothing may pass them
    const kind = error instanceof RangeError ? "out_of_memory" : "device";
    promise.failure = new TesseraError({kind, requested: total, message: `The ${total} bytes of a tensor cannot be read: ${error.message}.`});
  }
}
function onRead(number, ok) {
  const {resolve, reject, all, failure} = promises.get(number);
  promises.delete(number);
  const error = ok ? failure : lastError();
  if (error) reject(error);
  else resolve(all.map((bytes) => bytes ?? new ArrayBuffer(0)));
}

// Events of the GPU come in bunches; one look serves all of them. Not from inside one: the engine is not entered twice.
function schedulePoll() {
  if (polling) return;
  polling = true;
  queueMicrotask(() => {
    polling = false;
    module._tessera_poll();
  });
}

async function load(options) {
  const {default: start} = await import("./tessera.mjs");
  const loaded = await start({onCall, onPiece, onRead, ...options.module});
  loaded.TesseraWeb.onEvent = schedulePoll;
  module = loaded;
}

const kDefaultBufferCap = 512 * 2 ** 20;

/**
 * Loads the engine and creates its device: WebGPU, or else the CPU. After device loss, recreates it.
 * Resolves to the result of device(), with `reason` if it is the CPU although that was not requested.
 */
export async function init(options = {}) {
  loading ??= load(options).catch((error) => {
    loading = null;
    throw new TesseraError({kind: "io", message: `The engine's module does not load: ${error.message ?? error}`});
  });
  await loading;
  const wanted = options.device ?? "";
  if (!["", "cpu", "webgpu"].includes(wanted)) {
    throw new TesseraError({kind: "value", message: `init: the device '${wanted}' was asked for; expected cpu or webgpu, or none.`});
  }
  const now = device();
  if (now?.available && (!wanted || now.id.startsWith(wanted))) return now;
  let reason = "";
  if (wanted !== "cpu") {
    reason = await module.TesseraWeb.prepare();
    if (reason && wanted === "webgpu") throw new TesseraError({kind: "device", message: reason});
  }
  const config = {maxBufferSize: kDefaultBufferCap, ...options, device: reason ? "cpu" : wanted, module: undefined};
  withText(JSON.stringify(config), (text) => checked(module._tessera_open(text)));
  const made = device();
  if (!reason && !wanted && made.id === "cpu") {
    reason = 'The browser has only a software adapter, which is slower than the CPU backend; init({device: "webgpu"}) takes it.';
  }
  return reason ? {...made, reason} : made;
}

/** The device: name, features, limits, and whether it is still available; null before init(). */
export function device() { return module === null ? null : JSON.parse(takeText(module._tessera_device())); }
/** Live tensors and compiled functions, and the device's memory in bytes. */
export function memory() { return JSON.parse(takeText(engine()._tessera_memory())); }
/** The names of all ops. */
export function catalog() { return JSON.parse(takeText(engine()._tessera_catalog())); }
/** Simulates device loss, as after a driver reset. */
export function loseDevice() { for (const object of engine().TesseraWeb.objects) if (object?.events) object.gpu.destroy(); }
