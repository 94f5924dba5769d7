// Inspection and profiling: kernels before they run, and their times.
import type {Tensor} from "./tensor.js";

export interface KernelText {
  /** Made from the fused ops. */
  label: string;
  /** Its loop nest; "custom" is hand-written, "batch" is several in one dispatch. */
  kind: "map" | "reduce" | "matmul" | "custom" | "batch";
  /** The fused ops, in order. */
  ops: string[];
  /** The loop nest, one step per line. */
  text: string;
  /** For the tensors' device; on the CPU, for a WebGPU device with default limits. */
  wgsl: string;
}
/** The kernels still needed to compute these tensors, in execution order; nothing is run. */
export function explain(...tensors: (Tensor | Tensor[])[]): KernelText[] & {graph: string};

export interface KernelRecord {
  label: string;
  startUs: number;
  /** null if the device has no timestamps. Browsers round them, often to 100 microseconds. */
  durationUs: number | null;
  bytes: number;
  bytesWritten: number;
  flops: number;
}
export interface Profile<T> {
  /** The result of the function. */
  result: T;
  /** From the call until the device had finished. */
  wallMs: number;
  /** Whether the kernels have times. */
  timed: boolean;
  kernelUs: number | null;
  kernels: KernelRecord[];
  /** Peak memory of one evaluation, the kernel that ran at the peak, and the live values. */
  peak: {bytes: number; kernel: string; holders: {what: string; bytes: number}[]};
  submissions: number;
  dispatches: number;
  plansMade: number;
  pipelinesMade: number;
  uploads: number;
  uploadedBytes: number;
  downloads: number;
  downloadedBytes: number;
}
/** Runs f, waits for it and for the device, and resolves to the measurements. */
export function profile<T>(f: () => T | Promise<T>): Promise<Profile<T>>;
