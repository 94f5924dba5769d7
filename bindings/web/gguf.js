// GGUF: the engine parses and writes headers; tensors are read when they are asked for, or as they come.
import {Arriving} from "./arriving.js";
import {toBlocks} from "./blocks.js";
import {withBytes} from "./memory.js";
import {checkedText, engine, settledByEngine, TesseraError, withIntegers, withText} from "./runtime.js";
import {parsed, Ranges} from "./source.js";
import {dtypeName, isBlockType, isDType, namedTensors, readAll} from "./tensor.js";

const kFirstBytes = 2 ** 20;   // read before the header's size is known
const kMostHeader = 2 ** 28;

const kArrays = {u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, i32: Int32Array, f32: Float32Array,
                 f64: Float64Array, u64: BigUint64Array, i64: BigInt64Array};

// A value of the metadata from the engine's JSON.
function valueFrom(type, json) {
  const element = type.replace("[]", "");
  if (!(element in kArrays)) return json;
  const convert = element.endsWith("64") && element !== "f64" ? BigInt : Number;
  return type.endsWith("[]") ? kArrays[element].from(json, convert) : convert(json);
}

// {version, alignment, bytes, metadata, metadataTypes, entries} of the file that begins there.
async function headerOf(from) {
  for (let count = kFirstBytes; ; count *= 4) {
    const first = await from.peek(count);
    const ended = first.length < count;
    const total = from.total ?? (ended ? first.length : -1);
    const header = JSON.parse(parsed(from, (name) => withBytes(first, "load", (pointer) =>
      checkedText(engine()._tessera_gguf_header(pointer, first.length, total, name)))));
    if (header) {
      const metadata = Object.fromEntries(header.metadata.map(([key, type, json]) => [key, valueFrom(type, json)]));
      const metadataTypes = Object.fromEntries(header.metadata.map(([key, type]) => [key, type]));
      const entries = header.entries.map((e) => ({...e, dtype: e.dtype < 0 ? e.type.toLowerCase() : dtypeName(e.dtype)}));
      return {...header, metadata, metadataTypes, entries};
    }
    if (ended) throw from.fault(`it ends after ${first.length} bytes, inside the header.`, {offset: first.length});
    if (count >= kMostHeader) throw from.fault(`its header has more than ${kMostHeader} bytes.`, {offset: count, available: kMostHeader});
  }
}

// The parts that a file says its model has, and which one it is.
function splitOf({metadata}) {
  return {count: Math.max(Number(metadata["split.count"] ?? 1), 1), number: Number(metadata["split.no"] ?? 0)};
}

/** The tensors of a file that comes in order, for load(). */
export async function gguf(from, {begin, end, onHeader}) {
  const header = await headerOf(from);
  const {count} = splitOf(header);
  if (count > 1) throw new TesseraError({kind: "value", op: "load", message: `load: ${from.name} is one of ${count} files of a split model; openGguf() takes a list of all.`});
  // Such as a warmup() that goes on meanwhile.
  const started = Promise.resolve(onHeader?.(Object.fromEntries(header.entries.map(({name, dtype, shape}) => [name, {dtype, shape}])), header.metadata));
  started.catch(() => {});
  await from.pour(header.bytes, "the header", () => {});
  for (const about of header.entries) {
    const what = `the tensor '${about.name}'`;
    await from.pour(about.offset - from.taken, `the padding in front of ${what}`, () => {});
    const target = begin(about);
    await from.pour(about.bytes, what, (part) => target?.add(part));
    if (target) end();
  }
  const last = from.taken;
  for (let part; header.entries.length && (part = await from.some(Infinity)) !== null;) {
    if (from.taken - last >= header.alignment) throw from.fault("there are bytes behind the last tensor.", {offset: last});
  }
  await started;
}

