// Shared by the pages: the device line and selector, the notice about missing WebGPU, errors, and number formatting.
import * as ts from "../package/index.js";

const $ = (id) => document.getElementById(id);

/** An element: make("p", {class: "small"}, "text", child...). */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** An error as a page shows it; `hint` says where it was. */
export function problem(error, hint = "") {
  const kind = error instanceof ts.TesseraError ? error.kind : error?.name ?? "error";
  const box = make("div", {class: "problem", role: "alert"},
                   make("p", {}, make("span", {class: "kind"}, String(kind).replaceAll("_", " ")), ` ${error?.message ?? error}`));
  if (hint) box.append(make("pre", {}, hint));
  return box;
}

export function bytesText(bytes) {
  for (const [unit, size] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]]) {
    if (bytes >= size) return `${(bytes / size).toPrecision(3)} ${unit}`;
  }
  return `${bytes} bytes`;
}
/** Three figures that matter. */
export function figures(x) {
  if (!Number.isFinite(x)) return String(x);
  return x !== 0 && Math.abs(x) < 0.001 ? x.toExponential(1) : x >= 1000 ? Math.round(x).toLocaleString("en") : String(Number(x.toPrecision(3)));
}

function missing(reason) {
  const help = /secure/.test(reason) ? "Open the page over https, or from localhost."
    : /software/.test(reason) ? "Select WebGPU above to use the software adapter anyway."
    : /navigator.gpu is missing/.test(reason) ? "Chrome and Edge from 113, Safari from 26 and Firefox from 141 on Windows support it."
    : "See chrome://gpu, about:support or the system settings for the status of the GPU.";
  return make("div", {class: "notice", id: "missing"},
              make("p", {}, make("strong", {}, "No WebGPU: the CPU is used. "), reason),
              make("p", {class: "small"}, `Everything on this page works, but more slowly. ${help}`));
}

function deviceLine(device, wanted) {
  const gpu = device.id !== "cpu";
  const features = Object.entries(device.features).filter(([, has]) => has).map(([name]) => name);
  const line = make("div", {class: "device", id: "device"},
                    make("span", {}, make("span", {class: `dot ${gpu ? "gpu" : "cpu"}`, "aria-hidden": "true"}),
                         make("strong", {}, gpu ? "WebGPU" : "CPU (WebAssembly)"),
                         gpu ? ` ${device.name}${features.length ? ` · ${features.join(", ")}` : ""}` : ""));
  const choice = make("select", {id: "choice"}, ...[["", "automatic"], ["webgpu", "WebGPU"], ["cpu", "CPU"]].map(([value, text]) =>
    make("option", {value, selected: value === wanted}, text)));
  choice.addEventListener("change", () => {
    const url = new URL(location.href);
    if (choice.value) url.searchParams.set("device", choice.value);
    else url.searchParams.delete("device");
    location.href = url.href;
  });
  line.append(make("label", {}, "Device", choice));
  return line;
}

/**
 * Makes the device that the address asks for (?device=webgpu or cpu; else the best) and shows it in #start, with what is missing where
 * it is the CPU by need. Gives the device, or null where even the engine does not load.
 */
export async function start() {
  const wanted = new URLSearchParams(location.search).get("device") ?? "";
  const place = $("start");
  try {
    let device;
    try {
      device = await ts.init(wanted ? {device: wanted} : {});
    } catch (error) {
      if (error.kind !== "device" && error.kind !== "value") throw error;
      device = {...await ts.init({device: "cpu"}), reason: error.message};
    }
    place.replaceChildren(deviceLine(device, wanted));
    if (device.reason) place.append(missing(device.reason));
    document.documentElement.dataset.ready = device.id;
    return device;
  } catch (error) {
    place.replaceChildren(problem(error));
    document.documentElement.dataset.ready = "failed";
    return null;
  }
}

/** Lets the page breathe: input, paint, timers. */
export const breathe = () => new Promise((go) => setTimeout(go));
