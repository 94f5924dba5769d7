// Tests of modules, optimizers and compiled steps: PyTorch's numbers (tests/nn/points.json), state, modes, errors and memory.
import {fails, near, run as runTests, same, settled, ts} from "./check.js";

const {nn, optim} = ts;
// In a page, or in Node.
async function textOf(name) {
  const url = new URL(name, import.meta.url);
  return url.protocol === "file:" ? (await import("node:fs/promises")).readFile(url, "utf8") : (await fetch(url)).text();
}
const points = JSON.parse(await textOf("../nn/points.json"));
const tests = {};

const tensorOf = ([shape, values], dtype = "f32") => ts.tensor(dtype === "f32" ? Float32Array.from(values) : Int32Array.from(values), shape);
const tensorsOf = (all) => Object.fromEntries(Object.entries(all).map(([name, packed]) => [name, tensorOf(packed)]));
async function close(t, [shape, values], tolerance, what) {
  same(t.shape, shape, `the shape of ${what}`);
  try {
    near([...await (t.dtype === "f32" ? t : t.cast("f32")).data()], values, tolerance);
  } catch (error) {
    throw new Error(`${what}: ${error.message}`);
  }
}
// Objects of the same names, each near its point.
async function allClose(got, expected, tolerance, what) {
  same(Object.keys(got).sort(), Object.keys(expected).sort(), what);
  for (const [name, t] of Object.entries(got)) await close(t, expected[name], tolerance, `${what} ${name}`);
}

const kModules = {
  ReLU: () => new nn.ReLU(), ReLU6: () => new nn.ReLU6(), SiLU: () => new nn.SiLU(), Mish: () => new nn.Mish(), Tanh: () => new nn.Tanh(),
  Sigmoid: () => new nn.Sigmoid(), Softplus: () => new nn.Softplus(), GELU: () => new nn.GELU(), "GELU tanh": () => new nn.GELU({approximate: "tanh"}),
  ELU: () => new nn.ELU(1.3), LeakyReLU: () => new nn.LeakyReLU(0.2), Softmax: () => new nn.Softmax(1), LogSoftmax: () => new nn.LogSoftmax(1),
  Identity: () => new nn.Identity(), "Dropout eval": () => new nn.Dropout(0.4).eval(), Flatten: () => new nn.Flatten(),
  Linear: () => new nn.Linear(5, 4), "Linear without bias": () => new nn.Linear(5, 4, {bias: false}),
  Embedding: () => new nn.Embedding(5, 3), "Embedding padding": () => new nn.Embedding(5, 3, {paddingIdx: 2}),
  Sequential: () => new nn.Sequential(new nn.Linear(3, 4), new nn.ReLU(), new nn.Linear(4, 2)),
  Conv1d: () => new nn.Conv1d(4, 6, 3, {stride: 2, padding: 1, groups: 2}), "Conv1d unbatched": () => new nn.Conv1d(2, 3, 2, {bias: false}),
  Conv2d: () => new nn.Conv2d(2, 3, [3, 2], {stride: [1, 2], padding: [1, 0], dilation: [1, 2]}),
  "Conv2d same": () => new nn.Conv2d(2, 2, 3, {padding: "same"}),
  BatchNorm1d: () => new nn.BatchNorm1d(3), "BatchNorm1d of a sequence": () => new nn.BatchNorm1d(3, {momentum: null}),
  BatchNorm2d: () => new nn.BatchNorm2d(3, {eps: 1e-3, momentum: 0.3}), "BatchNorm2d eval": () => new nn.BatchNorm2d(3).eval(),
  "BatchNorm2d without statistics": () => new nn.BatchNorm2d(2, {affine: false, trackRunningStats: false}),
  LayerNorm: () => new nn.LayerNorm(5), "LayerNorm of two axes": () => new nn.LayerNorm([3, 5], {eps: 1e-3, bias: false}),
  RMSNorm: () => new nn.RMSNorm(5, {eps: 1e-5}), GroupNorm: () => new nn.GroupNorm(2, 4),
  MaxPool2d: () => new nn.MaxPool2d(2), AvgPool2d: () => new nn.AvgPool2d(3, {stride: 2, padding: 1, count_include_pad: false}),
  AdaptiveAvgPool2d: () => new nn.AdaptiveAvgPool2d(2),
};

