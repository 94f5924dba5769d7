// Tests of load() and warmup() on the files of make_files.py, and on what is left of them when they are damaged.
import {fails, near, run as runTests, same, settled, ts} from "./check.js";

const origin = new URL(import.meta.url).origin;
const file = (name) => `${origin}/build/web/files/${name}`;
const bytesOf = async (name) => new Uint8Array(await (await fetch(file(name))).arrayBuffer());
const tests = {};

// What make_files.py wrote.
const kValues = {
  f32: [[1.5, -2, 3], [4.25, 5, -6]], f16: [0.5, -1.25, 65504], bf16: [1.5, -256], f64: [0.5, -3], i8: [-128, 0, 127], u8: [0, 7, 255],
  i16: [-32768, 32767], u16: [1, 65535], i32: [-2147483648, 5], u32: [0, 4294967295], i64: [-(2n ** 62n), 3n], u64: [2n ** 63n, 3n],
  bool: [true, false, false, true], scalar: 7, none: [], constructor: [9],
};
async function checkAll(tensors, names) {
  for (const name of names) {
    const t = tensors[name];
    same(t.dtype, {f64: "f32", scalar: "f32", none: "f32", constructor: "f32"}[name] ?? name, `type of ${name}`);
    same(await t.array(), kValues[name], name);
  }
  same(tensors.none.shape, [0, 4]);
}

