// Modules: parameters by name and forward functions.
import type {DType, Tensor} from "./tensor.js";

export type Tensors = Record<string, Tensor>;
export interface LoadReport { missing: string[]; unexpected: string[]; mismatched: string[] }

/** What modules, parameters and optimizers share. Their memory is freed by dispose(), or by garbage collection. */
export class Held {
  protected constructor();
  readonly disposed: boolean;
  dispose(): void;
  /** All tensors by name, each as a new handle. */
  stateDict(): Tensors;
}

/** A tensor that belongs to a module of your own: this.scale = new nn.Parameter(ts.ones([8])). */
export class Parameter extends Held {
  constructor(tensor: Tensor, options?: {buffer?: boolean});
  /** The tensor, as a new handle. */
  readonly value: Tensor;
}
/** A parameter without gradients: running statistics, caches. */
export class Buffer extends Parameter { constructor(tensor: Tensor); }

/**
 * The base of all modules. Yours extend it: modules and Parameters that are properties are its parts, also in lists and objects, with
 * PyTorch's names ("layers.0.weight"), and forward() is a function of them.
 */
export class Module extends Held {
  constructor();
  forward(...args: any[]): any;
  parameters(): Tensors;
  trainableParameters(): Tensors;
  buffers(): Tensors;
  readonly parameterCount: number;
  /** Replaces parameters and buffers by tensors of the same names, in the module's dtype. If strict, a missing, unexpected or mismatched name is an error, and nothing is replaced. */
  loadStateDict(tensors: Tensors, options?: {strict?: boolean}): LoadReport;
  /** Replaces the tensors of these names; the others stay. */
  update(tensors: Tensors): this;
  /** Training mode of the module and all its parts: dropout and batch statistics. */
  train(on?: boolean): this;
  eval(): this;
  readonly training: boolean;
  /** Excludes the parameters whose names match the pattern from training; '*' stands for any characters, '?' for one. */
  freeze(pattern?: string): this;
  unfreeze(pattern?: string): this;
  /** Converts float parameters and buffers to a dtype. */
  to(dtype: DType): this;
}
declare class Unary extends Module { forward(x: Tensor): Tensor; }
/** Each module is called with the result of the one before it. */
export class Sequential extends Unary {
  constructor(...modules: Module[]);
  readonly [position: number]: Module;
}
declare class Native extends Unary {
  readonly weight: Tensor;
  readonly bias: Tensor | undefined;
}

export class Linear extends Native { constructor(inFeatures: number, outFeatures: number, options?: {bias?: boolean}); }
export class Embedding extends Native { constructor(numEmbeddings: number, embeddingDim: number, options?: {paddingIdx?: number | null}); }
export class Dropout extends Unary { constructor(p?: number); }
export interface ConvOptions {
  stride?: number | number[];
  padding?: number | number[] | [number, number][] | "same" | "valid";
  dilation?: number | number[];
  groups?: number;
  bias?: boolean;
}
export class Conv1d extends Native { constructor(inChannels: number, outChannels: number, kernelSize: number | number[], options?: ConvOptions); }
export class Conv2d extends Native { constructor(inChannels: number, outChannels: number, kernelSize: number | number[], options?: ConvOptions); }
export interface BatchNormOptions {
  eps?: number;
  /** null: running statistics are the mean over all batches. */
  momentum?: number | null;
  affine?: boolean;
  trackRunningStats?: boolean;
}
export class BatchNorm1d extends Native { constructor(numFeatures: number, options?: BatchNormOptions); }
export class BatchNorm2d extends Native { constructor(numFeatures: number, options?: BatchNormOptions); }
export class LayerNorm extends Native { constructor(normalizedShape: number | number[], options?: {eps?: number; elementwiseAffine?: boolean; bias?: boolean}); }
export class RMSNorm extends Native { constructor(normalizedShape: number | number[], options?: {eps?: number | null; elementwiseAffine?: boolean}); }
export class GroupNorm extends Native { constructor(numGroups: number, numChannels: number, options?: {eps?: number; affine?: boolean}); }

export class Identity extends Unary {}
export class ReLU extends Unary {}
export class ReLU6 extends Unary {}
export class SiLU extends Unary {}
export class Mish extends Unary {}
export class Tanh extends Unary {}
export class Sigmoid extends Unary {}
export class Softplus extends Unary {}
export class GELU extends Unary { constructor(options?: {approximate?: "none" | "tanh"}); }
export class LeakyReLU extends Unary { constructor(negativeSlope?: number); }
export class ELU extends Unary { constructor(alpha?: number); }
export class Softmax extends Unary { constructor(dim?: number); }
export class LogSoftmax extends Unary { constructor(dim?: number); }
/** Joins the axes from `startDim` on into one. */
export class Flatten extends Unary { constructor(startDim?: number); }
/** The options are those of ts.max_pool2d and ts.avg_pool2d. */
export class MaxPool2d extends Unary { constructor(kernelSize: number | number[], options?: object); }
export class AvgPool2d extends Unary { constructor(kernelSize: number | number[], options?: object); }
export class AdaptiveAvgPool2d extends Unary { constructor(outputSize: number | [number, number]); }
