// Tests that tensors leave nothing behind: in the device's memory and in the module's.
import * as ts from "../../build/web/package/index.js";
import {engine} from "../../build/web/package/runtime.js";

export function memoryTests(test, {same, settled}) {
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
