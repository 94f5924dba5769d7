// Bytes between JavaScript's arrays and tensors: written where the tensor lies, and read from there, with one copy.
import {checked, engine, TesseraError, withNumbers} from "./runtime.js";

/** The bytes of a typed array or an ArrayBuffer as they lie. Those that may change their size are copied: WebGPU takes none of them. */
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

/** A new tensor's number, and a place to write its bytes to before it is used. */
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
/** Writes bytes at an offset of a place, a multiple of 4. They may change after that. */
export function write({host, object}, at, bytes) {
  if (!bytes.length) return;
  if (object) engine().TesseraWeb.write(object, at, bytes);
  else engine().HEAPU8.set(bytes, host + at);
}
