// Compiled, not run: the package's types as a program uses them. Lines marked @ts-expect-error must not compile.
import * as ts from "tessera";

export async function main(): Promise<void> {
  const device: ts.Device = await ts.init({device: "webgpu", maxBufferSize: 2 ** 28});
  const x: ts.Tensor = ts.tensor(new Float32Array(6), [2, 3]);
  const y = ts.softmax(ts.matmul(x, ts.transpose(x)), 1);
  const data: ts.TypedArray = await y.data();
  const sums: ts.Tensor = x.sum([0], true).add(1).where(x, 0);
  const {values, indices} = ts.topk(x, 2);
  const parts: ts.Tensor[] = ts.split(x, [1, 1]);
  const found: Promise<ts.Tensor> = ts.nonzero(x);
  const convolved = ts.conv2d(x, x, null, {stride: [2, 2], padding: "same", layout: "channels_last"});
  const step = ts.valueAndGrad((w: ts.Tensor) => ts.mse_loss(ts.matmul(x, w), x, "sum"));
  const gradient: ts.Tensor = step(x).grads[0];
  const fast = ts.compile((a: ts.Tensor) => a.exp(), {donate: [0]});
  const traces: number = fast.traces;
  const anyLength = ts.compile((a: ts.Tensor, b: ts.Tensor) => a.add(b), {dynamicAxes: {0: {0: "length"}, 1: [0]}});
  const scanned: ts.Tensor[] = ts.scan(([h], [v]) => ({carry: [h.add(v)], ys: [h]}), [x], [x], {reverse: true, checkpointEvery: 2}).ys;
  const looped: ts.Tensor[] = ts.loop(3, (number, [c]) => [c.multiply(number)], scanned, {unroll: 2});
  const kernels: ts.KernelText[] = ts.explain(y);
  const measured: ts.Profile<number> = await ts.profile(async () => (await y.data()).length);
  const slowest: number | null = measured.kernels[0].durationUs;
  const kept = ts.tidy(() => ts.random.normal([2, 2]).square());
  const inverse = await ts.linalg.inv(kept);
  const weights: Record<string, ts.Tensor> = await ts.load("w.safetensors", {
    filter: (name, {shape}) => name.startsWith("a") && shape.length === 2,
    onProgress: ({loaded, total}) => console.log(total === null ? loaded : loaded / total),
    onHeader: (header) => ts.warmup((w: Record<string, ts.Tensor>) => ts.matmul(x, w.a), header),
  });
  const model: ts.GgufFile = await ts.openGguf(new Blob([]), {signal: new AbortController().signal});
  const layers: ts.GgufValue = model.metadata["llama.block_count"];
  const embedded: ts.Tensor = ts.embedding(x, await model.tensor("token_embd.weight")).astype("f16");
  const copy: Blob = await ts.saveGguf({embedded}, {metadata: {layers, ids: [1, 2]}, types: {...model.metadataTypes, ids: "u16[]"}});
  // @ts-expect-error: no such type of metadata
  await ts.saveGguf({embedded}, {types: {ids: "u128"}});
  console.log(copy, model.dtype("token_embd.weight"), await ts.toBlocks(embedded));
  const q = ts.fromBlocks("q8_0", new Uint8Array(34), [1, 32]);
  const product: ts.Tensor = ts.matmul(x, q.transpose()).add(ts.dequantize(q, "f16"));
  const squared = ts.wgslKernel({name: "k", source: "", inputs: ["a"], outputs: ["y"], gradient: ([a], [y], [g]) => [g && g.multiply(a).add(y)]});
  const handed: {x: Float32Array} = ts.transfer({x: new Float32Array(2)});
  class Net extends ts.nn.Module {
    layers = [new ts.nn.Linear(3, 4), new ts.nn.Linear(4, 3, {bias: false})];
    scale = new ts.nn.Parameter(ts.ones([3]));
    forward(x: ts.Tensor): ts.Tensor { return this.layers[1].forward(this.layers[0].forward(x)).multiply(this.scale.value); }
  }
  const net = new Net();
  const optimizer = new ts.optim.AdamW(net, {lr: ts.optim.cosine(0.1, 20, {warmup: 3}), betas: [0.9, 0.99], groups: {"*.bias": {weightDecay: 0}}});
  const train = ts.compile((a: ts.Tensor) => {
    const {value, grads} = ts.valueAndGrad(net, (b: ts.Tensor) => net.forward(b).sum())(a);
    optimizer.update(net, ts.optim.clipGradNorm(grads, 1).grads);
    return value;
  }, {state: [net, optimizer]});
  const loss: ts.Tensor = train(x);
  const report: string[] = net.loadStateDict(weights, {strict: false}).missing;
  const stored: Blob = await ts.save(net.freeze("layers.*").eval().stateDict(), {metadata: {format: "pt"}});
  // @ts-expect-error: momentum is an option of SGD
  new ts.optim.Adam(net, {momentum: 0.9});
  // @ts-expect-error: the state are modules and optimizers
  ts.compile((a: ts.Tensor) => a, {state: [x]});
  const accuracy = new ts.train.Accuracy({ignoreIndex: -1});
  const trainer = new ts.train.Trainer(net, optimizer, ({image, label}: {image: ts.Tensor; label: ts.Tensor}) => {
    const logits: ts.Tensor = net.forward(image);
    accuracy.update(logits, label);
    return ts.cross_entropy(logits, label);
  }, {epochs: Infinity, monitor: "accuracy", maximize: true, onStep: ({step, loss}) => console.log(step, loss?.toFixed(2)), onEpoch: async ({validation}) => console.log(validation?.accuracy)});
  trainer.metric("accuracy", accuracy);
  const batches = [{image: x, label: indices}];
  const result: ts.train.Result = await trainer.fit(async function* (epoch) { yield* epoch ? batches : []; }, batches);
  const {accuracy: share}: ts.train.Values = await trainer.evaluate(batches);
  const checkpoint: File = await trainer.checkpoint();
  const continued: number = await trainer.load(checkpoint);
  // @ts-expect-error: a batch has no labels
  await trainer.fit([{image: x}]);
  // @ts-expect-error: there are no half epochs by name
  new ts.train.Trainer(net, optimizer, (x: ts.Tensor) => x.sum(), {epoch: 1});
  console.log(weights, product, squared, handed, loss, report, stored, result.ending, share, continued);
  try {
    ts.exp(x);
  } catch (error) {
    if (error instanceof ts.TesseraError && error.kind === "shape") console.log(error.op);
  }
  // @ts-expect-error: no such layout
  ts.conv2d(x, x, null, {layout: "nhwc"});
  // @ts-expect-error: data is a promise
  const wrong: Float32Array = y.data();
  // @ts-expect-error: no such format
  ts.fromBlocks("q3_x", new Uint8Array(34), [1, 32]);
  // @ts-expect-error: a type of that name does not exist
  ts.zeros([2], "f31");
  console.log(device, data, sums, values, indices, parts, found, convolved, gradient, traces, kernels, slowest, inverse, wrong, ts.memory().tensors);
}
