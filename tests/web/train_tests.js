// Tests of the Trainer: its loop, checkpoints (also those of the native Trainer, tests/web/checkpoints), errors and memory.
import {fails, near, run as runTests, same, settled, ts} from "./check.js";
import {Source} from "../../build/web/package/source.js";
import {Checksum, unzip, zip} from "../../build/web/package/zip.js";

const {nn, optim, train} = ts;
const tests = {};
const at = (name) => new URL(name, import.meta.url);
const kRows = 8;

// Points of a plane, and which of them are above a line: 64 of them, the same at each call.
function points() {
  let state = 7;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
  const x = Array.from({length: 64}, () => [next(), next()]);
  return {x, y: x.map(([a, b]) => Number(a + 0.5 * b > 0.1))};
}
function batchesOf({x, y}, rows = kRows) {
  return Array.from({length: x.length / rows}, (_, i) => ({
    x: ts.tensor(Float32Array.from(x.slice(rows * i, rows * i + rows).flat()), [rows, 2]), y: ts.tensor(Int32Array.from(y.slice(rows * i, rows * i + rows))),
  }));
}
const network = (...more) => new nn.Sequential(new nn.Linear(2, 8), new nn.BatchNorm1d(8), new nn.Tanh(), ...more, new nn.Linear(8, 2));

// A trainer with a metric, and what it says in `log`.
function trainerOf(model, {optimizer = new optim.Adam(model, {lr: 0.05}), ...options} = {}) {
  const accuracy = new train.Accuracy();
  const log = [];
  const trainer = new train.Trainer(model, optimizer, ({x, y}) => {
    const logits = model.forward(x);
    accuracy.update(logits, y);
    return ts.cross_entropy(logits, y);
  }, {logEvery: 1, ...options, onStep: (about) => {
    log.push(about);
    return options.onStep?.(about, trainer);
  }});
  trainer.metric("accuracy", accuracy);
  return Object.assign(trainer, {log});
}
const lossesOf = (trainer) => trainer.log.map(({loss}) => loss);
async function stateOf({model, optimizer}) {
  const all = {};
  for (const [name, t] of [...Object.entries(model.stateDict()), ...Object.entries(optimizer.stateDict())]) {
    all[name] = [...await t.data()].map(String);
    t.dispose();
  }
  return all;
}

