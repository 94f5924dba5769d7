// The pages of bindings/web/demo, opened and used in headless Chromium: what they show, in light and dark, on a phone and a desktop.
// pages.mjs [PART of a name] [--pictures]: the latter writes docs/images anew.
import {existsSync} from "node:fs";
import {copyFile, mkdir, readFile} from "node:fs/promises";
import path from "node:path";

import {root, skip, withPage} from "./page.mjs";

if (!existsSync(path.join(root, "build/web/demo/index.html"))) skip("there are no pages for the browser; ./test makes them, and says why where it cannot");
const only = process.argv.slice(2).find((a) => !a.startsWith("--")) ?? "";
const pictures = process.argv.includes("--pictures");
const folder = path.join(root, "build/web/pictures");
for (const to of [folder, path.join(root, "docs/images")]) await mkdir(to, {recursive: true});

const kPictures = ["playground-desktop-light.png", "train-desktop-dark.png", "train-phone-light.png", "benchmark-desktop-light.png"];
const kPhone = {width: 360, height: 740};
const kDesktop = {width: 1000, height: 980};

function same(got, expected, what) {
  if (JSON.stringify(got) !== JSON.stringify(expected)) throw new Error(`${what} is ${JSON.stringify(got)}; expected ${JSON.stringify(expected)}`);
}
function check(holds, what) {
  if (!holds) throw new Error(what);
}

const tests = [];
const test = (name, body) => tests.push({name, body});

// A test's tools around one page.
function tools(page, origin) {
  const text = (selector) => page.locator(selector).first().textContent();
  const texts = (selector) => page.locator(selector).allTextContents();
  return {
    page, text, texts,
    async open(name, query = "?device=webgpu") {
      await page.goto(`${origin}/build/web/demo/${name}.html${query}`);
      await page.waitForFunction(() => document.documentElement.dataset.ready, null, {timeout: 20000});
    },
    // Looks at the page in both colors and both sizes: nothing sticks out, text can be read, and pictures are written.
    async look(name) {
      for (const colorScheme of ["light", "dark"]) {
        for (const [size, viewport] of Object.entries({phone: kPhone, desktop: kDesktop})) {
          await page.emulateMedia({colorScheme});
          await page.setViewportSize(viewport);
          await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
          await page.evaluate(() => scrollTo(0, 0));
          const found = await page.evaluate(measurePage);
          check(found.overflow <= 0, `${name} at ${viewport.width} px, ${colorScheme}: the page is ${found.overflow} px wider than the screen (${found.widest})`);
          same(found.out, [], `${name} at ${viewport.width} px: what sticks out of its card`);
          same(found.faint, [], `${name}, ${colorScheme}: texts with too little contrast`);
          same(found.unnamed, [], `${name}: controls without a name`);
          const file = `${name}-${size}-${colorScheme}.png`;
          await page.screenshot({path: path.join(folder, file), fullPage: size === "phone"});
          if (pictures && kPictures.includes(file)) await copyFile(path.join(folder, file), path.join(root, "docs/images", `web-${file}`));
        }
      }
      await page.emulateMedia({colorScheme: "light"});
      await page.setViewportSize(kDesktop);
    },
  };
}

