// Tensors from weight files: bytes are uploaded as they arrive, and the file is never in memory as a whole.
import {Arriving} from "./arriving.js";
import {blocksAt} from "./blocks.js";
import {gguf} from "./gguf.js";
import {npz} from "./npz.js";
import {engine, TesseraError} from "./runtime.js";
import {safetensors} from "./safetensors.js";
import {Source} from "./source.js";
import {evaluate, isBlockType, Tensor, tidy} from "./tensor.js";
import {zeros} from "./ops.js";

const kFormats = {
  npz: {read: npz, magic: (b) => b[0] === 0x50 && b[1] === 0x4b && (b[2] === 3 || b[2] === 5)},
  gguf: {read: gguf, magic: (b) => String.fromCharCode(...b.subarray(0, 4)) === "GGUF"},
  safetensors: {read: safetensors, magic: (b) => b[8] === 0x7b},
};

/**
 * Loads the tensors of a .safetensors, .gguf or .npz file by name. The source is a URL, a File or Blob, a Response, an
 * ArrayBuffer or a typed array. `filter(name, {shape, dtype})` selects tensors, `onProgress({loaded, total, tensors, name})` is
 * called for every chunk, `onHeader({name: {shape, dtype}}, metadata)` with the header of a safetensors or GGUF file before its
 * data (a returned promise is awaited at the end), `signal` aborts.
 */
export async function load(source, {filter = () => true, onProgress, onHeader, signal, format} = {}) {
  engine();
  if (format !== undefined && !Object.hasOwn(kFormats, format)) {
    throw new TesseraError({kind: "value", op: "load", message: `load: the format is '${format}'; expected safetensors, gguf or npz.`});
  }
  const from = await Source.open(source, signal);
  from.signal = signal;
  const loaded = {};
  const progress = (name) => onProgress?.({loaded: from.loaded, total: from.total, tensors: Object.keys(loaded).length, name});
  let current;
  from.onProgress = () => progress(current);
  // What the formats call: gives somewhere to put the bytes of a tensor, or null where it is not wanted.
  let arriving = null;
  const begin = (about) => {
    if (Object.hasOwn(loaded, about.name)) throw from.fault(`there are two tensors of the name '${about.name}'.`, {tensor: about.name});
    if (!filter(about.name, {shape: [...about.shape], dtype: about.dtype})) return null;
    current = about.name;
    return arriving = new Arriving(about);
  };
  const end = () => {
    Object.defineProperty(loaded, arriving.name, {value: arriving.finish(), enumerable: true, writable: true, configurable: true});
    arriving.free();
    arriving = null;
  };
  try {
    const start = await from.peek(9);
    const found = Object.keys(kFormats).find((kind) => kFormats[kind].magic(start));
    const said = format ?? /\.(safetensors|gguf|npz)(?:[?#].*)?$/i.exec(from.name)?.[1].toLowerCase();
    if (said && said !== found) throw from.fault(`it is said to be a ${said} file, and its first bytes are not those of one.`);
    if (!found) throw from.fault("its first bytes are not those of a safetensors, GGUF or npz file.");
    await kFormats[found].read(from, {begin, end, onHeader});
    progress(undefined);
    return loaded;
  } catch (error) {
    for (const t of Object.values(loaded)) t.dispose();
    throw error;
  } finally {
    arriving?.free();
    from.close();
  }
}

function placeholders(value) {
  if (value instanceof Tensor) return value;
  if (Array.isArray(value?.shape)) return isBlockType(value.dtype) ? blocksAt(value.dtype, 0, 0, value.shape) : zeros(value.shape, value.dtype ?? "f32");
  if (value && Object.getPrototypeOf(value) === Object.prototype) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, placeholders(v)]));
  throw new TesseraError({kind: "value", op: "warmup", message: `warmup: an argument is ${value === null ? "null" : typeof value}; expected {shape, dtype}, a tensor, or an object of them.`});
}
function tensorsIn(value) {
  if (value instanceof Tensor) return [value];
  if (Array.isArray(value)) return value.flatMap(tensorsIn);
  return value && Object.getPrototypeOf(value) === Object.prototype ? Object.values(value).flatMap(tensorsIn) : [];
}

/**
 * Compiles the kernels of f by running it once on zeros: each argument is {shape, dtype}, a tensor, or an object of them, such as the
 * header of a safetensors or GGUF file. Resolves when it has finished; weights may arrive meanwhile.
 */
export async function warmup(f, ...specs) {
  const done = tidy(() => {
    const args = specs.map(placeholders);
    const made = args.flatMap(tensorsIn);
    if (made.length) evaluate(...made);  // so that they are memory to f, as weights are, and not the number 0
    const results = tensorsIn(f(...args));
    if (!results.length) throw new TesseraError({kind: "value", op: "warmup", message: "warmup: the function gave no tensor; expected one, a list or an object of them."});
    evaluate(...results);
    return zeros([1]);
  });
  try {
    await done.data();  // behind the run in line
  } finally {
    done.dispose();
  }
}
