// Modules: parameters by name and forward functions. Those with parameters are the engine's own.
import {Held, kModules, tensorsOf, withNamed} from "./held.js";
import {adaptive_avg_pool, avg_pool2d, elu, gelu, gelu_tanh, leaky_relu, log_softmax, max_pool2d, mish, relu, relu6, reshape, sigmoid, silu, softmax, softplus, tanh} from "./ops.js";
import {checked, checkedText, engine, TesseraError, withText} from "./runtime.js";
import {dtypeNumber, Tensor} from "./tensor.js";

/** A tensor that belongs to a module of your own: this.scale = new nn.Parameter(ts.ones([8])). */
export class Parameter extends Held {
  constructor(tensor, {buffer = false} = {}) {
    if (!(tensor instanceof Tensor)) throw new TesseraError({kind: "value", message: `Parameter: ${typeof tensor} was given; expected a tensor.`});
    super(checked(engine()._tessera_nn_parameter(tensor.number, buffer ? 1 : 0)));
  }
  /** The tensor, as a new handle. */
  get value() { return Object.values(tensorsOf(this, "state"))[0]; }
}
/** A parameter without gradients: running statistics, caches. */
export class Buffer extends Parameter {
  constructor(tensor) { super(tensor, {buffer: true}); }
}

// The parts of a module by name: its properties, and what lists and objects among them hold.
function partsOf(module) {
  const found = [];
  const look = (name, value) => {
    if (value instanceof Module || value instanceof Parameter) found.push([name, value]);
    else if (Array.isArray(value)) value.forEach((v, i) => look(`${name}.${i}`, v));
    else if (value && Object.getPrototypeOf(value) === Object.prototype) for (const [key, v] of Object.entries(value)) look(`${name}.${key}`, v);
  };
  for (const [name, value] of Object.entries(module)) look(name, value);
  return found;
}

/**
 * The base of all modules. Yours extend it: modules and Parameters that are properties are its parts, with PyTorch's names
 * ("layers.0.weight"), and forward(x) is a function of them.
 */
