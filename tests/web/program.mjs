// Runs a C++ program of build/web/bin in a page: program.mjs NAME [--in-turn=A,B,...] [ARGUMENT...]; its exit code is ours. Of the
// filters of --in-turn every fourth runs, from TESSERA_TEST_QUARTER on, and all with TESSERA_TEST_FULL; they end --gtest_filter.
import {existsSync} from "node:fs";
import path from "node:path";

import {root, skip, withPage} from "./page.mjs";

const [name, ...given] = process.argv.slice(2);
const kInTurn = "--in-turn=";
const slow = given.filter((arg) => arg.startsWith(kInTurn)).flatMap((arg) => arg.slice(kInTurn.length).split(","));
const skipped = process.env.TESSERA_TEST_FULL ? [] : slow.filter((_, i) => i % 4 !== Number(process.env.TESSERA_TEST_QUARTER ?? 0) % 4);
const args = given.filter((arg) => !arg.startsWith(kInTurn)).map((arg) => arg.startsWith("--gtest_filter=") ? [arg, ...skipped].join(":") : arg);
const file = `build/web/bin/${name}.mjs`;
if (!existsSync(path.join(root, file))) skip("there is no build for the browser; ./test makes it, and says why where it cannot");
const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => /^(TESSERA|GTEST)_/.test(key)));
for (const key of ["TESSERA_CACHE", "TESSERA_DUMP"]) delete env[key];

const code = await withPage((page, origin) => page.evaluate(async ({url, args, env}) => {
  if (!("Suspending" in WebAssembly)) return 77;
  const {default: start} = await import(url);
  return new Promise((done) => {
    const options = {
      arguments: args,
      print: (line) => console.log(line),
      printErr: (line) => console.log(line),
      preRun: [(module) => Object.assign(module.ENV, env)],
      onExit: done,
      onAbort: (what) => { console.log(`aborted: ${what}`); done(1); },
    };
    // What is thrown after the program has waited reaches nobody else.
    addEventListener("unhandledrejection", (event) => { console.log(`failed: ${event.reason?.stack ?? event.reason}`); done(1); });
    addEventListener("error", (event) => { console.log(`failed: ${event.message}`); done(1); });
    start(options).catch((error) => { console.log(`failed: ${error.stack ?? error}`); done(1); });
  });
}, {url: `${origin}/${file}`, args, env}));
if (code === 77) skip("this Chromium has no JSPI (WebAssembly.Suspending), by which the C++ tests wait");
process.exit(code);
