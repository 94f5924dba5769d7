// The compared steps with ONNX Runtime on its WebGPU execution provider; it does not train.
import {kChain, kConv, kept, kMatmul, kSoftmax} from "./data.js";
import {onnxModel} from "../../bindings/web/demo/onnx.js";

const kFolder = "/build/_deps/node/node_modules/onnxruntime-web/dist/";

export async function setUp() {
  const ort = await import(`${kFolder}ort.webgpu.bundle.min.mjs`);
  ort.env.wasm.wasmPaths = new URL(kFolder, location.href).href;
  ort.env.wasm.numThreads = 1;
  // One step of a model whose input x has that shape and whose output is y.
  const step = async (shape, output, nodes, weights = []) => {
    const model = onnxModel({nodes, weights, inputs: [{name: "x", shape}], outputs: [{name: "y", shape: output}]});
    const session = await ort.InferenceSession.create(model, {executionProviders: ["webgpu"]});
    return async ([x]) => {
      const {y} = await session.run({x: new ort.Tensor("float32", x, shape)});
      const result = y.data;
      y.dispose();
      return result;
    };
  };
  const {batch, channels, size, filters, window} = kConv;
  const square = [kMatmul, kMatmul];
  const node = (op, inputs, output, attributes) => ({op, inputs, output, attributes});
  return {
    matmul: await step(square, square, [node("MatMul", ["x", "b"], "y")], [{name: "b", shape: square, data: kept.matmul()}]),
    softmax: await step(kSoftmax, kSoftmax, [node("Softmax", ["x"], "y", {axis: 1})]),
    conv2d: await step([batch, channels, size, size], [batch, filters, size, size],
      [node("Conv", ["x", "w"], "y", {kernel_shape: [window, window], pads: [1, 1, 1, 1], strides: [1, 1]})],
      [{name: "w", shape: [filters, channels, window, window], data: kept.conv2d()}]),
    chain: await step([kChain], [kChain], [
      node("Mul", ["x", "w"], "a"), node("Add", ["a", "x"], "b"), node("Tanh", ["b"], "c"),
      node("Mul", ["c", "w"], "d"), node("Sub", ["d", "x"], "e"), node("Relu", ["e"], "y"),
    ], [{name: "w", shape: [kChain], data: kept.chain()}]),
  };
}
