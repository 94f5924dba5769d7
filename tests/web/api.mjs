// Runs the tests of the package's JavaScript in a page and in a worker; the last line counts them.
import {existsSync} from "node:fs";
import path from "node:path";

import {root, skip, withPage} from "./page.mjs";

if (!existsSync(path.join(root, "build/web/package/index.js"))) skip("there is no package for the browser; ./test makes it, and says why where it cannot");
const only = process.argv[2] ?? "";

const results = await withPage(async (page, origin) => {
  const suites = {page: await page.evaluate(async ({origin, only}) => {
    const {run} = await import(`${origin}/tests/web/api_tests.js`);
    return run(only);
  }, {origin, only})};
  suites.worker = await page.evaluate(({origin, only}) => new Promise((done) => {
    const worker = new Worker(`${origin}/tests/web/api_worker.js`, {type: "module"});
    worker.onmessage = ({data}) => done(data);
    worker.onerror = (event) => done([{name: "the worker", error: event.message ?? "does not start"}]);
    worker.postMessage(only || "worker");
  }), {origin, only});
  return suites;
});

let failed = 0;
let passed = 0;
for (const [where, tests] of Object.entries(results)) {
  for (const {name, error, ms} of tests) {
    console.log(error ? `FAILED ${where}: ${name}: ${error}` : `ok ${where}: ${name} (${ms} ms)`);
    if (error) ++failed; else ++passed;
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