tests["safetensors of every type, from a URL"] = async () => {
  const told = [];
  const tensors = await ts.load(file("all.safetensors"), {onProgress: (p) => told.push(p)});
  same(Object.keys(tensors).sort(), Object.keys(kValues).sort());
  await checkAll(tensors, Object.keys(kValues));
  const {size} = await (await fetch(file("all.safetensors"))).blob();
  same(told.at(-1), {loaded: size, total: null, tensors: 16}, "the last progress");
};
tests["from a Blob, a File, an ArrayBuffer, a part of one, a Response"] = async () => {
  const bytes = await bytesOf("all.safetensors");
  const wide = new Uint8Array(bytes.length + 7);
  wide.set(bytes, 3);
  const sources = [new Blob([bytes]), new File([bytes], "w.safetensors"), bytes.buffer, wide.subarray(3, 3 + bytes.length), await fetch(file("all.safetensors")),
                   new URL(file("all.safetensors"))];
  for (const source of sources) {
    const tensors = await ts.load(source, {filter: (name) => name.startsWith("i")});
    same(Object.keys(tensors).sort(), ["i16", "i32", "i64", "i8"]);
    same(await tensors.i32.array(), kValues.i32);
  }
};
tests["npz with stored and deflated members"] = async () => {
  for (const name of ["stored.npz", "deflated.npz"]) {
    const tensors = await ts.load(file(name));
    await checkAll(tensors, Object.keys(kValues).filter((key) => key !== "bf16"));
    same(await tensors.columns.array(), [[1, 2, 3], [4, 5, 6]], "Fortran's order");
    same(await tensors.swapped.array(), [1, -2, 70000], "big endian");
    same(await tensors.version2.array(), [8, 9]);
    const big = await tensors.big.data();
    if (big.length !== 512 * 512 || !big.every((v, i) => v === i % 1000)) throw new Error(`${name}: the big tensor is not what was written`);
    same("notes" in tensors, false);
    for (const t of Object.values(tensors)) t.dispose();
  }
  same(await ts.load(file("empty.npz")), {});
};
tests["npz that was written into a stream, with sizes behind the data"] = async () => {
  for (const name of ["piped", "piped_stored", "piped_large"]) {
    const bytes = await bytesOf(`${name}.npz`);
    for (const step of [bytes.length, 4096, 97]) {
      let at = 0;
      const stream = new ReadableStream({pull(c) {
        if (at >= bytes.length) return c.close();
        c.enqueue(bytes.slice(at, at += step));
      }});
      const {x, y, none, ...others} = await ts.load(new Response(stream), {format: "npz"});
      same([Object.keys(others), none.shape, await y.array()], [[], [0], [5, 6]], `${name} in parts of ${step}`);
      const data = await x.data();
      same([data.length, data[0], data[19999], data.findIndex((v, i) => v !== data[i % 4])], [20000, 0x08074b50, 3, -1]);
    }
  }
};
tests["f64 stays on the CPU"] = async () => {
  await ts.init({device: "cpu"});
  const {f64} = await ts.load(file("all.safetensors"), {filter: (name) => name === "f64"});
  same([f64.dtype, await f64.array()], ["f64", kValues.f64]);
  same((await ts.init({device: "webgpu"})).backend, "WebGPU");
};
tests["tensors arrive one by one, and progress says how far"] = async () => {
  const told = [];
  const loading = ts.load(`${origin}/slow?file=big.safetensors&after=600000`, {onProgress: (p) => told.push(p)});
  while (!(told.at(-1)?.loaded >= 600000)) await new Promise((go) => setTimeout(go, 5));
  same(told.at(-1).total, 1050784);
  same(told.at(-1).tensors, 0, "tensors on the device while half of the first is missing");
  await fetch(`${origin}/go`);
  const {a, b} = await loading;
  same([a.shape, b.shape, told.at(-1).tensors, told.at(-1).loaded], [[512, 512], [512], 2, 1050784]);
  same(told.some(({name}) => name === "a"), true, "whether progress named the tensor");
};
tests["what is wrong with a file is said, and leaves nothing behind"] = async () => {
  const good = await bytesOf("all.safetensors");
  const length = Number(new DataView(good.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(good.subarray(8, 8 + length)));
  const withHeader = (change) => {
    const changed = structuredClone(header);
    change(changed);
    const text = new TextEncoder().encode(JSON.stringify(changed));
    const out = new Uint8Array(8 + text.length + good.length - 8 - length);
    new DataView(out.buffer).setBigUint64(0, BigInt(text.length), true);
    out.set(text, 8);
    out.set(good.subarray(8 + length), 8 + text.length);
    return out;
  };
  const before = (await settled()).tensors;
  const bad = (words, source, options) => fails("parse", words, () => ts.load(source, options));
  await bad("of dtype 'F8'; one of", withHeader((h) => { h.f32.dtype = "F8"; }));
  await bad("of dtype a list; one of", withHeader((h) => { h.f32.dtype = ["F32"]; }));
  await bad("of dtype an object; one of", withHeader((h) => { h.f32.dtype = {toString: 1}; }));
  same((await bad("overlaps the one before it", withHeader((h) => { h.i32.data_offsets = [0, 8]; }))).tensor, "f32");
  await bad("and dtype F32 in 28 bytes; 24 bytes are expected", withHeader((h) => { h.f32.data_offsets[1] += 4; }));
  await bad("of at most 2^60 bytes together", withHeader((h) => { h.f32.shape = [2 ** 40, 2 ** 40]; }));
  await bad("with -2 in its shape", withHeader((h) => { h.f32.shape = [-2, -3]; }));
  await bad("a list of two integers is expected", withHeader((h) => { h.f32.data_offsets = "0"; }));
  await bad("leaves a gap", withHeader((h) => { delete h.i32; }));
  await bad("equal numbers are expected", withHeader((h) => { delete h.constructor; }));
  const cut = await bad("a range of the", good.subarray(0, good.length - 3));
  same([cut.op, cut.source, cut.offset > 0], ["load", "the given bytes", true]);
  const long = await bad("equal numbers are expected", new Blob([good, new Uint8Array(3)]));
  same(long.available - long.requested, 3);
  await bad("bytes behind the last tensor", new Response(new Blob([good, new Uint8Array(3)]).stream()));
  await bad("at most 12 are expected", good.subarray(0, 20));
  await bad("not valid JSON", Uint8Array.from(good, (v, i) => i === 9 ? 0x7d : v));
  await bad("are not those of a safetensors, GGUF or npz", new TextEncoder().encode("hello, this is a text"));
  await bad("are not those of a safetensors, GGUF or npz", new Uint8Array(0));
  await bad("said to be a npz file", good, {format: "npz"});
  await bad("said to be a safetensors file", new File([await bytesOf("one.npz")], "w.safetensors"));

  const zip = await bytesOf("one.npz");
  const stored = await bytesOf("stored.npz");
  await bad("no end record", zip.subarray(0, zip.length - 22));
  await bad("neither a member nor the directory", zip.subarray(0, zip.length - 22 - 40));
  await bad("said to have", zip.subarray(0, 80));
  const bomb = zip.slice();  // its size of 64 bits stands behind the name
  new DataView(bomb.buffer).setBigUint64(30 + new DataView(zip.buffer).getUint16(26, true) + 4, 2n ** 40n, true);
  await bad("1099511627776 bytes in", bomb);
  await bad("not a whole deflate stream", Uint8Array.from(zip, (v, i) => i === 55 ? 0xff : v));
  await bad("ends after", new Response(zip.subarray(0, 80)));
  await bad("checksum", Uint8Array.from(stored, (v, i) => i === 200 ? v ^ 1 : v));
  await bad("elements of type '<c8'", await bytesOf("complex.npz"));
  await bad("has 8 bytes of elements; expected 20", await bytesOf("short.npz"));
  await bad("is no npy file", await bytesOf("text.npz"));
  for (const name of ["piped", "piped_stored", "piped_large"]) {
    const piped = await bytesOf(`${name}.npz`);
    const cut = piped.subarray(0, name === "piped" ? 150 : 40000);
    await bad(name === "piped" ? "no record of its sizes" : "are left of the archive", cut);
    await bad("no record of its sizes", new Response(cut));
    await bad("", Uint8Array.from(piped, (v, i) => i === 190 ? v ^ 1 : v));  // a checksum, or a stream that makes no sense
  }
  same(ts.memory().tensors - before, 0, "tensors left behind");
  same(await (await ts.load(zip)).x.array(), [1, 2, 3], "after that");
};
tests["save() writes what load() and others read"] = async () => {
  const tensors = await ts.load(file("all.safetensors"));
  const blob = await ts.save(tensors, {metadata: {made: "here \u20ac"}});
  const text = new TextDecoder().decode(await blob.slice(8, 8 + Number(new DataView(await blob.slice(0, 8).arrayBuffer()).getBigUint64(0, true))).arrayBuffer());
  const {__metadata__: about, ...header} = JSON.parse(text);
  same([about, Object.keys(header).sort()], [{made: "here \u20ac"}, Object.keys(kValues).sort()]);
  same(header.bf16, {dtype: "BF16", shape: [2], data_offsets: header.bf16.data_offsets});
  await checkAll(await ts.load(blob), Object.keys(kValues));
  same(await ts.load(await ts.save({})), {});
  const x = ts.ones([1]);
  await fails("value", "uses for metadata", () => ts.save({__metadata__: x}));
  await fails("value", "'a' is number; expected an object of tensors", () => ts.save({a: 1}));
  await fails("value", "expected an object of tensors", () => ts.save(null));
  await fails("value", "'a' is number; expected a string", () => ts.save({x}, {metadata: {a: 1}}));
};
tests["a deflate stream that ends early"] = async () => {
  const zip = await bytesOf("one.npz");
  const view = new DataView(zip.buffer);
  const nameEnd = 30 + view.getUint16(26, true);
  // The sizes of 64 bits stand behind the name: the packed one becomes ten bytes shorter, with the data.
  const packed = Number(view.getBigUint64(nameEnd + 12, true));
  const dataStart = nameEnd + view.getUint16(28, true);
  const out = new Uint8Array(zip.length - 10);
  out.set(zip.subarray(0, dataStart + packed - 10));
  out.set(zip.subarray(dataStart + packed), dataStart + packed - 10);
  new DataView(out.buffer).setBigUint64(nameEnd + 12, BigInt(packed - 10), true);
  await fails("parse", "not a whole deflate stream", () => ts.load(out));
};
tests["a server that does not give the file"] = async () => {
  const before = (await settled()).tensors;
  const missing = await fails("io", "gave status 404", () => ts.load(file("nothing.safetensors")));
  same([missing.status, missing.url], [404, file("nothing.safetensors")]);
  const cut = await fails("io", "broke off after", () => ts.load(`${origin}/cut?file=big.safetensors&after=700000`));
  same(cut.requested, 1050784);
  await fails("io", "broke off after", () => ts.load(`${origin}/cut?file=big.safetensors&after=700000&unsaid`));
  await fails("io", "cannot be reached", () => ts.load("http://localhost:9/w.safetensors"));
  const stop = new AbortController();
  const loading = ts.load(`${origin}/slow?file=big.safetensors&after=700000`, {signal: stop.signal});
  setTimeout(() => stop.abort(), 100);
  await fails("cancelled", "", () => loading);
  await fetch(`${origin}/go`);
  await fails("cancelled", "", () => ts.load(new Blob([new Uint8Array(100)]), {signal: stop.signal}));
  const used = await fetch(file("all.safetensors"));
  const kept = used.body.getReader();
  await fails("value", "without a body that can be read", () => ts.load(used));
  await kept.cancel();
  await fails("value", "expected a URL", () => ts.load(12));
  await fails("value", "expected safetensors, gguf or npz", () => ts.load(file("all.safetensors"), {format: "onnx"}));
  let mine = null;
  await ts.load(file("big.safetensors"), {onProgress: () => { throw new RangeError("mine"); }}).catch((error) => { mine = error; });
  same([mine?.name, mine?.message], ["RangeError", "mine"]);
  same(ts.memory().tensors - before, 0, "tensors left behind");
  const {b} = await ts.load(file("big.safetensors"), {filter: (name) => name === "b"});
  same((await b.data())[511], 511);
};
tests["pipelines compile while weights download"] = async () => {
  const model = (x, {a, b}) => ts.matmul(x, a).add(b).gelu().softmax(1).sum([0]);
  let made = 0;
  const original = GPUDevice.prototype.createComputePipelineAsync;
  GPUDevice.prototype.createComputePipelineAsync = function (...args) { ++made; return original.apply(this, args); };
  try {
    let warm = null;
    const loading = ts.load(`${origin}/slow?file=big.safetensors&after=700000`, {
      onHeader: (header) => { warm = ts.warmup((w) => model(ts.ones([8, 512]).eval(), w), header); },
    });
    while (warm === null) await new Promise((go) => setTimeout(go, 5));
    await warm;  // the server still holds the rest back
    const before = made;
    if (!(before > 0)) throw new Error("no pipeline was made while the weights were on their way");
    await fetch(`${origin}/go`);
    const weights = await loading;
    const y = await model(ts.ones([8, 512]).eval(), weights).data();
    same(made - before, 0, "pipelines made by the first real run");
    near(y.reduce((a, b) => a + b), 8, 1e-3);
  } finally {
    GPUDevice.prototype.createComputePipelineAsync = original;
  }
  await fails("value", "gave no tensor", () => ts.load(file("big.safetensors"), {onHeader: () => ts.warmup(() => 3)}));
  await fails("value", "gave no tensor", () => ts.warmup(() => 3));
  await fails("value", "expected {shape, dtype}", () => ts.warmup((x) => x, 3));
};

export const run = (only) => runTests(tests, only);
