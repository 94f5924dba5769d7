// The compared steps with Tessera: each brings new data to the device and reads the result.
import * as ts from "/build/web/package/index.js";
import {kConv, kept, kMatmul, kMlp, kSoftmax} from "./data.js";

// What f gives is read, and everything made on the way is let go.
const step = (f) => async (data) => {
  const y = ts.tidy(() => f(data));
  const result = await y.data();
  y.dispose();
  return result;
};

export async function setUp() {
  await ts.init({device: "webgpu"});
  const b = ts.tensor(kept.matmul(), [kMatmul, kMatmul]);
  const {batch, channels, size, filters, window} = kConv;
  const filter = ts.tensor(kept.conv2d(), [filters, channels, window, window]);
  const other = ts.tensor(kept.chain());
  return {
    matmul: step(([a]) => ts.matmul(ts.tensor(a, [kMatmul, kMatmul]), b)),
    softmax: step(([x]) => ts.softmax(ts.tensor(x, kSoftmax), -1)),
    conv2d: step(([x]) => ts.conv2d(ts.tensor(x, [batch, channels, size, size]), filter, null, {padding: 1})),
    chain: step(([data]) => {
      const x = ts.tensor(data);
      return x.multiply(other).add(x).tanh().multiply(other).subtract(x).relu();
    }),
    mlp: mlp(),
  };
}

function mlp() {
  const [inputs, hidden, classes] = kMlp.sizes;
  const shapes = [[inputs, hidden], [hidden], [hidden, classes], [classes]];
  let weights = kept.mlp().map((data, i) => ts.tensor(data, shapes[i]));
  const update = ts.compile((w1, b1, w2, b2, x, y) => {
    const {value, grads} = ts.valueAndGrad((...w) => {
      const logits = ts.matmul(ts.matmul(x, w[0]).add(w[1]).relu(), w[2]).add(w[3]);
      return ts.log_softmax(logits, -1).multiply(y).sum(-1).mean().negative();
    })(w1, b1, w2, b2);
    return [value, ...[w1, b1, w2, b2].map((w, i) => w.subtract(grads[i].multiply(kMlp.rate)))];
  }, {donate: [0, 1, 2, 3]});
  return async ([pictures, labels]) => {
    const x = ts.tensor(pictures, [kMlp.batch, inputs]);
    const y = ts.tensor(labels, [kMlp.batch, classes]);
    const [loss, ...next] = update(...weights, x, y);
    for (const t of [...weights, x, y]) t.dispose();
    weights = next;
    const value = await loss.data();
    loss.dispose();
    return value;
  };
}
