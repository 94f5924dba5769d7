// Tensors from files of weights.
import type {DType, Tensor} from "./tensor.js";

export interface TensorSpec { shape: number[]; dtype?: DType }
export interface LoadProgress {
  /** Bytes that have come. */
  loaded: number;
  /** Bytes of the file; null where the server does not say. */
  total: number | null;
  /** Tensors that are on the device. */
  tensors: number;
  /** The tensor whose bytes are coming. */
  name?: string;
}
export interface LoadOptions {
  /** Which tensors to load; the bytes of others are passed over. */
  filter?: (name: string, about: {shape: number[]; dtype: DType}) => boolean;
  onProgress?: (progress: LoadProgress) => void;
  /** What a safetensors file holds, before its data comes; an npz file does not say. load() waits for a promise that it gives. */
  onHeader?: (header: Record<string, {shape: number[]; dtype: DType}>) => unknown;
  signal?: AbortSignal;
  /** What the first bytes must be those of; else the name's ending says it, if it does. */
  format?: "safetensors" | "npz";
}
/**
 * The tensors of a .safetensors or .npz file by their names, each on the device as soon as its bytes have come. f64 becomes
 * f32, except on the CPU. What goes wrong is a TesseraError of kind io (no answer, a status other than 200, a download that
 * breaks off) or parse, and leaves no tensors behind.
 */
export function load(source: string | URL | Blob | Response | ArrayBuffer | ArrayBufferView, options?: LoadOptions): Promise<Record<string, Tensor>>;

export type Placeholder = TensorSpec | Tensor | {[name: string]: Placeholder};
/**
 * Compiles what f needs by one run on zeros: each argument is {shape, dtype}, a tensor, or an object of them, such as the
 * header of a safetensors file. Resolves when that has finished; weights may arrive meanwhile.
 */
export function warmup(f: (...args: any[]) => unknown, ...args: Placeholder[]): Promise<void>;
