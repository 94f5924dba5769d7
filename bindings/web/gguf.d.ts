// GGUF files: metadata, tensors by name, and a writer.
import type {FileSource} from "./load.js";
import type {DType, Tensor} from "./tensor.js";

/** Integers of 64 bits are bigints; arrays of numbers are typed arrays. */
export type GgufValue = number | bigint | boolean | string | Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array |
  Float32Array | Float64Array | BigUint64Array | BigInt64Array | boolean[] | string[];
export type GgufMetadata = Record<string, GgufValue>;
export type GgufScalarType = "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "f32" | "bool" | "string" | "u64" | "i64" | "f64";
export type GgufType = GgufScalarType | `${GgufScalarType}[]`;

/** A GGUF file whose metadata and list of tensors are parsed; the bytes of a tensor are read when it is asked for. */
export class GgufFile {
  private constructor();
  readonly version: number;
  readonly alignment: number;
  readonly metadata: GgufMetadata;
  /** The types of the metadata, for saveGguf. */
  readonly metadataTypes: Record<string, GgufType>;
  /** The number of tensors. */
  readonly size: number;
  /** The names of the tensors, in the order of their bytes. */
  keys(): string[];
  has(name: string): boolean;
  shape(name: string): number[];
  /** The name of a tensor's format: "F16", "Q4_K". */
  type(name: string): string;
  /** The dtype of a tensor, or null for formats that Tessera does not have. */
  dtype(name: string): DType | null;
  byteLength(name: string): number;
  /** Reads one tensor; one in a block format has its block dtype. f64 becomes f32, except on the CPU. */
  tensor(name: string, options?: {signal?: AbortSignal}): Promise<Tensor>;
  /** The bytes of a tensor of any format. */
  bytes(name: string, options?: {signal?: AbortSignal}): Promise<Uint8Array>;
}

/**
 * Opens a GGUF file: its header is read and checked, and tensors are read later, from slices of a File or Blob, from an ArrayBuffer
 * in place, or by range requests of a URL. A split model is a list of all its files. Errors are those of load().
 */
export function openGguf(source: FileSource | FileSource[], options?: {signal?: AbortSignal}): Promise<GgufFile>;

/**
 * A GGUF file with these tensors in their order, as a Blob: the bytes that save_gguf of C++ and Python writes. `types` has the types
 * of metadata where they are not the defaults: u32 for an integer, f32 for another number, i64 for a bigint, i32 and f32 in lists, the
 * type of a typed array. Waits for the values of the tensors.
 */
export function saveGguf(tensors: Record<string, Tensor>, options?: {
  metadata?: Record<string, GgufValue | readonly number[] | readonly bigint[]>;
  types?: Record<string, GgufType>;
}): Promise<Blob>;
