// What the browser tests share: a server for folders of this tree, and a page of headless Chromium with WebGPU.
import {createServer} from "node:http";
import {existsSync} from "node:fs";
import {readFile} from "node:fs/promises";
import {createRequire} from "node:module";
import path from "node:path";

export const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");

const kTypes = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm",
                ".json": "application/json"};

// Skips the test visibly: ctest knows this exit code.
export function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

// Serves the tree on localhost; an empty page at "/"; routes[path](request, response, url) answers for its own.
async function serve(routes) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    const name = decodeURIComponent(url.pathname);
    if (routes[name]) return routes[name](request, response, url);
    const file = path.join(root, name);
    try {
      if (!file.startsWith(root)) throw new Error("outside");
      if (name === "/favicon.ico") return response.writeHead(204).end();
      const body = name === "/" ? "<!doctype html><title>tessera</title>" : await readFile(file);
      response.writeHead(200, {"Content-Type": name === "/" ? "text/html" : kTypes[path.extname(file)] ?? "application/octet-stream"});
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "localhost", done));
  return server;
}

// Calls test(page, origin) with a page whose console goes to ours; ends everything after it.
export async function withPage(test, routes = {}) {
  const modules = path.join(root, "build/_deps/node/package.json");
  if (!existsSync(path.join(path.dirname(modules), "node_modules/playwright-core"))) skip("playwright-core is not there; ./test gets it with npm");
  const browserPath = ["chromium", "chromium-browser", "google-chrome"].flatMap((name) =>
    (process.env.PATH ?? "").split(":").map((folder) => path.join(folder, name))).find(existsSync);
  if (!browserPath) skip("no Chromium is installed");
  const {chromium} = createRequire(modules)("playwright-core");
  const server = await serve(routes);
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ["--headless=new", "--no-sandbox", "--enable-unsafe-webgpu", "--js-flags=--expose-gc",
           "--disable-background-networking", "--disable-quic"],
  });
  try {
    const page = await browser.newPage();
    page.on("console", (message) => console.log(message.text()));
    page.on("pageerror", (error) => console.log(`the page threw: ${error.stack ?? error}`));
    page.on("crash", () => console.log("the page crashed"));
    const origin = `http://localhost:${server.address().port}`;
    await page.goto(origin);
    if (!await page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter()))) skip("this Chromium offers no WebGPU adapter");
    return await test(page, origin);
  } finally {
    await browser.close();
    server.close();
  }
}
