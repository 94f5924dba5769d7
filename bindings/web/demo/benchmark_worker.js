// The CPU's part of the benchmark, in a worker, so that the page stays free.
import * as ts from "../package/index.js";
import {tessera} from "./contenders.js";
import {measure} from "./measure.js";
import {task} from "./tasks.js";

export async function run(name, sizes) {
  await ts.init({device: "cpu"});
  const prepared = tessera(task(name, sizes));
  try {
    const times = await measure(prepared.run, prepared.finish);
    return {...times, values: Array.from(await prepared.values())};
  } finally {
    prepared.dispose();
  }
}
