// The playground: runs a program, shows its value, its kernels and their WGSL.
import * as ts from "../package/index.js";
import {bytesText, figures, make, problem, start} from "./common.js";
import {lineOf, program} from "./evaluate.js";
import {formatType, formatValues} from "./format.js";

const kExamples = {
  "softmax of a matmul": `const a = ts.random.normal([6, 8]);
const b = ts.random.normal([8, 5]);
ts.softmax(ts.matmul(a, b))`,
  "one kernel from many ops": `const x = ts.arange(0, 12, 1, "f32").reshape([3, 4]);
x.subtract(x.mean(1, true)).divide(x.var(1, true).add(1e-5).sqrt()).tanh()`,
  "a gradient": `const x = ts.tensor([0.5, 1, 2]);
ts.grad((v) => v.sin().multiply(v).sum())(x)`,
  "convolution with its bias and relu": `const image = ts.random.uniform([1, 3, 8, 8]);
const weights = ts.random.normal([4, 3, 3, 3]);
const bias = ts.zeros([4]);
ts.relu(ts.conv2d(image, weights, bias, {padding: "same"}))`,
  "attention": `const [q, k, v] = [1, 2, 3].map(() => ts.random.normal([1, 2, 6, 8]));
ts.scaled_dot_product_attention(q, k, v, {causal: true})`,
  "the largest three": `ts.topk(ts.tensor([3, 1, 4, 1, 5, 9, 2, 6]), 3)`,
  "data-dependent shape (a promise)": `const x = ts.tensor([0, 3, 0, 5]);
await ts.nonzero(x)`,
  "an error": `const a = ts.zeros([8, 64]);
const b = ts.zeros([32, 8]);
ts.matmul(a, b)`,
};

const $ = (id) => document.getElementById(id);

function tensorsIn(value, path = "", found = []) {
  if (value instanceof ts.Tensor) found.push({path, tensor: value});
  else if (Array.isArray(value)) value.forEach((v, i) => tensorsIn(v, `${path}[${i}]`, found));
  else if (value && Object.getPrototypeOf(value) === Object.prototype) {
    for (const [key, v] of Object.entries(value)) tensorsIn(v, path ? `${path}.${key}` : key, found);
  }
  return found;
}

function plain(value) {
  if (value === undefined) return "undefined";
  if (typeof value === "function") return "a function";
  if (ArrayBuffer.isView(value)) return formatValues(value, [value.length], value instanceof Float32Array ? "f32" : "i32");
  return JSON.stringify(value, (_, v) => typeof v === "bigint" ? `${v}n` : v, 1) ?? String(value);
}

// f16 and bf16 may be read as bits: cast them to f32 first.
const readable = (t) => ["f16", "bf16"].includes(t.dtype) ? t.cast("f32") : t;

function kernelCard(kernel, record) {
  const summary = make("summary", {}, make("code", {}, kernel.label), " ", make("span", {class: "tag"}, kernel.kind));
  if (record?.durationUs > 0) summary.append(make("span", {class: "small"}, ` ${figures(record.durationUs)} µs`));
  const fused = kernel.ops.length ? `Fused: ${kernel.ops.join(" → ")}.` : "It only copies data.";
  return make("details", {class: "kernel"}, summary, make("p", {class: "small"}, fused),
              make("pre", {class: "wgsl", tabindex: "0", "aria-label": `WGSL of ${kernel.label}`}, kernel.wgsl.trim()));
}

function showKernels(kernels, measured) {
  const place = $("kernels");
  const note = !kernels.length ? "No kernel is needed: the value was already computed."
    : `${kernels.length} kernel${kernels.length > 1 ? "s" : ""}, ${figures(measured.wallMs)} ms including read-back` +
      (measured.timed && measured.kernelUs > 0 ? `, of which ${figures(measured.kernelUs / 1000)} ms in kernels` : "") +
      (measured.peak.bytes ? `; peak memory ${bytesText(measured.peak.bytes)}.` : ".");
  const left = new Map();
  for (const record of measured.kernels) left.set(record.label, [...(left.get(record.label) ?? []), record]);
  place.replaceChildren(make("h2", {}, "Kernels"), make("p", {class: "small", id: "cost"}, note),
                        ...kernels.map((k) => kernelCard(k, left.get(k.label)?.shift())));
  if (kernels.graph) {
    place.append(make("details", {}, make("summary", {}, "The graph"), make("pre", {tabindex: "0", "aria-label": "The graph"}, kernels.graph.trim())));
  }
}

async function show(value, hasValue) {
  const found = tensorsIn(value);
  const result = $("result");
  if (!found.length) {
    const text = hasValue ? plain(value) : "The last line gives no value; end with an expression to see one.";
    result.replaceChildren(make("h2", {}, "Result"), make("pre", {class: "value"}, text));
    $("kernels").replaceChildren();
    return;
  }
  const shown = found.map(({tensor}) => readable(tensor));
  const kernels = ts.explain(...shown);
  const measured = await ts.profile(() => ts.readAll(shown));
  result.replaceChildren(make("h2", {}, "Result"), ...found.map(({path, tensor}, i) => make("div", {},
    make("p", {class: "small"}, make("strong", {class: "type"}, `${path ? `${path}: ` : ""}${formatType(tensor.shape, tensor.dtype)}`)),
    make("pre", {class: "value", tabindex: "0", "aria-label": `Value ${path || "of the expression"}`}, formatValues(measured.result[i], tensor.shape, tensor.dtype)))));
  showKernels(kernels, measured);
  for (const t of shown) t.dispose();
}

// One after the other: what is asked for while a program runs is run after it, once.
let under = null;
let again = false;
function run() {
  again = under !== null;
  under ??= runProgram().finally(() => {
    under = null;
    if (again) run();
  });
  return under;
}

async function runProgram() {
  const text = $("code").value;
  try {
    if (!ts.device().available) await ts.init();
    const {run: f, waits, hasValue} = program(text);
    const value = waits ? await f(ts) : ts.tidy(() => f(ts));
    await show(value, hasValue);
    for (const {tensor} of tensorsIn(value)) tensor.dispose();
  } catch (error) {
    $("result").replaceChildren(make("h2", {}, "Result"), problem(error, lineOf(error, text)));
    $("kernels").replaceChildren();
  } finally {
    $("result").dataset.runs = Number($("result").dataset.runs ?? 0) + 1;
  }
}

$("example").disabled = true;
$("example").append(...Object.keys(kExamples).map((name) => make("option", {}, name)));
$("example").addEventListener("change", () => {
  $("code").value = kExamples[$("example").value];
  run();
});
$("code").value = Object.values(kExamples)[0];
$("run").addEventListener("click", run);
$("code").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !$("run").disabled) {
    event.preventDefault();
    run();
  }
});
if (await start()) {
  $("run").disabled = $("example").disabled = false;
  await run();
}
