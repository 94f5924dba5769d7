// Function transforms: gradients and compilation; and custom WGSL kernels.
import {Held, named as byName} from "./held.js";
import {addFunction, checked, checkedText, device, engine, heldBack, holdBack, removeFunction, takeText, tensorNumbers, TesseraError, withIntegers, withText} from "./runtime.js";
import {dtypeNumber, Tensor, tensor, tidy} from "./tensor.js";

// A function of tensors as the engine calls it: tensors that it makes on the way are disposed, its results handed over.
export function asEngine(f, where) {
  return (numbers) => {
    const handed = [];
    tidy(() => {
      const given = f(...numbers.map((n) => new Tensor(checked(engine()._tessera_copy(n)))));
      const list = given instanceof Tensor ? [given] : given;
      if (!Array.isArray(list) || !list.every((t) => t instanceof Tensor)) {
        throw new TesseraError({kind: "value", message: `${where}: the function gave ${given instanceof Promise ? "a promise" : typeof given}; expected a tensor or a list of them.`});
      }
      for (const t of list) handed.push(checked(engine()._tessera_copy(t.number)));
      return undefined;
    });
    return handed;
  };
}

function checkTensors(where, args) {
  args.forEach((a, i) => {
    if (!(a instanceof Tensor)) throw new TesseraError({kind: "value", message: `${where}: argument ${i} is ${typeof a}; expected a tensor.`});
  });
}

let differentiating = 0;  // how many calls of valueAndGrad are inside each other

// The value of f(...args) and the gradients of the module's trainable parameters by name.
function moduleValueAndGrad(model, f) {
  return (...args) => {
    const number = model.sync();
    const called = addFunction(asEngine(() => f(...args), "valueAndGrad"));
    ++differentiating;
    try {
      let names;
      const [value, ...others] = tensorNumbers((room) => {
        const about = JSON.parse(checkedText(engine()._tessera_nn_value_and_grad(number, called, heldBack() ? 0 : 1, room)));
        names = about.names;
        return about.count;
      }).map((n) => new Tensor(n));
      return {value, grads: byName(names, others), aux: others.slice(names.length)};
    } finally {
      --differentiating;
      removeFunction(called);
    }
  };
}

/**
 * A function with the arguments of f that returns {value, grads}: the value of f, a scalar, and a gradient for each argument.
 * valueAndGrad(model, f) differentiates with respect to the trainable parameters of a module, which f uses: grads has them by name, and
 * the arguments may be anything. If that f returns a list, its first tensor is differentiated, and aux has the others.
 */
export function valueAndGrad(f, ofModule) {
  if (f instanceof Held) return moduleValueAndGrad(f, ofModule);
  return (...args) => {
    checkTensors("valueAndGrad", args);
    const number = addFunction(asEngine(f, "valueAndGrad"));
    ++differentiating;
    try {
      const [value, ...grads] = withIntegers(args.map((t) => t.number), (pointer, count) =>
        tensorNumbers((room) => engine()._tessera_value_and_grad(number, pointer, count, room))).map((n) => new Tensor(n));
      return {value, grads};
    } finally {
      --differentiating;
      removeFunction(number);
    }
  };
}

/** A function that returns the gradient of f, or a list of them if f has several arguments. */
export function grad(f) {
  const both = valueAndGrad(f);
  return (...args) => {
    const {value, grads} = both(...args);
    value.dispose();
    return args.length === 1 ? grads[0] : grads;
  };
}

function checkList(where, which, list) {
  if (!Array.isArray(list) || !list.every((t) => t instanceof Tensor)) {
    throw new TesseraError({kind: "value", message: `${where}: ${which} is ${list instanceof Tensor ? "a tensor" : typeof list}; expected a list of tensors.`});
  }
}

/**
 * Calls f(carry, x) for each x along the first axis of xs, a list of tensors, and returns {carry, ys}: the last carry, and all ys along a
 * new first axis. f returns {carry, ys} for its step. It is called once, on tensors without values, and its plan is replayed for each
 * step; see docs/guide/loops.md.
 */
