// Models as ONNX Runtime reads them: the few messages of onnx.proto that a graph of named ops needs, written by hand.

const text = new TextEncoder();

function varint(value) {
  const out = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  out.push(value);
  return out;
}
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return all;
}
const number = (field, value) => varint(field * 8).concat(varint(value));
const bytes = (field, value) => joined([varint(field * 8 + 2), varint(value.length), value]);
const string = (field, value) => bytes(field, text.encode(value));
const message = (field, ...parts) => bytes(field, joined(parts));

const kFloat = 1;
const valueInfo = (field, {name, shape}) => message(field, string(1, name), message(2, message(1, number(1, kFloat),
  message(2, ...shape.map((size) => message(1, number(1, size)))))));
const initializer = ({name, shape, data}) => message(5, ...shape.map((size) => number(1, size)), number(2, kFloat), string(8, name),
  bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)));
const attribute = ([name, value]) => Array.isArray(value) ? message(5, string(1, name), ...value.map((v) => number(8, v)), number(20, 7))
                                                          : message(5, string(1, name), number(3, value), number(20, 2));
const node = ({op, inputs, output, attributes = {}}) => message(1, ...inputs.map((name) => string(1, name)), string(2, output), string(4, op),
  ...Object.entries(attributes).map(attribute));

/** A model of f32 tensors: nodes {op, inputs, output, attributes}, weights {name, shape, data}, inputs and outputs {name, shape}. */
export function onnxModel({nodes, weights = [], inputs, outputs}) {
  const graph = message(7, ...nodes.map(node), string(2, "graph"), ...weights.map(initializer),
    ...inputs.map((input) => valueInfo(11, input)), ...outputs.map((output) => valueInfo(12, output)));
  return joined([number(1, 8), graph, message(8, string(1, ""), number(2, 17))]);
}

const kNodes = {
  gemm: {op: "MatMul"},
  bandwidth: {op: "Add"},
  softmax: {op: "Softmax", attributes: {axis: 1}},
  conv: {op: "Conv", attributes: {kernel_shape: [3, 3], pads: [1, 1, 1, 1]}},
};

/** The model of a task, with inputs x0, x1 and the output y. */
export function model(task) {
  const shape = task.name === "conv" ? [task.shapes[0][0], task.shapes[1][0], ...task.shapes[0].slice(2)] : task.shapes[0];
  const inputs = task.shapes.map((size, i) => ({name: `x${i}`, shape: size}));
  const node = {...kNodes[task.name], inputs: inputs.map((input) => input.name), output: "y"};
  return onnxModel({nodes: [node], inputs, outputs: [{name: "y", shape}]});
}