// In the page: how far it is wider than the screen, texts whose contrast is under 4.5, and controls without a name.
function measurePage() {
  const visible = (e) => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0;
  const rgb = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const light = (color) => {
    const [r, g, b] = rgb(color).slice(0, 3).map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const color = getComputedStyle(e).backgroundColor;
      if ((rgb(color)[3] ?? 1) > 0.5) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || !visible(e) || e.closest("script, :disabled, .skip")) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faint.push(`${node.data.trim().slice(0, 30)} (${contrast.toFixed(1)})`);
  }
  const overflow = document.documentElement.scrollWidth - innerWidth;
  const out = [...document.querySelectorAll(".card *")].filter((e) => visible(e) && !e.closest("pre") && e.getBoundingClientRect().right > e.closest(".card").getBoundingClientRect().right)
    .map((e) => e.outerHTML.slice(0, 80));
  const wide = [...document.body.querySelectorAll("*")].filter((e) => visible(e) && e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("pre, .skip"));
  const unnamed = [...document.querySelectorAll("button, select, textarea, input, canvas, a")].filter((e) => {
    const labels = [...(e.labels ?? [])].map((l) => l.textContent).join("") + (e.getAttribute("aria-label") ?? "") + (e.tagName === "SELECT" || e.tagName === "TEXTAREA" ? "" : e.textContent);
    return visible(e) && !labels.trim();
  }).map((e) => e.outerHTML.slice(0, 80));
  return {overflow, widest: wide.at(-1)?.outerHTML.slice(0, 120) ?? "", faint, unnamed, out};
}

// ---- The first page ----

test("index: links to the pages and names the device", async ({page, open, text, look}) => {
  await open("index");
  check(/WebGPU/.test(await text("#device")), `the device line is ${await text("#device")}`);
  same(await page.locator("main a").evaluateAll((links) => links.map((a) => a.getAttribute("href"))), ["playground.html", "train.html", "benchmark.html"], "the links");
  for (const name of ["playground", "train", "benchmark"]) same((await page.request.get(new URL(`${name}.html`, page.url()).href)).status(), 200, `status of ${name}.html`);
  await look("index");
});

test("automatic: a software adapter leaves the CPU, and the page says so", async ({open, text, page}) => {
  await open("index", "");
  if (await page.evaluate(() => document.documentElement.dataset.ready) !== "cpu") return;  // a real GPU
  check(/the CPU is used/.test(await text("#missing")) && /software adapter/.test(await text("#missing")), `the notice is ${await text("#missing")}`);
  await page.locator("#choice").selectOption("webgpu");
  await page.waitForFunction(() => document.documentElement.dataset.ready?.startsWith("webgpu"));
});

// ---- Playground ----

async function runText({page}, code, keys = false) {
  const before = Number(await page.locator("#result").getAttribute("data-runs"));
  await page.locator("#code").fill(code);
  if (keys) await page.locator("#code").press("Control+Enter");
  else await page.locator("#run").click();
  await page.waitForFunction((n) => Number(document.getElementById("result").dataset.runs) > n, before, {timeout: 20000});
}
const opened = ({page}) => page.waitForFunction(() => document.getElementById("result").dataset.runs, null, {timeout: 20000});

test("playground: an expression gives its value, kernels and WGSL", async (t) => {
  const {page, open, text, texts, look} = t;
  await open("playground");
  await opened(t);
  same(await text("#result .type"), "f32 [6, 5]", "the first example's type");
  await runText(t, "const a = ts.tensor([[1, 2], [3, 4]]);\nconst b = ts.eye(2);\nts.softmax(ts.matmul(a, b).multiply(0));", true);
  same(await text("#result .value"), "[[0.5 0.5]\n [0.5 0.5]]", "the value");
  await runText(t, "const x = ts.arange(0, 6, 1, \"f32\").reshape([2, 3]);\nx.divide(4)");
  same(await text("#result .value"), "[[0.   0.25 0.5 ]\n [0.75 1.   1.25]]", "the value");
  same(await texts(".kernel summary code"), ["map_multiply_add_divide"], "kernels");
  const kernel = page.locator(".kernel").first();
  check(!await kernel.locator(".wgsl").isVisible(), "the WGSL is open from the beginning");
  await kernel.locator("summary").focus();
  await page.keyboard.press("Enter");
  await kernel.locator(".wgsl").waitFor({state: "visible"});
  const wgsl = await kernel.locator(".wgsl").textContent();
  check(/@compute/.test(wgsl) && /fn main/.test(wgsl), `the WGSL is ${wgsl.slice(0, 200)}`);
  check(/1 kernel, .* ms/.test(await text("#cost")), `the cost is ${await text("#cost")}`);
  await runText(t, "ts.softmax(\n  ts.ones([64, 64]),\n)  // over several lines");
  same((await texts(".kernel summary .tag")), ["reduce"], "kinds of kernels");
  check(/max → subtract → exp → sum → divide/.test(await text(".kernel p")), `what was fused: ${await text(".kernel p")}`);
  await runText(t, "const a = ts.random.normal([6, 8]);\nconst b = ts.random.normal([8, 5]);\nts.softmax(ts.matmul(a, b))");
  same((await texts(".kernel summary .tag")).slice(-2), ["matmul", "reduce"], "kinds of the last kernels");
  await page.locator(".kernel summary").last().click();
  await look("playground");
});

