// Tests of what a page can look at: explain() and profile().
import * as ts from "../../build/web/package/index.js";

export function inspectTests(test, {same, near, fails}) {
  test("explain gives the kernels and their WGSL, and runs nothing", async () => {
    const y = ts.softmax(ts.matmul(ts.ones([128, 64]).eval(), ts.ones([64, 256]).eval()));
    const kernels = ts.explain(y);
    same(kernels.map((k) => k.kind), ["matmul", "reduce"]);
    same(kernels[0].ops, ["matmul"]);
    same(kernels[1].ops, ["max", "subtract", "exp", "sum", "divide"], "what was fused");
    for (const k of kernels) {
      if (!/@compute/.test(k.wgsl) || !/fn main/.test(k.wgsl)) throw new Error(`no WGSL in ${k.wgsl.slice(0, 100)}`);
      if (!k.label.startsWith(k.kind) || !k.text.includes(k.label)) throw new Error(`the label is ${k.label}, the text ${k.text}`);
    }
    if (!kernels.graph.includes("matmul")) throw new Error(`the graph is ${kernels.graph}`);
    near([...await y.data()].slice(0, 2), [1 / 256, 1 / 256]);
    same(ts.explain(y).length, 0, "kernels of what was computed");
    const x = ts.tensor([1, 2, 3]);
    same(ts.explain(x.exp(), x.sin()).length, 1, "kernels of two maps over the same data");
    same(ts.explain([x.exp(), x.sin()]).length, 1, "the same as a list");
  });

  test("what cannot be explained is an error", async () => {
    await fails("value", "expected at least one tensor", () => ts.explain());
    await fails("value", "argument 1 is number; expected a tensor", () => ts.explain(ts.ones([2]), 3));
    const gone = ts.ones([2]);
    gone.dispose();
    await fails("value", "was disposed", () => ts.explain(gone));
  });

  test("profile gives the kernels that ran, with times and the peak", async () => {
    const a = ts.random.normal([256, 256]).eval();
    await a.data();
    const p = await ts.profile(async () => (await ts.softmax(ts.matmul(a, a)).data()).length);
    same(p.result, 256 * 256, "what the function gave");
    same(p.kernels.map((k) => k.label.split("_")[0]), ["matmul", "reduce"], "kernels");
    same([p.dispatches, p.downloads], [2, 1], "dispatches and downloads");
    same(p.kernels[0].flops, 2 * 256 ** 3, "flops of the product");
    same(p.kernels[1].bytes, 2 * 4 * 256 ** 2, "bytes of the softmax");
    same(p.peak.bytes, 2 * 4 * 256 ** 2, "the peak: the product and the result");
    same(p.peak.holders.length, 2, "what held it");
    same(p.timed, ts.device().features.timestamps || ts.device().id === "cpu", "whether there are times");
    if (p.timed && !(p.kernelUs > 0 && p.kernelUs / 1000 <= p.wallMs)) throw new Error(`kernels took ${p.kernelUs} us of ${p.wallMs} ms`);
    if (p.timed && !(p.kernels[1].startUs >= p.kernels[0].startUs)) throw new Error("the kernels are not in order");
    // Whatever is under way when the function returns is measured too, and a function that waits for nothing is fine.
    const q = await ts.profile(() => { ts.matmul(a, a).eval(); });
    same(q.kernels.length, 1, "kernels of a function that does not wait");
    same((await ts.profile(() => 7)).kernels.length, 0, "kernels of nothing");
  });

  test("profile without timestamps counts kernels and leaves their times out", async () => {
    const {engine} = await import("../../build/web/package/runtime.js");
    if (engine().TesseraWeb.objects.every((o) => !o?.events)) return;
    // As a browser that has none: the next device is made without the feature.
    const has = GPUSupportedFeatures.prototype.has;
    const name = ts.device().name;
    GPUSupportedFeatures.prototype.has = function (feature) { return feature !== "timestamp-query" && has.call(this, feature); };
    try {
      ts.loseDevice();
      await ts.tensor([1]).add(1).data().catch(() => {});
      await ts.init();
      const x = ts.ones([64]).eval();
      const p = await ts.profile(() => x.exp().data());
      same([ts.device().name, p.timed, p.kernelUs, p.kernels.length, p.kernels[0].durationUs], [name, false, null, 1, null]);
      near(p.result[3], Math.E);
    } finally {
      GPUSupportedFeatures.prototype.has = has;
      ts.loseDevice();
      await ts.tensor([1]).add(1).data().catch(() => {});
      await ts.init();
    }
    same((await ts.profile(() => ts.ones([8]).eval().exp().data())).timed, true, "times of the next device");
  });

  test("what a profiled function throws is thrown, and the next profile works", async () => {
    let caught = null;
    await ts.profile(() => { throw new RangeError("mine"); }).catch((error) => { caught = error; });
    same([caught?.name, caught?.message], ["RangeError", "mine"]);
    await fails("value", "expected a function", () => ts.profile(3));
    let inner = null;
    await ts.profile(async () => { inner = await ts.profile(() => 1).catch((error) => error); });
    if (!inner?.message.includes("another profile is under way")) throw new Error(`the inner one gave ${inner}`);
    const x = ts.ones([8]).eval();
    same((await ts.profile(() => x.exp().data())).kernels.length, 1);
  });

  test("a device that is lost while it is profiled is an error, and the next profile works", async () => {
    await fails("device_lost", "was lost", () => ts.profile(async () => {
      const y = ts.ones([8]).exp().eval();
      ts.loseDevice();
      return y.data();
    }));
    await fails("device_lost", "was lost", () => ts.profile(() => ts.ones([8]).exp().data()));
    await ts.init();
    const x = ts.ones([8]).eval();
    const p = await ts.profile(() => x.exp().data());
    same([p.kernels.length, p.timed], [1, ts.device().features.timestamps]);
  });

  test("profile and explain on the CPU", async () => {
    const before = ts.device();
    await ts.init({device: "cpu"});
    try {
      const x = ts.ones([64]).eval();
      const y = x.exp().add(1);
      same(ts.explain(y).map((k) => k.ops), [["exp", "add"]]);
      const p = await ts.profile(() => y.data());
      same([p.timed, p.kernels.length], [true, 1]);
    } finally {
      if (before.id !== "cpu") await ts.init({device: "webgpu"});
    }
  });
}