/** A GGUF file whose header is parsed; the bytes of a tensor are read when it is asked for. */
export class GgufFile {
  #name;
  #entries;  // {name: {type, dtype, shape, offset, bytes, ranges}}
  constructor(name, {version, alignment, metadata, metadataTypes}, entries) {
    Object.assign(this, {version, alignment, metadata, metadataTypes});
    this.#name = name;
    this.#entries = entries;
  }
  #entry(name) {
    const found = this.#entries.get(name);
    if (found) return found;
    const some = this.keys().slice(0, 8).map((key) => `'${key}'`).join(", ");
    throw new TesseraError({kind: "value", op: "GgufFile", tensor: String(name), message: `GgufFile: ${this.#name} has no tensor '${name}'; it has ${this.size} tensors${some && `, such as ${some}`}.`});
  }
  get size() { return this.#entries.size; }
  keys() { return [...this.#entries.keys()]; }
  has(name) { return this.#entries.has(name); }
  shape(name) { return [...this.#entry(name).shape]; }
  type(name) { return this.#entry(name).type; }
  dtype(name) { return isDType(this.#entry(name).dtype) ? this.#entry(name).dtype : null; }
  byteLength(name) { return this.#entry(name).bytes; }

  async tensor(name, {signal} = {}) {
    const about = this.#entry(name);
    const arriving = new Arriving(about);
    try {
      await this.#pour(about, signal, (part) => arriving.add(part));
      return arriving.finish();
    } finally {
      arriving.free();
    }
  }
  async bytes(name, {signal} = {}) {
    const about = this.#entry(name);
    let all;
    try {
      all = new Uint8Array(about.bytes);
    } catch {
      throw new TesseraError({kind: "out_of_memory", op: "GgufFile", requested: about.bytes, message: `GgufFile: the page has no memory left for the ${about.bytes} bytes of '${name}'.`});
    }
    let at = 0;
    await this.#pour(about, signal, (part) => { all.set(part, at); at += part.length; });
    return all;
  }
  async #pour({name, ranges, offset, bytes}, signal, sink) {
    const from = await ranges.range(offset, bytes, signal);
    try {
      await from.pour(bytes, `the tensor '${name}'`, sink);
    } finally {
      from.close();
    }
  }
}

/** Opens a GGUF file, or a list of the files of a split model: headers are read and checked, tensors are read later. */
export async function openGguf(source, {signal} = {}) {
  engine();
  const list = Array.isArray(source) ? source : [source];
  if (!list.length) throw new TesseraError({kind: "value", op: "openGguf", message: "openGguf: an empty list was given; expected the files of a model."});
  const entries = new Map();
  let first = null;
  for (const [i, given] of list.entries()) {
    const ranges = await Ranges.open(given);
    const from = await ranges.start(signal);
    let header;
    try {
      header = await headerOf(from);
      const {count, number} = splitOf(header);
      if (count !== list.length || number !== i) {
        throw new TesseraError({kind: "value", op: "openGguf", source: ranges.name, message: `openGguf: ${ranges.name} is file ${number + 1} of ${count} of a model, and was given as file ${i + 1} of ${list.length}; expected a list of all files in their order.`});
      }
      for (const entry of header.entries) {
        if (entries.has(entry.name)) throw from.fault(`there are two tensors of the name '${entry.name}'.`, {tensor: entry.name, offset: entry.offset});
        entries.set(entry.name, {...entry, ranges});
      }
    } finally {
      from.close();
    }
    first ??= {name: ranges.name, header};
  }
  return new GgufFile(first.name, first.header, entries);
}

const badValue = (key, message) => new TesseraError({kind: "value", op: "saveGguf", message: `saveGguf: the metadata '${key}' ${message}.`});

// The type of a list or a number as GGUF files commonly have it.
function numbersType(key, list, isList) {
  const kinds = new Set(list.map((v) => typeof v));
  const within = (least, most) => list.every((v) => v >= least && v <= most);
  if (kinds.size === 1 && !kinds.has("object") && !kinds.has("undefined")) {
    if (kinds.has("boolean")) return "bool";
    if (kinds.has("string")) return "string";
    if (kinds.has("bigint")) return within(-(2n ** 63n), 2n ** 63n - 1n) ? "i64" : "u64";
    if (kinds.has("number")) {
      if (!list.every(Number.isSafeInteger)) return "f32";
      if (!isList && within(0, 2 ** 32 - 1)) return "u32";
      return within(-(2 ** 31), 2 ** 31 - 1) ? "i32" : "i64";
    }
  }
  throw badValue(key, `is ${isList ? list.length ? "a list of several types" : "an empty list, whose type is not in `types`" : list[0] === null ? "null" : typeof list[0]}; expected a number, a bigint, a boolean, a string, or a list of one of them`);
}
function typeOf(key, value) {
  const array = Object.keys(kArrays).find((type) => value instanceof kArrays[type]);
  if (array) return `${array}[]`;
  return Array.isArray(value) ? `${numbersType(key, value, true)}[]` : numbersType(key, [value], false);
}
// Numbers as text: JSON has neither infinities nor 64 bits.
const asJson = (value) => ["number", "bigint"].includes(typeof value) ? {number: String(value)}
  : Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value, asJson) : value;

/** A GGUF file with these tensors, {name: tensor}, as a Blob: the bytes that save_gguf of C++ and Python writes. */
export async function saveGguf(tensors, {metadata = {}, types = {}} = {}) {
  const {names, list} = namedTensors("saveGguf", tensors);
  const rows = Object.entries(metadata).map(([key, value]) => [key, Object.hasOwn(types, key) ? types[key] : typeOf(key, value), asJson(value)]);
  const header = settledByEngine(1, (promise) => withIntegers(list.map((t) => t.number), (numbers, count) =>
    withText(JSON.stringify({names, metadata: rows}), (about) => engine()._tessera_gguf_layout(numbers, count, about, promise))));
  const plain = readAll(list.filter((t) => !isBlockType(t.dtype)));
  const [[bytes], elements, ...blocks] = await Promise.all([header, plain, ...list.filter((t) => isBlockType(t.dtype)).map(toBlocks)]);
  const alignment = Number(metadata["general.alignment"] ?? 32);  // the engine has checked it
  const parts = [bytes];
  for (const block of list.map((t) => isBlockType(t.dtype))) {
    const data = (block ? blocks : elements).shift();
    parts.push(data, new Uint8Array((alignment - data.byteLength % alignment) % alignment));
  }
  return new Blob(parts, {type: "application/octet-stream"});
}
