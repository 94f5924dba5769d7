// Tensors of block dtypes: weights in the block formats of GGUF files.
import {withBytes} from "./memory.js";
import {checked, engine, TesseraError, withNumbers} from "./runtime.js";
import {dtypeNumber, isBlockType, kBlockTypes, Tensor} from "./tensor.js";

function blockNumber(op, dtype) {
  if (!isBlockType(dtype)) throw new TesseraError({kind: "dtype", op, message: `${op}: the type is '${dtype}'; expected one of ${kBlockTypes.join(", ")}.`});
  return dtypeNumber(dtype);
}

/** A tensor [.., K] from the bytes of a GGUF file: rows of K / 32 blocks, K / 256 for the K formats and iq4_xs. */
export function fromBlocks(dtype, blocks, shape) {
  const number = blockNumber("fromBlocks", dtype);
  if (!(blocks instanceof ArrayBuffer) && !ArrayBuffer.isView(blocks)) {
    throw new TesseraError({kind: "dtype", op: "fromBlocks", message: `fromBlocks: the blocks are ${typeof blocks}; expected an ArrayBuffer or a typed array of bytes.`});
  }
  if (!Array.isArray(shape) || !shape.every((n) => Number.isSafeInteger(n) && n >= 0)) {
    throw new TesseraError({kind: "shape", op: "fromBlocks", message: `fromBlocks: the shape is ${JSON.stringify(shape)}; expected a list of sizes.`});
  }
  return new Tensor(withBytes(blocks, "fromBlocks", (pointer) => withNumbers(Float64Array.from(shape), (sizes) =>
    checked(engine()._tessera_from_blocks(number, pointer, blocks.byteLength, sizes, shape.length)))));
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