test("playground: every example runs", async (t) => {
  const {page, open, text} = t;
  await open("playground", "?device=cpu");  // a software adapter takes long to compile the convolution and the attention
  await opened(t);
  const names = await page.locator("#example option").allTextContents();
  for (const name of names.slice(1)) {  // the first was run when the page was opened
    const before = Number(await page.locator("#result").getAttribute("data-runs"));
    await page.locator("#example").selectOption({label: name});
    await page.waitForFunction((n) => Number(document.getElementById("result").dataset.runs) > n, before, {timeout: 20000});
    const failed = await page.locator("#result .problem").count();
    same(failed, name === "an error" ? 1 : 0, `errors of the example '${name}': ${await text("#result")}`);
  }
  same(names.at(-1), "an error", "the last example");
  // Asked for three times at once: nothing overlaps.
  await runText(t, "ts.ones([2])");
  await page.evaluate(() => { for (let i = 0; i < 3; ++i) document.getElementById("run").click(); });
  await runText(t, "ts.full([3], 7.5)");
  await page.waitForFunction(() => document.querySelector("#result .value")?.textContent === "[7.5 7.5 7.5]", null, {timeout: 10000});
  await page.locator("#example").selectOption({label: "an error"});
  await page.locator("#result .problem").waitFor();
  await page.screenshot({path: path.join(folder, "playground-error.png")});
});

test("playground: errors are shown with their kind and line, and the next run works", async (t) => {
  const {open, text, texts, page} = t;
  await open("playground");
  await opened(t);
  await runText(t, "const a = ts.zeros([8, 64]);\nts.matmul(a, ts.zeros([32, 8]))");
  check(/^shape matmul: inner dimensions 64 and 32 differ/.test(await text(".problem p")), `the error is ${await text(".problem")}`);
  same(await text(".problem pre"), "2 | ts.matmul(a, ts.zeros([32, 8]))", "the line");
  same(await page.locator(".kernel").count(), 0, "kernels");
  await runText(t, "ts.tensor([1, 2]");
  check(/^SyntaxError/.test(await text(".problem p")), `the error is ${await text(".problem")}`);
  await runText(t, "nothing_here + 1");
  check(/^ReferenceError nothing_here is not defined/.test(await text(".problem p")), `the error is ${await text(".problem")}`);
  await runText(t, "");
  check(/There is nothing to run/.test(await text(".problem p")), `the error is ${await text(".problem")}`);
  await runText(t, "const x = ts.tensor([1])");
  check(/gives no value/.test(await text("#result pre")), `the result is ${await text("#result")}`);
  await runText(t, "1 + 1");
  same(await text("#result .value"), "2", "the value of no tensor");
  await runText(t, "await ts.nonzero(ts.tensor([0, 3, 0, 5]))");
  same(await text("#result .value"), "[[1]\n [3]]", "the value of a promise");
  await runText(t, "ts.topk(ts.tensor([3, 1, 2]), 2)");
  same(await texts("#result .type"), ["values: f32 [2]", "indices: i32 [2]"], "the types of an object");
  await runText(t, "ts.tensor([1, 2, 3]).add(1)");
  same(await text("#result .value"), "[2. 3. 4.]", "the value after the errors");
});

