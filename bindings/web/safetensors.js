// Safetensors: the engine parses and writes headers; the bytes of the tensors pass here as they come.
import {withBytes} from "./memory.js";
import {checked, checkedText, engine, TesseraError, withIntegers, withText} from "./runtime.js";
import {parsed} from "./source.js";
import {dtypeName, namedTensors, readAll} from "./tensor.js";

const kLengthBytes = 8;  // in front of the header

// The header as {name, dtype, shape, bytes} of each tensor, in the order of their bytes.
async function entriesOf(from) {
  const total = from.total ?? -1;
  const first = await from.take(kLengthBytes, "the header's length");
  const size = parsed(from, (name) => withBytes(first, "load", (pointer) => checked(engine()._tessera_safetensors_header_bytes(pointer, total, name))));
  const header = new Uint8Array(size);
  header.set(first);
  header.set(await from.take(size - kLengthBytes, "the header"), kLengthBytes);
  const {entries} = JSON.parse(parsed(from, (name) => withBytes(header, "load", (pointer) =>
    checkedText(engine()._tessera_safetensors_header(pointer, size, total, name)))));
  return entries.map((entry) => {
    const dtype = dtypeName(entry.dtype);
    if (!dtype) throw from.fault(`the tensor '${entry.name}' has complex numbers, which no tensor of a page holds.`, {tensor: entry.name});
    return {...entry, dtype};
  });
}

export async function safetensors(from, {begin, end, onHeader}) {
  const all = await entriesOf(from);
  // Such as a warmup() that goes on meanwhile.
  const started = Promise.resolve(onHeader?.(Object.fromEntries(all.map(({name, dtype, shape}) => [name, {dtype, shape}]))));
  started.catch(() => {});
  for (const about of all) {
    const target = begin(about);
    await from.pour(about.bytes, `the tensor '${about.name}'`, (part) => target?.add(part));
    if (target) end();
  }
  if (await from.some(1) !== null) throw from.fault("there are bytes behind the last tensor.");
  await started;
}

/** A safetensors file with these tensors, {name: tensor}, as a Blob: the bytes that save_safetensors of C++ and Python writes. */
export async function save(tensors, {metadata = {}} = {}) {
  const {names, list} = namedTensors("save", tensors);
  const wrong = Object.entries(metadata).find(([, text]) => typeof text !== "string");
  if (wrong) throw new TesseraError({kind: "value", op: "save", message: `save: the metadata '${wrong[0]}' is ${typeof wrong[1]}; expected a string.`});
  const {header, order} = JSON.parse(withIntegers(list.map((t) => t.number), (numbers, count) =>
    withText(JSON.stringify({names, metadata}), (about) => checkedText(engine()._tessera_safetensors_layout(numbers, count, about)))));
  const text = new TextEncoder().encode(header);
  const length = new DataView(new ArrayBuffer(kLengthBytes));
  length.setBigUint64(0, BigInt(text.length), true);
  const data = await readAll(order.map((i) => list[i]));
  return new Blob([length, text, ...data], {type: "application/octet-stream"});
}
