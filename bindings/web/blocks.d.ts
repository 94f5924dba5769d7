// Tensors of block dtypes: weights in the block formats of GGUF files.
import type {BlockDType, Tensor} from "./tensor.js";

/** A tensor [.., K] from the bytes of a GGUF file: rows of K / 32 blocks, K / 256 for the K formats and iq4_xs. */
export function fromBlocks(dtype: BlockDType, blocks: ArrayBuffer | ArrayBufferView, shape: number[]): Tensor;
/** The blocks of a tensor of a block dtype, as a GGUF file has them. Waits for its value. */
export function toBlocks(q: Tensor): Promise<Uint8Array>;
/** x [.., K] in a block dtype. Waits for the values of x. */
export function quantize(x: Tensor, dtype: BlockDType): Promise<Tensor>;
