// The network and its training: convolutions, a linear layer and Adam, of ts.nn and ts.optim.
import * as ts from "../package/index.js";
import {kSize} from "./digits.js";

// Convolutions of stride 2: filters and their size.
const kNetworks = {1: [[8, 5]], 2: [[8, 5], [16, 3]]};
const kRate = 0.008;

function network(convolutions) {
  const layers = [];
  let channels = 1;
  for (const [filters, size] of convolutions) {
    layers.push(new ts.nn.Conv2d(channels, filters, size, {stride: 2, padding: (size - 1) / 2}), new ts.nn.ReLU());
    channels = filters;
  }
  const side = kSize / 2 ** convolutions.length;
  return new ts.nn.Sequential(...layers, new ts.nn.Flatten(), new ts.nn.Linear(channels * side * side, 10));
}

/** A network of so many convolutions: step(images, labels) gives the loss as a tensor; probabilities(images) those of the ten digits. */
export class Model {
  constructor(layers) {
    this.net = network(kNetworks[layers]);
    this.optimizer = new ts.optim.Adam(this.net, {lr: kRate});
    // Traced once. Weights and moments are state: each step updates them in place.
    this.train = ts.compile((x, labels) => {
      const {value, grads} = ts.valueAndGrad(this.net, () => ts.cross_entropy(this.net.forward(x), labels))();
      this.optimizer.update(this.net, grads);
      return value;
    }, {state: [this.net, this.optimizer]});
    this.read = ts.compile((x) => ts.softmax(this.net.forward(x)), {state: [this.net]});
    this.parameters = this.net.parameterCount;
    this.steps = 0;
  }
  get traces() { return this.train.traces; }
  step(images, labels) {
    ++this.steps;
    return ts.tidy(() => this.train(ts.tensor(images, [labels.length, 1, kSize, kSize]), ts.tensor(labels)));
  }
  async probabilities(images) {
    const y = ts.tidy(() => this.read(ts.tensor(images, [images.length / kSize ** 2, 1, kSize, kSize])));
    try {
      return await y.data();
    } finally {
      y.dispose();
    }
  }
  dispose() { for (const held of [this.train, this.read, this.optimizer, this.net]) held.dispose(); }
}
