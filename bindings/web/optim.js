// Optimizers and learning-rate schedules, which are the engine's.
import {Held, loadState, named, withNamed} from "./held.js";
import {Module} from "./nn.js";
import {addFunction, checked, engine, tensorNumbers, TesseraError, withText} from "./runtime.js";
import {Tensor} from "./tensor.js";
import {asEngine} from "./transforms.js";

// A rate as the engine takes it: a number, a schedule, or a function of the number of updates.
function rateOf(rate, functions) {
  if (typeof rate !== "function") return rate;
  functions.push(addFunction(asEngine((step) => rate(step), "lr")));
  return {schedule: "function", number: functions.at(-1)};
}
function optionsOf(given, functions) {
  return given?.lr === undefined ? given : {...given, lr: rateOf(given.lr, functions)};
}

/** The base of all optimizers. They are made for the trainable parameters of a module; moments of f16 and bf16 parameters are f32. */
export class Optimizer extends Held {
  constructor(kind, model, {groups = {}, ...options} = {}) {
    if (!(model instanceof Module)) throw new TesseraError({kind: "value", message: `${kind}: ${typeof model} was given; expected a module.`});
    const functions = [];
    const sent = {...optionsOf(options, functions), groups: Object.fromEntries(Object.entries(groups).map(([pattern, own]) => [pattern, optionsOf(own, functions)]))};
    super(withText(kind, (k) => withText(JSON.stringify(sent), (o) => checked(engine()._tessera_optim_make(k, model.sync(), o)))), functions);
  }
  /** One step: `grads` has the gradients of parameters by name, as valueAndGrad(model, f) gives them. Starts computing; does not wait. */
  update(model, grads) {
    const number = model.sync();
    withNamed("update", grads, (names, numbers) => checked(engine()._tessera_optim_update(this.number, number, names, numbers)));
  }
  /** Makes state for parameters that were frozen when the optimizer was made. */
  add(model) { checked(engine()._tessera_optim_add(this.number, model.sync())); }
  /** The number of updates so far, and the rate of the latest one: tensors of rank 0. Group 0 has what matches no pattern. */
  steps() { return new Tensor(checked(engine()._tessera_optim_steps(this.number))); }
  rate(group = 0) { return new Tensor(checked(engine()._tessera_optim_rate(this.number, group))); }
  /** A new rate from the next update on; a compiled step is not traced again. */
  setRate(rate, group = 0) { checked(engine()._tessera_optim_set_rate(this.number, rate, group)); }
  loadStateDict(tensors) { loadState(this, tensors); }
}
export class SGD extends Optimizer { constructor(model, options) { super("SGD", model, options); } }
export class Adam extends Optimizer { constructor(model, options) { super("Adam", model, options); } }
export class AdamW extends Optimizer { constructor(model, options) { super("AdamW", model, options); } }

/** Schedules for `lr`: rates by the number of updates so far. */
export const constant = (rate) => ({schedule: "constant", rate});
/** rate * gamma^step. */
export const exponential = (rate, gamma) => ({schedule: "exponential", rate, gamma});
/** A line over `steps`, then its end. */
export const linear = (from, to, steps) => ({schedule: "linear", from, to, steps});
/** From the rate to the minimum in half a cosine over `steps`, which include those of the warm-up, then the minimum. */
export const cosine = (rate, steps, {minimum = 0, warmup = 0} = {}) => ({schedule: "cosine", rate, steps, minimum, warmup});

/** {grads, norm}: gradients by name, scaled by one factor so that their norm is at most maxNorm, and the norm before. */
export function clipGradNorm(grads, maxNorm) {
  const names = Object.keys(grads);
  const all = withNamed("clipGradNorm", grads, (list, numbers) =>
    tensorNumbers((room) => engine()._tessera_optim_clip_grad_norm(list, numbers, maxNorm, room))).map((n) => new Tensor(n));
  return {grads: named(names, all), norm: all.at(-1)};
}