export function scan(f, carry, xs = [], {length, reverse = false, checkpointEvery = 1, unroll = 1} = {}) {
  checkList("scan", "carry", carry);
  checkList("scan", "xs", xs);
  const whole = {length: length ?? 0, checkpointEvery, unroll};
  for (const [name, value] of Object.entries(whole)) {
    if (!Number.isSafeInteger(value) || value < 0) throw new TesseraError({kind: "value", message: `scan: ${name} is ${value}; expected a whole number.`});
  }
  const number = addFunction(asEngine((...all) => {
    const given = f(all.slice(0, carry.length), all.slice(carry.length));
    checkList("scan", "the carry that the function gave", given?.carry);
    checkList("scan", "the list ys that the function gave", given.ys ?? []);
    if (given.carry.length !== carry.length) {
      throw new TesseraError({kind: "value", message: `scan: the function gave a carry of ${given.carry.length} tensors; expected ${carry.length}, as it was given.`});
    }
    return [...given.carry, ...given.ys ?? []];
  }, "scan"));
  // What runs cannot wait for a kernel's check; a graph can. And gradients of gradients call f again unless it is one: what f captured
  // may be disposed by then.
  const steps = heldBack() || differentiating > 1 ? 0 : unroll;
  try {
    const results = withIntegers([...carry, ...xs].map((t) => t.number), (pointer, count) =>
      tensorNumbers((room) => engine()._tessera_scan(number, pointer, carry.length, count, length ?? -1, reverse ? 1 : 0, checkpointEvery, steps,
        room))).map((n) => new Tensor(n));
    return {carry: results.slice(0, carry.length), ys: results.slice(carry.length)};
  } finally {
    removeFunction(number);
  }
}

/** The carry after n steps of carry = f(step, carry), where step is a tensor; like scan otherwise. */
export function loop(n, f, carry, options = {}) {
  if (!Number.isSafeInteger(n) || n < 0) {
    const what = n instanceof Tensor ? "a tensor; read it first, with await n.item()" : String(n);
    throw new TesseraError({kind: "value", message: `loop: the number of steps is ${what}; expected a whole number.`});
  }
  return tidy(() => scan((state, [step]) => ({carry: f(step, state)}), carry, [tensor(Int32Array.from({length: n}, (_, i) => i))], options).carry);
}

function letGo(own) {
  if (!own.number) return;
  engine()._tessera_compiled_release(own.number);
  removeFunction(own.called);
  own.number = 0;
}
const compilations = new FinalizationRegistry(letGo);
// What the engine holds must not keep a compiled function alive, to which f often refers; only that one's calls lead here.
function weakly(f) {
  const weak = new WeakRef(f);
  return (numbers) => weak.deref()(numbers);
}

// {argument: {axis: name}} or {argument: [axis, ..]} as a list.
function axesOf(dynamicAxes) {
  const whole = (n) => Number.isInteger(Number(n));
  return Object.entries(dynamicAxes).flatMap(([argument, axes]) => {
    const pairs = Array.isArray(axes) ? axes.map((axis) => [axis, `axis ${axis} of argument ${argument}`]) : Object.entries(axes ?? {});
    if (!axes || typeof axes !== "object" || !whole(argument) || !pairs.every(([axis, name]) => whole(axis) && typeof name === "string")) {
      throw new TesseraError({kind: "value",
        message: `compile: dynamicAxes has ${JSON.stringify(axes)} for argument ${argument}; expected {argument: {axis: name}} or {argument: [axis, ..]}.`});
    }
    return pairs.map(([axis, name]) => ({argument: Number(argument), axis: Number(axis), name}));
  });
}

// The modules and optimizers that a step updates, each once.
function numbersOf(state, dynamicAxes) {
  if (!Array.isArray(state) || !state.every((s) => s instanceof Held)) {
    throw new TesseraError({kind: "value", message: "compile: the state is not a list of modules and optimizers; expected one, [model, optimizer]."});
  }
  if (state.length && Object.keys(dynamicAxes).length) {
    throw new TesseraError({kind: "unsupported", message: "compile: state and dynamicAxes were given; expected one of them."});
  }
  return [...new Set(state)].map((s) => s.sync());
}

/**
 * f, traced once per signature of its arguments and then replayed. Its plans and their memory are freed with it, or by
 * dispose(). `donate`: positions of arguments whose buffers the results may reuse. `dynamicAxes`: axes whose sizes are not part
 * of the signature, {argument: {axis: name}} or {argument: [axis, ..]}; axes of one name have one size. The first call then calls
 * f at about twenty sizes. `state`: the modules and optimizers that f updates, [model, optimizer]; their tensors are updated in place.
 */
export function compile(f, {donate = [], dynamicAxes = {}, state = []} = {}) {
  const own = {number: 0, called: 0, disposed: false};  // in the engine, and as a function that it calls
  let single = false;
  const traced = (...args) => {
    const given = f(...args);
    single = given instanceof Tensor;
    return given;
  };
  const asked = asEngine(traced, "compile");
  const compiled = (...args) => {
    if (own.disposed) throw new TesseraError({kind: "value", message: "The compiled function was disposed; expected one that is alive."});
    checkTensors("compile", args);
    // What runs cannot wait for a kernel's check; a graph can.
    if (heldBack()) {
      const results = asked(args.map((t) => t.number)).map((n) => new Tensor(n));
      return single ? results[0] : results;
    }
    if (!own.number) {
      own.called = addFunction(weakly(asked));
      const options = {donate, dynamicAxes: axesOf(dynamicAxes), state: numbersOf(state, dynamicAxes)};
      own.number = withText(JSON.stringify(options), (text) => checked(engine()._tessera_compile(own.called, text)));
    } else {
      for (const s of state) s.sync();  // parts may be others by now
    }
    const results = withIntegers(args.map((t) => t.number), (pointer, count) =>
      tensorNumbers((room) => engine()._tessera_run(own.number, pointer, count, room))).map((n) => new Tensor(n));
    return single ? results[0] : results;
  };
  Object.defineProperty(compiled, "traces", {get: () => own.number ? checked(engine()._tessera_traces(own.number)) : 0});
  Object.defineProperty(compiled, "dispose", {value: () => { own.disposed = true; letGo(own); }});
  compilations.register(compiled, own);
  return compiled;
}