tests["fit trains, validates and says what it does"] = async () => {
  await ts.init({device: "cpu"});
  const data = batchesOf(points()), events = [];
  const trainer = trainerOf(network(), {epochs: 4, logEvery: 3, monitor: "accuracy", maximize: true,
    onValidation: ({step, values, best}) => events.push(["validation", step, Object.keys(values), best]),
    onEpoch: ({epoch, step, train: values, validation}) => events.push(["epoch", epoch, step, Object.keys(values), validation?.accuracy])});
  const result = await trainer.fit(data, data.slice(0, 2));
  same([result.ending, result.step, result.epoch, trainer.step, trainer.epoch, trainer.traces], ["done", 32, 4, 32, 4, 1]);
  same(events.map((e) => e.slice(0, 3)), [0, 1, 2, 3].flatMap((i) => [["validation", 8 * i + 8, ["loss", "accuracy"]], ["epoch", i, 8 * i + 8]]));
  if (!(result.train.accuracy > 0.9 && result.validation.accuracy > 0.9 && result.best >= result.validation.accuracy)) throw new Error(`the result is ${JSON.stringify(result)}`);
  same([trainer.best, trainer.validation], [result.best, result.validation]);
  same(trainer.log.map(({step, loss}) => [step, loss === null]), Array.from({length: 32}, (_, i) => [i + 1, (i + 1) % 3 !== 0]), "the steps");
  const values = await trainer.evaluate(data.slice(0, 2));
  same(values, result.validation, "evaluate()");
  same(trainer.model.training, true);
  // A later fit() begins a new run of the same model.
  same([(await trainer.fit(data.slice(0, 2))).step, (await trainer.evaluate([data[0]])).accuracy > 0.8], [8, true]);
};
tests["fit does what a loop of one's own does, for arrays and generators"] = async () => {
  await ts.init({device: "cpu"});
  const data = points(), batches = batchesOf(data), first = network(), start = first.stateDict();
  const own = network(), optimizer = new optim.Adam(own, {lr: 0.05});
  own.loadStateDict(start);
  const step = ts.compile((x, y) => {
    const {value, grads} = ts.valueAndGrad(own, () => ts.cross_entropy(own.forward(x), y))();
    optimizer.update(own, grads);
    return value;
  }, {state: [own, optimizer]});
  const expected = [];
  for (const {x, y} of [...batches, ...batches]) expected.push(await step(x, y).item());
  const ways = [batches, () => batches, function* () { yield* batchesOf(data); }, async function* (epoch) { yield* epoch < 2 ? batchesOf(data) : []; }];
  for (const way of ways) {
    const model = network();
    model.loadStateDict(start);
    const trainer = trainerOf(model, {epochs: 2});
    const {ending} = await trainer.fit(way);
    same([ending, lossesOf(trainer)], ["done", expected]);
  }
  same(batches.map(({x}) => x.disposed), Array(8).fill(false), "whether batches of an array are disposed");
  const given = batchesOf(data);
  await trainerOf(first).fit(given[Symbol.iterator]());
  same(given.map(({x}) => x.disposed), Array(8).fill(true), "whether batches of an iterator are disposed");
};
tests["accumulated gradients and clipping"] = async () => {
  await ts.init({device: "cpu"});
  const data = points(), model = () => new nn.Sequential(new nn.Linear(2, 6), new nn.Tanh(), new nn.Linear(6, 2));
  const whole = model(), parts = model();
  parts.loadStateDict(whole.stateDict());
  const trainers = [[whole, 1], [parts, 2]].map(([m, accumulate]) => trainerOf(m, {optimizer: new optim.SGD(m, {lr: 0.5}), epochs: 2, accumulate}));
  for (const [trainer, rows] of [[trainers[0], 8], [trainers[1], 4]]) same((await trainer.fit(batchesOf(data, rows))).step, 16);
  near(lossesOf(trainers[1]), lossesOf(trainers[0]), 1e-5);
  // The last update of an epoch has what is left.
  const left = trainerOf(model(), {accumulate: 3});
  same((await left.fit(batchesOf(data))).step, 3);
  // A step of rate 1 changes the parameters by the norm of the gradients.
  const clipped = model(), before = clipped.stateDict();
  await trainerOf(clipped, {optimizer: new optim.SGD(clipped, {lr: 1}), steps: 1, clipNorm: 0.01}).fit(batchesOf(data));
  let sum = 0;
  for (const [name, t] of Object.entries(clipped.stateDict())) sum += await t.subtract(before[name]).square().sum().item();
  near(Math.sqrt(sum), 0.01, 1e-4);
};
tests["stop, steps, early stopping and validation between"] = async () => {
  await ts.init({device: "cpu"});
  const data = batchesOf(points());
  const stopped = trainerOf(network(), {epochs: 2, onStep: ({step}, trainer) => { if (step === 5) trainer.stop(); }});
  const first = await stopped.fit(data);
  same([first.ending, first.step, first.epoch], ["stopped", 5, 0]);
  const rest = await stopped.fit(data);
  same([rest.ending, rest.step, rest.epoch, stopped.log.length], ["done", 16, 2, 16]);
  const some = await trainerOf(network(), {epochs: 5, steps: 11}).fit(data);
  same([some.ending, some.step, some.epoch, Number.isFinite(some.train.loss)], ["done", 11, 1, true]);
  const whole = await trainerOf(network(), {epochs: 5, steps: 16}).fit(function* () { yield* batchesOf(points()); });
  same([whole.ending, whole.step, whole.epoch], ["done", 16, 2], "a run that ends with an epoch");
  // A rate of 0: no epoch is better than the first one.
  const still = new nn.Linear(2, 2);
  const early = await trainerOf(still, {optimizer: new optim.SGD(still, {lr: 0}), epochs: 50, patience: 2}).fit(data, data);
  same([early.ending, early.epoch], ["early", 3]);
  const seen = [];
  await trainerOf(network(), {epochs: 2, validateEvery: 3, onValidation: ({step}) => seen.push(step)}).fit(data, data.slice(0, 1));
  same(seen, [3, 6, 9, 12, 15, 16]);
};

