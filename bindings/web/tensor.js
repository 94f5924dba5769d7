// Tensors in JavaScript: created from arrays, read by promises, disposed explicitly, by scope, or by garbage collection.
import {bytesOf, newTensor, write} from "./memory.js";
import {checked, engine, heldBack, readBytes, TesseraError, withIntegers, withNumbers} from "./runtime.js";

const kTypes = ["bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"];
// bf16 has no typed array; f16 has one in newer browsers.
const kArrays = [Uint8Array, Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array,
                 BigUint64Array, globalThis.Float16Array ?? Uint16Array, Uint16Array, Float32Array, Float64Array];

// They follow the complex types of the engine.
export const kBlockTypes = ["q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q2_k", "q3_k", "q4_k", "q5_k", "q6_k", "iq4_nl", "iq4_xs", "mxfp4"];
const kFirstBlockType = 15;
export const isBlockType = (name) => kBlockTypes.includes(name);
export const isDType = (name) => kTypes.includes(name) || isBlockType(name);

export function dtypeNumber(name) {
  if (isBlockType(name)) return kFirstBlockType + kBlockTypes.indexOf(name);
  const number = kTypes.indexOf(name);
  if (number < 0) throw new TesseraError({kind: "dtype", message: `There is no type '${name}'; expected one of ${kTypes.join(", ")}.`});
  return number;
}

/** The name of a dtype of the engine; undefined for the complex ones. */
export const dtypeName = (number) => number < kFirstBlockType ? kTypes[number] : kBlockTypes[number - kFirstBlockType];

function typeOfArray(array) {
  if (array instanceof Uint8ClampedArray) return "u8";
  if (globalThis.Float16Array && array instanceof globalThis.Float16Array) return "f16";
  for (const name of ["f32", "i32", "u8", "f64", "u32", "i64", "u64", "i16", "u16", "i8"]) {
    if (array instanceof kArrays[kTypes.indexOf(name)]) return name;
  }
  throw new TesseraError({kind: "dtype", message: `A ${array.constructor.name} holds no elements of a tensor.`});
}

function arrayOf(dtype, op) {
  if (!isBlockType(dtype)) return kArrays[kTypes.indexOf(dtype)];
  throw new TesseraError({kind: "dtype", op, message: `${op}: the tensor has the block dtype ${dtype}; astype("f32") dequantizes it, and toBlocks(q) gives its blocks.`});
}

/** {names, list} of an object of tensors by name. */
export function namedTensors(op, tensors) {
  const names = tensors !== null && typeof tensors === "object" ? Object.keys(tensors) : null;
  const list = names?.map((name) => tensors[name]);
  if (!list?.every((t) => t instanceof Tensor)) {
    const at = list?.findIndex((t) => !(t instanceof Tensor));
    throw new TesseraError({kind: "value", op, message: `${op}: ${list ? `'${names[at]}' is ${typeof list[at]}` : `${typeof tensors} was given`}; expected an object of tensors by name.`});
  }
  return {names, list};
}

// Tensors that are garbage collected without dispose(): their ids are released.
const registry = new FinalizationRegistry((number) => engine()._tessera_release(number));
const scopes = [];

export class Tensor {
  #number;
  #about;

