// The training page: a Trainer, the curve, checkpoints, the held-out digits, and the reading of a drawn one.
import * as ts from "../package/index.js";
import {bytesText, figures, make, problem, start} from "./common.js";
import {Digits, drawFor, fitted, kSize, randomFrom} from "./digits.js";
import {Pad} from "./drawing.js";
import {batchOf, Model} from "./model.js";

const kBatch = 32, kHeldOut = 200, kLogEvery = 5, kStepsOfEpoch = 20, kSeed = 2;
const $ = (id) => document.getElementById(id);

let model = null;
let trainer = null;
const training = new Digits(kSeed, kBatch);
let held = null;        // digits that are not trained on
let validation = null;  // the same as a list of one batch
let run = null;         // the promise of what trains, or loads a checkpoint
let losses = [];
let read = null;        // of the held-out digits
let began = 0;          // when the step that is being made did
let hosts = [];         // milliseconds of the main thread for each step since the last loss
let since = 0;          // when that one was shown

// The digits of an epoch follow from its number: a checkpoint continues with those that come next.
function* digitsOf(epoch) {
  training.random = randomFrom(kSeed + epoch);
  for (let i = 0; i < kStepsOfEpoch; ++i) {
    const drawn = training.next();
    began = performance.now();
    yield batchOf(drawn);
  }
}

function colors() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(["--ink", "--soft", "--line", "--accent", "--bad", "--card"].map((name) => [name.slice(2), style.getPropertyValue(name).trim()]));
}

// Sets a canvas to the pixels that it has on the screen; gives its context in CSS pixels.
function sharp(canvas, height) {
  const ratio = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  return {context, width};
}

function drawCurve() {
  const canvas = $("curve");
  const height = canvas.clientHeight;
  const {context, width} = sharp(canvas, height);
  const {soft, line, accent} = colors();
  const top = Math.max(2.5, ...losses.map((l) => l.loss));
  const steps = Math.max(100, losses.at(-1)?.step ?? 0);
  const [left, below] = [30, 20];
  const x = (step) => left + (width - left - 4) * step / steps;
  const y = (loss) => 6 + (height - below - 6) * (1 - loss / top);
  context.font = "11px system-ui, sans-serif";
  context.lineWidth = 1;
  for (let loss = 0; loss <= top; loss += 0.5) {
    context.strokeStyle = line;
    context.beginPath();
    context.moveTo(left, y(loss));
    context.lineTo(width, y(loss));
    context.stroke();
    context.fillStyle = soft;
    context.textAlign = "right";
    context.fillText(loss.toFixed(1), left - 6, y(loss) + 4);
  }
  context.textAlign = "left";
  context.fillText("0", left, height - 5);
  context.textAlign = "right";
  context.fillText(`${steps} steps`, width, height - 5);
  context.strokeStyle = accent;
  context.lineWidth = 2;
  context.lineJoin = "round";
  context.beginPath();
  losses.forEach(({step, loss}, i) => context[i ? "lineTo" : "moveTo"](x(step), y(loss)));
  context.stroke();
  const last = losses.at(-1);
  canvas.setAttribute("aria-label", last ? `Loss curve: from ${figures(losses[0].loss)} to ${figures(last.loss)} in ${last.step} steps` : "Loss curve: no steps yet");
}

function drawHeld() {
  const shown = 40;
  const canvas = $("held");
  const columns = canvas.clientWidth < 480 ? 8 : 20;
  const cell = canvas.clientWidth / columns;
  const tall = cell * (read ? 1.45 : 1.05);
  const height = Math.ceil(shown / columns) * tall;
  canvas.style.height = `${height}px`;
  const {context} = sharp(canvas, height);
  const {soft, bad} = colors();
  const small = document.createElement("canvas");
  small.width = small.height = kSize;
  const brush = small.getContext("2d");
  for (let i = 0; i < shown; ++i) {
    const pixels = brush.createImageData(kSize, kSize);
    for (let p = 0; p < kSize * kSize; ++p) {
      const value = 255 * held.images[i * kSize * kSize + p];
      pixels.data.set([value, value, value, 255], 4 * p);
    }
    brush.putImageData(pixels, 0, 0);
    const [x, y] = [(i % columns) * cell, Math.floor(i / columns) * tall];
    context.drawImage(small, x + 1, y, cell - 2, cell - 2);
    if (!read) continue;
    const wrong = read[i] !== held.labels[i];
    context.fillStyle = wrong ? bad : soft;
    context.font = `${wrong ? "bold " : ""}13px system-ui, sans-serif`;
    context.textAlign = "center";
    context.fillText(wrong ? `✗ ${read[i]}` : `${read[i]}`, x + cell / 2, y + cell + 12);
  }
  canvas.setAttribute("aria-label", read ? `Held-out digits: of the ${shown} shown, ${[...read.slice(0, shown)].filter((r, i) => r === held.labels[i]).length} are classified correctly` : "Held-out digits, not read yet");
}

const percent = (part) => part === null ? "–" : `${(100 * part).toFixed(0)} %`;

// Shows the latest validation, and what the held-out digits are read as.
async function showValidation() {
  const chances = await model.probabilities(held.images);
  read = Array.from({length: kHeldOut}, (_, i) => {
    const ten = chances.subarray(10 * i, 10 * i + 10);
    return ten.indexOf(Math.max(...ten));
  });
  $("accuracy").textContent = percent(trainer.validation.accuracy ?? null);
  $("best").textContent = percent(trainer.best);
  drawHeld();
}