// The archive's members by name, as Blobs; and an archive of them.
async function membersOf(file) {
  const members = {};
  await unzip(await Source.open(file), ({name}) => {
    const parts = [];
    return {add: (part) => parts.push(part.slice()), finish: () => { members[name] = new Blob(parts); }};
  });
  return members;
}
async function archiveOf(members) {
  const all = [];
  for (const [name, blob] of Object.entries(members)) {
    const crc = new Checksum();
    crc.add(new Uint8Array(await blob.arrayBuffer()));
    all.push({name, blob, crc: crc.value});
  }
  return zip(all);
}

async function continuesBitForBit(options, model = () => network(new nn.Dropout(0.2)), steps = [3, 8, 13]) {
  const data = batchesOf(points());
  const saved = {};
  const whole = trainerOf(model(), {epochs: 3, monitor: "accuracy", maximize: true, ...options, onStep: async ({step}, trainer) => {
    if (steps.includes(step)) saved[step] = await trainer.checkpoint();
  }});
  const expected = await whole.fit(data, data.slice(0, 1));
  const state = await stateOf(whole);
  for (const [step, file] of Object.entries(saved)) {
    same([file.name, file.type], [`step-${String(step).padStart(6, "0")}.zip`, "application/zip"]);
    same(Object.keys(await membersOf(file)), ["model", "optimizer", "metrics"].map((name) => `step-${String(step).padStart(6, "0")}/${name}.safetensors`).concat(`step-${String(step).padStart(6, "0")}/run.json`));
    const next = trainerOf(model(), {epochs: 3, monitor: "accuracy", maximize: true, ...options});
    ts.random.normal([3]);  // the state of the generator is another one by now
    same(await next.load(file), Number(step));
    same(next.step, Number(step));
    const result = await next.fit(data, data.slice(0, 1));
    same(lossesOf(next), lossesOf(whole).slice(step), `the losses after step ${step}`);
    same(await stateOf(next), state, "parameters and moments at the end");
    same(result, expected, "the result");
  }
}
tests["a checkpoint continues bit for bit"] = async () => {
  await ts.init({device: "cpu"});
  await continuesBitForBit({});
  await continuesBitForBit({accumulate: 2, epochs: 4});
};
tests["a checkpoint continues bit for bit, on the device"] = () =>
  continuesBitForBit({epochs: 1}, () => new nn.Sequential(new nn.Linear(2, 2), new nn.Dropout(0.2)), [3]);
tests["a checkpoint during fit() is that between two updates"] = async () => {
  await ts.init({device: "cpu"});
  const trainer = trainerOf(network(), {epochs: 3, accumulate: 2});
  const wanted = [];
  const timer = setInterval(() => wanted.push(trainer.checkpoint()), 1);
  await trainer.fit(async function* () {
    for (const batch of batchesOf(points())) {
      await new Promise((go) => setTimeout(go, 1));
      yield batch;
    }
  });
  clearInterval(timer);
  const files = await Promise.all(wanted);
  if (files.length < 3) throw new Error(`${files.length} checkpoints were made; expected some`);
  for (const file of files) {
    const other = trainerOf(network(), {epochs: 3, accumulate: 2});
    const step = await other.load(file);
    same(Number(await other.optimizer.steps().item()), step, "updates of the optimizer");
    const [run] = Object.entries(await membersOf(file)).filter(([name]) => name.endsWith("run.json"));
    const {epoch, batch} = JSON.parse(JSON.parse(await run[1].text()).values.loader);
    same(8 * epoch + batch, 2 * step, "batches that were used");
  }
};

