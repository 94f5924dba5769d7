// Training runs: the Trainer of C++ and Python with its words, for a page: nothing blocks, and checkpoints are Blobs.
import {packed, unpackedObjects} from "./checkpoint.js";
import {Held, kModules, loadState, named, withNamed} from "./held.js";
import {Module} from "./nn.js";
import {full} from "./ops.js";
import {clipGradNorm, Optimizer} from "./optim.js";
import {checked, checkedText, engine, tensorNumbers, TesseraError, withText} from "./runtime.js";
import {readAll, Tensor, tidy} from "./tensor.js";
import {compile, valueAndGrad} from "./transforms.js";

// ---- Metrics ----

/** Sums on the device that a loss function updates; nothing is read back before value(). In a compiled step they are part of its state. */
class Metric extends Held {
  constructor(kind, options = {}) {
    super(withText(kind, (k) => withText(JSON.stringify(options), (o) => checked(engine()._tessera_train_metric(k, o)))));
  }
  update(a, b) {
    tidy(() => {
      const [x, y] = [a, b].map((v) => v instanceof Tensor ? v : full([], v));
      checked(engine()._tessera_train_metric_update(this.number, x.number, y.number));
    });
  }
  /** The value of the samples since the last reset(), a tensor of rank 0; NaN without samples. */
  value() { return new Tensor(checked(engine()._tessera_train_metric_value(this.number))); }
  /** Forgets all samples. */
  reset() { checked(engine()._tessera_train_metric_reset(this.number)); }
  loadStateDict(tensors) { loadState(this, tensors); }
}
/** The mean of numbers, weighted by how many samples each of them stands for. */
export class Mean extends Metric {
  constructor() { super("Mean"); }
  update(value, weight = 1) { super.update(value, weight); }
}
/** The part of the samples whose class is predicted: update(logits, target). */
export class Accuracy extends Metric { constructor(options) { super("Accuracy", options); } }
/** exp of the mean loss of all tokens: update(logits, target). */
export class Perplexity extends Metric { constructor(options) { super("Perplexity", options); } }
/** The mean of |prediction - target|, and of its square, or the root of that: update(prediction, target). */
export class MeanAbsoluteError extends Metric { constructor() { super("MeanAbsoluteError"); } }
export class MeanSquaredError extends Metric { constructor(options) { super("MeanSquaredError", options); } }

// Sums of the gradients of several batches.
class Accumulator extends Held {
  constructor(model) { super(checked(engine()._tessera_train_accumulator(model.sync()))); }
  add(grads) { withNamed("Trainer", grads, (names, numbers) => checked(engine()._tessera_train_accumulator_add(this.number, names, numbers))); }
  take() {
    let names;
    const tensors = tensorNumbers((room) => {
      const about = JSON.parse(checkedText(engine()._tessera_train_accumulator_take(this.number, room)));
      names = about.names;
      return about.count;
    }).map((n) => new Tensor(n));
    return named(names, tensors);
  }
}

// The state of the default random generator, a text.
const randomState = () => checkedText(engine()._tessera_train_random());
const setRandomState = (text) => withText(text, (pointer) => checked(engine()._tessera_train_set_random(pointer)));
const kFirstDraws = '{"position":0,"seed":0}';

// Calls f in evaluation mode; then each module has its own mode again.
function inEvaluation(model, f) {
  const modes = model[kModules].map((module) => [module, module.training]);
  model.eval();
  try {
    return f();
  } finally {
    for (const [module, training] of modes) module.train(training);  // parts follow their module
  }
}

// ---- Batches ----

const fault = (kind, message) => new TesseraError({kind, op: "Trainer", message: `Trainer: ${message}`});
const shown = (value) => value === null ? "null" : value instanceof Promise ? "a promise" : value instanceof Tensor ? "a tensor" : typeof value;