  constructor(number, about = null) {
    this.#number = number;
    this.#about = about;
    registry.register(this, number, this);
    scopes.at(-1)?.add(this);
  }
  /** For the binding. */
  get number() {
    if (this.#number === 0) throw new TesseraError({kind: "value", message: "The tensor was disposed; expected one that is alive."});
    return this.#number;
  }
  #describe() {
    if (this.#about === null) {
      const sizes = withNumbers(new Float64Array(16), (pointer) => {
        const rank = checked(engine()._tessera_describe(this.number, pointer));
        return [...engine().HEAPF64.subarray(pointer >> 3, (pointer >> 3) + rank + 1)];
      });
      this.#about = {dtype: dtypeName(sizes[0]), shape: sizes.slice(1)};
    }
    return this.#about;
  }
  get dtype() { return this.#describe().dtype; }
  get shape() { return [...this.#describe().shape]; }
  get rank() { return this.#describe().shape.length; }
  get size() { return this.#describe().shape.reduce((a, b) => a * b, 1); }
  get disposed() { return this.#number === 0; }

  /** The elements in row-major order: the only thing to wait for. f16 and bf16 are returned as bits if there is no typed array for them. */
  async data() {
    const Kind = arrayOf(this.dtype, "data");  // it may be disposed by the time that the bytes come
    const [bytes] = await read([this.number]);
    return new Kind(bytes);
  }
  /** Nested arrays, or a number for rank 0. */
  async array() {
    const {dtype, shape} = this.#describe();
    const flat = await readable(this);
    const at = (axis, first, step) => {
      if (axis === shape.length) return dtype === "bool" ? Boolean(flat[first]) : flat[first];
      const inner = step / shape[axis];
      return Array.from({length: shape[axis]}, (_, i) => at(axis + 1, first + i * inner, inner));
    };
    return at(0, 0, this.size);
  }
  /** The single element. */
  async item() {
    if (this.size !== 1) throw new TesseraError({kind: "shape", message: `item: the tensor has shape [${this.shape.join(", ")}]; expected one element.`});
    return (await readable(this))[0];
  }
  /** In another dtype; a tensor of a block dtype is dequantized. */
  astype(dtype) { return isBlockType(this.dtype) && dtype !== this.dtype ? this.dequantize(dtype) : this.cast(dtype); }
  /** Starts computing; does not wait. */
  eval() {
    evaluate(this);
    return this;
  }
  /** Another handle to the same value. */
  clone() { return new Tensor(checked(engine()._tessera_copy(this.number))); }
  dispose() {
    if (this.#number === 0) return;
    registry.unregister(this);
    engine()._tessera_release(this.#number);
    this.#number = 0;
  }
  /** Releases ownership of the id to the caller. */
  detachNumber() {
    const number = this.number;
    registry.unregister(this);
    this.#number = 0;
    return number;
  }
  toString() { return this.disposed ? "Tensor (disposed)" : `Tensor [${this.shape.join(", ")}] ${this.dtype}`; }
}

// As numbers: f16 and bf16 are cast to f32 first if they would be read as bits.
async function readable(tensor) {
  if (tensor.dtype !== "bf16" && (tensor.dtype !== "f16" || globalThis.Float16Array)) return tensor.data();
  const wide = tensor.cast("f32");
  try {
    return await wide.data();
  } finally {
    wide.dispose();
  }
}

/** Starts computing all of them in one submission; does not wait. */
export function evaluate(...tensors) {
  const start = (numbers) => withIntegers(numbers, (pointer, count) => checked(engine()._tessera_eval(pointer, count)));
  const numbers = tensors.map((t) => t.number);
  if (!heldBack()) return void start(numbers);
  later(numbers, start).catch(() => {});  // a read says what was wrong
}

// Calls f with handles of its own when nothing is held back any more: the given ones may be disposed by then.
async function later(numbers, f) {
  const own = numbers.map((n) => checked(engine()._tessera_copy(n)));
  try {
    while (heldBack()) await heldBack();
    return await f(own);
  } finally {
    for (const n of own) engine()._tessera_release(n);
  }
}
/** Calls f(numbers), which reads, when nothing is held back. */
export const reading = (numbers, f) => heldBack() ? later(numbers, f) : f(numbers);
const read = (numbers) => reading(numbers, readBytes);

/** The data of all, with one wait. */
export async function readAll(tensors) {
  const kinds = tensors.map((t) => arrayOf(t.dtype, "readAll"));
  const all = await read(tensors.map((t) => t.number));
  return kinds.map((Kind, i) => new Kind(all[i]));
}

function measure(values, shape, depth) {
  if (!Array.isArray(values)) {
    if (depth !== shape.length) throw new TesseraError({kind: "shape", message: `tensor: a number stands where a list of ${shape[depth]} is expected.`});
    return;
  }
  if (shape.length === depth) throw new TesseraError({kind: "shape", message: `tensor: a list of ${values.length} stands where a number is expected.`});
  if (values.length !== shape[depth]) {
    throw new TesseraError({kind: "shape", message: `tensor: a list has ${values.length} entries; the first one beside it has ${shape[depth]}.`});
  }
  for (const value of values) measure(value, shape, depth + 1);
}

/** A tensor from a typed array, nested lists or a number; the shape is optional for a list, and the dtype for both. */
export function tensor(values, shape = undefined, dtype = undefined) {
  if (typeof shape === "string") [shape, dtype] = [undefined, shape];
  if (values instanceof Tensor) throw new TesseraError({kind: "value", message: "tensor: the values are a tensor already; clone() gives another handle on it."});
  let flat = values;
  let sizes = shape;
  let type = dtype;
  if (!ArrayBuffer.isView(values)) {
    const found = [];
    for (let at = values; Array.isArray(at); at = at[0]) found.push(at.length);
    measure(values, found, 0);
    flat = Array.isArray(values) ? values.flat(Infinity) : [values];
    for (const value of flat) {
      if (!["number", "boolean", "bigint"].includes(typeof value)) {
        throw new TesseraError({kind: "dtype", message: `tensor: an entry is ${value === null ? "null" : `of type ${typeof value}`}; expected numbers, bigints or booleans.`});
      }
    }
    sizes ??= found;
    const kind = flat.length ? typeof flat[0] : "number";
    type ??= {number: "f32", boolean: "bool", bigint: "i64"}[kind];
  }
  if (values instanceof DataView) throw new TesseraError({kind: "dtype", message: "tensor: a DataView has no type of elements; expected a typed array."});
  sizes ??= [flat.length];
  const given = ArrayBuffer.isView(flat) ? typeOfArray(flat) : type;
  let halves = null;
  if (!ArrayBuffer.isView(flat)) {
    if ((type === "f16" && !globalThis.Float16Array) || type === "bf16") {
      [halves, flat] = [type, Float32Array.from(flat, Number)];
    } else {
      const Kind = kArrays[dtypeNumber(type)];
      const convert = Kind === BigInt64Array || Kind === BigUint64Array ? BigInt : Number;
      flat = Kind.from(flat, convert);
    }
  }
  const bytes = bytesOf(flat, "tensor");
  const count = sizes.reduce((a, b) => a * b, 1);
  if (count !== flat.length) {
    throw new TesseraError({kind: "shape", message: `tensor: ${flat.length} elements were given for shape [${sizes.join(", ")}], which has ${count}.`});
  }
  const made = tensorOfBytes(halves ? "f32" : given, sizes, bytes);
  const wanted = halves ?? type ?? given;
  if (wanted === made.dtype) return made;
  try {
    return made.cast(wanted);
  } finally {
    made.dispose();
  }
}

/** A tensor from bytes in row-major order, exactly as many as it needs. */
export function tensorOfBytes(dtype, sizes, bytes) {
  const place = newTensor(dtypeNumber(dtype), sizes);
  const made = new Tensor(place.number, {dtype, shape: [...sizes]});
  try {
    write(place, 0, bytes);
    return made;
  } catch (error) {
    made.dispose();
    throw error;
  }
}

function tensorsIn(value, found = new Set()) {
  if (value instanceof Tensor) found.add(value);
  else if (Array.isArray(value)) for (const v of value) tensorsIn(v, found);
  else if (value && Object.getPrototypeOf(value) === Object.prototype) for (const v of Object.values(value)) tensorsIn(v, found);
  return found;
}

/** Runs f and disposes the tensors that it made, except those in its result. */
export function tidy(f) {
  const scope = new Set();
  scopes.push(scope);
  let result;
  try {
    result = f();
    if (result instanceof Promise) throw new TesseraError({kind: "value", message: "tidy: the function gives a promise; expected one that does not wait."});
    return result;
  } finally {
    scopes.pop();
    const kept = tensorsIn(result);
    for (const t of scope) {
      if (!kept.has(t)) t.dispose();
      else scopes.at(-1)?.add(t);
    }
  }
}
/** Removes a tensor from the scope that would dispose it. */
export function keep(t) {
  for (const scope of scopes) scope.delete(t);
  return t;
}
