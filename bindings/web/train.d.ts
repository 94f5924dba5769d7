// Training runs: the Trainer, metrics, and checkpoints.
import type {FileSource} from "./load.js";
import type {Held, Module, Tensors} from "./nn.js";
import type {Optimizer} from "./optim.js";
import type {Tensor} from "./tensor.js";

/** Sums on the device that a loss function updates; nothing is read back before value(). */
declare class Metric extends Held {
  protected constructor();
  /** The value of the samples since the last reset(), of rank 0; NaN without samples. */
  value(): Tensor;
  /** Forgets all samples. */
  reset(): void;
  loadStateDict(tensors: Tensors): void;
}
export type {Metric};
/** The mean of numbers, weighted by how many samples each of them stands for. */
export class Mean extends Metric {
  constructor();
  update(value: Tensor | number, weight?: Tensor | number): void;
}
declare class OfClasses extends Metric {
  constructor(options?: {ignoreIndex?: number});
  /** Logits or probabilities [N, C, ..], or classes of the shape of the targets; targets are integers [N, ..]. */
  update(predictions: Tensor, target: Tensor): void;
}
/** The part of the samples whose class is predicted. */
export class Accuracy extends OfClasses {}
/** exp of the mean loss of all tokens. */
export class Perplexity extends OfClasses {}
/** The mean of |prediction - target| over all elements. */
export class MeanAbsoluteError extends Metric {
  constructor();
  update(prediction: Tensor, target: Tensor): void;
}
/** The mean of (prediction - target)^2 over all elements, or its root. */
export class MeanSquaredError extends Metric {
  constructor(options?: {root?: boolean});
  update(prediction: Tensor, target: Tensor): void;
}

export type Batch = Tensor | Tensor[] | Record<string, Tensor>;
export type EpochOf<B> = Iterable<B> | AsyncIterable<B>;
/**
 * The batches of each epoch: an array, or a function that gives them, from epoch 0 on. Tensors of batches in an array stay yours; those of
 * another iterable, such as a generator, are disposed after use.
 */
export type Batches<B> = EpochOf<B> | ((epoch: number) => EpochOf<B> | Promise<EpochOf<B>>);
/** Loss and metrics. */
export type Values = Record<string, number>;

export interface TrainerOptions {
  /** Default: 1. Infinity: until stop(). */
  epochs?: number;
  /** Updates at most; 0: all of the epochs. */
  steps?: number;
  /** Batches of one update; default: 1. */
  accumulate?: number;
  /** The largest norm of the gradients; 0: any. */
  clipNorm?: number;
  /** The value of the validation that decides what is better: "loss", or a metric. */
  monitor?: string;
  /** Whether the best is the largest. */
  maximize?: boolean;
  /** Epochs without a better value before the run ends; 0: no limit. */
  patience?: number;
  /** Updates between validations; 0: at the end of each epoch. */
  validateEvery?: number;
  /** Updates between losses that are read back, and the page waits for; default: 10. */
  logEvery?: number;
  /** After each update. `loss` is a number every `logEvery` updates, else null. fit() waits for promises of callbacks. */
  onStep?: ((about: {step: number; loss: number | null}) => unknown) | null;
  onValidation?: ((about: {step: number; values: Values; best: number | null}) => unknown) | null;
  /** After an epoch and its validation, null if there was none; epochs count from 0. */
  onEpoch?: ((about: {epoch: number; step: number; train: Values; validation: Values | null; best: number | null}) => unknown) | null;
}
export interface Result {
  /** "stopped" by stop(); "early", by `patience`. */
  ending: "done" | "stopped" | "early";
  step: number;
  epoch: number;
  /** Of the last epoch. */
  train: Values;
  validation: Values;
  /** The best value of `monitor`. */
  best: number | null;
}

/**
 * Trains a model by an optimizer. The step is compiled: loss(batch), a float of rank 0, is called once per trace, in training mode, and in
 * evaluation mode for validation. The page stays responsive: steps yield to it.
 */
export class Trainer<B extends Batch = any> {
  constructor(model: Module, optimizer: Optimizer, loss: (batch: B) => Tensor, options?: TrainerOptions);
  readonly model: Module;
  readonly optimizer: Optimizer;
  readonly options: Readonly<Required<TrainerOptions>>;
  /** The number of updates so far. */
  readonly step: number;
  /** The number of complete epochs. */
  readonly epoch: number;
  /** The best value of `monitor` so far. */
  readonly best: number | null;
  /** The values of the latest validation. */
  readonly validation: Values;
  /** How often the step was traced. */
  readonly traces: number;
  /** A metric that the loss function updates: reset before each epoch and each validation. */
  metric(name: string, metric: Metric): void;
  /**
   * Trains until the epochs or the steps are done, or something else ends the run. After stop() and load() it continues, else it begins a
   * new run. Rejects with the step for a loss that is not finite.
   */
  fit(batches: Batches<B>, validation?: Batches<B> | null): Promise<Result>;
  /** Ends fit() after this update. */
  stop(): void;
  /** Loss and metrics over batches, in evaluation mode. */
  evaluate(batches: Batches<B>): Promise<Values>;
  /**
   * "step-000500.zip": the folder that the Trainer of C++ and Python writes, with model.safetensors, optimizer.safetensors,
   * metrics.safetensors and run.json. During fit() it is the state between two updates.
   */
  checkpoint(): Promise<File>;
  /**
   * Loads the latest checkpoint of such an archive; the next fit() continues there. Resolves to its step. An archive that is truncated, foreign
   * or does not fit is an error of kind parse with the tensor's name, and changes nothing.
   */
  load(source: FileSource): Promise<number>;
  /** Frees the compiled steps; not the model, the optimizer and metrics, which are yours. */
  dispose(): void;
}