// sum(y * w) with the weights of make_points.py.
const lossOf = (y) => y.reshape([-1]).multiply(ts.tensor(Float32Array.from({length: y.size}, (_, i) => Math.cos(1.7 * i + 0.3)))).sum();

// Every point and all long loops are on the CPU; some points on the device, where the ops have tests of their own.
async function checkModule(name) {
  const point = points.modules[name];
  const model = kModules[name]();
  same(model.loadStateDict(tensorsOf(point.state)), {missing: [], unexpected: [], mismatched: []});
  const [x] = point.inputs.map((packed, i) => tensorOf(packed, point["input gradients"][i] ? "f32" : "i32"));
  let output;
  if (Object.keys(point.gradients).length) {
    const {value, grads, aux} = ts.valueAndGrad(model, (input) => {
      const y = model.forward(input);
      return [lossOf(y), y];
    })(x);
    same(value.shape, []);
    await allClose(grads, point.gradients, 2e-5, "the gradient of");
    [output] = aux;
  } else {
    output = model.forward(x);
  }
  await close(output, point.outputs[0], 1e-5, "the output");
  await allClose(model.buffers(), point.buffers, 1e-5, "the buffer");
  if (point["input gradients"][0]) {
    model.loadStateDict(tensorsOf(point.state));
    await close(ts.grad((input) => lossOf(model.forward(input)))(x), point["input gradients"][0], 2e-5, "the gradient of the input");
  }
  model.dispose();
}
async function each(names, f) {
  const wrong = [];
  for (const name of names) await f(name).catch((error) => wrong.push(`${name}: ${error.message}`));
  if (wrong.length) throw new Error(wrong.join("; "));
}
tests["modules as in PyTorch"] = async () => {
  const bases = ["Buffer", "Module", "Parameter"];
  same(Object.keys(nn).filter((name) => !bases.includes(name)).sort(), [...new Set(Object.keys(kModules).map((name) => name.split(" ")[0]))].sort(), "modules with a case");
  await ts.init({device: "cpu"});
  await each(Object.keys(kModules), checkModule);
};
tests["modules as in PyTorch, on the device"] = () => each(["Linear", "Conv2d", "BatchNorm2d", "LayerNorm", "GroupNorm", "Embedding"], checkModule);

const kOptimizers = {
  SGD: (m) => new optim.SGD(m, {lr: 0.1}), "SGD momentum": (m) => new optim.SGD(m, {lr: 0.05, momentum: 0.9, weightDecay: 0.01}),
  "SGD dampening": (m) => new optim.SGD(m, {lr: 0.05, momentum: 0.9, dampening: 0.4}),
  "SGD nesterov": (m) => new optim.SGD(m, {lr: 0.05, momentum: 0.8, nesterov: true}), "SGD clipped": (m) => new optim.SGD(m, {lr: 0.5}),
  Adam: (m) => new optim.Adam(m, {lr: 0.01}), "Adam decay": (m) => new optim.Adam(m, {lr: 0.02, betas: [0.8, 0.95], eps: 1e-6, weightDecay: 0.05}),
  "Adam amsgrad": (m) => new optim.Adam(m, {lr: 0.05, betas: [0.5, 0.6], amsgrad: true}), AdamW: (m) => new optim.AdamW(m, {lr: 0.01}),
  "AdamW amsgrad": (m) => new optim.AdamW(m, {lr: 0.02, betas: [0.5, 0.6], weightDecay: 0.1, amsgrad: true}),
  "AdamW groups": (m) => new optim.AdamW(m, {lr: 0.01, weightDecay: 0.2, groups: {"b*": {lr: 0.05, weightDecay: 0}}}),
  "AdamW cosine": (m) => new optim.AdamW(m, {lr: optim.cosine(0.1, 20)}),
};
class Problem extends nn.Module {
  weight = new nn.Parameter(tensorOf(points.problem.weight));
  bias = new nn.Parameter(tensorOf(points.problem.bias));
  forward(x) { return ts.matmul(x, this.weight.value.transpose()).add(this.bias.value).tanh(); }
}
// Twenty compiled steps; without a state, each is a call of the function itself.
async function checkOptimizer(name, compiled) {
  const [x, y] = [tensorOf(points.problem.x), tensorOf(points.problem.y)];
  const model = new Problem(), optimizer = kOptimizers[name](model);
  const train = (x, y) => {
    let {value, grads} = ts.valueAndGrad(model, (x, y) => model.forward(x).subtract(y).square().mean())(x, y);
    if (name.includes("clipped")) ({grads} = optim.clipGradNorm(grads, 0.1));
    optimizer.update(model, grads);
    return value;
  };
  const step = compiled ? ts.compile(train, {state: [model, optimizer]}) : (...args) => ts.tidy(() => train(...args));
  for (let i = 0; i < 20; ++i) {
    step(x, y).dispose();
    if (i % 5 === 4) await allClose(model.parameters(), points.optimizers[name][(i - 4) / 5], 2e-5, `after ${i + 1} steps`);
  }
  same(await optimizer.steps().item(), 20);
  if (compiled) same(step.traces, 1);
}
tests["optimizers as in PyTorch, twenty steps"] = async () => {
  await ts.init({device: "cpu"});
  await each(Object.keys(kOptimizers), (name) => checkOptimizer(name, true));
  await each(["SGD momentum", "AdamW groups"], (name) => checkOptimizer(name, false));
};
tests["optimizers as in PyTorch, on the device"] = () => each(["SGD momentum", "AdamW"], (name) => checkOptimizer(name, true));

