// Block-quantized weights in the formats of GGUF files.
import type {Tensor} from "./tensor.js";

export type QuantFormat = "Q4_0" | "Q4_1" | "Q5_0" | "Q8_0" | "Q4_K" | "Q5_K" | "Q6_K";
/** A matrix [N, K] of blocks along its rows: ts.matmul(x, q) is x times its transpose, ts.dequantize(q) the matrix itself. */
export class QuantizedTensor {
  private constructor();
  /** From the bytes of a GGUF file: rows of K / 32 blocks, K / 256 for the K formats. */
  static fromBlocks(format: QuantFormat, blocks: ArrayBuffer | ArrayBufferView, shape: [number, number]): QuantizedTensor;
  /** Quantizes a float matrix; waits for its values. Q4_0 or Q8_0. */
  static quantize(x: Tensor, format: "Q4_0" | "Q8_0"): Promise<QuantizedTensor>;
  readonly format: QuantFormat;
  readonly shape: number[];
  /** Bytes on the device. */
  readonly bytes: number;
  readonly disposed: boolean;
  dispose(): void;
}
