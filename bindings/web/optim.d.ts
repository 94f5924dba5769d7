// Optimizers and learning-rate schedules.
import type {Held, Module, Tensors} from "./nn.js";
import type {Tensor} from "./tensor.js";

export interface Schedule { readonly schedule: string }
/** A number, a schedule, or a function of the number of updates so far (f32 of rank 0) that returns the rate as a tensor. */
export type Rate = number | Schedule | ((step: Tensor) => Tensor);
export interface GroupOptions {
  lr?: Rate;
  weightDecay?: number;
  /** Patterns of parameters without weight decay: ["*.bias"]. */
  noDecay?: string[];
}
export interface SGDOptions extends GroupOptions {
  momentum?: number;
  dampening?: number;
  nesterov?: boolean;
}
export interface AdamOptions extends GroupOptions {
  betas?: [number, number];
  eps?: number;
  amsgrad?: boolean;
}
/** Other options for the parameters whose names match a pattern of '*' and '?'. */
export interface Groups<O> { groups?: Record<string, O> }

export class Optimizer extends Held {
  /** One step, with gradients by name, as valueAndGrad(model, f) gives them. Starts computing; does not wait. */
  update(model: Module, grads: Tensors): void;
  /** Makes state for parameters that were frozen when the optimizer was made. */
  add(model: Module): void;
  /** The number of updates so far. */
  steps(): Tensor;
  /** The rate of the latest update; group 0 has the parameters that match no pattern. */
  rate(group?: number): Tensor;
  /** A new rate from the next update on; a compiled step is not traced again. */
  setRate(rate: number, group?: number): void;
  loadStateDict(tensors: Tensors): void;
}
export class SGD extends Optimizer { constructor(model: Module, options?: SGDOptions & Groups<SGDOptions>); }
/** Weight decay is added to the gradient. */
export class Adam extends Optimizer { constructor(model: Module, options?: AdamOptions & Groups<AdamOptions>); }
/** Weight decay of the parameter itself, times the rate; 0.01 by default. */
export class AdamW extends Optimizer { constructor(model: Module, options?: AdamOptions & Groups<AdamOptions>); }

export function constant(rate: number): Schedule;
/** rate * gamma^step. */
export function exponential(rate: number, gamma: number): Schedule;
/** A line over `steps`, then its end. */
export function linear(from: number, to: number, steps: number): Schedule;
/** From the rate to the minimum in half a cosine over `steps`, which include those of the warm-up, then the minimum. */
export function cosine(rate: number, steps: number, options?: {minimum?: number; warmup?: number}): Schedule;

/** Gradients by name, scaled by one factor so that their norm is at most maxNorm, and the norm before. */
export function clipGradNorm(grads: Tensors, maxNorm: number): {grads: Tensors; norm: Tensor};
