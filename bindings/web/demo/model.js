// The network and its training: convolutions, a linear layer and Adam, of ts.nn and ts.optim, with a Trainer.
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

/** Images and labels as a batch of tensors. */
export const batchOf = ({images, labels}) => ({image: ts.tensor(images, [labels.length, 1, kSize, kSize]), label: ts.tensor(labels)});

/** A network of so many convolutions: `trainer` trains it, with the options; probabilities(images) gives those of the ten digits. */
export class Model {
  constructor(layers, options) {
    this.net = network(kNetworks[layers]);
    this.optimizer = new ts.optim.Adam(this.net, {lr: kRate});
    this.accuracy = new ts.train.Accuracy();
    this.trainer = new ts.train.Trainer(this.net, this.optimizer, ({image, label}) => {
      const logits = this.net.forward(image);
      this.accuracy.update(logits, label);
      return ts.cross_entropy(logits, label);
    }, {epochs: Infinity, monitor: "accuracy", maximize: true, ...options});
    this.trainer.metric("accuracy", this.accuracy);
    this.read = ts.compile((x) => ts.softmax(this.net.forward(x)), {state: [this.net]});
    this.parameters = this.net.parameterCount;
  }
  async probabilities(images) {
    const y = ts.tidy(() => this.read(ts.tensor(images, [images.length / kSize ** 2, 1, kSize, kSize])));
    try {
      return await y.data();
    } finally {
      y.dispose();
    }
  }
  dispose() { for (const held of [this.trainer, this.read, this.accuracy, this.optimizer, this.net]) held.dispose(); }
}
