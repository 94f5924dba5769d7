// Ops from their rows in the generated table: arguments as numbers in a row, overloads chosen by what was given.
import {engine, tensorNumbers, TesseraError, withNumbers} from "./runtime.js";
import {dtypeNumber, Tensor} from "./tensor.js";

const isPlain = (v) => v !== null && typeof v === "object" && Object.getPrototypeOf(v) === Object.prototype;
const isNumber = (v) => typeof v === "number";
const isRange = (v) => isPlain(v) && Object.keys(v).every((k) => ["start", "stop", "step"].includes(k));
const isList = (v, f) => Array.isArray(v) && v.every(f);
const isInteger = (v) => Number.isSafeInteger(v);

// For each type: whether a value is one, what to call it in a message, and how it is sent.
const kTypes = {
  tensor: [(v) => v instanceof Tensor || ["number", "boolean"].includes(typeof v) || v === null, "a tensor or a number", (v, out) => {
    if (v instanceof Tensor) out.push(0, v.number);
    else if (v === null) out.push(4);
    else if (typeof v === "boolean") out.push(3, v ? 1 : 0);
    else out.push(isInteger(v) ? 2 : 1, v);
  }],
  number: [isNumber, "a number", (v, out) => out.push(v)],
  integer: [isInteger, "a whole number", (v, out) => out.push(v)],
  bool: [(v) => typeof v === "boolean", "true or false", (v, out) => out.push(v ? 1 : 0)],
  dtype: [(v) => typeof v === "string", "the name of a type", (v, out) => out.push(dtypeNumber(v))],
  string: [(v) => typeof v === "string", "a string", (v, out) => {
    const bytes = new TextEncoder().encode(v);
    out.push(bytes.length, ...bytes);
  }],
  integers: [(v) => isInteger(v) || isList(v, isInteger), "a list of whole numbers", (v, out) => {
    const list = Array.isArray(v) ? v : [v];
    out.push(list.length, ...list);
  }],
  numbers: [(v) => isList(v, isNumber), "a list of numbers", (v, out) => out.push(v.length, ...v)],
  pairs: [(v) => isList(v, (p) => isList(p, isInteger) && p.length === 2), "a list of pairs", (v, out) => out.push(v.length, ...v.flat())],
  tensors: [(v) => isList(v, (t) => kTypes.tensor[0](t)), "a list of tensors", (v, out) => {
    out.push(v.length);
    for (const t of v) kTypes.tensor[2](t, out);
  }],
  padding: [(v) => v === "same" || v === "valid" || kTypes.integers[0](v) || kTypes.pairs[0](v), 'a number, a list, pairs, "same" or "valid"', (v, out) => {
    if (v === "same") return out.push(1);
    if (v === "valid") return out.push(2);
    const sides = (Array.isArray(v) ? v : [v]).map((p) => Array.isArray(p) ? p : [p, p]);
    out.push(0, sides.length, ...sides.flat());
  }],
  slice: [isRange, "{start, stop, step}", (v, out) => {
    for (const end of [v.start, v.stop]) out.push(...(end === undefined || end === null ? [0] : [1, end]));
    out.push(v.step ?? 1);
  }],
  slices: [(v) => isList(v, isRange), "a list of {start, stop, step}", (v, out) => {
    out.push(v.length);
    for (const range of v) kTypes.slice[2](range, out);
  }],
  index: [(v) => isList(v, (i) => isInteger(i) || isRange(i) || i === "..." || i === null || i instanceof Tensor),
          'a list of numbers, {start, stop, step}, tensors, null or "..."', (v, out) => {
    out.push(v.length);
    for (const i of v) {
      if (i instanceof Tensor) { out.push(4); kTypes.tensor[2](i, out); }
      else if (i === "...") out.push(2);
      else if (i === null) out.push(3);
      else if (isInteger(i)) out.push(0, i);
      else { out.push(1); kTypes.slice[2](i, out); }
    }
  }],
};