test("playground: values are printed as NumPy prints them", async ({page, open}) => {
  await open("playground");
  const got = await page.evaluate(async () => {
    const {formatValues} = await import("./format.js");
    const f = (list) => formatValues(Float32Array.from(list), [list.length], "f32");
    return [f([0.1, 2.5, -3]), f([1e-5, 1]), f([1e9, 2e9]), f([1 / 3, 2 / 3]), f([NaN, 1, Infinity]), formatValues([7], [], "i32"), formatValues([0.5], [], "f32"),
            formatValues(Uint8Array.of(1, 0), [2], "bool"), formatValues(Int32Array.of(1, -20, 300), [3], "i32"),
            formatValues(Float32Array.from({length: 2000}, (_, i) => i), [2000], "f32"), formatValues(Int32Array.from({length: 8}, (_, i) => i), [2, 2, 2], "i32"),
            formatValues(Int32Array.from({length: 30}, (_, i) => i), [30], "i32")];
  });
  // Each as print(numpy.array(..., dtype)) gives it (NumPy 2).
  same(got, ["[ 0.1  2.5 -3. ]", "[1.e-05 1.e+00]", "[1.e+09 2.e+09]", "[0.33333334 0.6666667 ]", "[nan  1. inf]", "7", "0.5", "[ True False]", "[  1 -20 300]",
             "[0.000e+00 1.000e+00 2.000e+00 ... 1.997e+03 1.998e+03 1.999e+03]", "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]",
             "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n 24 25 26 27 28 29]"], "the texts");
});

// ---- Train ----

const figure = async ({page}, id) => parseFloat(await page.locator(`#${id}`).textContent());

// Trains for so many steps, pauses, and gives what the page shows.
async function train(t, steps) {
  const {page, text} = t;
  await page.locator("#go:not([disabled])").waitFor();
  const began = await figure(t, "steps");
  await page.locator("#go").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((n) => Number(document.getElementById("steps").textContent) >= n, began + 5, {timeout: 90000});
  const first = await figure(t, "loss");
  const tensors = async () => Number(/(\d+) tensors/.exec(await text("#memory"))[1]);
  const early = await tensors();
  // The page stays free: timers run while it trains.
  const longest = await page.evaluate(async () => {
    let most = 0;
    for (let i = 0, last = performance.now(); i < 40; ++i) {
      await new Promise((go) => setTimeout(go, 10));
      most = Math.max(most, performance.now() - last);
      last = performance.now();
    }
    return most;
  });
  check(longest < 1000, `the page was held up for ${longest.toFixed(0)} ms while it trained`);
  await page.waitForFunction((n) => Number(document.getElementById("steps").textContent) >= n && document.getElementById("accuracy").textContent !== "–", steps, {timeout: 90000});
  await page.locator("#go").click();
  await page.waitForFunction(() => document.getElementById("state").textContent === "Paused", null, {timeout: 20000});
  const now = {first, steps: await figure(t, "steps"), loss: await figure(t, "loss"), accuracy: await figure(t, "accuracy")};
  const host = Number(await page.evaluate(() => document.documentElement.dataset.host));
  console.log(`${JSON.stringify(now)}, ${await text("#speed")} ms a step, ${host.toFixed(1)} of the page's; longest gap ${longest.toFixed(0)} ms`);
  check(host < 100, `a step takes ${host} ms of the page's time`);
  check(await tensors() <= early, `there are ${await tensors()} tensors; early there were ${early}`);
  check(/traced once/.test(await text("#memory")), `the step was not traced once: ${await text("#memory")}`);
  return now;
}

test("train: on WebGPU the loss falls and the accuracy rises", async (t) => {
  await t.open("train");
  await t.page.locator("#layers").selectOption("1");  // a software adapter takes long to compile what two take
  const {first, loss, accuracy, steps} = await train(t, 20);
  check(loss < 0.85 * first, `the loss went from ${first} to ${loss} in ${steps} steps`);
  check(accuracy >= 30, `the accuracy is ${accuracy} % after ${steps} steps; guessing gives 10 %`);
});

