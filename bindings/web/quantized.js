// Block-quantized weights in the formats of GGUF files.
import {withBytes} from "./memory.js";
import {checked, engine, TesseraError} from "./runtime.js";
import {Tensor} from "./tensor.js";

const kFormats = ["Q4_0", "Q4_1", "Q5_0", "Q8_0", "Q4_K", "Q5_K", "Q6_K"];

function formatNumber(format) {
  const number = kFormats.indexOf(format);
  if (number < 0) throw new TesseraError({kind: "value", message: `QuantizedTensor: there is no format '${format}'; expected one of ${kFormats.join(", ")}.`});
  return number;
}
const registry = new FinalizationRegistry((number) => engine()._tessera_quantized_release(number));

/** A matrix [N, K] of blocks along its rows: ts.matmul(x, q) is x times its transpose, ts.dequantize(q) the matrix itself. */
export class QuantizedTensor {
  #number;
  #format;
  #shape;
  constructor(number, format, shape) {
    this.#number = number;
    this.#format = format;
    this.#shape = [...shape];
    registry.register(this, number, this);
  }
  /** From the bytes of a GGUF file: rows of K / 32 blocks, K / 256 for the K formats. */
  static fromBlocks(format, blocks, shape) {
    const number = formatNumber(format);
    if (!(blocks instanceof ArrayBuffer) && !ArrayBuffer.isView(blocks)) {
      throw new TesseraError({kind: "dtype", message: `QuantizedTensor: the blocks are ${typeof blocks}; expected an ArrayBuffer or a typed array of bytes.`});
    }
    if (!Array.isArray(shape) || shape.length !== 2 || !shape.every((n) => Number.isSafeInteger(n) && n >= 0)) {
      throw new TesseraError({kind: "shape", message: `QuantizedTensor: the shape is ${JSON.stringify(shape)}; expected two sizes.`});
    }
    return new QuantizedTensor(withBytes(blocks, "QuantizedTensor", (pointer) =>
      checked(engine()._tessera_quantized(number, pointer, blocks.byteLength, ...shape))), format, shape);
  }
  /** Quantizes a float matrix; waits for its values. Q4_0 or Q8_0. */
  static async quantize(x, format) {
    const number = formatNumber(format);
    if (!(x instanceof Tensor) || x.rank !== 2) {
      throw new TesseraError({kind: "shape", message: `QuantizedTensor: ${x instanceof Tensor ? `a tensor of shape [${x.shape.join(", ")}]` : typeof x} was given; expected a matrix.`});
    }
    const shape = x.shape;
    const wide = x.cast("f32");
    try {
      const elements = await wide.data();
      return new QuantizedTensor(withBytes(elements, "QuantizedTensor", (pointer) => checked(engine()._tessera_quantize(number, pointer, ...shape))), format, shape);
    } finally {
      wide.dispose();
    }
  }
  /** For the binding. */
  get number() {
    if (this.#number === 0) throw new TesseraError({kind: "value", message: "The quantized weights were disposed; expected some that are alive."});
    return this.#number;
  }
  get format() { return this.#format; }
  get shape() { return [...this.#shape]; }
  /** Bytes on the device. */
  get bytes() { return checked(engine()._tessera_quantized_bytes(this.number)); }
  get disposed() { return this.#number === 0; }
  dispose() {
    if (this.#number === 0) return;
    registry.unregister(this);
    engine()._tessera_quantized_release(this.#number);
    this.#number = 0;
  }
}
