// Runs test modules in a page and in a worker: modules.mjs [WORDS [MODULES]]; those whose names hold the words. The last line counts them.
import {execFileSync} from "node:child_process";
import {existsSync} from "node:fs";
import {readFile} from "node:fs/promises";
import path from "node:path";

import {root, skip, withPage} from "./page.mjs";

const kModules = (process.argv[3] ?? "transfer_tests.js,load_tests.js,gguf_tests.js,kernel_tests.js,nn_tests.js,train_tests.js").split(",");

if (!existsSync(path.join(root, "build/web/package/index.js"))) skip("there is no package for the browser; ./test makes it, and says why where it cannot");
const files = path.join(root, "build/web/files");
execFileSync("python3", [path.join(root, "tests/web/make_files.py"), files], {stdio: "inherit"});
const only = process.argv[2] ?? "";

// /cut?file=NAME&after=BYTES drops the connection there; /slow holds the rest back until /go is asked for.
const held = [];
async function answer(request, response, {pathname, searchParams}) {
  if (pathname === "/go") {
    for (const go of held.splice(0)) go();
    return response.end();
  }
  const bytes = await readFile(path.join(files, path.basename(searchParams.get("file"))));
  const after = Number(searchParams.get("after"));
  const headers = {"Content-Type": "application/octet-stream", "Content-Length": bytes.length};
  if (searchParams.has("unsaid")) delete headers["Content-Length"];
  response.writeHead(200, headers);
  response.write(bytes.subarray(0, after));
  if (pathname === "/cut") return setTimeout(() => response.destroy(), 50);
  held.push(() => response.end(bytes.subarray(after)));
}

// /ranges?file=NAME gives the range that was asked for; with &wrong another one.
async function ranges(request, response, {searchParams}) {
  const bytes = await readFile(path.join(root, "tests/web", path.basename(searchParams.get("file"))));
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  if (first === undefined) return response.writeHead(200, {"Content-Length": bytes.length}).end(bytes);
  const from = Number(first) + (searchParams.has("wrong") ? 1 : 0);
  response.writeHead(206, {"Content-Range": `bytes ${from}-${last}/${bytes.length}`}).end(bytes.subarray(from, Number(last) + 1));
}

let failed = 0;
let passed = 0;
await withPage(async (page, origin) => {
  for (const module of kModules) {
    const url = `${origin}/tests/web/${module}`;
    const suites = {
      page: await page.evaluate(async ({url, only}) => (await import(url)).run(only), {url, only}),
      worker: await page.evaluate(({url, only}) => new Promise((done) => {
        const source = `import("${url}").then(async ({run}) => postMessage(await run(${JSON.stringify(only)})));`;
        const worker = new Worker(URL.createObjectURL(new Blob([source], {type: "text/javascript"})), {type: "module"});
        worker.onmessage = ({data}) => done(data);
        worker.onerror = (event) => done([{name: "the worker", error: event.message ?? "does not start"}]);
      }), {url, only}),
    };
    for (const [where, tests] of Object.entries(suites)) {
      for (const {name, error, ms} of tests) {
        console.log(error ? `FAILED ${where}: ${name}: ${error}` : `ok ${where}: ${name} (${ms} ms)`);
        if (error) ++failed; else ++passed;
      }
    }
  }
}, {"/cut": answer, "/slow": answer, "/go": answer, "/ranges": ranges});
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
