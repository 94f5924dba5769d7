// Tests that tensors leave nothing behind: in the device's memory and in the module's.
import * as ts from "../../build/web/package/index.js";
import {engine} from "../../build/web/package/runtime.js";

export function memoryTests(test, {same, settled, fails}) {
  const ways = {
    "dispose": async (count) => {
      for (let i = 0; i < count; i += 4) {
        const x = ts.full([256], i);
        const [y, z] = [x.add(1), x.multiply(2)];
        const sum = ts.add(y, z).eval();
        if (i % 1000 === 0) same((await sum.data())[7], 3 * i + 1);
        for (const t of [x, y, z, sum]) t.dispose();
      }
    },
    "tidy": async (count) => {
      for (let i = 0; i < count; i += 10) {
        ts.tidy(() => {
          let x = ts.tensor(new Float32Array(256).fill(i));
          for (let j = 0; j < 9; ++j) x = x.add(1);
          x.eval();
        });
      }
    },
  };
  test("compiled functions go by dispose and with their last reference", async () => {
    await settled();
    const before = ts.memory();
    const f = ts.compile((x) => x.multiply(3).add(1));
    same([...await f(ts.tensor([1, 2])).data()], [4, 7]);
    same(ts.memory().compiled - before.compiled, 1);
    f.dispose();
    f.dispose();
    same(ts.memory().compiled - before.compiled, 0, "after dispose");
    await fails("value", "The compiled function was disposed", () => f(ts.tensor([1])));
    await (async () => {
      for (let i = 0; i < 20; ++i) {
        const g = ts.compile((x) => x.multiply(x).add(i).sum());
        ts.tidy(() => void g(ts.ones([4096])));
      }
    })();
    if (ts.memory().compiled - before.compiled < 10) throw new Error("nothing was there to be let go");
    for (let i = 0; i < 50 && ts.memory().compiled > before.compiled; ++i) {
      gc();
      await new Promise((go) => setTimeout(go, 20));
    }
    same(ts.memory().compiled - before.compiled, 0, "after the last reference");
    await settled();
    same(ts.memory().bytes - before.bytes, 0, "bytes in use");
    const own = ts.compile((x) => { own.dispose(); return x.add(1); });
    same([...await own(ts.tensor([1])).data()], [2], "disposed by itself");
  });
  for (const [way, round] of Object.entries(ways)) {
    test(`ten thousand tensors and ${way} leave memory and the heap as they were`, async () => {
      const look = async () => {
        await ts.ones([1]).data();  // what was submitted has finished
        const {tensors, bytes, allocated} = await settled();
        return {tensors, bytes, allocated, heap: engine().HEAPU8.byteLength, objects: engine().TesseraWeb.objects.filter(Boolean).length};
      };
      await round(10000);
      const before = await look();
      await round(10000);
      const after = await look();
      for (const key of ["tensors", "bytes", "allocated", "heap"]) same(after[key], before[key], key);
      if (after.objects > before.objects) throw new Error(`there are ${after.objects} WebGPU objects; before there were ${before.objects}`);
    });
  }
}