// {form, tensors, restore(tensors)} of a tensor, a list of tensors, or an object of them.
function layoutOf(batch) {
  if (batch instanceof Tensor) return {form: "a tensor", tensors: [batch], restore: ([t]) => t};
  const isObject = batch !== null && typeof batch === "object" && Object.getPrototypeOf(batch) === Object.prototype;
  if (!isObject && !Array.isArray(batch)) throw fault("value", `a batch is ${shown(batch)}; expected a tensor, or a list or an object of tensors.`);
  const names = Object.keys(batch).sort();
  const tensors = names.map((name) => batch[name]);
  const form = isObject ? `an object of ${names.join(", ")}` : `a list of ${names.length}`;
  const wrong = tensors.findIndex((t) => !(t instanceof Tensor));
  if (wrong >= 0 || !names.length) throw fault("value", `a batch is ${form}${wrong >= 0 ? `, where '${names[wrong]}' is ${shown(tensors[wrong])}` : ""}; expected tensors.`);
  return {form, tensors, restore: isObject ? (all) => named(names, all) : (all) => all};
}
const rowsOf = (tensors) => tensors[0].rank ? tensors[0].shape[0] : 1;

// A turn of the event loop, so that input, painting and timers of the page come first. Browsers hold timers of 0 ms back by 4 ms.
const turn = () => new Promise((go) => {
  const {port1, port2} = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    go();
  };
  port2.postMessage(null);
});