test("train: digits that are drawn by hand, by keys and by the page are read", async (t) => {
  const {page, open, text, look} = t;
  await open("train", "?device=cpu");
  const memory = () => page.evaluate(async () => (await import("../package/index.js")).memory());
  const {first} = await train(t, 100);
  const before = await memory();
  const {loss, accuracy, steps} = await train(t, 250);
  const after = await memory();
  same([after.tensors, after.allocated <= before.allocated], [before.tensors, true], `memory after 250 steps beside 100 (${after.allocated}, ${before.allocated} bytes)`);
  check(loss < 0.5 * first, `the loss went from ${first} to ${loss} in ${steps} steps`);
  check(accuracy >= 80, `the accuracy is ${accuracy} % after ${steps} steps`);
  await drawWithMouse(page, [[[0.25, 0.2], [0.75, 0.2], [0.45, 0.85]]]);
  same((await text("#answer")).slice(0, 10), "Reads as 7", "what a drawn 7 is read as");
  const shares = (await page.locator("#chances .share").allTextContents()).map(parseFloat);
  check(shares.length === 10 && Math.abs(shares.reduce((a, b) => a + b) - 100) < 6, `the probabilities are ${shares}`);
  same(await page.locator("#chances li.best").evaluateAll((rows) => rows.map((r) => [...r.parentElement.children].indexOf(r))), [7], "the likeliest");
  await look("train");

  await page.locator("#clear").click();
  await page.waitForFunction(() => /Draw with/.test(document.getElementById("answer").textContent));
  await drawWithMouse(page, [[[0.5, 0.2], [0.3, 0.35], [0.28, 0.6], [0.4, 0.8], [0.6, 0.8], [0.72, 0.6], [0.7, 0.35], [0.5, 0.2]]]);
  same((await text("#answer")).slice(0, 10), "Reads as 0", "what a drawn 0 is read as");
  // By keyboard: a line downwards is a 1.
  await page.locator("#pad").focus();
  await page.keyboard.press("Delete");
  await page.keyboard.press("Space");
  for (let i = 0; i < 15; ++i) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => /Reads as 1/.test(document.getElementById("answer").textContent), null, {timeout: 5000})
    .catch(async () => { throw new Error(`a line by the arrow keys reads as: ${await text("#answer")}`); });
  await page.locator("#digit").selectOption("0");
  await page.locator("#draw").click();
  await page.waitForFunction(() => /Reads as 0/.test(document.getElementById("answer").textContent), null, {timeout: 5000})
    .catch(async () => { throw new Error(`a 0 that the page draws reads as: ${await text("#answer")}`); });

  await page.locator("#reset").click();
  await page.waitForFunction(() => document.getElementById("steps").textContent === "0");
  same([await text("#loss"), await text("#go")], ["–", "Start"], "the page after a reset");
});

