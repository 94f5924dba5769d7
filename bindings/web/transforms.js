// Functions of functions: gradients and compilation; and kernels in WGSL of one's own.
import {addFunction, engine, removeFunction, tensorNumbers, TesseraError, withIntegers, withText, checked} from "./runtime.js";
import {dtypeNumber, Tensor, tidy} from "./tensor.js";

// A function of tensors as the engine calls it: tensors that it makes on the way are disposed, its results handed over.
function asEngine(f, where) {
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

/** A function with the arguments of f that gives {value, grads}: the value of f, a single number, and a gradient of each. */
export function valueAndGrad(f) {
  return (...args) => {
    checkTensors("valueAndGrad", args);
    const number = addFunction(asEngine(f, "valueAndGrad"));
    try {
      const [value, ...grads] = withIntegers(args.map((t) => t.number), (pointer, count) =>
        tensorNumbers((room) => engine()._tessera_value_and_grad(number, pointer, count, room))).map((n) => new Tensor(n));
      return {value, grads};
    } finally {
      removeFunction(number);
    }
  };
}

/** A function that gives the gradient of f, or a list of them where f has several arguments. */
export function grad(f) {
  const both = valueAndGrad(f);
  return (...args) => {
    const {value, grads} = both(...args);
    value.dispose();
    return args.length === 1 ? grads[0] : grads;
  };
}

/** f, traced once for each signature of its arguments and replayed after that. `donate`: arguments whose memory it may take. */
export function compile(f, {donate = []} = {}) {
  let number = 0;
  let single = false;
  const traced = (...args) => {
    const given = f(...args);
    single = given instanceof Tensor;
    return given;
  };
  const compiled = (...args) => {
    checkTensors("compile", args);
    number ||= withIntegers(donate, (pointer, count) =>
      checked(engine()._tessera_compile(addFunction(asEngine(traced, "compile")), pointer, count)));
    const results = withIntegers(args.map((t) => t.number), (pointer, count) =>
      tensorNumbers((room) => engine()._tessera_run(number, pointer, count, room))).map((n) => new Tensor(n));
    return single ? results[0] : results;
  };
  Object.defineProperty(compiled, "traces", {get: () => number ? checked(engine()._tessera_traces(number)) : 0});
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

/**
 * A kernel as a function of tensors: {name, source, inputs, outputs, params, workgroupSize, grid}, as in C++.
 * A source that does not compile ends the device, and the next read says why; init() makes it anew.
 */
export function wgslKernel({name, source, inputs = [], outputs = [], params = {}, workgroupSize, grid}) {
  const sent = paramsOf(params);
  const definition = {name, source, inputs: inputs.map(named), outputs: outputs.map(named), params: sent, workgroupSize, grid};
  const kernel = withText(JSON.stringify(definition), (text) => checked(engine()._tessera_kernel(text)));
  return (tensors, overrides = {}) => {
    checkTensors(name, tensors);
    const types = Object.fromEntries(sent.map((p) => [p.name, p.type]));
    const own = paramsOf(overrides).map((p) => ({...p, type: types[p.name] ?? p.type}));
    const results = withIntegers(tensors.map((t) => t.number), (pointer, count) =>
      withText(JSON.stringify(own), (text) =>
        tensorNumbers((room) => engine()._tessera_kernel_call(kernel, pointer, count, text, room)))).map((n) => new Tensor(n));
    return results.length === 1 ? results[0] : results;
  };
}
