// Tessera in a page or a worker: `import * as ts from "tessera"`.
export {catalog, device, init, loseDevice, memory, TesseraError} from "./runtime.js";
export {evaluate, keep, readAll, Tensor, tensor, tidy} from "./tensor.js";
export {compile, grad, loop, scan, valueAndGrad, wgslKernel} from "./transforms.js";
export {explain, profile} from "./inspect.js";
export {startWorker, transfer} from "./worker.js";
export {load, warmup} from "./load.js";
export {save} from "./safetensors.js";
export {GgufFile, openGguf, saveGguf} from "./gguf.js";
export {fromBlocks, quantize, toBlocks} from "./blocks.js";
export * as nn from "./nn.js";
export * as optim from "./optim.js";
export * as train from "./train.js";
export * from "./ops.js";
