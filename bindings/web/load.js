// Tensors from weight files: bytes are uploaded as they arrive, and the file is never in memory as a whole.
import {newTensor, write} from "./memory.js";
import {npz} from "./npz.js";
import {device, engine, TesseraError} from "./runtime.js";
import {safetensors} from "./safetensors.js";
import {Source} from "./source.js";
import {dtypeNumber, evaluate, Tensor, tensorOfBytes, tidy} from "./tensor.js";
import {permute, zeros} from "./ops.js";

// A tensor that arrives in parts: each part is uploaded as it arrives. Data that needs conversion is buffered first.
class Arriving {
  #at = 0;
  #whole = null;
  #place = null;
  #tensor = null;
  #word = new Uint8Array(4);  // WebGPU takes whole words: what came of the next one
  #held = 0;
  constructor({name, dtype, shape, bytes, swap = 0, reversed = false}) {
    Object.assign(this, {name, dtype, bytes, swap});
    this.sizes = reversed ? [...shape].reverse() : shape;
    this.reversed = reversed && shape.length > 1;
    this.narrow = dtype === "f64" && device().id !== "cpu";
    if (this.narrow || swap > 1 || dtype === "bool") {
      try {
        this.#whole = new Uint8Array(bytes);
      } catch {
        throw new TesseraError({kind: "out_of_memory", op: "load", requested: bytes, message: `load: the page has no memory left for the ${bytes} bytes of '${name}'.`});
      }
    } else {
      this.#place = newTensor(dtypeNumber(dtype), this.sizes);
      this.#tensor = new Tensor(this.#place.number);
    }
  }
  add(part) {
    if (this.#whole) this.#whole.set(part, this.#at);
    else this.#pass(part, this.#at);
    this.#at += part.length;
  }
  #pass(part, at) {
    if (this.#held) {
      const taken = part.subarray(0, 4 - this.#held);
      this.#word.set(taken, this.#held);
      this.#held += taken.length;
      if (this.#held < 4) return;
      part = part.subarray(taken.length);
      at += taken.length;
      write(this.#place, at - 4, this.#word);
    }
    this.#held = part.length % 4;
    const whole = part.length - this.#held;
    write(this.#place, at, part.subarray(0, whole));
    this.#word.set(part.subarray(whole));
  }
  finish() {
    if (this.#whole) this.#tensor = tensorOfBytes(this.narrow ? "f32" : this.dtype, this.sizes, this.#changed());
    else write(this.#place, this.bytes - this.#held, this.#word.subarray(0, this.#held));
    const made = this.#tensor;
    if (this.reversed) return permute(made, this.sizes.map((_, i) => this.sizes.length - 1 - i));  // free() disposes it
    this.#tensor = null;
    return made;
  }
  #changed() {
    const bytes = this.#whole;
    if (this.swap > 1) swapBytes(bytes, this.swap);
    if (this.dtype === "bool") bytes.forEach((v, i) => { bytes[i] = v ? 1 : 0; });
    return this.narrow ? new Uint8Array(new Float32Array(new Float64Array(bytes.buffer)).buffer) : bytes;
  }
  free() { this.#tensor?.dispose(); }
}

function swapBytes(bytes, size) {
  for (let i = 0; i < bytes.length; i += size) bytes.subarray(i, i + size).reverse();
}

const kMagic = {npz: (b) => b[0] === 0x50 && b[1] === 0x4b && (b[2] === 3 || b[2] === 5), safetensors: (b) => b[8] === 0x7b};

/**
 * Loads the tensors of a .safetensors or .npz file by name. The source is a URL, a File or Blob, a Response, an ArrayBuffer
 * or a typed array. `filter(name, {shape, dtype})` selects tensors, `onProgress({loaded, total, tensors, name})` is called for every
 * chunk, `onHeader({name: {shape, dtype}})` with the header of a safetensors file before its data (a returned promise is
 * awaited at the end), `signal` aborts.
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
 * Compiles the kernels of f by running it once on zeros: each argument is {shape, dtype}, a tensor, or an object of them, such as the
 * header of a safetensors file. Resolves when it has finished; weights may arrive meanwhile.
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
