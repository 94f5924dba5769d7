// A project that has never seen this tree installs the package from its archive: types, a build by Vite, and the built page.
import {execFileSync} from "node:child_process";
import {existsSync} from "node:fs";
import {cp, mkdir, readdir, rm, stat, writeFile} from "node:fs/promises";
import path from "node:path";
import {pathToFileURL} from "node:url";

import {root, skip, withPage} from "./page.mjs";

const packed = path.join(root, "build/web/package");
const modules = path.join(root, "build/_deps/node/node_modules");
if (!existsSync(path.join(packed, "index.js"))) skip("there is no package for the browser; ./test makes it, and says why where it cannot");
if (!existsSync(path.join(modules, "vite"))) skip("vite is not there; ./test gets it with npm");

const project = path.join(root, "build/web/fresh");
await rm(project, {recursive: true, force: true});
await mkdir(project, {recursive: true});
const npm = (args) => execFileSync("npm", args, {cwd: project, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8"});
const archive = npm(["pack", packed, "--silent"]).trim().split("\n").at(-1);
await writeFile(path.join(project, "package.json"), JSON.stringify({name: "fresh", private: true, type: "module"}));
npm(["install", "--offline", "--no-audit", "--no-fund", `./${archive}`]);
const bytes = (await stat(path.join(project, archive))).size;
console.log(`${archive}: ${(bytes / 2 ** 20).toFixed(2)} MiB`);
if (bytes > 1.6 * 2 ** 20) throw new Error(`the archive has ${bytes} bytes; expected at most 1.6 MiB`);

await cp(path.join(root, "tests/web/types.ts"), path.join(project, "types.ts"));
try {
  execFileSync(process.execPath, [path.join(modules, "typescript/bin/tsc"), "--noEmit", "--strict", "--target", "es2022", "--module",
                                  "nodenext", "--lib", "es2024,dom", "types.ts"], {cwd: project, encoding: "utf8"});
} catch (error) {
  throw new Error(`the types do not fit tests/web/types.ts:\n${error.stdout}`);
}
console.log("types.ts compiles");

await writeFile(path.join(project, "index.html"), `<!doctype html><title>fresh</title><script type="module" src="./main.js"></script>`);
await writeFile(path.join(project, "main.js"), `import * as ts from "tessera";
window.answer = (async () => {
  await ts.init({device: "webgpu"});
  return [...await ts.softmax(ts.matmul(ts.tensor([[1, 2], [3, 4]]), ts.eye(2))).data()];
})();
`);
const {build} = await import(pathToFileURL(path.join(modules, "vite/dist/node/index.js")));
await build({root: project, base: "./", logLevel: "warn", build: {target: "es2022"}});
console.log(`vite built ${(await readdir(path.join(project, "dist/assets"))).join(", ")}`);

const answer = await withPage(async (page, origin) => {
  await page.goto(`${origin}/build/web/fresh/dist/index.html`);
  await page.waitForFunction(() => "answer" in window);
  return page.evaluate(() => window.answer);
});
const low = 1 / (1 + Math.E);
for (const [i, expected] of [low, 1 - low, low, 1 - low].entries()) {
  if (!(Math.abs(answer[i] - expected) < 1e-6)) throw new Error(`the built page gives ${answer}; expected ${low} and ${1 - low} in turn`);
}
console.log("the built page gives the right numbers");