const kSchedules = {
  constant: optim.constant(1), exponential: optim.exponential(1, 0.9), linear: optim.linear(0.25, 1, 20), cosine: optim.cosine(1, 50, {minimum: 0.1}),
  "cosine warmup": optim.cosine(1, 50, {warmup: 8}),
};
tests["schedules as in PyTorch, and one of JavaScript"] = async () => {
  await ts.init({device: "cpu"});
  const rates = async (lr) => {
    const model = new nn.Linear(1, 1), optimizer = new optim.SGD(model, {lr});
    const zero = {weight: ts.zeros([1, 1])};
    const step = ts.compile(() => {
      optimizer.update(model, zero);
      return optimizer.rate();
    }, {state: [model, optimizer]});
    const all = [];
    for (let i = 0; i < 60; ++i) all.push(await step().item());
    same(step.traces, 1);
    optimizer.dispose();
    return all;
  };
  await each(Object.keys(kSchedules), async (name) => near(await rates(kSchedules[name]), points.schedules[name], 2e-6));
  near(await rates((step) => step.multiply(0.5).add(1)), Array.from({length: 60}, (_, i) => 1 + i / 2));
  const model = new nn.Linear(1, 1), optimizer = new optim.SGD(model, {lr: 0.5});
  optimizer.setRate(0.25);
  near(await optimizer.rate().item(), 0.25);
  await fails("value", "a schedule", () => new optim.SGD(model, {lr: optim.constant(1)}).setRate(1));
};

class Block extends nn.Module {
  constructor(n) {
    super();
    this.norm = new nn.BatchNorm1d(n);
    this.up = new nn.Linear(n, n);
    this.scale = new nn.Parameter(ts.ones([n]));
    this.seen = new nn.Buffer(ts.zeros([]));
    this.note = "not a part";
  }
  forward(x) { return this.up.forward(this.norm.forward(x)).relu().multiply(this.scale.value); }
}
class Net extends nn.Module {
  layers = [new Block(4), new Block(4)];
  heads = {a: new nn.Linear(4, 2), b: new nn.Linear(4, 1, {bias: false})};
  forward(x) {
    for (const layer of this.layers) x = layer.forward(x);
    return this.heads.a.forward(x).sum().add(this.heads.b.forward(x).sum());
  }
}
const kNames = [0, 1].flatMap((i) => ["norm.weight", "norm.bias", "norm.running_mean", "norm.running_var", "norm.num_batches_tracked", "up.weight", "up.bias", "scale",
                                      "seen"].map((name) => `layers.${i}.${name}`)).concat("heads.a.weight", "heads.a.bias", "heads.b.weight");
