// Tessera in a page or a worker.
import type {Held, Module, Tensors} from "./nn.js";
import type {DType, Tensor} from "./tensor.js";

export {evaluate, keep, readAll, tensor, Tensor, tidy} from "./tensor.js";
export type {BlockDType, DType, Index, Nested, Operand, Range, TypedArray} from "./tensor.js";
export {explain, profile} from "./inspect.js";
export type {KernelRecord, KernelText, Profile} from "./inspect.js";
export * from "./ops.js";
export * from "./load.js";
export * from "./gguf.js";
export * from "./blocks.js";
export * as nn from "./nn.js";
export * as optim from "./optim.js";
export * as train from "./train.js";

export type ErrorKind = "shape" | "dtype" | "value" | "device" | "device_lost" | "out_of_memory" | "limit" | "unsupported" |
  "shader" | "io" | "parse" | "cancelled" | "peer_lost";
export class TesseraError extends Error {
  readonly kind: ErrorKind;
  readonly op?: string;
  readonly line?: number;
  readonly column?: number;
  readonly requested?: number;
  readonly available?: number;
  /** Errors of load(): the byte offset, the HTTP status, the tensor. */
  readonly source?: string;
  readonly url?: string;
  readonly status?: number;
  readonly offset?: number;
  readonly tensor?: string;
}

export interface Device {
  id: string;
  name: string;
  vendor: string;
  backend: string;
  available: boolean;
  software: boolean;
  features: {f16: boolean; subgroups: boolean; timestamps: boolean};
  limits: {maxBufferSize: number; maxStorageBindingSize: number; maxStorageBuffers: number; maxWorkgroupSize: number};
  /** Why the CPU is used although it was not requested. */
  reason?: string;
}
export interface InitOptions {
  device?: "webgpu" | "cpu";
  /** Bytes of the largest buffer; default: 512 MiB. */
  maxBufferSize?: number;
  /** Total bytes of all buffers. */
  memoryBudget?: number;
  /** Bitwise reproducible runs. */
  deterministic?: boolean;
  /** f16 matmuls may accumulate in f16: faster on many GPUs, less precise, and infinite beyond 65504. */
  halfSums?: boolean;
  /** Data from JavaScript is also kept in memory and survives device loss. */
  keepHostCopies?: boolean;
}
/** Loads the engine and creates its device: WebGPU, or else the CPU. After device loss, recreates it. */
export function init(options?: InitOptions): Promise<Device>;
export function device(): Device | null;
/** The names of all ops. */
export function catalog(): string[];
/** Live tensors and compiled functions, and the device's memory in bytes. */
export function memory(): {tensors: number; compiled: number; bytes: number; allocated: number; peak: number};
/** Simulates device loss, as after a driver reset. */
export function loseDevice(): void;

export function valueAndGrad<A extends Tensor[]>(f: (...args: A) => Tensor): (...args: A) => {value: Tensor; grads: Tensor[]};
/**
 * The value of f and the gradients of the trainable parameters of a module, which f uses, by name. If f returns a list, its first tensor is
 * differentiated, and aux has the others.
 */
export function valueAndGrad<A extends any[]>(model: Module, f: (...args: A) => Tensor | Tensor[]): (...args: A) => {value: Tensor; grads: Tensors; aux: Tensor[]};
export function grad<A extends Tensor[]>(f: (...args: A) => Tensor): (...args: A) => A["length"] extends 1 ? Tensor : Tensor[];
export interface CompileOptions {
  /** Positions of arguments whose buffers the results may reuse. */
  donate?: number[];
  /** Axes whose sizes are not part of the signature: {argument: {axis: name}}, or {argument: [axis, ..]} for axes of their own. */
  dynamicAxes?: Record<number, Record<number, string> | number[]>;
  /** The modules and optimizers that the function updates; not together with dynamicAxes. */
  state?: Held[];
}
export function compile<F extends (...args: Tensor[]) => Tensor | Tensor[]>(f: F, options?: CompileOptions): F & {readonly traces: number; dispose(): void};
export interface LoopOptions {
  /** The backward pass keeps the carry of every k-th step and computes those between them again; 1 keeps all. */
  checkpointEvery?: number;
  /** The number of steps in one plan; 0: all, as a graph. */
  unroll?: number;
}
export interface ScanOptions extends LoopOptions {
  /** The number of steps; needed if there are no xs. */
  length?: number;
  /** From the last element of xs to the first one. */
  reverse?: boolean;
}
/** Calls f for each element of xs along their first axis; traced once and replayed for each step. ys have a new first axis. */
export function scan(f: (carry: Tensor[], x: Tensor[]) => {carry: Tensor[]; ys?: Tensor[]}, carry: Tensor[], xs?: Tensor[], options?: ScanOptions): {carry: Tensor[]; ys: Tensor[]};
/** The carry after n steps of f. */
export function loop(n: number, f: (step: Tensor, carry: Tensor[]) => Tensor[], carry: Tensor[], options?: LoopOptions): Tensor[];

/**
 * Starts a worker with the module at the URL and returns its exported functions, which return promises, and terminate(). Arguments and
 * results are plain data; tensors stay in the worker, where the module calls init() itself.
 */
export function startWorker<M = Record<string, (...args: any[]) => any>>(url: string | URL): Promise<
  {[K in keyof M]: M[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never} & {terminate(): void}>;

/** Marks arrays to be transferred to a worker instead of copied: they are detached after the call. */
export function transfer<T>(value: T): T;

export type KernelParam = number | {f32: number} | {i32: number} | {u32: number};
export interface KernelDefinition {
  name: string;
  source: string;
  inputs?: (string | {name: string; dtype?: DType})[];
  outputs?: (string | {name: string; dtype?: DType; shape?: number[]})[];
  params?: Record<string, KernelParam>;
  workgroupSize?: number[];
  strided?: boolean;
  grid?: number[];
  /** Returns a gradient, or null, for each input; grads is null for unused outputs, params are those of the call. */
  gradient?: (inputs: Tensor[], outputs: Tensor[], grads: (Tensor | null)[], params: Record<string, Tensor>) => (Tensor | null)[] | Tensor;
}
export function wgslKernel(definition: KernelDefinition): (inputs: Tensor[], params?: Record<string, KernelParam>) => any;
