// Tensors of block dtypes: weights in the block formats of GGUF files.
import {withBytes} from "./memory.js";
import {checked, engine, settledByEngine, TesseraError, withNumbers} from "./runtime.js";
import {dtypeNumber, isBlockType, kBlockTypes, reading, Tensor} from "./tensor.js";

function blockNumber(op, dtype) {
  if (!isBlockType(dtype)) throw new TesseraError({kind: "dtype", op, message: `${op}: the type is '${dtype}'; expected one of ${kBlockTypes.join(", ")}.`});
  return dtypeNumber(dtype);
}

/** A tensor [.., K] from the bytes of a GGUF file: rows of K / 32 blocks, K / 256 for the K formats and iq4_xs. */
export function fromBlocks(dtype, blocks, shape) {
  blockNumber("fromBlocks", dtype);
  if (!(blocks instanceof ArrayBuffer) && !ArrayBuffer.isView(blocks)) {
    throw new TesseraError({kind: "dtype", op: "fromBlocks", message: `fromBlocks: the blocks are ${typeof blocks}; expected an ArrayBuffer or a typed array of bytes.`});
  }
  if (!Array.isArray(shape) || !shape.every((n) => Number.isSafeInteger(n) && n >= 0)) {
    throw new TesseraError({kind: "shape", op: "fromBlocks", message: `fromBlocks: the shape is ${JSON.stringify(shape)}; expected a list of sizes.`});
  }
  return withBytes(blocks, "fromBlocks", (pointer) => blocksAt(dtype, pointer, blocks.byteLength, shape));
}

/** A tensor of a block dtype from the blocks at a pointer; null stands for bytes of 0. */
export function blocksAt(dtype, pointer, bytes, shape) {
  return new Tensor(withNumbers(Float64Array.from(shape), (sizes) => checked(engine()._tessera_from_blocks(dtypeNumber(dtype), pointer, bytes, sizes, shape.length))));
}

/** The blocks of a tensor of a block dtype, as a GGUF file has them: a Uint8Array. Waits for its value. */
export async function toBlocks(q) {
  if (!(q instanceof Tensor) || !isBlockType(q.dtype)) {
    throw new TesseraError({kind: "dtype", op: "toBlocks", message: `toBlocks: ${q instanceof Tensor ? `a tensor of dtype ${q.dtype}` : typeof q} was given; expected a tensor of one of ${kBlockTypes.join(", ")}.`});
  }
  const [bytes] = await reading([q.number], ([number]) => settledByEngine(1, (promise) => engine()._tessera_read_blocks(number, promise)));
  return new Uint8Array(bytes);
}

/** x [.., K] in a block dtype. Waits for the values of x. */
export async function quantize(x, dtype) {
  const number = blockNumber("quantize", dtype);
  if (!(x instanceof Tensor) || x.rank === 0) {
    throw new TesseraError({kind: "shape", op: "quantize", message: `quantize: ${x instanceof Tensor ? "a tensor of rank 0" : typeof x} was given; expected a tensor [.., K].`});
  }
  const shape = x.shape;
  const wide = x.cast("f32");
  try {
    const elements = await wide.data();
    return new Tensor(withBytes(elements, "quantize", (pointer) => withNumbers(Float64Array.from(shape), (sizes) =>
      checked(engine()._tessera_quantize(number, pointer, sizes, shape.length)))));
  } finally {
    wide.dispose();
  }
}