tests["modules of JavaScript: names, state, modes, frozen parameters"] = async () => {
  await ts.init({device: "cpu"});
  const net = new Net();
  same(Object.keys(net.stateDict()), kNames);
  same(Object.keys(net.buffers()).length, 8);
  same(net.parameterCount, 2 * (4 + 4 + 16 + 4 + 4) + 8 + 2 + 4);
  const other = new Net();
  same(other.loadStateDict(net.stateDict()), {missing: [], unexpected: [], mismatched: []});
  const x = ts.random.normal([6, 4]);
  near(await net.forward(x).item(), await other.forward(x).item());
  // Saved and loaded as a file.
  const third = new Net();
  third.loadStateDict(await ts.load(await ts.save(net.stateDict())));
  near(await net.eval().forward(x).item(), await third.eval().forward(x).item());
  same([net.training, net.layers[1].norm.training, other.training], [false, false, true]);
  // Reports of names.
  const {"heads.b.weight": gone, ...rest} = net.stateDict();
  same(net.loadStateDict({...rest, extra: x, "heads.a.bias": x}, {strict: false}),
    {missing: ["heads.b.weight"], unexpected: ["extra"], mismatched: ["heads.a.bias: [6, 4] was given, and [2] is expected"]});
  await fails("value", "1 missing: heads.b.weight", () => net.loadStateDict(rest));
  await fails("value", "'a' is number; expected an object of tensors", () => net.loadStateDict({a: 1}));
  // Frozen parameters have no gradient.
  net.freeze("layers.*").train();
  same(Object.keys(ts.valueAndGrad(net, () => net.forward(x))().grads), ["heads.a.weight", "heads.a.bias", "heads.b.weight"]);
  net.unfreeze("*.scale");
  same(Object.keys(net.trainableParameters()).length, 5);
  await fails("value", "no parameter matches 'nothing*'", () => net.freeze("nothing*"));
  // Parts may change, and one that occurs twice counts once.
  net.heads = {a: net.heads.a, again: net.heads.a, c: new nn.Linear(4, 3)};
  same(Object.keys(net.parameters()).slice(-4), ["heads.a.weight", "heads.a.bias", "heads.c.weight", "heads.c.bias"]);
  net.update({"heads.c.bias": ts.ones([3])});
  same(await net.heads.c.bias.array(), [1, 1, 1]);
  same(net.heads.c.to("f16").weight.dtype, "f16");
  net.heads.c.to("f32");
};
tests["compiled steps train, and are traced again for another mode"] = async () => {
  await ts.init({device: "cpu"});
  const model = new nn.Sequential(new nn.Linear(2, 16), new nn.BatchNorm1d(16), new nn.Tanh(), new nn.Linear(16, 1));
  const optimizer = new optim.AdamW(model, {lr: 0.02});
  const x = ts.random.normal([64, 2]).eval(), y = ts.sin(x.sum([1], true).multiply(2)).eval();
  const step = ts.compile((x, y) => {
    const {value, grads} = ts.valueAndGrad(model, (x, y) => ts.mse_loss(model.forward(x), y))(x, y);
    optimizer.update(model, grads);
    return value;
  }, {state: [model, optimizer]});
  const first = await step(x, y).item();
  for (let i = 0; i < 150; ++i) step(x, y).dispose();
  const last = await step(x, y).item();
  if (!(last < 0.3 * first)) throw new Error(`the loss went from ${first} to ${last}`);
  same(step.traces, 1);
  same(await model[1].buffers().num_batches_tracked.item(), 152);
  model.eval();
  step(x, y).dispose();
  same(step.traces, 2);
  same(await model[1].buffers().num_batches_tracked.item(), 152);
  // A second optimizer goes on where the first one was.
  const resumed = new optim.AdamW(model, {lr: 0.02});
  resumed.loadStateDict(await ts.load(await ts.save(optimizer.stateDict())));
  same(await resumed.steps().item(), 153);
  step.dispose();
};
tests["the lines of docs/web.md on training run"] = async () => {
  await ts.init({device: "cpu"});
  const lines = (await textOf("../../docs/web.md")).match(/## Training[^]*?```js\n([^]*?)```/)[1];
  const said = [];
  const body = lines.replace(/^import .*$/m, "").replace("await ts.init();", "").replaceAll("console.log", "say");
  await new (async () => {}).constructor("ts", "say", body)(ts, (value) => said.push(value));
  if (!(said.length === 1 && said[0] < 0.1)) throw new Error(`the loss is ${said}; expected less than 0.1, a fifth of that of a constant`);
};
tests["what is wrong with modules and optimizers is said"] = async () => {
  await fails("value", "Linear: outFeatures is null; expected a whole number", () => new nn.Linear(2));
  await fails("value", "Linear: inFeatures is 1.5", () => new nn.Linear(1.5, 2));
  await fails("value", "Linear: there is no option 'biass'; expected one of inFeatures, outFeatures, bias", () => new nn.Linear(2, 2, {biass: true}));
  await fails("value", "Conv2d: padding is \"some\"", () => new nn.Conv2d(1, 1, 3, {padding: "some"}));
  await fails("value", "module 1 is string", () => new nn.Sequential(new nn.ReLU(), "relu"));
  const model = new nn.Sequential(new nn.Linear(2, 2)), x = ts.ones([1, 2]);
  await fails("value", "the input is number", () => model.forward(3));
  await fails("shape", "", () => model.forward(ts.ones([1, 3])));
  await fails("unsupported", "Module has no function forward", () => new nn.Module().forward(x));
  await fails("value", "AdamW: object was given; expected a module", () => new optim.AdamW({}));
  await fails("value", "SGD: lr is \"fast\"; expected a number or a schedule", () => new optim.SGD(model, {lr: "fast"}));
  await fails("value", "there is no option 'decay'", () => new optim.SGD(model, {decay: 1}));
  await fails("value", "group '*.bias': there is no option 'rate'", () => new optim.SGD(model, {groups: {"*.bias": {rate: 1}}}));
  await fails("value", "no trainable parameters", () => ts.valueAndGrad(new nn.ReLU(), () => x.sum())());
  const optimizer = new optim.SGD(model, {lr: 0.1});
  await fails("value", "nothing", () => optimizer.update(model, {nothing: x}));
  const loss = (x) => model.forward(x).sum();
  // A step that updates what is not its state would stand still.
  const still = ts.compile((x) => {
    const {value, grads} = ts.valueAndGrad(model, loss)(x);
    optimizer.update(model, grads);
    return value;
  });
  await fails("value", "does not have the module in its state", () => still(x));
  await fails("value", "expected one, [model, optimizer]", () => ts.compile(loss, {state: model})(x));
  await fails("unsupported", "state and dynamicAxes", () => ts.compile(loss, {state: [model], dynamicAxes: {0: [0]}})(x));
  let mine = null;
  try { ts.valueAndGrad(model, () => { throw new RangeError("mine"); })(x); } catch (error) { mine = error; }
  same([mine?.name, mine?.message], ["RangeError", "mine"]);
  near(await ts.valueAndGrad(model, loss)(x).grads["0.bias"].array(), [1, 1]);
  model.dispose();
  await fails("value", "The Sequential was disposed", () => model.stateDict());
  await fails("value", "The Linear was disposed", () => model[0].forward(x));
  await fails("value", "disposed", () => optimizer.update(model, {}));
};
tests["training takes no more tensors with every step"] = async () => {
  const model = new nn.Sequential(new nn.Linear(4, 8), new nn.Dropout(0.1), new nn.Linear(8, 1)), optimizer = new optim.Adam(model);
  const x = ts.ones([2, 4]);
  const train = (x) => {
    const {value, grads} = ts.valueAndGrad(model, (x) => model.forward(x).square().mean())(x);
    optimizer.update(model, grads);
    return value;
  };
  const step = ts.compile(train, {state: [model, optimizer]});
  for (const f of [step, (x) => ts.tidy(() => train(x))]) {
    for (let i = 0; i < 3; ++i) await f(x).item();
    const before = await settled();
    for (let i = 0; i < 20; ++i) f(x).dispose();
    await x.data();
    const after = await settled();
    same([after.tensors, after.bytes], [before.tensors, before.bytes], "tensors and bytes");
  }
};

export const run = (only, device) => runTests(tests, only, device);