tests["archives that are broken or do not fit are errors, and change nothing"] = async () => {
  await ts.init({device: "cpu"});
  const data = batchesOf(points());
  const source = trainerOf(network());
  await source.fit(data);
  const file = await source.checkpoint();
  const members = await membersOf(file), folder = "step-000008";
  const bytes = new Uint8Array(await file.arrayBuffer());
  const trainer = trainerOf(network(), {epochs: 2, onStep: ({step}, t) => { if (step === 3) t.stop(); }});
  await trainer.fit(data);
  const before = await stateOf(trainer), tensors = (await settled()).tensors;
  const replaced = async (name, change) => archiveOf({...members, [`${folder}/${name}`]: new Blob([change(await members[`${folder}/${name}`].text())])});
  const without = (name) => archiveOf(Object.fromEntries(Object.entries(members).filter(([key]) => key !== `${folder}/${name}`)));
  const other = new nn.Sequential(new nn.Linear(2, 9), new nn.BatchNorm1d(9), new nn.Tanh(), new nn.Linear(9, 2));
  const half = network().to("f16");
  const trainerWithout = new train.Trainer(trainer.model, trainer.optimizer, () => ts.zeros([]));
  const flipped = bytes.slice();
  flipped[bytes.length >> 2] ^= 1;
  const changed = new Uint8Array(await members[`${folder}/model.safetensors`].arrayBuffer());
  changed[changed.length - 3] ^= 1;
  const cases = [
    ...[0, 3, 40, 500, bytes.length >> 1, bytes.length - 400, bytes.length - 3].map((n) => ["parse", "", bytes.subarray(0, n)]),
    ["parse", "does not fit its checksum", flipped],
    ["parse", "its first bytes are not those of a zip archive", new Blob(["not a checkpoint"])],
    ["parse", "it has no run.json", await archiveOf({"a.safetensors": new Blob(["x"])})],
    ["parse", "it has no run.json", await without("run.json")],
    ["parse", "it has no file 'optimizer.safetensors' with the tensors of 'optimizer'", await without("optimizer.safetensors")],
    ["parse", "model.safetensors: it has", await archiveOf({...members, [`${folder}/model.safetensors`]: new Blob([changed])})],
    ["parse", "belongs to another checkpoint", await archiveOf({...members, [`${folder}/model.safetensors`]: await ts.save({"0.weight": ts.zeros([2])})})],
    ["parse", "has version 2; this library reads version 1", await replaced("run.json", (text) => text.replace('"version": 1', '"version": 2'))],
    ["parse", "not valid JSON", await replaced("run.json", (text) => text.slice(0, -20))],
    ["parse", "its value 'trainer'", await replaced("run.json", (text) => text.replace('\\"step\\":8', '\\"step\\":-8'))],
    ["parse", "its value 'trainer'", await replaced("run.json", (text) => text.replace('\\"step\\":8', '\\"step\\":7'))],
    ["parse", "it is of step 9; expected 8", await replaced("run.json", (text) => text.replace('"step": 8', '"step": 9'))],
    ["parse", "the tensor '0.weight' has the shape [9, 2]; expected [8, 2]", await trainerOf(other).checkpoint(), "0.weight"],
    ["parse", "has the dtype f16; expected f32", await trainerOf(half).checkpoint()],
    ["parse", "metrics.safetensors: it has no tensor 'accuracy.correct', which 'metrics' has", await trainerWithout.checkpoint(), "accuracy.correct"],
    ["value", "the source is number", 3],
  ];
  for (const [kind, words, archive, tensor] of cases) {
    const error = await fails(kind, words, () => trainer.load(archive));
    if (tensor) same(error.tensor, tensor, `the tensor of '${error.message}'`);
    same([trainer.step, await stateOf(trainer)], [3, before], `the state after '${error.message}'`);
  }
  same((await settled()).tensors <= tensors, true, "whether no tensors are left behind");
  same((await trainer.fit(data)).step, 16, "the step of a run that goes on");
};

// ---- Checkpoints of both Trainers: tests/web/checkpoints/make.mjs and make.py wrote them ----

