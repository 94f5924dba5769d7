// The training page: steps that yield to the page, the curve, the held-out digits, and the reading of a drawn one.
import * as ts from "../package/index.js";
import {breathe, bytesText, figures, make, problem, start} from "./common.js";
import {Digits, drawFor, fitted, kSize} from "./digits.js";
import {Pad} from "./drawing.js";
import {Model} from "./model.js";

const kBatch = 32, kHeldOut = 200, kLookEvery = 5, kJudgeEvery = 25;
const $ = (id) => document.getElementById(id);

let model = null;
let training = null;  // digits of the next batch
let held = null;
let running = false;
let losses = [];
let read = null;  // of the held-out digits
let busy = Promise.resolve();  // what uses the model, one after the other

function inTurn(task) {
  const turn = busy.then(task);
  busy = turn.catch(() => {});
  return turn;
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

async function judge() {
  const chances = await model.probabilities(held.images);
  read = Array.from({length: kHeldOut}, (_, i) => {
    const ten = chances.subarray(10 * i, 10 * i + 10);
    return ten.indexOf(Math.max(...ten));
  });
  const right = read.filter((r, i) => r === held.labels[i]).length;
  $("accuracy").textContent = `${(100 * right / kHeldOut).toFixed(0)} %`;
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
  const chances = await inTurn(() => model.probabilities(image));
  const best = chances.indexOf(Math.max(...chances));
  rows.forEach((row, i) => setChance(row, chances[i], i === best));
  $("answer").textContent = `Reads as ${best} (${(100 * chances[best]).toFixed(0)} %)${model.steps ? "" : ": not trained yet"}.`;
}

function setChance(row, share, best) {
  row.classList.toggle("best", best);
  row.querySelector(".bar span").style.width = `${100 * share}%`;
  row.querySelector(".share").textContent = `${(100 * share).toFixed(0)} %`;
}

function showRunning() {
  $("go").textContent = running ? "Pause" : model?.steps ? "Continue" : "Start";
  $("state").textContent = running ? "Training" : model?.steps ? "Paused" : "";
}

// One turn: a few steps without waiting, then one read of their last loss.
async function turn(hosts) {
  let loss = null;
  for (let i = 0; i < kLookEvery && running; ++i) {
    const {images, labels} = training.next();
    const before = performance.now();
    loss?.dispose();
    loss = model.step(images, labels);
    hosts.push(performance.now() - before);
    await breathe();
  }
  if (!loss) return;
  const value = await loss.item();
  loss.dispose();
  losses.push({step: model.steps, loss: value});
}

async function train() {
  if (running) {
    running = false;
    return;
  }
  running = true;
  showRunning();
  $("trouble").replaceChildren();
  try {
    if (!ts.device().available) {
      await ts.init();
      await begin();
    }
    while (running) {
      const began = performance.now(), first = model.steps, hosts = [];
      await inTurn(() => turn(hosts));
      if (model.steps > first) $("speed").textContent = figures((performance.now() - began) / (model.steps - first));
      $("steps").textContent = model.steps;
      $("loss").textContent = losses.length ? figures(losses.at(-1).loss) : "–";
      drawCurve();
      hosts.sort((a, b) => a - b);
      const {tensors, bytes} = ts.memory();
      const host = hosts[hosts.length >> 1];
      document.documentElement.dataset.host = host;
      $("memory").textContent = `${model.parameters.toLocaleString("en")} parameters; ${tensors} tensors, ${bytesText(bytes)}; ` +
        `traced ${model.traces === 1 ? "once" : `${model.traces} times`}; ${figures(host)} ms of main-thread time per step.`;
      if (Math.floor(model.steps / kJudgeEvery) > Math.floor(first / kJudgeEvery)) {
        await inTurn(judge);
        if (fitted($("pad"))) await readDrawing();
      }
      await breathe();
    }
    await inTurn(judge);
  } catch (error) {
    $("trouble").replaceChildren(problem(error, error.kind === "device_lost" ? "Continue recreates the device and starts over." : ""));
  } finally {
    running = false;
    showRunning();
  }
}

async function begin() {
  model?.dispose();
  model = new Model($("layers").value);
  training = new Digits(Math.floor(Math.random() * 2 ** 31), kBatch);
  losses = [];
  read = null;
  $("steps").textContent = "0";
  for (const id of ["loss", "accuracy", "speed"]) $(id).textContent = "–";
  $("memory").textContent = `${model.parameters.toLocaleString("en")} parameters.`;
  drawCurve();
  drawHeld();
  showRunning();
}

const pad = new Pad($("pad"), () => { if (model) readDrawing().catch((error) => $("trouble").replaceChildren(problem(error))); });
$("digit").append(...Array.from({length: 10}, (_, i) => make("option", {}, String(i))));
$("chances").append(...Array.from({length: 10}, (_, i) => make("li", {}, make("span", {}, String(i)),
  make("span", {class: "bar", "aria-hidden": "true"}, make("span")), make("span", {class: "share"}, "0 %"))));
$("layers").disabled = true;
$("go").addEventListener("click", train);
async function anew() {
  running = false;
  await inTurn(begin);
  if (fitted($("pad"))) await readDrawing();
}
$("reset").addEventListener("click", anew);
$("layers").addEventListener("change", anew);
$("clear").addEventListener("click", () => { pad.clear(); pad.changed(); });
$("draw").addEventListener("click", () => {
  pad.clear();
  pad.style();
  drawFor(pad.context, Number($("digit").value), {x: 45, y: 45, size: 190});
  pad.changed();
});

if (await start()) {
  held = new Digits(1, kHeldOut).next();
  await begin();
  $("go").disabled = $("reset").disabled = $("layers").disabled = false;
  const redraw = () => { drawCurve(); drawHeld(); };
  addEventListener("resize", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}
