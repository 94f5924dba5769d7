// The network and its training: convolutions and a linear layer, and Adam, written out over `ts`.
import * as ts from "../package/index.js";
import {kSize} from "./digits.js";

// Convolutions of stride 2: filters and their size.
const kNetworks = {1: [[8, 5]], 2: [[8, 5], [16, 3]]};
const kRate = 0.008, kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

const flatOf = (convolutions) => convolutions.at(-1)[0] * (kSize / 2 ** convolutions.length) ** 2;

function initial(convolutions) {
  const normal = (shape, inputs) => ts.random.normal(shape).multiply(Math.sqrt(2 / inputs));
  const weights = [];
  let channels = 1;
  for (const [filters, size] of convolutions) {
    weights.push(normal([filters, channels, size, size], channels * size * size), ts.zeros([filters]));
    channels = filters;
  }
  const flat = flatOf(convolutions);
  return [...weights, normal([flat, 10], flat), ts.zeros([10])];
}

function logits(convolutions, x, weights) {
  convolutions.forEach(([, size], i) => {
    x = ts.relu(ts.conv2d(x, weights[2 * i], weights[2 * i + 1], {stride: 2, padding: (size - 1) / 2}));
  });
  return ts.matmul(x.reshape([-1, flatOf(convolutions)]), weights.at(-2)).add(weights.at(-1));
}

// One step of Adam: the loss and the updated state. `rate` includes the bias correction.
function adam(convolutions, x, labels, rate, state) {
  const n = state.length / 3;
  const [weights, means, squares] = [state.slice(0, n), state.slice(n, 2 * n), state.slice(2 * n)];
  const {value, grads} = ts.valueAndGrad((...w) => ts.cross_entropy(logits(convolutions, x, w), labels))(...weights);
  const m = means.map((old, i) => old.multiply(kBeta1).add(grads[i].multiply(1 - kBeta1)));
  const v = squares.map((old, i) => old.multiply(kBeta2).add(grads[i].square().multiply(1 - kBeta2)));
  const next = weights.map((w, i) => w.subtract(m[i].multiply(rate).divide(v[i].sqrt().add(kEpsilon))));
  return [value, ...next, ...m, ...v];
}

// Traced once for the whole page. The state is donated: each step updates it in place.
const compiled = {};
for (const [layers, convolutions] of Object.entries(kNetworks)) {
  const tensors = 3 * 2 * (convolutions.length + 1);
  compiled[layers] = {
    step: ts.compile((x, labels, rate, ...state) => adam(convolutions, x, labels, rate, state),
                     {donate: Array.from({length: tensors}, (_, i) => i + 3)}),
    read: ts.compile((x, ...weights) => ts.softmax(logits(convolutions, x, weights))),
  };
}

/** A network of so many convolutions: step(images, labels) gives the loss as a tensor; probabilities(images) those of the ten digits. */
export class Model {
  constructor(layers) {
    this.compiled = compiled[layers];
    this.state = ts.tidy(() => {
      const weights = initial(kNetworks[layers]);
      const zeros = () => weights.map((w) => ts.zeros(w.shape));
      const all = [...weights, ...zeros(), ...zeros()];
      ts.evaluate(...all);
      return all;
    });
    this.steps = 0;
  }
  get parameters() { return this.state.slice(0, this.state.length / 3).reduce((sum, t) => sum + t.size, 0); }
  get traces() { return this.compiled.step.traces; }
  step(images, labels) {
    ++this.steps;
    const rate = kRate * Math.sqrt(1 - kBeta2 ** this.steps) / (1 - kBeta1 ** this.steps);
    const made = ts.tidy(() => {
      const x = ts.tensor(images, [labels.length, 1, kSize, kSize]);
      return this.compiled.step(x, ts.tensor(labels), ts.tensor(rate), ...this.state);
    });
    for (const t of this.state) t.dispose();
    this.state = made.slice(1);
    return made[0];
  }
  async probabilities(images) {
    const y = ts.tidy(() => this.compiled.read(ts.tensor(images, [images.length / kSize ** 2, 1, kSize, kSize]), ...this.state.slice(0, this.state.length / 3)));
    try {
      return await y.data();
    } finally {
      y.dispose();
    }
  }
  dispose() { for (const t of this.state) t.dispose(); }
}