async function fixtureOf(name) {
  const archive = await (await fetch(at(`checkpoints/${name}.zip`))).arrayBuffer();
  return {archive, ...await (await fetch(at(`checkpoints/${name}.json`))).json()};
}
/** A run of three epochs that is saved after half of the second one: {zip, about}, for make.mjs. */
export async function makeFixture() {
  await ts.init({device: "cpu"});
  const data = points();
  const trainer = trainerOf(network(), {epochs: 3, monitor: "accuracy", maximize: true, onStep: ({step}, t) => { if (step === 12) t.stop(); }});
  await trainer.fit(batchesOf(data));
  const zipped = new Uint8Array(await (await trainer.checkpoint()).arrayBuffer());
  const logits = await logitsOf(trainer.model, data);
  const {best} = await trainer.fit(batchesOf(data));
  return {zip: [...zipped], about: {...data, step: 12, logits, losses: lossesOf(trainer).slice(12), best}};
}
async function logitsOf(model, data) {
  const y = model.eval().forward(batchesOf(data)[0].x);
  model.train();
  return y.array();
}
for (const [name, words] of [["browser", "this Trainer"], ["native", "the Trainer of Python"]]) {
  tests[`a checkpoint of ${words} is loaded and continued`] = async () => {
    await ts.init({device: "cpu"});
    const {archive, step, logits, losses, best, ...data} = await fixtureOf(name);
    const trainer = trainerOf(network(), {epochs: 3, monitor: "accuracy", maximize: true});
    same([await trainer.load(archive), trainer.step, trainer.epoch], [step, 12, 1]);
    near(await logitsOf(trainer.model, data), logits, 1e-4);
    const result = await trainer.fit(batchesOf(data));
    same([result.ending, result.step, result.epoch], ["done", 24, 3]);
    near(lossesOf(trainer), losses, 1e-3);
    near(result.best, best);
  };
}
tests["weights of a checkpoint load without a Trainer"] = async () => {
  const members = await membersOf(new Blob([(await fixtureOf("browser")).archive]));
  const weights = await ts.load(members["step-000012/model.safetensors"]);
  same(Object.keys(weights).sort(), Object.keys(network().stateDict()).sort());
};