async function readDrawing() {
  const image = fitted($("pad"));
  const rows = [...$("chances").children];
  if (!image) {
    for (const row of rows) setChance(row, 0, false);
    $("answer").textContent = "Draw with a finger, a pen or the mouse.";
    return;
  }
  const chances = await model.probabilities(image);
  const best = chances.indexOf(Math.max(...chances));
  rows.forEach((row, i) => setChance(row, chances[i], i === best));
  $("answer").textContent = `Reads as ${best} (${percent(chances[best])})${trainer.step ? "" : ": not trained yet"}.`;
}

function setChance(row, share, best) {
  row.classList.toggle("best", best);
  row.querySelector(".bar span").style.width = `${100 * share}%`;
  row.querySelector(".share").textContent = percent(share);
}

function showRunning() {
  $("go").textContent = run ? "Pause" : trainer?.step ? "Continue" : "Start";
  $("state").textContent = run ? "Training" : trainer?.step ? "Paused" : "";
}
function showStep() {
  $("steps").textContent = trainer.step;
  $("epoch").textContent = trainer.epoch + 1;
}

function onStep({step, loss}) {
  hosts.push(performance.now() - began);
  if (loss === null) return;
  const now = performance.now();
  losses.push({step, loss});
  showStep();
  $("loss").textContent = figures(loss);
  $("speed").textContent = figures((now - since) / hosts.length);
  drawCurve();
  hosts.sort((a, b) => a - b);
  const host = hosts[hosts.length >> 1];
  [hosts, since] = [[], now];
  document.documentElement.dataset.host = host;
  const {tensors, bytes} = ts.memory();
  $("memory").textContent = `${model.parameters.toLocaleString("en")} parameters; ${tensors} tensors, ${bytesText(bytes)}; ` +
    `traced ${trainer.traces === 1 ? "once" : `${trainer.traces} times`}; ${figures(host)} ms of main-thread time per step.`;
}
async function onEpoch() {
  showStep();
  await showValidation();
  if (fitted($("pad"))) await readDrawing();
  since = performance.now();
}

async function train() {
  if (!ts.device().available) {
    await ts.init();
    begin();
  }
  [hosts, since] = [[], performance.now()];
  await trainer.fit(digitsOf, validation);
  showStep();
}

// Runs what uses the trainer, and shows what went wrong.
async function alone(task, hint = "") {
  $("trouble").replaceChildren();
  run = task();
  showRunning();
  try {
    await run;
  } catch (error) {
    $("trouble").replaceChildren(problem(error, error.kind === "device_lost" ? "Continue recreates the device and starts over." : hint));
  } finally {
    run = null;
    showRunning();
  }
}
async function stop() {
  if (!run) return;
  trainer.stop();
  await run.catch(() => {});
}

function begin() {
  for (const batch of validation ?? []) for (const t of Object.values(batch)) t.dispose();
  model?.dispose();
  validation = [batchOf(held)];
  model = new Model($("layers").value, {logEvery: kLogEvery, onStep, onEpoch});
  trainer = model.trainer;
  losses = [];
  read = null;
  showStep();
  for (const id of ["loss", "accuracy", "best", "speed"]) $(id).textContent = "–";
  $("memory").textContent = `${model.parameters.toLocaleString("en")} parameters.`;
  drawCurve();
  drawHeld();
  showRunning();
}

async function download() {
  const file = await trainer.checkpoint();
  const link = make("a", {href: URL.createObjectURL(file), download: file.name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
async function loadCheckpoint(file) {
  await trainer.load(file);
  losses = [];
  showStep();
  $("loss").textContent = "–";
  drawCurve();
  await showValidation();
  if (fitted($("pad"))) await readDrawing();
}

const pad = new Pad($("pad"), () => { if (model) readDrawing().catch((error) => $("trouble").replaceChildren(problem(error))); });
$("digit").append(...Array.from({length: 10}, (_, i) => make("option", {}, String(i))));
$("chances").append(...Array.from({length: 10}, (_, i) => make("li", {}, make("span", {}, String(i)),
  make("span", {class: "bar", "aria-hidden": "true"}, make("span")), make("span", {class: "share"}, "0 %"))));
$("layers").disabled = true;
$("go").addEventListener("click", () => { if (run) trainer.stop(); else alone(train); });
async function anew() {
  await stop();
  begin();
  if (fitted($("pad"))) await readDrawing();
}
$("reset").addEventListener("click", anew);
$("layers").addEventListener("change", anew);
$("save").addEventListener("click", () => { download().catch((error) => $("trouble").replaceChildren(problem(error))); });
$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", async () => {
  const [file] = $("file").files;
  if (!file) return;
  await stop();
  $("go").disabled = true;
  await alone(() => loadCheckpoint(file), "The network is as it was. A checkpoint fits the network that it was saved from.");
  $("go").disabled = false;
  $("file").value = "";
});
$("clear").addEventListener("click", () => { pad.clear(); pad.changed(); });
$("draw").addEventListener("click", () => {
  pad.clear();
  pad.style();
  drawFor(pad.context, Number($("digit").value), {x: 45, y: 45, size: 190});
  pad.changed();
});

if (await start()) {
  held = new Digits(1, kHeldOut).next();
  begin();
  for (const id of ["go", "reset", "layers", "save", "open"]) $(id).disabled = false;
  const redraw = () => { drawCurve(); drawHeld(); };
  addEventListener("resize", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}
