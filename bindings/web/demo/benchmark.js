// The benchmark page: runs the tasks with every available engine, shows tables, and exports the results as JSON.
import * as ts from "../package/index.js";
import {breathe, figures, make, problem, start} from "./common.js";
import {others, tessera} from "./contenders.js";
import {kMethod, measure} from "./measure.js";
import {agrees, kSizes, kTasks, task} from "./tasks.js";

const $ = (id) => document.getElementById(id);

let device = null;
let contenders = [];
let results = [];
let stopped = false;

async function inPage(prepared) {
  try {
    const times = await measure(prepared.run, prepared.finish, {stopped: () => stopped});
    return {...times, values: Array.from(await prepared.values())};
  } finally {
    await prepared.dispose();
  }
}

function findContenders(found) {
  const gpu = device.id !== "cpu";
  let remote = null;
  return [
    {name: "Tessera, WebGPU", ...(gpu ? {version: device.name, measure: (name, sizes) => inPage(tessera(task(name, sizes)))}
                                      : {why: "not present: the device is the CPU"})},
    {name: "Tessera, CPU in a worker", version: "WebAssembly",
     measure: async (name, sizes) => {
       remote ??= ts.startWorker(new URL("./benchmark_worker.js", import.meta.url));
       return (await remote).run(name, sizes);
     }},
    ...found.map((c) => c.why ? c : {...c, measure: async (name, sizes) => inPage(await c.prepare(task(name, sizes)))}),
  ];
}

function showContenders() {
  $("contenders").replaceChildren(make("table", {}, make("tbody", {}, ...contenders.map((c) =>
    make("tr", {}, make("td", {}, c.name), make("td", {class: "small"}, c.why ?? c.version))))));
}

const rate = ({flops, bytes, medianMs}) => (flops ?? bytes) / medianMs / 1e6;

function showTask(name, what) {
  const rows = results.filter((r) => r.task === name);
  const best = Math.min(...rows.filter((r) => r.agrees).map((r) => r.medianMs));
  const section = make("section", {class: "card", id: `task-${name}`, "aria-label": what}, make("h2", {}, what),
    make("table", {}, make("thead", {}, make("tr", {}, make("th", {scope: "col"}, "Engine"), make("th", {scope: "col", class: "number"}, "Median, ms"), make("th", {scope: "col", class: "number"}, rows[0].flops ? "GFLOP/s" : "GB/s"))),
      make("tbody", {}, ...rows.map((r) => make("tr", {}, make("td", {}, r.by),
        ...(r.error ? [make("td", {colspan: "2", class: "small"}, r.error)]
            : r.agrees ? [make("td", {class: `number ${r.medianMs === best ? "best" : ""}`}, figures(r.medianMs)), make("td", {class: "number"}, figures(rate(r)))]
            : [make("td", {colspan: "2", class: "small"}, "wrong values")]))))));
  const old = $(`task-${name}`);
  if (old) old.replaceWith(section); else $("results").append(section);
}

async function runAll() {
  const size = $("sizes").value;
  stopped = false;
  results = [];
  $("results").replaceChildren();
  $("run").disabled = $("export").disabled = true;
  $("stop").disabled = false;
  try {
    if (!ts.device().available) await ts.init();
    for (const name of kTasks) {
      const {what, flops, bytes, expected} = task(name, kSizes[size]);
      for (const contender of contenders.filter((c) => c.measure)) {
        if (stopped) break;
        $("state").textContent = `${what}: ${contender.name}…`;
        await breathe();
        const row = {task: name, what, by: contender.name, flops, bytes};
        try {
          const {values, ...times} = await contender.measure(name, kSizes[size]);
          Object.assign(row, times, {agrees: agrees(values, {expected, name})});
        } catch (error) {
          row.error = error.message;
        }
        results.push(row);
        showTask(name, what);
      }
    }
    $("state").textContent = stopped ? "Stopped." : "Done.";
  } catch (error) {
    $("results").append(problem(error));
    $("state").textContent = "";
  } finally {
    $("run").disabled = false;
    $("stop").disabled = true;
    $("export").disabled = !results.length;
  }
}

function exported() {
  return {what: "Tessera in the browser", when: new Date().toISOString(), browser: navigator.userAgent, device, sizes: $("sizes").value,
          method: kMethod, contenders: contenders.map(({name, version, why}) => ({name, version, why})), results};
}

$("sizes").append(...Object.keys(kSizes).map((name) => make("option", {selected: name === "medium"}, name)));
$("method").textContent = kMethod;
$("run").addEventListener("click", runAll);
$("stop").addEventListener("click", () => {
  stopped = true;
  $("state").textContent = "Stopping…";
});
$("export").addEventListener("click", () => {
  const url = URL.createObjectURL(new Blob([JSON.stringify(exported(), null, 1)], {type: "application/json"}));
  const link = make("a", {href: url, download: "tessera-benchmark.json"});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
});

device = await start();
if (device) {
  contenders = findContenders(await others());
  showContenders();
  $("run").disabled = false;
}