tests["metrics"] = async () => {
  await ts.init({device: "cpu"});
  const logits = ts.tensor([[2, 1], [0, 1], [3, 0], [0, 2]]), target = ts.tensor([0, 0, 0, 1], "i32");
  const value = async (metric, ...args) => {
    metric.update(...args);
    return metric.value().item();
  };
  near(await value(new train.Accuracy(), logits, target), 0.75);
  near(await value(new train.Accuracy({ignoreIndex: 1}), logits, target), 2 / 3);
  near(await value(new train.Perplexity(), logits, target), Math.exp(await ts.cross_entropy(logits, target).item()));
  const [a, b] = [ts.tensor([1, 2, 4]), ts.tensor([1, 0, 1])];
  near(await value(new train.MeanAbsoluteError(), a, b), 5 / 3);
  near(await value(new train.MeanSquaredError(), a, b), 13 / 3);
  near(await value(new train.MeanSquaredError({root: true}), a, b), Math.sqrt(13 / 3));
  const mean = new train.Mean();
  same(Number.isNaN(await mean.value().item()), true);
  mean.update(1);
  near(await value(mean, ts.tensor(4), 2), 3);
  const other = new train.Mean();
  other.loadStateDict(mean.stateDict());
  near(await other.value().item(), 3);
  mean.reset();
  near(await value(mean, 7), 7);
  await fails("value", "there is no option 'classes'", () => new train.Accuracy({classes: 3}));
  await fails("shape", "", () => new train.Accuracy().update(logits, ts.zeros([3], "i32")));
};
tests["what is wrong with a Trainer is said"] = async () => {
  await ts.init({device: "cpu"});
  const model = new nn.Linear(2, 2), optimizer = new optim.SGD(model, {lr: 0}), data = batchesOf(points());
  const loss = ({x, y}) => ts.cross_entropy(model.forward(x), y);
  const trainer = (options, f = loss) => new train.Trainer(model, optimizer, f, options);
  await fails("value", "a tensor was given as the model", () => new train.Trainer(ts.zeros([1]), optimizer, loss));
  await fails("value", "expected one of ts.optim", () => new train.Trainer(model, 3, loss));
  await fails("value", "object was given as the loss", () => new train.Trainer(model, optimizer, {}));
  await fails("value", "there is no option 'epoch'; expected one of epochs, steps", () => trainer({epoch: 1}));
  for (const options of [{epochs: 0}, {epochs: 1.5}, {steps: -1}, {accumulate: 0}, {steps: Infinity}, {clipNorm: NaN}, {monitor: 3}, {maximize: 1}, {patience: "2"}, {logEvery: 0}, {onStep: 3}]) {
    await fails("value", `Trainer: ${Object.keys(options)[0]} is `, () => trainer(options));
  }
  await fails("value", "monitor is 'f1', and there is no metric of that name", () => trainer({monitor: "f1"}).fit(data));
  await fails("value", "the metric 'a' is number", () => trainer().metric("a", 3));
  for (const name of ["loss", "step", ""]) await fails("value", "which is taken", () => trainer().metric(name, new train.Mean()));
  await fails("value", "the batches are number", () => trainer().fit(3));
  await fails("value", "a batch is number", () => trainer().fit([3]));
  await fails("value", "where 'y' is number", () => trainer().fit([{x: data[0].x, y: 3}]));
  await fails("value", "epoch 0 has no batches", () => trainer().fit([]));
  await fails("value", "the validation has no batches", () => trainer().evaluate([]));
  same(trainer({epochs: undefined, clipNorm: 2}).options.epochs, 1);
  await fails("value", "epoch 1 has no batches", () => trainer({epochs: 2}).fit(batchesOf(points()).values()));
  await fails("value", "a batch is a tensor; expected an object of x, y", () => trainer().fit([data[0], data[0].x]));
  await fails("shape", "the loss function gave f32 of shape [8, 2]; expected a float of rank 0", () => trainer({}, ({x}) => model.forward(x)).fit(data));
  await fails("shape", "the loss function gave a promise", () => trainer({}, async () => ts.zeros([])).fit(data));
  const broken = new nn.Linear(2, 1), none = ({x}) => broken.forward(x).sum().multiply(NaN);
  await fails("value", "step 2: the loss is NaN", () => new train.Trainer(broken, new optim.SGD(broken), none, {logEvery: 2}).fit(data));
  await fails("value", "step 8: the mean loss of the epoch is NaN", () => new train.Trainer(broken, new optim.SGD(broken), none).fit(data));
  let mine = null;
  try { await trainer({onStep: () => { throw new RangeError("mine"); }}).fit(data); } catch (error) { mine = error; }
  same(mine?.message, "mine");
  const busy = trainer({epochs: 2});
  const fitting = busy.fit(data);
  await fails("value", "fit() was called while fit() is running", () => busy.fit(data));
  await fails("value", "load() was called while fit() is running", () => busy.load(new Blob([])));
  await fails("value", "metric() was called while fit() is running", () => busy.metric("a", new train.Mean()));
  same((await fitting).step, 16);
  same(model.training, true);
};
tests["the lines of docs/web.md on the Trainer run"] = async () => {
  await ts.init({device: "cpu"});
  const page = await (await fetch(at("../../docs/web.md"))).text();
  const lines = page.match(/### The Trainer[^]*?```js\n([^]*?)```/)[1].replaceAll("console.log", "say");
  const said = [];
  await new (async () => {}).constructor("ts", "say", lines)(ts, (...values) => said.push(values));
  const [ending, step, accuracy] = said.at(-1);
  same([said.length, ending, step], [7, "done", 120]);
  if (!(accuracy > 0.7)) throw new Error(`the accuracy is ${accuracy}`);
};
tests["a Trainer leaves the page free, and no tensors behind"] = async () => {
  await ts.init({device: "cpu"});
  const data = points();
  const round = async () => {
    const model = network(), trainer = trainerOf(model, {epochs: 2, accumulate: 2, logEvery: 5});
    let turns = 0;
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => port2.postMessage(++turns);
    port2.postMessage(turns);
    const validation = batchesOf(data, 32);
    await trainer.fit(() => batchesOf(data).values(), validation);
    port1.close();
    if (turns < 16) throw new Error(`the page had ${turns} turns in 16 batches`);
    await trainer.load(await trainer.checkpoint());
    for (const t of validation.flatMap((batch) => Object.values(batch))) t.dispose();
    trainer.dispose();
    trainer.optimizer.dispose();
    model.dispose();
  };
  await round();
  const before = await settled();
  await round();
  const after = await settled();
  same([after.tensors, after.compiled, after.bytes], [before.tensors, before.compiled, before.bytes], "tensors, compiled functions and bytes");
};

export const run = (only, device) => runTests(tests, only, device);
