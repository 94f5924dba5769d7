// Tensors from weight files.
import type {GgufMetadata} from "./gguf.js";
import type {DType, Tensor} from "./tensor.js";

export type FileSource = string | URL | Blob | Response | ArrayBuffer | ArrayBufferView;
export interface TensorSpec { shape: number[]; dtype?: DType }
export interface LoadProgress {
  /** Bytes received. */
  loaded: number;
  /** Bytes of the file; null if unknown. */
  total: number | null;
  /** Number of tensors on the device. */
  tensors: number;
  /** The tensor that is being loaded. */
  name?: string;
}
export interface LoadOptions {
  /** Selects the tensors to load; the bytes of others are skipped. A block format of GGUF that is no DType has its name there. */
  filter?: (name: string, about: {shape: number[]; dtype: DType}) => boolean;
  onProgress?: (progress: LoadProgress) => void;
  /**
   * Called with the header of a safetensors or GGUF file before its data, and with the metadata of a GGUF file; not for npz files.
   * load() waits for a returned promise.
   */
  onHeader?: (header: Record<string, {shape: number[]; dtype: DType}>, metadata?: GgufMetadata) => unknown;
  signal?: AbortSignal;
  /** The expected format; default: from the file name's extension, if known. */
  format?: "safetensors" | "gguf" | "npz";
}
/**
 * Loads the tensors of a .safetensors, .gguf or .npz file by name, each uploaded as soon as its bytes arrive. f64 becomes
 * f32, except on the CPU; tensors in the block formats of GGUF have block dtypes. Errors are TesseraErrors of kind io (no response, a status other than 200, an interrupted
 * download) or parse, and leave no tensors behind.
 */
export function load(source: FileSource, options?: LoadOptions): Promise<Record<string, Tensor>>;
/** A safetensors file with these tensors, as a Blob: for a download, a request, or load(). Waits for their values. */
export function save(tensors: Record<string, Tensor>, options?: {metadata?: Record<string, string>}): Promise<Blob>;

export type Placeholder = TensorSpec | Tensor | {[name: string]: Placeholder};
/**
 * Compiles the kernels of f by running it once on zeros: each argument is {shape, dtype}, a tensor, or an object of them, such as the
 * header of a safetensors or GGUF file. Resolves when it has finished; weights may arrive meanwhile.
 */
export function warmup(f: (...args: any[]) => unknown, ...args: Placeholder[]): Promise<void>;
