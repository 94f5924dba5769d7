// Tensors in JavaScript, with the ops of ops.d.ts as methods.
import type {Methods} from "./ops.js";

/** The block formats of GGUF files: weights that matmul, embedding, take and slices of rows read, and astype dequantizes. */
export type BlockDType = "q4_0" | "q4_1" | "q5_0" | "q5_1" | "q8_0" | "q2_k" | "q3_k" | "q4_k" | "q5_k" | "q6_k" | "iq4_nl" | "iq4_xs" | "mxfp4";
export type DType = "bool" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f16" | "bf16" | "f32" | "f64" | BlockDType;
export type TypedArray = Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array |
  BigInt64Array | BigUint64Array | Float32Array | Float64Array;
export type Nested = number | boolean | bigint | Nested[];
/** A tensor, a weak scalar (a number that adopts the dtype of the other operand), or none. */
export type Operand = Tensor | number | boolean | null;
export interface Range { start?: number | null; stop?: number | null; step?: number }
/** An index: a number, a slice, a new axis (null), an ellipsis ("..."), or a tensor of indices or bools. */
export type Index = number | Range | null | "..." | Tensor;

export interface Tensor extends Methods {}
export class Tensor {
  private constructor();
  readonly dtype: DType;
  readonly shape: number[];
  readonly rank: number;
  readonly size: number;
  readonly disposed: boolean;
  /** The elements in row-major order; not of a block dtype. */
  data(): Promise<TypedArray>;
  /** Nested arrays, or a number for rank 0. */
  array(): Promise<Nested>;
  /** The single element. */
  item(): Promise<number | bigint>;
  /** In another dtype; a tensor of a block dtype is dequantized. */
  astype(dtype: DType): Tensor;
  /** Starts computing; does not wait. */
  eval(): this;
  /** Another handle to the same value. */
  clone(): Tensor;
  dispose(): void;
  toString(): string;
}

export function tensor(values: TypedArray | Nested, shape?: number[] | DType, dtype?: DType): Tensor;
/** Runs f and disposes the tensors that it made, except those in its result. */
export function tidy<T>(f: () => T): T;
/** Removes a tensor from the scope that would dispose it. */
export function keep(tensor: Tensor): Tensor;
/** The data of all, with one wait. */
export function readAll(tensors: Tensor[]): Promise<TypedArray[]>;
/** Starts computing all of them in one submission; does not wait. */
export function evaluate(...tensors: Tensor[]): void;