function fits(type, value) {
  if (typeof type === "string") return kTypes[type][0](value);
  return type.enum ? type.enum.includes(value) : isPlain(value);
}
function expected(type) {
  if (typeof type === "string") return kTypes[type][1];
  return type.enum ? `one of ${type.enum.join(", ")}` : "an object of options";
}
function shown(value) {
  if (value instanceof Tensor) return "a tensor";
  if (value === undefined) return "nothing";
  const text = typeof value === "string" ? `'${value}'` : Array.isArray(value) ? JSON.stringify(value) ?? "a list" : isPlain(value) ? "an object" : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function send(op, name, type, value, out) {
  if (!fits(type, value)) {
    throw new TesseraError({kind: "value", op, message: `${op}: ${name} is ${shown(value)}; expected ${expected(type)}.`});
  }
  if (typeof type === "string") return kTypes[type][2](value, out);
  if (type.enum) return out.push(type.enum.indexOf(value));
  for (const key of Object.keys(value)) {
    if (!type.struct.some(([field]) => field === key)) {
      throw new TesseraError({kind: "value", op, message: `${op}: there is no option '${key}'; expected ${type.struct.map(([f]) => f).join(", ")}.`});
    }
  }
  for (const [field, inner] of type.struct) {
    if (value[field] === undefined) out.push(0);
    else { out.push(1); send(op, field, inner, value[field], out); }
  }
}

// The arguments by position: a last plain object names parameters, unless one of options is due there.
function positional(params, args) {
  const last = args.at(-1);
  const at = args.length - 1;
  if (!isPlain(last) || (params[at] && fits(params[at][1], last)) || !Object.keys(last).length) return args;
  const known = params.findIndex(([name]) => name in last);
  if (known < 0) return args;
  const all = args.slice(0, at);
  for (const key of Object.keys(last)) {
    const i = params.findIndex(([name]) => name === key);
    if (i < 0) return args;
    all[i] = last[key];
  }
  return all;
}

function matches([, params], args) {
  const all = positional(params, args);
  return all.length <= params.length &&
    params.every(([, type, optional], i) => all[i] === undefined ? optional : fits(type, all[i]));
}

function encode([op, params], args) {
  const all = positional(params, args);
  if (all.length > params.length) {
    throw new TesseraError({kind: "value", op, message: `${op}: ${all.length} arguments were given; expected at most ${params.length}.`});
  }
  const out = [];
  params.forEach(([name, type, optional], i) => {
    if (optional) out.push(all[i] === undefined ? 0 : 1);
    if (!optional || all[i] !== undefined) send(op, name, type, all[i], out);
  });
  return out;
}

function shaped(numbers, form) {
  const tensors = numbers.map((n) => new Tensor(n));
  if (form === "tensor") return tensors[0];
  if (form === "list" || form === "bool" || form[0] === "first") return tensors;
  return Object.fromEntries(form.map((name, i) => [name, tensors[i]]));
}

function call(row, index, args) {
  const numbers = withNumbers(encode(row, args), (words, count) =>
    tensorNumbers((room) => engine()._tessera_call(index, words, count, room)));
  return shaped(numbers, row[2]);
}

// Ops that depend on values: their tensors are first copied to the CPU, asynchronously, and the results back.
async function callOnCpu(row, index, args) {
  const m = engine();
  const brought = new Map();
  const tensors = [...new Set(args.flat().filter((a) => a instanceof Tensor))];
  try {
    const {readAll, tensor} = await import("./tensor.js");
    const values = await readAll(tensors);
    m._tessera_use(1);
    let results;
    try {
      tensors.forEach((t, i) => brought.set(t, tensor(values[i], t.shape, t.dtype)));
      const swap = (a) => a instanceof Tensor ? brought.get(a) : Array.isArray(a) ? a.map(swap) : a;
      results = call(row, index, args.map(swap));
    } finally {
      m._tessera_use(0);
    }
    if (row[2] === "bool") {
      const value = await results[0].item();
      results[0].dispose();
      return Boolean(value);
    }
    const back = async (t) => {
      const data = await t.data();
      const made = tensor(data, t.shape, t.dtype);
      t.dispose();
      return made;
    };
    if (results instanceof Tensor) return await back(results);
    for (const key of Object.keys(results)) results[key] = await back(results[key]);
    return results;
  } finally {
    for (const t of brought.values()) t.dispose();
  }
}

/** The functions of the table, with namespaces as objects; those that take a tensor first are methods too. */
export function bind(table) {
  const rows = new Map();
  table.forEach((row, index) => {
    if (!rows.has(row[0])) rows.set(row[0], []);
    rows.get(row[0]).push({row, index});
  });
  const ops = {};
  for (const [name, overloads] of rows) {
    const choose = (args) => overloads.find(({row}) => matches(row, args)) ?? overloads[0];
    const waits = overloads[0].row[3];
    const op = waits ? async (...args) => { const {row, index} = choose(args); return callOnCpu(row, index, args); }
                     : (...args) => { const {row, index} = choose(args); return call(row, index, args); };
    const [space, short] = name.includes("::") ? name.split("::") : ["", name];
    if (space) (ops[space] ??= {})[short] = op;
    else ops[short] = op;
    const first = overloads[0].row[1][0];
    if (!space && first?.[1] === "tensor" && !(short in Tensor.prototype)) {
      Object.defineProperty(Tensor.prototype, short, {value(...args) { return op(this, ...args); }, writable: true, configurable: true});
    }
  }
  return ops;
}
