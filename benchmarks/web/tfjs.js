// The compared steps with TensorFlow.js on its WebGPU backend; compare.mjs bundles this file with the library.
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-core/dist/register_all_gradients.js";
import "@tensorflow/tfjs-backend-webgpu";

import {channelsFirst, channelsLast, inputs, kConv, kept, kMatmul, kMlp, kSoftmax} from "./data.js";

const step = (f) => async (data) => {
  const y = tf.tidy(() => f(data));
  const result = await y.data();
  y.dispose();
  return result;
};

export async function setUp() {
  if (!await tf.setBackend("webgpu")) throw new Error("tfjs has no WebGPU backend here");
  await tf.ready();
  const b = tf.tensor(kept.matmul(), [kMatmul, kMatmul]);
  const {batch, channels, size, filters, window} = kConv;
  // Its convolutions have channels last: rows, columns, channels, filters.
  const filter = tf.tidy(() => tf.transpose(tf.tensor(kept.conv2d(), [filters, channels, window, window]), [2, 3, 1, 0]));
  const ours = inputs.conv2d;
  inputs.conv2d = (i) => [channelsLast(ours(i)[0], batch, channels, size)];
  const other = tf.tensor(kept.chain());
  return {
    matmul: step(([a]) => tf.matMul(tf.tensor(a, [kMatmul, kMatmul]), b)),
    softmax: step(([x]) => tf.softmax(tf.tensor(x, kSoftmax), -1)),
    conv2d: step(([x]) => tf.conv2d(tf.tensor(x, [batch, size, size, channels]), filter, 1, "same")),
    chain: step(([data]) => {
      const x = tf.tensor(data);
      return tf.relu(tf.sub(tf.mul(tf.tanh(tf.add(tf.mul(x, other), x)), other), x));
    }),
    mlp: mlp(),
  };
}
export {inputs};
export const ordered = {conv2d: (y) => channelsFirst(y, kConv.batch, kConv.filters, kConv.size)};

function mlp() {
  const [pixels, hidden, classes] = kMlp.sizes;
  const shapes = [[pixels, hidden], [hidden], [hidden, classes], [classes]];
  const weights = kept.mlp().map((data, i) => tf.variable(tf.tensor(data, shapes[i])));
  const optimizer = tf.train.sgd(kMlp.rate);
  return async ([pictures, labels]) => {
    const x = tf.tensor(pictures, [kMlp.batch, pixels]);
    const y = tf.tensor(labels, [kMlp.batch, classes]);
    const loss = tf.tidy(() => optimizer.minimize(() => {
      const logits = tf.add(tf.matMul(tf.relu(tf.add(tf.matMul(x, weights[0]), weights[1])), weights[2]), weights[3]);
      return tf.neg(tf.mean(tf.sum(tf.mul(tf.logSoftmax(logits), y), -1)));
    }, true, weights));
    const value = await loss.data();
    for (const t of [loss, x, y]) t.dispose();
    return value;
  };
}