test("train: a checkpoint is downloaded, loaded after a reset, and continued", async (t) => {
  const {page, open, text} = t;
  const shown = async () => [await text("#epoch"), await text("#steps"), await text("#accuracy"), await text("#best")];
  const opened = (n) => page.waitForFunction((step) => document.getElementById("steps").textContent === step && document.getElementById("accuracy").textContent !== "–", n, {timeout: 20000});
  await open("train", "?device=cpu");
  const {accuracy} = await train(t, 60);
  const before = await shown();
  check(Number(before[0]) >= 4 && parseFloat(before[3]) >= 40, `after 60 steps the page shows ${before}`);
  const download = page.waitForEvent("download");
  await page.locator("#save").focus();
  await page.keyboard.press("Enter");
  const file = await download;
  const step = before[1].padStart(6, "0");
  same(file.suggestedFilename(), `step-${step}.zip`, "the name of the checkpoint");
  const archive = path.join(folder, "checkpoint.zip");
  await file.saveAs(archive);
  const names = ["model.safetensors", "optimizer.safetensors", "metrics.safetensors", "run.json"].map((name) => `step-${step}/${name}`);
  const bytes = await readFile(archive, "latin1");
  check(names.every((name) => bytes.includes(name)), "the archive has other files than a checkpoint");

  await page.locator("#reset").click();
  await page.waitForFunction(() => document.getElementById("steps").textContent === "0");
  const chooser = page.waitForEvent("filechooser");
  await page.locator("#open").focus();
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(archive);
  await opened(before[1]);
  same([await shown(), await text("#state"), await text("#go")], [before, "Paused", "Continue"], "the page after the checkpoint is loaded");
  const next = await train(t, Number(before[1]) + 40);
  check(next.accuracy >= accuracy - 10, `the accuracy went from ${accuracy} to ${next.accuracy} %`);

  // What is no checkpoint, or one of another network, is said; the training goes on.
  const steps = await text("#steps");
  const load = async (given, words) => {
    await page.locator("#file").setInputFiles(given);
    await page.locator("#trouble .problem").waitFor();
    check(words.test(await text("#trouble")), `the error is ${await text("#trouble")}`);
    same(await text("#steps"), steps, "the steps after an error");
  };
  await load({name: "cut.zip", mimeType: "application/zip", buffer: (await readFile(archive)).subarray(0, 3000)}, /^parse load: cut\.zip: the member 'step-\d+\/model\.safetensors' is said to have \d+ bytes/);
  await page.screenshot({path: path.join(folder, "train-error.png"), fullPage: true});
  await train(t, Number(steps) + 5);
  await page.locator("#layers").selectOption("1");
  await page.waitForFunction(() => document.getElementById("steps").textContent === "0");
  await page.locator("#file").setInputFiles(archive);
  await page.locator("#trouble .problem").waitFor();
  check(/^parse load: step-\d+\/model\.safetensors: .*'\d\.weight'.*A checkpoint fits the network/.test(await text("#trouble")), `the error is ${await text("#trouble")}`);
  same([await text("#steps"), await text("#go")], ["0", "Start"], "the page after the error");
});

async function drawWithMouse(page, strokes) {
  const pad = page.locator("#pad");
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  const answer = await page.locator("#answer").textContent();
  for (const points of strokes) {
    const [first, ...rest] = points.map(([x, y]) => [box.x + x * box.width, box.y + y * box.height]);
    await page.mouse.move(...first);
    await page.mouse.down();
    for (const point of rest) await page.mouse.move(...point, {steps: 6});
    await page.mouse.up();
  }
  await page.waitForFunction((old) => document.getElementById("answer").textContent !== old, answer, {timeout: 5000});
}

// ---- Benchmark ----