export class Module extends Held {
  #native;
  #sent = "[]";
  /** `native`: the number of a module of the engine, which has no parts here. */
  constructor(native) {
    super(native ?? withText(new.target.name, (name) => checked(engine()._tessera_nn_group(name))));
    this.#native = native !== undefined;
  }
  /** The number of the module, whose parts in the engine are then those that it has here. A part that occurs twice counts once. */
  sync(seen = new Set()) {
    const number = this.number;
    if (this.#native) return number;
    const parts = [];
    for (const [name, part] of partsOf(this)) {
      if (seen.has(part)) continue;
      seen.add(part);
      parts.push([name, part.sync(seen)]);
    }
    const text = JSON.stringify(parts);
    if (text !== this.#sent) withText(text, (pointer) => checked(engine()._tessera_nn_set_parts(number, pointer)));
    this.#sent = text;
    return number;
  }

  get [kModules]() { return [this, ...partsOf(this).flatMap(([, part]) => part instanceof Module ? part[kModules] : [])]; }

  forward(x) {
    if (!this.#native) throw new TesseraError({kind: "unsupported", message: `${this.constructor.name} has no function forward(x).`});
    if (!(x instanceof Tensor)) throw new TesseraError({kind: "value", op: this.constructor.name, message: `${this.constructor.name}: the input is ${x === null ? "null" : typeof x}; expected a tensor.`});
    return new Tensor(checked(engine()._tessera_nn_forward(this.number, x.number)));
  }

  /** Tensors by name, each as a new handle. */
  parameters() { return tensorsOf(this, "parameters"); }
  trainableParameters() { return tensorsOf(this, "trainable"); }
  buffers() { return tensorsOf(this, "buffers"); }
  get parameterCount() {
    const all = Object.values(this.parameters());
    const count = all.reduce((sum, t) => sum + t.size, 0);
    for (const t of all) t.dispose();
    return count;
  }
  /**
   * Replaces parameters and buffers by tensors of the same names, in the module's dtype; returns {missing, unexpected, mismatched}.
   * If strict, any of them is an error, and nothing is replaced.
   */
  loadStateDict(tensors, {strict = true} = {}) {
    const number = this.sync();
    const {missing, unexpected, mismatched} = JSON.parse(withNamed("loadStateDict", tensors, (names, numbers) =>
      checkedText(engine()._tessera_nn_load(number, names, numbers, strict ? 1 : 0))));
    return {missing, unexpected, mismatched};
  }
  /** Replaces the tensors of these names; the others stay. */
  update(tensors) {
    const number = this.sync();
    withNamed("update", tensors, (names, numbers) => checked(engine()._tessera_nn_update(number, names, numbers)));
    return this;
  }

  /** Training mode of the module and all its parts: dropout and batch statistics. */
  train(on = true) {
    checked(engine()._tessera_nn_train(this.sync(), on ? 1 : 0));
    return this;
  }
  eval() { return this.train(false); }
  get training() { return checked(engine()._tessera_nn_training(this.number)) === 1; }
  /** Excludes the parameters whose names match the pattern from training; '*' stands for any characters, '?' for one. */
  freeze(pattern = "*") { return this.#freeze(pattern, 1); }
  unfreeze(pattern = "*") { return this.#freeze(pattern, 0); }
  #freeze(pattern, on) {
    const number = this.sync();
    withText(pattern, (text) => checked(engine()._tessera_nn_freeze(number, text, on)));
    return this;
  }
  /** Converts float parameters and buffers to a dtype. */
  to(dtype) {
    checked(engine()._tessera_nn_cast(this.sync(), dtypeNumber(dtype)));
    return this;
  }
  /** Also disposes its parts. */
  dispose() {
    if (this.disposed) return;
    for (const [, part] of partsOf(this)) part.dispose();
    super.dispose();
  }
}

/** Each module is called with the result of the one before it. */
export class Sequential extends Module {
  constructor(...modules) {
    super();
    modules.forEach((m, i) => {
      if (!(m instanceof Module)) throw new TesseraError({kind: "value", message: `Sequential: module ${i} is ${m === null ? "null" : typeof m}; expected a module.`});
      this[i] = m;
    });
  }
  forward(x) {
    for (const m of Object.values(this)) x = m.forward(x);
    return x;
  }
}

// A module of the engine: its first arguments by name, then an object of options.
class Native extends Module {
  constructor(kind, names, args) {
    const options = {...args[names.length]};
    names.forEach((name, i) => { if (args[i] !== undefined) options[name] = args[i]; });
    super(withText(kind, (k) => withText(JSON.stringify(options), (o) => checked(engine()._tessera_nn_make(k, o)))));
  }
  /** Its parameters; undefined where it has none of that name. */
  get weight() { return this.#parameter("weight"); }
  get bias() { return this.#parameter("bias"); }
  #parameter(name) {
    const {[name]: found, ...others} = this.parameters();
    for (const t of Object.values(others)) t.dispose();
    return found;
  }
}
export class Linear extends Native { constructor(...args) { super("Linear", ["inFeatures", "outFeatures"], args); } }
export class Embedding extends Native { constructor(...args) { super("Embedding", ["numEmbeddings", "embeddingDim"], args); } }
export class Dropout extends Native { constructor(...args) { super("Dropout", ["p"], args); } }
export class Conv1d extends Native { constructor(...args) { super("Conv1d", ["inChannels", "outChannels", "kernelSize"], args); } }
export class Conv2d extends Native { constructor(...args) { super("Conv2d", ["inChannels", "outChannels", "kernelSize"], args); } }
export class BatchNorm1d extends Native { constructor(...args) { super("BatchNorm1d", ["numFeatures"], args); } }
export class BatchNorm2d extends Native { constructor(...args) { super("BatchNorm2d", ["numFeatures"], args); } }
export class LayerNorm extends Native { constructor(...args) { super("LayerNorm", ["normalizedShape"], args); } }
export class RMSNorm extends Native { constructor(...args) { super("RMSNorm", ["normalizedShape"], args); } }
export class GroupNorm extends Native { constructor(...args) { super("GroupNorm", ["numGroups", "numChannels"], args); } }

// Modules without parameters: ops.
export class Identity extends Module { forward(x) { return x.clone(); } }
export class ReLU extends Module { forward(x) { return relu(x); } }
export class ReLU6 extends Module { forward(x) { return relu6(x); } }
export class SiLU extends Module { forward(x) { return silu(x); } }
export class Mish extends Module { forward(x) { return mish(x); } }
export class Tanh extends Module { forward(x) { return tanh(x); } }
export class Sigmoid extends Module { forward(x) { return sigmoid(x); } }
export class Softplus extends Module { forward(x) { return softplus(x); } }
export class GELU extends Module {
  #approximate;
  constructor({approximate = "none"} = {}) {
    super();
    this.#approximate = approximate;
  }
  forward(x) { return this.#approximate === "tanh" ? gelu_tanh(x) : gelu(x); }
}
// A function of a tensor and one more argument.
class With extends Module {
  #f;
  #argument;
  constructor(f, argument) {
    super();
    this.#f = f;
    this.#argument = argument;
  }
  forward(x) { return this.#f(x, this.#argument); }
}
export class LeakyReLU extends With { constructor(negativeSlope = 0.01) { super(leaky_relu, negativeSlope); } }
export class ELU extends With { constructor(alpha = 1) { super(elu, alpha); } }
export class Softmax extends With { constructor(dim = -1) { super(softmax, dim); } }
export class LogSoftmax extends With { constructor(dim = -1) { super(log_softmax, dim); } }
export class AdaptiveAvgPool2d extends With { constructor(outputSize) { super(adaptive_avg_pool, [outputSize].flat().length === 2 ? outputSize : [outputSize, outputSize]); } }
/** Joins the axes from `startDim` on into one. */
export class Flatten extends With {
  constructor(startDim = 1) { super((x, from) => reshape(x, [...x.shape.slice(0, from), -1]), startDim); }
}
class Pool extends Module {
  #f;
  #kernel;
  #options;
  constructor(f, kernelSize, options) {
    super();
    this.#f = f;
    this.#kernel = kernelSize;
    this.#options = options;
  }
  forward(x) { return this.#f(x, this.#kernel, this.#options); }
}
export class MaxPool2d extends Pool { constructor(kernelSize, options = {}) { super(max_pool2d, kernelSize, options); } }
export class AvgPool2d extends Pool { constructor(kernelSize, options = {}) { super(avg_pool2d, kernelSize, options); } }