// The batches of an epoch. Those of an array stay with their owner; those of a generator are disposed after use.
class Epoch {
  #iterator;
  #owned;
  #ahead;  // the batch that was asked for by atEnd()
  static async open(batches, epoch, from = 0) {
    const given = await (typeof batches === "function" ? batches(epoch) : batches);
    const iterator = given?.[Symbol.asyncIterator]?.() ?? given?.[Symbol.iterator]?.();
    if (!iterator) throw fault("value", `the batches are ${shown(given)}; expected an array or another iterable, or a function that gives one for each epoch.`);
    const made = new Epoch();
    made.#iterator = iterator;
    made.#owned = !Array.isArray(given);
    for (let i = 0; i < from; ++i) {
      const batch = await made.next();
      if (batch === null) throw fault("value", `epoch ${epoch} has ${i} batches, and the run is to continue after batch ${from} of it.`);
      made.drop(batch);
      await turn();
    }
    return made;
  }
  /** The next batch; null at the end. */
  async next() {
    if (this.#ahead !== undefined) {
      const batch = this.#ahead;
      this.#ahead = undefined;
      return batch;
    }
    const {done, value} = await this.#iterator.next();
    return done ? null : layoutOf(value);
  }
  async atEnd() {
    this.#ahead ??= await this.next();
    return this.#ahead === null;
  }
  drop(batch) { if (this.#owned) for (const t of batch.tensors) t.dispose(); }
  async close() {
    if (this.#ahead) this.drop(this.#ahead);
    await this.#iterator.return?.();
  }
}

// ---- Where a run is ----

const newRun = () => ({step: 0, epoch: 0, epoch_over: false, best: null, waited: 0, better: false, judged: -1, validation_due: false, validated: -1, train: {}, validation: {}});
const kNumbers = {nan: NaN, inf: Infinity, "-inf": -Infinity};
const listOf = (values) => Object.entries(values).map(([name, v]) => [name, Number.isFinite(v) ? v : Number.isNaN(v) ? "nan" : v > 0 ? "inf" : "-inf"]);
const valuesOf = (list) => Object.fromEntries(list.map(([name, v]) => {
  const value = typeof v === "string" ? kNumbers[v] : v;
  if (typeof value !== "number") throw new Error(`the value of '${name}' is ${JSON.stringify(v)}`);
  return [name, value];
}));

// What run.json has of the run besides tensors, with the names of the Trainer of C++: values "trainer", "loader" and "random".
function valuesOfRun(run, at) {
  const {best, train, validation, ...rest} = run;
  const trainer = {...rest, train: listOf(train), validation: listOf(validation), ...(best !== null && {best: listOf({best})})};
  return {trainer: JSON.stringify(trainer), loader: JSON.stringify({...at, skipped: 0}), random: randomState()};
}
// {run, at, random}; those of a checkpoint that no Trainer wrote begin an epoch.
function runOfValues({step, values}, path) {
  if (values.trainer === undefined) return {run: {...newRun(), step}, at: {epoch: 0, batch: 0}, random: null};
  const parse = (name, f) => {
    try {
      return f(JSON.parse(values[name]));
    } catch (error) {
      throw new TesseraError({kind: "parse", op: "load", source: path, message: `load: ${path}: its value '${name}' is ${JSON.stringify(values[name])?.slice(0, 80)}: ${error.message}.`});
    }
  };
  const count = (json, name, least = 0, most = Infinity) => {
    if (!Number.isSafeInteger(json[name]) || json[name] < least || json[name] > most) throw new Error(`${name} is ${JSON.stringify(json[name])}`);
    return json[name];
  };
  const run = parse("trainer", (json) => ({
    step: count(json, "step", step, step), epoch: count(json, "epoch"), epoch_over: json.epoch_over === true, best: json.best ? valuesOf(json.best).best : null, waited: count(json, "waited"),
    better: json.better === true, judged: count(json, "judged", -1), validation_due: json.validation_due === true, validated: count(json, "validated", -1), train: valuesOf(json.train), validation: valuesOf(json.validation),
  }));
  const at = parse("loader", (json) => ({epoch: count(json, "epoch"), batch: count(json, "batch")}));
  const random = parse("random", (json) => {
    count(json, "position");
    return values.random;
  });
  return {run, at, random};
}

const isBetter = (value, best, maximize) => !Number.isNaN(value) && (best === null || (maximize ? value > best : value < best));

// ---- The Trainer ----

const kOptions = {
  epochs: 1, steps: 0, accumulate: 1, clipNorm: 0, monitor: "loss", maximize: false, patience: 0, validateEvery: 0, logEvery: 10, onStep: null, onValidation: null, onEpoch: null,
};
const kLeast = {epochs: 1, steps: 0, accumulate: 1, patience: 0, validateEvery: 0, logEvery: 1};
const kReadEvery = 50;  // updates; the device is never further behind

function checkedOptions(all) {
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  for (const [name, value] of Object.entries(given)) {
    const wrong = (expected) => { throw fault("value", `${name} is ${typeof value === "number" ? value : JSON.stringify(value) ?? typeof value}; expected ${expected}.`); };
    if (!Object.hasOwn(kOptions, name)) throw fault("value", `there is no option '${name}'; expected one of ${Object.keys(kOptions).join(", ")}.`);
    if (name in kLeast && !(value >= kLeast[name] && (Number.isSafeInteger(value) || (name === "epochs" && value === Infinity)))) wrong(`a whole number of at least ${kLeast[name]}`);
    if (name === "clipNorm" && !(value >= 0)) wrong("the largest norm, or 0 for any");
    if (name === "monitor" && typeof value !== "string") wrong("the name of a value");
    if (name === "maximize" && typeof value !== "boolean") wrong("true or false");
    if (name.startsWith("on") && value !== null && typeof value !== "function") wrong("a function");
  }
  return Object.freeze({...kOptions, ...given});
}

/**
 * Trains a model by an optimizer. The step is compiled: loss(batch) is called once per trace, in training mode, and in evaluation mode for
 * validation. See docs/web.md.
 */
export class Trainer {
  #loss;
  #metrics = {loss: new Mean()};
  #accumulator = null;
  #steps = null;       // compiled: {batch, update, validation}
  #form = null;        // of the batches
  #restore = null;     // makes a batch of the tensors that a compiled step has
  #run = newRun();
  #at = {epoch: 0, batch: 0};  // of the next batch
  #fresh = true;       // the next fit() begins a new run
  #busy = "";          // "fit" or "load"
  #stopping = false;
  #ending = null;
  #saveMetric = null;  // the monitored value of this very step
  #epoch = null;       // of fit()
  #inLine = Promise.resolve();

  constructor(model, optimizer, loss, options = {}) {
    if (!(model instanceof Module)) throw fault("value", `${shown(model)} was given as the model; expected a module.`);
    if (!(optimizer instanceof Optimizer)) throw fault("value", `${shown(optimizer)} was given as the optimizer; expected one of ts.optim.`);
    if (typeof loss !== "function") throw fault("value", `${shown(loss)} was given as the loss; expected a function of a batch.`);
    Object.assign(this, {model, optimizer});
    this.#loss = loss;
    this.options = checkedOptions(options);
  }

  /** A metric that the loss function updates: reset before each epoch and each validation. */
  metric(name, metric) {
    this.#idle("metric");
    if (!(metric instanceof Metric)) throw fault("value", `the metric '${name}' is ${shown(metric)}; expected one of ts.train.`);
    if (typeof name !== "string" || ["", "rate", "step", "kind", "time", "text"].includes(name) || Object.hasOwn(this.#metrics, name)) {
      throw fault("value", `a metric has the name '${name}', which is taken; expected another one.`);
    }
    this.#forgetSteps();
    this.#metrics[name] = metric;
  }
  /** The number of updates so far, and of complete epochs. */
  get step() { return this.#run.step; }
  get epoch() { return this.#run.epoch; }
  /** The best value of `monitor`, or null, and the values of the latest validation. */
  get best() { return this.#run.best; }
  get validation() { return {...this.#run.validation}; }
  /** How often the step was traced. */
  get traces() { return this.#steps?.batch.traces ?? 0; }
  /** Ends fit() after this update, a later fit() after at most one. */
  stop() { this.#stopping = true; }

  /**
   * Trains until the epochs or the steps are done, or something else ends the run: {ending, step, epoch, train, validation, best}. The
   * ending is "done", "stopped" or "early". After stop() and load() it continues, else it begins a new run.
   */
  async fit(batches, validation = null) {
    this.#idle("fit");
    if (!Object.hasOwn(this.#metrics, this.options.monitor)) throw fault("value", `monitor is '${this.options.monitor}', and there is no metric of that name.`);
    this.#busy = "fit";
    try {
      if (!this.model.training) this.model.train();
      if (this.#fresh) {
        this.#run = newRun();
        this.#at = {epoch: 0, batch: 0};
        this.#clearSums();
      }
      this.#fresh = true;
      this.#ending = this.#saveMetric = null;
      await this.#loop(batches, validation);
      this.#fresh = this.#ending !== "stopped";
      const {step, epoch, train, best} = this.#run;
      return {ending: this.#ending, step, epoch, train: {...train}, validation: this.validation, best};
    } finally {
      const open = this.#epoch;
      this.#epoch = null;
      this.#stopping = false;
      try {
        await open?.close();
      } finally {
        this.#busy = "";
      }
    }
  }
  /** Loss and metrics over batches, in evaluation mode. */
  async evaluate(batches) { return this.#inTurn(() => this.#measure(batches, () => false)); }

  /**
   * The state of the run as a File, "step-000500.zip": a zip archive with the folder that the Trainer of C++ and Python writes. During fit() it
   * is that between two updates.
   */
  async checkpoint() {
    const {run, objects} = await this.#inTurn(() => ({
      run: {step: this.#run.step, values: valuesOfRun(this.#run, this.#at), metric: this.#saveMetric, maximize: this.options.maximize},
      objects: this.#stateDicts(),
    }));
    return packed(objects, run);
  }
  /**
   * Loads the latest checkpoint of such an archive into the model, the optimizer and the metrics; the next fit() continues there. The
   * source is that of ts.load(). An archive that is truncated or does not fit is an error, and changes nothing. Gives the step.
   */
  async load(source) {
    this.#idle("load");
    this.#busy = "load";
    try {
      return await this.#inTurn(async () => {
        const own = this.#stateDicts();
        const expected = {};
        for (const [object, tensors] of Object.entries(own)) {
          expected[object] = Object.fromEntries(Object.entries(tensors).map(([name, t]) => [name, {shape: t.shape, dtype: t.dtype}]));
          for (const t of Object.values(tensors)) t.dispose();
        }
        const {run: file, path, objects} = await unpackedObjects(source, expected, ["metrics"]);
        try {
          const {run, at, random} = runOfValues(file, path);
          this.model.loadStateDict(objects.model);
          this.optimizer.loadStateDict(objects.optimizer);
          this.#clearSums();
          if (objects.metrics) this.#loadMetrics(objects.metrics);
          if (random !== null) setRandomState(random);
          this.#run = run;
          this.#at = at;
          this.#fresh = false;
          this.#saveMetric = null;
          return run.step;
        } finally {
          for (const tensors of Object.values(objects)) for (const t of Object.values(tensors)) t.dispose();
        }
      });
    } finally {
      this.#busy = "";
    }
  }
  /** Frees the compiled steps and the mean of the loss; not the model, the optimizer and metrics, which are yours. */
  dispose() {
    this.#forgetSteps();
    this.#metrics.loss.dispose();
  }

  // ---- The loop, as in src/train/trainer_fit.cpp ----

  async #loop(batches, validation) {
    const run = this.#run;
    await this.#checkLimits(batches);
    if (run.validation_due && validation) await this.#validate(validation);
    while (!this.#ending) {
      if (!run.epoch_over) {
        const loss = await this.#inTurn(() => this.#update(batches));
        if (loss) await this.#afterUpdate(loss, batches, validation);
      }
      if (run.epoch_over && !this.#ending) await this.#endEpoch(batches, validation);
    }
    if (this.#at.batch) run.train = await this.#inTurn(() => this.#values());  // of a part of an epoch
    if (this.#ending === "done" && validation && run.validated !== run.step) await this.#validate(validation);
  }
  // Makes the next update: its loss, a tensor; null at the end of the epoch.
  async #update(batches) {
    const {accumulate} = this.options;
    const losses = [];
    try {
      while (losses.length < accumulate) {
        const batch = await (await this.#opened(batches)).next();
        if (batch === null) {
          if (!losses.length && !this.#at.batch) throw fault("value", `epoch ${this.#at.epoch} has no batches; expected an array, or a function that gives the batches of each epoch.`);
          this.#run.epoch_over = true;
          break;
        }
        try {
          losses.push(this.#call("batch", batch));
        } finally {
          this.#epoch.drop(batch);
        }
        if (accumulate > 1) await turn();
      }
      this.#at.batch += losses.length;
      if (this.#run.epoch_over) await this.#closeEpoch();
      if (!losses.length) return null;
      if (accumulate > 1) this.#steps.update();
      ++this.#run.step;
      return losses.length === 1 ? losses.pop() : tidy(() => losses.reduce((a, b) => a.add(b)).divide(losses.length));
    } finally {
      for (const loss of losses) loss.dispose();
    }
  }
  async #opened(batches) { return this.#epoch ??= await Epoch.open(batches, this.#at.epoch, this.#at.batch); }
  async #closeEpoch() {
    const open = this.#epoch;
    this.#epoch = null;
    this.#at = {epoch: this.#at.epoch + 1, batch: 0};
    await open.close();
  }
  async #afterUpdate(loss, batches, validation) {
    const {logEvery, validateEvery, onStep} = this.options;
    const {step} = this.#run;
    const shows = step % logEvery === 0;
    let value = null;
    try {
      if (shows || step % kReadEvery === 0) value = await loss.item();
    } finally {
      loss.dispose();
    }
    if (value !== null && !Number.isFinite(value)) throw fault("value", `step ${step}: the loss is ${value}.`);
    this.#saveMetric = null;
    this.#run.validation_due = validation !== null && validateEvery > 0 && step % validateEvery === 0;
    await onStep?.({step, loss: shows ? value : null});
    if (this.#run.validation_due) await this.#validate(validation);
    await this.#checkLimits(batches);
    this.#checkWishes();
    await turn();
  }
  async #endEpoch(batches, validation) {
    const run = this.#run;
    const train = await this.#inTurn(() => this.#values());
    if (!Number.isFinite(train.loss)) throw fault("value", `step ${run.step}: the mean loss of the epoch is ${train.loss}.`);
    if (!validation) this.#monitored(train);
    else if (this.options.validateEvery === 0 && !await this.#validate(validation)) return this.#checkWishes();
    this.#clearSums();
    if (run.judged === run.epoch) Object.assign(run, {waited: run.better ? 0 : run.waited + 1, better: false});  // not each epoch has a validation
    Object.assign(run, {train, epoch_over: false, epoch: run.epoch + 1});
    await this.options.onEpoch?.({epoch: run.epoch - 1, step: run.step, train: {...train}, validation: run.validated === run.step ? this.validation : null, best: run.best});
    await this.#checkLimits(batches);
    this.#checkWishes();
  }
  async #checkLimits(batches) {
    const {epochs, patience, steps} = this.options;
    if (this.#run.epoch >= epochs) this.#ending = "done";
    if (patience > 0 && this.#run.waited >= patience) this.#ending = "early";
    if (this.#ending || !steps || this.#run.step < steps || this.#run.epoch_over) return;
    // After the last batch of an epoch its end comes first.
    if (this.#at.batch && await (await this.#opened(batches)).atEnd()) {
      this.#run.epoch_over = true;
      await this.#closeEpoch();
    } else {
      this.#ending = "done";
    }
  }
  #checkWishes() { if (this.#stopping) this.#ending ??= "stopped"; }
  // Whether it was done; not if the run is to end first.
  async #validate(validation) {
    const values = await this.#inTurn(() => this.#measure(validation, () => this.#stopping && !this.#ending));
    if (!values) return false;
    const run = this.#run;
    Object.assign(run, {validation: values, validated: run.step, validation_due: false});
    this.#monitored(values);
    await this.options.onValidation?.({step: run.step, values: {...values}, best: run.best});
    return true;
  }
  #monitored(values) {
    const {monitor, maximize} = this.options;
    this.#run.judged = this.#run.epoch;
    this.#saveMetric = values[monitor];
    if (!isBetter(values[monitor], this.#run.best, maximize)) return;
    this.#run.best = values[monitor];
    this.#run.better = true;
  }

  // ---- Steps ----

  #compiled() {
    if (this.#steps) return this.#steps;
    const {model, optimizer} = this;
    const {accumulate, clipNorm} = this.options;
    const metrics = Object.values(this.#metrics);
    const lossOf = (tensors) => {
      const loss = this.#loss(this.#restore(tensors));
      const isLoss = loss instanceof Tensor && loss.rank === 0 && /^b?f\d+$/.test(loss.dtype);
      if (!isLoss) throw fault("shape", `the loss function gave ${loss instanceof Tensor ? `${loss.dtype} of shape [${loss.shape.join(", ")}]` : shown(loss)}; expected a float of rank 0.`);
      return loss;
    };
    const apply = (grads) => optimizer.update(model, clipNorm > 0 ? clipGradNorm(grads, clipNorm).grads : grads);
    const sums = accumulate > 1 ? this.#accumulator = new Accumulator(model) : null;
    const step = (...tensors) => {
      const {value, grads} = valueAndGrad(model, () => lossOf(tensors))();
      if (sums) sums.add(grads);
      else apply(grads);
      this.#metrics.loss.update(value, rowsOf(tensors));
      return value;
    };
    const update = () => {
      apply(sums.take());
      return [];
    };
    const validation = (...tensors) => {
      const loss = lossOf(tensors);
      this.#metrics.loss.update(loss, rowsOf(tensors));
      return loss;
    };
    return this.#steps = {
      batch: compile(step, {state: [model, sums ?? optimizer, ...metrics]}),
      update: sums && compile(update, {state: [model, optimizer, sums]}),
      validation: compile(validation, {state: [model, ...metrics]}),
    };
  }
  #forgetSteps() {
    if (this.#steps) for (const step of Object.values(this.#steps)) step?.dispose();
    this.#accumulator?.dispose();
    this.#steps = this.#accumulator = null;
  }
  // Calls a compiled step with a batch.
  #call(which, {form, tensors, restore}) {
    this.#form ??= form;
    if (form !== this.#form) throw fault("value", `a batch is ${form}; expected ${this.#form}, as the first one was.`);
    this.#restore = restore;
    return this.#compiled()[which](...tensors);
  }
  // Loss and metrics over batches; null if `until` says so before their end. Sums of the training stay as they are.
  async #measure(batches, until) {
    const epoch = await Epoch.open(batches, 0);
    const aside = this.#metricDict();
    let random = kFirstDraws;  // draws of a loss function are the same at each validation, and those of the training do not move
    let count = 0;
    try {
      for (const metric of Object.values(this.#metrics)) metric.reset();
      for (let batch; (batch = await epoch.next()) !== null;) {
        if (until()) {
          epoch.drop(batch);
          return null;
        }
        const before = randomState();
        let loss;
        try {
          setRandomState(random);
          loss = inEvaluation(this.model, () => this.#call("validation", batch));
          random = randomState();
        } finally {
          setRandomState(before);
          epoch.drop(batch);
        }
        try {
          if (++count % kReadEvery === 0) await loss.item();
        } finally {
          loss.dispose();
        }
        await turn();
      }
      if (!count) throw fault("value", "the validation has no batches; expected an array, or a function that gives them each time.");
      return await this.#values();
    } finally {
      this.#loadMetrics(aside);
      for (const t of Object.values(aside)) t.dispose();
      await epoch.close();
    }
  }
  async #values() {
    const all = Object.entries(this.#metrics);
    const tensors = tidy(() => all.map(([, metric]) => metric.value()));
    try {
      const read = await readAll(tensors);
      return Object.fromEntries(all.map(([name], i) => [name, read[i][0]]));
    } finally {
      for (const t of tensors) t.dispose();
    }
  }

  // ---- State ----

  #idle(what) { if (this.#busy) throw fault("value", `${what}() was called while ${this.#busy}() is running; expected before or after it.`); }
  // Tasks one after the other, so that each of them sees the state between two updates.
  #inTurn(task) {
    const done = this.#inLine.then(task);
    this.#inLine = done.catch(() => {});
    return done;
  }
  // Sums of metrics begin anew, and those of gradients that an update has not taken are dropped.
  #clearSums() {
    for (const metric of Object.values(this.#metrics)) metric.reset();
    if (this.#accumulator) tidy(() => { this.#accumulator.take(); });
  }
  // The sums of all metrics as one object, as in C++.
  #metricDict() {
    return Object.fromEntries(Object.entries(this.#metrics).flatMap(([name, metric]) => Object.entries(metric.stateDict()).map(([key, t]) => [`${name}.${key}`, t])));
  }
  #loadMetrics(tensors) {
    for (const [name, metric] of Object.entries(this.#metrics)) {
      const own = Object.entries(tensors).map(([key, t]) => [key.lastIndexOf("."), key, t]).filter(([dot, key]) => key.slice(0, dot) === name);
      metric.loadStateDict(Object.fromEntries(own.map(([dot, key, t]) => [key.slice(dot + 1), t])));
    }
  }
  #stateDicts() { return {model: this.model.stateDict(), optimizer: this.optimizer.stateDict(), metrics: this.#metricDict()}; }
}
