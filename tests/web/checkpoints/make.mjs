// Writes browser.zip and browser.json beside this file: a checkpoint of the page's Trainer in the middle of an epoch, which tests/python loads, and
// the numbers that follow. sh tests/web/run.sh checkpoints/make.mjs, after a build of the package.
import {writeFile} from "node:fs/promises";
import path from "node:path";

import {root, withPage} from "../page.mjs";

const {zip, about} = await withPage((page, origin) => page.evaluate(async (url) => (await import(url)).makeFixture(), `${origin}/tests/web/train_tests.js`));
const folder = path.join(root, "tests/web/checkpoints");
await writeFile(path.join(folder, "browser.zip"), Buffer.from(zip));
await writeFile(path.join(folder, "browser.json"), `${JSON.stringify(about)}\n`);
