// A model of one node as ONNX Runtime reads it: just enough of protobuf to write it.
const kFloat = 1;

function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}
const number = (field, value) => [...varint(field << 3), ...varint(value)];
const block = (field, bytes) => [...varint((field << 3) | 2), ...varint(bytes.length), ...bytes];
const text = (field, value) => block(field, [...new TextEncoder().encode(value)]);

// AttributeProto: name = 1, i = 3, ints = 8, type = 20 (INT = 2, INTS = 7).
const integer = (name, value) => block(5, [...text(1, name), ...number(3, value), ...number(20, 2)]);
const integers = (name, values) => block(5, [...text(1, name), ...values.flatMap((v) => number(8, v)), ...number(20, 7)]);

// ValueInfoProto: name = 1, type = 2 { tensor_type = 1 { elem_type = 1, shape = 2 { dim = 1 { dim_value = 1 } } } }.
function valueInfo(field, name, shape) {
  const dims = shape.flatMap((size) => block(1, number(1, size)));
  return block(field, [...text(1, name), ...block(2, block(1, [...number(1, kFloat), ...block(2, dims)]))]);
}

const kNodes = {
  gemm: () => ["MatMul", []],
  bandwidth: () => ["Add", []],
  softmax: () => ["Softmax", integer("axis", 1)],
  conv: () => ["Conv", [...integers("kernel_shape", [3, 3]), ...integers("pads", [1, 1, 1, 1])]],
};

/** The bytes of a model with inputs x0, x1 and the output y. */
export function model(task) {
  const [op, attributes] = kNodes[task.name]();
  const shape = task.name === "conv" ? [task.shapes[0][0], task.shapes[1][0], ...task.shapes[0].slice(2)] : task.shapes[0];
  const inputs = task.shapes.map((_, i) => `x${i}`);
  const node = [...inputs.flatMap((name) => text(1, name)), ...text(2, "y"), ...text(4, op), ...attributes];
  const graph = [...block(1, node), ...text(2, "graph"), ...inputs.flatMap((name, i) => valueInfo(11, name, task.shapes[i])),
                 ...valueInfo(12, "y", shape)];
  return Uint8Array.from([...number(1, 8), ...block(7, graph), ...block(8, number(2, 17))]);
}
