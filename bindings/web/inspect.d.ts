// Looking into the engine: kernels before they run, and what they took.
import type {Tensor} from "./tensor.js";

export interface KernelText {
  /** Made of the ops inside it. */
  label: string;
  /** Its loop nest; "custom" has a text of its own, "batch" is several side by side. */
  kind: "map" | "reduce" | "matmul" | "custom" | "batch";
  /** What was fused into it, in order. */
  ops: string[];
  /** The loop nest, one step a line. */
  text: string;
  /** As the tensors' device runs it; for the CPU as a WebGPU device with standard limits would. */
  wgsl: string;
}
/** The kernels that the values of these tensors still need, in the order in which they would run; nothing is run. */
export function explain(...tensors: (Tensor | Tensor[])[]): KernelText[] & {graph: string};

export interface KernelRecord {
  label: string;
  startUs: number;
  /** null where the device has no timestamps. Browsers round them, often to 100 microseconds. */
  durationUs: number | null;
  bytes: number;
  flops: number;
}
export interface Profile<T> {
  /** What the function gave. */
  result: T;
  /** From the call until the device had finished. */
  wallMs: number;
  /** Whether the kernels have times. */
  timed: boolean;
  kernelUs: number | null;
  kernels: KernelRecord[];
  /** The most memory that one evaluation held, the kernel that ran then, and what held it. */
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
/** Runs f, waits for it and for the device, and resolves to what was measured. */
export function profile<T>(f: () => T | Promise<T>): Promise<Profile<T>>;
