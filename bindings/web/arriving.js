// Tensors whose bytes arrive in parts, from the formats of load() and openGguf().
import {blocksAt} from "./blocks.js";
import {newTensor, write} from "./memory.js";
import {permute} from "./ops.js";
import {device, engine, TesseraError} from "./runtime.js";
import {dtypeNumber, isBlockType, isDType, Tensor, tensorOfBytes} from "./tensor.js";

const noMemory = (name, bytes) => new TesseraError({kind: "out_of_memory", op: "load", requested: bytes, message: `load: the page has no memory left for the ${bytes} bytes of '${name}'.`});

/** A tensor that arrives in parts: each part is uploaded as it arrives. Blocks and data that needs conversion are buffered first. */
export class Arriving {
  #at = 0;
  #whole = null;
  #place = null;
  #blocks = 0;  // where blocks are in the engine's memory, which repacks them
  #tensor = null;
  #word = new Uint8Array(4);  // WebGPU takes whole words: what came of the next one
  #held = 0;
  constructor({name, dtype, shape, bytes, swap = 0, reversed = false}) {
    Object.assign(this, {name, dtype, bytes, swap});
    this.sizes = reversed ? [...shape].reverse() : shape;
    this.reversed = reversed && shape.length > 1;
    this.narrow = dtype === "f64" && device().id !== "cpu";
    if (!isDType(dtype)) throw new TesseraError({kind: "unsupported", op: "load", tensor: name, message: `load: the tensor '${name}' is of type ${dtype}, which is a block format that Tessera does not have.`});
    if (isBlockType(dtype)) {
      this.#blocks = bytes < 2 ** 32 ? engine()._malloc(Math.max(bytes, 8)) >>> 0 : 0;
      if (!this.#blocks) throw noMemory(name, bytes);
    } else if (this.narrow || swap > 1 || dtype === "bool") {
      try {
        this.#whole = new Uint8Array(bytes);
      } catch {
        throw noMemory(name, bytes);
      }
    } else {
      this.#place = newTensor(dtypeNumber(dtype), this.sizes);
      this.#tensor = new Tensor(this.#place.number);
    }
  }
  add(part) {
    if (this.#blocks) engine().HEAPU8.set(part, this.#blocks + this.#at);
    else if (this.#whole) this.#whole.set(part, this.#at);
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
    if (this.#blocks) return blocksAt(this.dtype, this.#blocks, this.bytes, this.sizes);
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
  free() {
    this.#tensor?.dispose();
    if (this.#blocks) engine()._free(this.#blocks);
    this.#blocks = 0;
  }
}

function swapBytes(bytes, size) {
  for (let i = 0; i < bytes.length; i += size) bytes.subarray(i, i + size).reverse();
}
