// Tensors from files of weights: each goes to the device when its bytes have come, and the file is never held as a whole.
import {npz} from "./npz.js";
import {checked, device, engine, TesseraError, withNumbers} from "./runtime.js";
import {safetensors} from "./safetensors.js";
import {Source} from "./source.js";
import {dtypeNumber, evaluate, Tensor, tidy} from "./tensor.js";
import {permute, zeros} from "./ops.js";

// A tensor whose bytes come in parts, into the engine's memory.
class Arriving {
  #at = 0;
  constructor({name, dtype, shape, bytes, swap = 0, reversed = false}) {
    Object.assign(this, {name, dtype, shape, bytes, swap, reversed});
    this.pointer = engine()._malloc(Math.max(bytes, 8));
    if (!this.pointer) {
      throw new TesseraError({kind: "out_of_memory", op: "load", requested: bytes, message: `load: the page has no memory left for the ${bytes} bytes of '${name}'.`});
    }
  }
  add(part) {
    engine().HEAPU8.set(part, this.pointer + this.#at);
    this.#at += part.length;
  }
  get missing() { return this.bytes - this.#at; }
  finish() {
    const m = engine();
    if (this.swap > 1) swapBytes(m.HEAPU8.subarray(this.pointer, this.pointer + this.bytes), this.swap);
    let dtype = this.dtype;
    let size = {bool: 1, i8: 1, u8: 1, i16: 2, u16: 2, f16: 2, bf16: 2, i32: 4, u32: 4, f32: 4}[dtype] ?? 8;
    const count = this.bytes / size;
    if (dtype === "f64" && device().id !== "cpu") {
      // In place: an f32 never reaches past the f64 that is read next.
      const wide = m.HEAPF64.subarray(this.pointer >> 3, (this.pointer >> 3) + count);
      const narrow = new Float32Array(wide.buffer, this.pointer, count);
      for (let i = 0; i < count; ++i) narrow[i] = wide[i];
      [dtype, size] = ["f32", 4];
    }
    if (dtype === "bool") {
      const flags = m.HEAPU8.subarray(this.pointer, this.pointer + count);
      for (let i = 0; i < count; ++i) flags[i] = flags[i] ? 1 : 0;
    }
    const sizes = this.reversed ? [...this.shape].reverse() : this.shape;
    const made = new Tensor(withNumbers(sizes, (dims, rank) => checked(m._tessera_tensor(dtypeNumber(dtype), dims, rank, this.pointer, count))));
    if (!this.reversed || sizes.length < 2) return made;
    try {
      return permute(made, sizes.map((_, i) => sizes.length - 1 - i));
    } finally {
      made.dispose();
    }
  }
  free() { engine()._free(this.pointer); }
}

function swapBytes(bytes, size) {
  for (let i = 0; i < bytes.length; i += size) bytes.subarray(i, i + size).reverse();
}

const kMagic = {npz: (b) => b[0] === 0x50 && b[1] === 0x4b && (b[2] === 3 || b[2] === 5), safetensors: (b) => b[8] === 0x7b};

/**
 * The tensors of a .safetensors or .npz file by their names. The source is a URL, a File or Blob, a Response, an ArrayBuffer
 * or a typed array. `filter(name, {shape, dtype})` chooses, `onProgress({loaded, total, tensors, name})` is told of every
 * piece, `onHeader({name: {shape, dtype}})` of what a safetensors file holds before its data comes (a promise that it gives is
 * waited for at the end), `signal` ends it.
 */
export async function load(source, {filter = () => true, onProgress, onHeader, signal, format} = {}) {
  engine();
  if (format !== undefined && !(format in kMagic)) {
    throw new TesseraError({kind: "value", op: "load", message: `load: the format is '${format}'; expected safetensors or npz.`});
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
    const found = Object.keys(kMagic).find((kind) => kMagic[kind](start));
    const said = format ?? /\.(safetensors|npz)(?:[?#].*)?$/i.exec(from.name)?.[1].toLowerCase();
    if (said && said !== found) throw from.fault(`it is said to be a ${said} file, and its first bytes are not those of one.`);
    if (!found) throw from.fault("its first bytes are neither those of a safetensors nor of an npz file.");
    await (found === "npz" ? npz : safetensors)(from, {begin, end, onHeader});
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
  if (Array.isArray(value?.shape)) return zeros(value.shape, value.dtype ?? "f32");
  if (value && Object.getPrototypeOf(value) === Object.prototype) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, placeholders(v)]));
  throw new TesseraError({kind: "value", op: "warmup", message: `warmup: an argument is ${value === null ? "null" : typeof value}; expected {shape, dtype}, a tensor, or an object of them.`});
}
function tensorsIn(value) {
  if (value instanceof Tensor) return [value];
  if (Array.isArray(value)) return value.flatMap(tensorsIn);
  return value && Object.getPrototypeOf(value) === Object.prototype ? Object.values(value).flatMap(tensorsIn) : [];
}

/**
 * Compiles what f needs by one run on zeros: each argument is {shape, dtype}, a tensor, or an object of them, such as the
 * header of a safetensors file. Resolves when that has finished; weights may arrive meanwhile.
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