test("benchmark: tables, and JSON that says the same", async ({page, open, text, texts, look}) => {
  await open("benchmark");
  same((await texts("#contenders tr td:first-child")), ["Tessera, WebGPU", "Tessera, CPU in a worker", "TensorFlow.js, WebGPU", "ONNX Runtime Web, WebGPU"], "who takes part");
  check((await texts("#contenders tr td:last-child")).slice(2).every((why) => why.startsWith("not present")), "engines that are not there are said to be");
  await page.locator("#sizes").selectOption("tiny");
  await page.locator("#run").click();
  await page.waitForFunction(() => document.getElementById("state").textContent === "Done.", null, {timeout: 60000});
  same(await page.locator("#results table").count(), 4, "tables");
  const download = page.waitForEvent("download");
  await page.locator("#export").click();
  const json = JSON.parse(await readFile(await (await download).path(), "utf8"));
  same(json.results.map((r) => [r.task, r.by, r.agrees]),
       ["gemm", "bandwidth", "softmax", "conv"].flatMap((task) => [[task, "Tessera, WebGPU", true], [task, "Tessera, CPU in a worker", true]]), "the results");
  for (const r of json.results) {
    check(r.repetitions >= 3 && r.runs >= 1 && r.fastestMs > 0 && r.fastestMs <= r.medianMs && r.medianMs <= r.slowestMs, `times of ${r.task}: ${JSON.stringify(r)}`);
    check((r.flops ?? r.bytes) > 0, `the work of ${r.task} is not told`);
  }
  check(json.device.id.startsWith("webgpu") && json.browser && json.method && json.contenders.length === 4, "the JSON lacks its circumstances");
  same((await text("#task-gemm h2")), "matmul 64 × 64 × 64, f32", "the first table");
  same([await texts("#task-gemm th"), await texts("#task-bandwidth th")], [["Engine", "Median, ms", "GFLOP/s"], ["Engine", "Median, ms", "GB/s"]], "the columns");
  for (const [i, r] of json.results.slice(0, 2).entries()) {
    const [ms, rate] = (await texts(`#task-gemm tbody tr:nth-child(${i + 1}) td.number`)).map((n) => Number(n.replace(",", "")));
    check(Math.abs(ms / r.medianMs - 1) < 0.01 && Math.abs(rate / (r.flops / r.medianMs / 1e6) - 1) < 0.01, `the table has ${ms} ms and ${rate}; the JSON ${JSON.stringify(r)}`);
  }
  await look("benchmark");
});

test("benchmark: other engines take part where they are present", async ({page, open, texts}) => {
  const modules = "build/_deps/node/node_modules";
  const tf = ["core/dist/tf-core", "backend-cpu/dist/tf-backend-cpu", "backend-webgpu/dist/tf-backend-webgpu"].map((f) => `${modules}/@tensorflow/tfjs-${f}.min.js`);
  const ort = `${modules}/onnxruntime-web/dist/ort.webgpu.min.mjs`;
  if (![...tf, ort].every((file) => existsSync(path.join(root, file)))) return console.log("TensorFlow.js and ONNX Runtime Web are not there: left out");
  await open("benchmark", `?device=webgpu&tf=${tf.map((f) => `/${f}`)}&ort=/${ort}`);
  await page.locator("#run:not([disabled])").waitFor();
  check((await texts("#contenders tr td:last-child")).slice(2).every((version) => /^[0-9.]+$/.test(version)), `who takes part: ${await texts("#contenders tr")}`);
  await page.locator("#sizes").selectOption("tiny");
  await page.locator("#run").click();
  await page.waitForFunction(() => document.getElementById("state").textContent === "Done.", null, {timeout: 60000});
  for (const task of ["gemm", "bandwidth", "softmax", "conv"]) {
    const times = await texts(`#task-${task} tbody tr td:nth-child(2)`);
    check(times.length === 4 && times.every((ms) => Number(ms) > 0), `${task}: ${await texts(`#task-${task} tbody tr`)}`);
  }
});

// ---- By keyboard ----

test("keyboard: every control is reached by Tab and shows that it has the focus", async ({page, open}) => {
  for (const name of ["playground", "train", "benchmark"]) {
    await open(name, "?device=cpu");
    await page.locator("button.main:not([disabled])").waitFor();
    const wanted = await page.evaluate(() => [...document.querySelectorAll("button, select, textarea, #pad, a")].filter((e) => !e.disabled).length);
    await page.evaluate(() => { document.activeElement.blur(); window.reached = new Set(); window.plain = []; });
    for (let i = 0; i < wanted + 12; ++i) {
      await page.keyboard.press("Tab");
      await page.evaluate(() => {
        const e = document.activeElement;
        if (!e.matches("button, select, textarea, #pad, a")) return;
        window.reached.add(e);
        const {outlineStyle, outlineWidth} = getComputedStyle(e);
        if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) window.plain.push(e.outerHTML.slice(0, 80));
      });
    }
    const {reached, plain} = await page.evaluate(() => ({reached: window.reached.size, plain: window.plain}));
    same(plain, [], `${name}: controls that do not show the focus`);
    same(reached, wanted, `${name}: controls reached by Tab`);
  }
});

