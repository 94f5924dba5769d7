// Copies between JavaScript arrays and tensors: directly to and from the tensor's buffer, with one copy.
import {checked, engine, TesseraError, withNumbers} from "./runtime.js";

/** The bytes of a typed array or an ArrayBuffer, without a copy. Resizable buffers are copied: WebGPU does not accept them. */
export function bytesOf(array, op) {
  const [buffer, offset, length] = ArrayBuffer.isView(array) ? [array.buffer, array.byteOffset, array.byteLength] : [array, 0, undefined];
  let bytes;
  try {
    bytes = new Uint8Array(buffer, offset, length);
  } catch {
    throw new TesseraError({kind: "value", op, message: `${op}: the array's memory was handed over to somebody else (it is detached), or is shorter than the array; expected an array with its elements.`});
  }
  return buffer.resizable || buffer.growable ? bytes.slice() : bytes;
}

/** A new tensor's id, and where to write its bytes before it is used. */
export function newTensor(dtype, sizes) {
  const m = engine();
  const room = new Float64Array(Math.max(sizes.length, 2));
  room.set(sizes);
  return withNumbers(room, (pointer) => {
    const number = checked(m._tessera_tensor(dtype, sizes.length, pointer));
    const [host, object] = m.HEAPF64.subarray(pointer >> 3, (pointer >> 3) + 2);
    return {number, host, object};
  });
}
/** Writes bytes at an offset, a multiple of 4. The source may change afterwards. */
export function write({host, object}, at, bytes) {
  if (!bytes.length) return;
  if (object) engine().TesseraWeb.write(object, at, bytes);
  else engine().HEAPU8.set(bytes, host + at);
}
/** Calls f(pointer) with the bytes of an array in the engine's memory. */
export function withBytes(array, op, f) {
  const m = engine();
  const bytes = bytesOf(array, op);
  const pointer = m._malloc(Math.max(bytes.length, 8));
  if (!pointer) throw new TesseraError({kind: "out_of_memory", op, requested: bytes.length, message: `${op}: the page has no memory left for ${bytes.length} bytes.`});
  try {
    m.HEAPU8.set(bytes, pointer);
    return f(pointer);
  } finally {
    m._free(pointer);
  }
}
