// Objects with state that the engine holds: modules, parameters and optimizers, by number.
import {checked, checkedText, engine, removeFunction, tensorNumbers, TesseraError, withIntegers, withText} from "./runtime.js";
import {Tensor} from "./tensor.js";

function letGo({number, functions}) {
  engine()._tessera_object_release(number);
  for (const f of functions) removeFunction(f);
}
const registry = new FinalizationRegistry(letGo);

/** The base of modules, parameters and optimizers. What they hold is freed by dispose(), or by garbage collection. */
export class Held {
  #own;
  /** `functions`: those of JavaScript that the object calls. */
  constructor(number, functions = []) {
    this.#own = {number, functions};
    registry.register(this, this.#own, this);
  }
  /** For the binding. */
  get number() {
    if (this.#own === null) throw new TesseraError({kind: "value", message: `The ${this.constructor.name} was disposed; expected one that is alive.`});
    return this.#own.number;
  }
  get disposed() { return this.#own === null; }
  dispose() {
    if (this.#own === null) return;
    registry.unregister(this);
    letGo(this.#own);
    this.#own = null;
  }
  /** The number for a call that uses all of the object's state. */
  sync() { return this.number; }
  /** All tensors of the object by name. */
  stateDict() { return tensorsOf(this, "state"); }
}

/** The property of a module that lists it and the modules in it. */
export const kModules = Symbol("modules");

const kWhich = ["state", "parameters", "trainable", "buffers"];
/** The tensors of an object by name, each a handle of its own. */
export function tensorsOf(object, which) {
  const number = object.sync();
  const at = kWhich.indexOf(which);
  const names = JSON.parse(checkedText(engine()._tessera_nn_names(number, at)));
  return named(names, tensorNumbers((room) => engine()._tessera_nn_tensors(number, at, room)).map((n) => new Tensor(n)));
}

/** {name: tensor} of two lists; names may be those of any property. */
export function named(names, tensors) {
  const out = {};
  names.forEach((name, i) => Object.defineProperty(out, name, {value: tensors[i], enumerable: true, writable: true, configurable: true}));
  return out;
}

/** Calls f(names as JSON, pointer to their numbers) with tensors by name. */
export function withNamed(op, tensors, f) {
  const entries = tensors !== null && typeof tensors === "object" ? Object.entries(tensors) : [["", tensors]];
  for (const [name, t] of entries) {
    if (t instanceof Tensor) continue;
    const given = t === null ? "null" : typeof t;
    throw new TesseraError({kind: "value", op, message: `${op}: ${name ? `'${name}' is ${given}` : `${given} was given`}; expected an object of tensors by name.`});
  }
  return withText(JSON.stringify(entries.map(([name]) => name)), (names) => withIntegers(entries.map(([, t]) => t.number), (numbers) => f(names, numbers)));
}

/** Replaces all tensors of an object by those of the same names. */
export function loadState(object, tensors) {
  const number = object.sync();
  withNamed("loadStateDict", tensors, (names, numbers) => checked(engine()._tessera_object_set_state(number, names, numbers)));
}