// ---- Without WebGPU ----

test("no WebGPU: each page says what is missing, and works", async ({page}, origin) => {
  const context = await page.context().browser().newContext({viewport: kPhone});
  try {
    await context.addInitScript(() => { Object.defineProperty(Navigator.prototype, "gpu", {get: () => undefined, configurable: true}); });
    const bare = await context.newPage();
    const t = tools(bare, origin);
    for (const name of ["index", "playground", "train", "benchmark"]) {
      await t.open(name, name === "playground" ? "?device=webgpu" : "");
      check(/the CPU is used/.test(await t.text("#missing")) && /navigator.gpu is missing/.test(await t.text("#missing")), `${name} says ${await t.text("#start")}`);
      check(/CPU \(WebAssembly\)/.test(await t.text("#device")), `the device line of ${name} is ${await t.text("#device")}`);
      if (name === "playground") {
        await opened(t);
        await runText(t, "ts.tensor([1, 2]).add(1)");
        same(await t.text("#result .value"), "[2. 3.]", "the value on the CPU");
        await t.look("missing");
        await bare.setViewportSize(kPhone);
        await bare.evaluate(() => scrollTo(0, 0));
        await bare.screenshot({path: path.join(folder, "missing-phone.png")});
        if (pictures) await copyFile(path.join(folder, "missing-phone.png"), path.join(root, "docs/images/web-missing-phone.png"));
      }
      if (name === "train") {
        await bare.locator("#go:not([disabled])").click();
        await bare.waitForFunction(() => Number(document.getElementById("steps").textContent) >= 5, null, {timeout: 20000});
      }
      if (name === "benchmark") check((await t.texts("#contenders td:last-child"))[0].startsWith("not present"), "the GPU takes part although there is none");
    }
  } finally {
    await context.close();
  }
});

test("no secure context: the page says so", async ({page}, origin) => {
  const context = await page.context().browser().newContext();
  try {
    await context.route("http://pages.test/**", async (route) =>
      route.fulfill({response: await route.fetch({url: route.request().url().replace("http://pages.test", origin)})}));
    const plain = await context.newPage();
    const t = tools(plain, "http://pages.test");
    await t.open("index", "");
    same(await plain.evaluate(() => isSecureContext), false, "whether the context is secure");
    check(/needs a secure context/.test(await t.text("#missing")) && /https/.test(await t.text("#missing")), `the notice is ${await t.text("#start")}`);
  } finally {
    await context.close();
  }
});

test("a lost device is shown, and the next run makes it anew", async (t) => {
  const {page, open, text} = t;
  await open("playground");
  await opened(t);
  await page.evaluate(async () => {
    const ts = await import("../package/index.js");
    ts.loseDevice();
    await ts.tensor([1]).add(1).data().catch(() => {});
  });
  await runText(t, "ts.tensor([1, 2]).add(1)");
  same(await text("#result .value"), "[2. 3.]", "the value after the loss");
});

let failed = 0, passed = 0;
await withPage(async (page, origin) => {
  const thrown = [];
  page.on("pageerror", (error) => thrown.push(error.message));
  await page.setViewportSize(kDesktop);
  for (const {name, body} of tests) {
    if (!name.includes(only)) continue;
    const start = Date.now();
    try {
      await body(tools(page, origin), origin);
      same(thrown.splice(0), [], "what the page threw unseen");
      ++passed;
      console.log(`ok ${name} (${Date.now() - start} ms)`);
    } catch (error) {
      ++failed;
      await page.screenshot({path: path.join(folder, "failed.png"), fullPage: true}).catch(() => {});
      console.log(`FAILED ${name} (${Date.now() - start} ms): ${error.message}\n${(error.stack ?? "").split("\n").slice(1, 4).join("\n")}`);
    }
  }
});
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