const named = (entry) => typeof entry === "string" ? {name: entry}
  : {...entry, dtype: entry.dtype === undefined ? undefined : dtypeNumber(entry.dtype)};
// A whole number is an i32, others are f32; {u32: n} and its like say it.
function paramsOf(params) {
  return Object.entries(params).map(([name, value]) => {
    if (typeof value === "number") return {name, type: Number.isInteger(value) ? "i32" : "f32", value};
    const type = value && Object.keys(value)[0];
    if (!["f32", "i32", "u32"].includes(type)) {
      throw new TesseraError({kind: "value", message: `wgslKernel: the parameter '${name}' is ${String(value)}; expected a number, or {f32: n}, {i32: n} or {u32: n}.`});
    }
    return {name, type, value: value[type]};
  });
}

// The gradient function as the engine calls it: inputs, outputs, gradients and parameters in a row.
function gradientAsEngine(name, inputs, outputs, params, f) {
  return (numbers) => {
    const handed = [];
    tidy(() => {
      const all = numbers.map((n) => n ? new Tensor(checked(engine()._tessera_copy(n))) : null);
      const [first, second, third] = [inputs, inputs + outputs, inputs + 2 * outputs];
      const given = f(all.slice(0, first), all.slice(first, second), all.slice(second, third),
        Object.fromEntries(params.map((p, i) => [p.name, all[third + i]])));
      const list = given instanceof Tensor ? [given] : given;
      if (!Array.isArray(list) || list.length !== inputs || !list.every((t) => t === null || t instanceof Tensor)) {
        const what = Array.isArray(list) ? `a list of ${list.length}` : given instanceof Promise ? "a promise" : typeof given;
        throw new TesseraError({kind: "value", op: name, message: `${name}: the gradient function gave ${what}; expected a list of ${inputs}, each a tensor or null.`});
      }
      for (const t of list) handed.push(t === null ? 0 : checked(engine()._tessera_copy(t.number)));
    });
    return handed;
  };
}

/**
 * A kernel as a function of tensors: {name, source, inputs, outputs, params, workgroupSize, grid, strided, gradient}, as in C++.
 * The browser first compiles its source separately: if it rejects it, reads that depend on the kernel fail with
 * line and column, and everything else continues. gradient(inputs, outputs, grads, params) returns a gradient, or null, for each input.
 */
export function wgslKernel({name, source, inputs = [], outputs = [], params = {}, workgroupSize, grid, strided = false, gradient}) {
  const sent = paramsOf(params);
  if (gradient !== undefined && typeof gradient !== "function") {
    throw new TesseraError({kind: "value", op: name, message: `wgslKernel: the gradient is ${typeof gradient}; expected a function.`});
  }
  const definition = {name, source, inputs: inputs.map(named), outputs: outputs.map(named), params: sent, workgroupSize, grid, strided};
  const backward = gradient ? addFunction(gradientAsEngine(name, inputs.length, outputs.length, sent, gradient)) : 0;
  const kernel = withText(JSON.stringify(definition), (text) => checked(engine()._tessera_kernel(text, backward)));
  const tried = new Set();
  // Once for each row of types: the header in front of the text depends on them.
  const tryText = (numbers, types) => {
    if (tried.has(types) || device().id === "cpu") return;
    tried.add(types);
    const text = withIntegers(numbers, (pointer, count) => takeText(engine()._tessera_kernel_text(kernel, pointer, count)));
    if (text) holdBack(engine().TesseraWeb.tryText(name, text, source).catch(() => {}));
  };
  return (tensors, overrides = {}) => {
    checkTensors(name, tensors);
    const types = Object.fromEntries(sent.map((p) => [p.name, p.type]));
    const own = paramsOf(overrides).map((p) => ({...p, type: types[p.name] ?? p.type}));
    const numbers = tensors.map((t) => t.number);
    const results = withIntegers(numbers, (pointer, count) =>
      withText(JSON.stringify(own), (text) =>
        tensorNumbers((room) => engine()._tessera_kernel_call(kernel, pointer, count, text, room)))).map((n) => new Tensor(n));
    tryText(numbers, tensors.map((t) => t.dtype).join());
    return results.length === 1 ? results[0] : results;
  };
}
