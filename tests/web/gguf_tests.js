// Tests of openGguf(), load() and saveGguf() on every_block.gguf, beside what the Python reader found in it (make_gguf.py).
import {fails, near, run as runTests, same, settled, ts} from "./check.js";

const inNode = import.meta.url.startsWith("file:");  // where no server is
const url = new URL("every_block.gguf", import.meta.url);
const bytesOf = async (from) => inNode ? new Uint8Array(await (await import("node:fs/promises")).readFile(from)) : new Uint8Array(await (await fetch(from)).arrayBuffer());
const kBytes = await bytesOf(url);
const kFound = JSON.parse(new TextDecoder().decode(await bytesOf(new URL("every_block.json", import.meta.url))));
const kBlocks = Object.keys(kFound.samples);
const tests = {};

tests["metadata of every type, and names"] = async () => {
  const file = await ts.openGguf(kBytes);
  same([file.version, file.alignment, file.size], [3, 32, kFound.names.length]);
  same([file.keys(), file.metadataTypes], [kFound.names, kFound.metadataTypes]);
  same(Object.fromEntries(file.keys().map((name) => [name, file.type(name)])), kFound.types);
  const {metadata} = file;
  const scalars = {u8: 200, i8: -100, u16: 60000, i16: -30000, u32: 4000000000, i32: -2000000000, f32: 1.5, bool: true, string: "t\u00e4xt \u{1f600} \0",
                   u64: 2n ** 63n + 1n, i64: -(2n ** 62n), f64: 1e300};
  for (const [type, value] of Object.entries(scalars)) {
    same(metadata[`test.${type}`], value, type);
    same([...metadata[`test.array.${type}`]], [value, value, value], `an array of ${type}`);
    same(metadata[`test.empty.${type}`].length, 0);
  }
  same([metadata["test.array.u64"].constructor, metadata["test.array.f32"].constructor, metadata["test.array.i8"].constructor], [BigUint64Array, Float32Array, Int8Array]);
  same([...metadata["test.nan"]].map(String), ["Infinity", "-Infinity", "0.5"]);
  same([Object.getOwnPropertyDescriptor(metadata, "__proto__").value, metadata["general.architecture"]], ["own", "llama"]);
  same([file.has("blocks.q4_k"), file.has("none"), file.shape("blocks.q4_k"), file.dtype("blocks.q4_k"), file.byteLength("blocks.q4_k")], [true, false, [4, 256], "q4_k", 4 * 144]);
  same([file.type("foreign"), file.dtype("foreign"), [...await file.bytes("foreign")]], ["IQ2_XXS", null, Array.from({length: 66}, (_, i) => i)]);
};
tests["a tensor of every dtype"] = async () => {
  const file = await ts.openGguf(new Blob([kBytes]));
  const f32 = await file.tensor("plain.f32");
  same([f32.dtype, await f32.array()], ["f32", [[1.5, -2, 3], [4.25, 5, -6]]]);
  for (const dtype of ["f16", "bf16", "f64", "i8", "i16", "i32"]) {
    const t = await file.tensor(`plain.${dtype}`);
    same([t.dtype, await t.array()], [dtype === "f64" && ts.device().id !== "cpu" ? "f32" : dtype, [1, -2, 100]], dtype);
  }
  same(await (await file.tensor("plain.i64")).array(), [1n, -2n, 100n]);
  same([await (await file.tensor("plain.scalar")).item(), (await file.tensor("plain.empty")).shape], [7, [2, 0]]);
};
for (const dtype of kBlocks) tests[`${dtype}: elements as the Python reader has them, products, rows, blocks`] = async () => {
  const file = await ts.openGguf(new File([kBytes], "model.gguf"));
  const xs = Float32Array.from({length: 2 * 256}, (_, i) => Math.sin(i));
  const q = await file.tensor(`blocks.${dtype}`);
  same([q.dtype, q.shape], [dtype, [4, 256]]);
  const [elements, product, rows] = await ts.readAll([q.astype("f32"), ts.matmul(ts.tensor(xs, [2, 256]), q.transpose()), ts.embedding(ts.tensor([3, 0, 3], "i32"), q)]);
  near(kFound.samples[dtype].map((_, i) => elements[37 * i]), kFound.samples[dtype], 1e-6);
  const row = (r) => [...elements.subarray(256 * r, 256 * r + 256)];
  near([...rows], [...row(3), ...row(0), ...row(3)], 1e-6);
  const expected = [0, 1].flatMap((i) => [0, 1, 2, 3].map((n) => row(n).reduce((sum, w, k) => sum + w * xs[256 * i + k], 0)));
  near([...product], expected, 1e-3);
  same(await ts.toBlocks(q), await file.bytes(`blocks.${dtype}`), `blocks of ${dtype}`);
  await fails("dtype", "astype(\"f32\") dequantizes", () => q.data());
};
tests["load() reads GGUF as it comes"] = async () => {
  const supported = (name) => name !== "foreign";
  let header, metadata;
  const parts = (step) => {
    let at = 0;
    return new Response(new ReadableStream({pull(c) {
      if (at >= kBytes.length) return c.close();
      c.enqueue(kBytes.slice(at, at += step));
    }}));
  };
  for (const source of [kBytes, kBytes.buffer, new Blob([kBytes]), parts(97), parts(5000)]) {
    const tensors = await ts.load(source, {filter: supported, onHeader: (h, m) => { [header, metadata] = [h, m]; }});
    same([Object.keys(tensors), metadata["test.u64"]], [kFound.names.filter(supported), 2n ** 63n + 1n]);
    const read = await tensors["blocks.q6_k"].astype("f32").data();
    near(kFound.samples.q6_k.map((_, i) => read[37 * i]), kFound.samples.q6_k, 1e-6);
    for (const t of Object.values(tensors)) t.dispose();
  }
  same([header.foreign, header["blocks.q4_0"]], [{dtype: "iq2_xxs", shape: [1, 256]}, {dtype: "q4_0", shape: [4, 256]}]);
  const before = (await settled()).tensors;
  same((await fails("unsupported", "'foreign' is of type iq2_xxs", () => ts.load(kBytes))).tensor, "foreign");
  await fails("unsupported", "'foreign' is of type iq2_xxs", async () => (await ts.openGguf(kBytes)).tensor("foreign"));
  same(ts.memory().tensors - before, 0, "tensors left behind");
  await ts.load(kBytes, {filter: (name) => name === "blocks.q8_0", onHeader: ({"blocks.q8_0": spec}) => ts.warmup((w) => ts.matmul(ts.ones([1, 256]), w.transpose()), spec)});
};
tests["saveGguf() writes the same bytes"] = async () => {
  const file = await ts.openGguf(kBytes);
  // f64 is f32 on a GPU, and blocks of a foreign format are not a tensor.
  const names = file.keys().filter((name) => name !== "foreign" && name !== "plain.f64");
  const tensors = {};
  for (const name of names) tensors[name] = await file.tensor(name);
  const blob = await ts.saveGguf(tensors, {metadata: file.metadata, types: file.metadataTypes});
  const again = await ts.openGguf(blob);
  same([again.keys(), again.metadataTypes], [names, file.metadataTypes]);
  same([again.metadata, Object.keys(again.metadata)], [file.metadata, Object.keys(file.metadata)]);
  for (const name of names) same([again.type(name), again.shape(name), await again.bytes(name)], [file.type(name), file.shape(name), await file.bytes(name)], name);
  // Everything but the counts and what was left out is where it was.
  const size = new DataView(await blob.slice(16, 24).arrayBuffer()).getBigUint64(0, true);
  same([size, blob.size % 32], [BigInt(Object.keys(file.metadata).length), 0]);

  const x = ts.ones([3, 2]);
  const metadata = {a: 1, b: -1, c: 2 ** 40, d: 0.5, e: true, f: "t", g: 5n, h: 2n ** 63n, i: [1, 2], j: [0.5, 1], k: ["x"], l: [false], m: new Uint8Array(2), n: [2 ** 40], "general.alignment": 64};
  const small = await ts.openGguf(await ts.saveGguf({x, y: ts.zeros([0])}, {metadata}));
  same(small.metadataTypes, {a: "u32", b: "i32", c: "i64", d: "f32", e: "bool", f: "string", g: "i64", h: "u64", i: "i32[]", j: "f32[]", k: "string[]", l: "bool[]", m: "u8[]", n: "i64[]", "general.alignment": "u32"});
  same([small.metadata.c, small.metadata.h, small.metadata.j, small.alignment], [2n ** 40n, 2n ** 63n, new Float32Array([0.5, 1]), 64]);
  same([await (await small.tensor("x")).array(), small.shape("y")], [[[1, 1], [1, 1], [1, 1]], [0]]);
  same((await ts.openGguf(await ts.saveGguf({}))).size, 0);
  const bad = (kind, words, ...args) => fails(kind, words, () => ts.saveGguf(...args));
  await bad("value", "'a' is number; expected an object of tensors", {a: 1});
  await bad("value", "the metadata 'a' is null", {x}, {metadata: {a: null}});
  await bad("value", "a list of several types", {x}, {metadata: {a: [1, "x"]}});
  await bad("value", "an empty list", {x}, {metadata: {a: []}});
  await bad("value", "has the value 300; expected one of type u8", {x}, {metadata: {a: 300}, types: {a: "u8"}});
  await bad("value", "has the value 1.5; expected one of type i32", {x}, {metadata: {a: 1.5}, types: {a: "i32"}});
  await bad("value", "has the value \"x\"; expected one of type i32", {x}, {metadata: {a: "x"}, types: {a: "i32"}});
  await bad("value", "was given the type 'u128'", {x}, {metadata: {a: 1}, types: {a: "u128"}});
  await bad("value", "a power of two", {x}, {metadata: {"general.alignment": 48}});
  await bad("dtype", "dtype u8", {x: x.cast("u8")});
  await bad("value", "at most 4", {x: ts.ones([1, 1, 1, 1, 1])});
  await fails("dtype", "expected a tensor of one of q4_0", () => ts.toBlocks(x));
};
tests["files that are damaged say where"] = async () => {
  const before = (await settled()).tensors;
  const bad = async (words, offset, bytes) => {
    for (const open of [ts.openGguf, ts.load]) {
      const error = await fails("parse", words, () => open(bytes));
      same([error.op, error.source], ["load", "the given bytes"]);
      if (offset !== null) same(error.offset ?? 0, offset, `offset of '${error.message}'`);
    }
  };
  const changed = (at, ...values) => Uint8Array.from(kBytes, (v, i) => values[i - at] ?? v);
  await bad("has version 9", 4, changed(4, 9));
  await bad("big-endian", 4, changed(4, 0, 0, 0, 3));
  await bad("tensors; at most", 8, changed(8, 255, 255, 255, 255, 255, 255, 255, 127));
  await bad("metadata keys; at most", 16, changed(16, 255, 255, 255));
  await bad("a metadata key of", 24, changed(24, 255, 255, 255, 255, 255, 255, 255, 255));
  await bad("ends inside of", 4, kBytes.subarray(0, 6));
  await bad("but ends at byte", null, kBytes.subarray(0, kBytes.length - 64));
  await bad("bytes behind its last tensor", null, new Uint8Array(kBytes.length + 64).map((_, i) => kBytes[i] ?? 0));
  const zeros = ts.zeros([300001]);  // more than is read at first
  const large = await ts.saveGguf({x: zeros});
  zeros.dispose();
  for (const [more, cut] of [[0, 0], [31, 0], [32, 0], [0, 64]]) {
    const source = () => new Response(new Blob([large.slice(0, large.size - cut), new Uint8Array(more)]).stream());
    if (more === 0 && cut === 0) (await ts.load(source())).x.dispose();
    else await fails("parse", cut ? "inside the tensor 'x', of which" : "bytes behind the last tensor", () => ts.load(source()));
  }
  await fails("parse", "begins with", () => ts.openGguf(new TextEncoder().encode("hello, this is a text")));
  await fails("parse", "begins with ''", () => ts.openGguf(new Uint8Array(0)));
  await fails("parse", "are not those of a safetensors, GGUF or npz", () => ts.load(new Uint8Array(0)));
  // Cut off at any place, with a size that is said and one that is not: an error of kind parse, never a tensor.
  for (let size = 0; size < kBytes.length; size += 211) {
    const cut = kBytes.subarray(0, size);
    await fails("parse", "", () => ts.openGguf(cut));
    await fails("parse", "", () => ts.load(new Response(cut.slice()), {format: "gguf", filter: (name) => name !== "foreign"}));
  }
  // Single bytes of the header: parsed, or refused with kind parse.
  for (let at = 4; at < 3000; at += 61) {
    const flipped = changed(at, kBytes[at] ^ 0x81);
    await ts.openGguf(flipped).catch((error) => same([error.name, error.kind], ["TesseraError", "parse"], error.message));
  }
  same(ts.memory().tensors - before, 0, "tensors left behind");
  const file = await ts.openGguf(kBytes);
  same((await fails("value", "has no tensor 'none'; it has", () => file.tensor("none"))).tensor, "none");
  await fails("value", "expected a URL, a File", () => ts.openGguf(3));
  await fails("value", "an empty list", () => ts.openGguf([]));
  await fails("value", "is file 1 of 1 of a model, and was given as file 1 of 2", () => ts.openGguf([kBytes, kBytes]));
};
tests["a split model is a list of files"] = async () => {
  const part = (number, name, count = 2) => ts.saveGguf({[name]: ts.full([2], number)}, {metadata: {"split.no": number, "split.count": count, only: number}, types: {"split.no": "u16", "split.count": "u16"}});
  const parts = [await part(0, "a"), await part(1, "b")];
  const file = await ts.openGguf(parts);
  same([file.keys(), file.metadata.only], [["a", "b"], 0]);
  same(await (await file.tensor("b")).array(), [1, 1]);
  await fails("value", "file 2 of 2 of a model, and was given as file 1 of 2", () => ts.openGguf([parts[1], parts[0]]));
  await fails("value", "file 1 of 2 of a model, and was given as file 1 of 1", () => ts.openGguf(parts[0]));
  await fails("value", "one of 2 files of a split model", () => ts.load(parts[0]));
  await fails("parse", "two tensors of the name 'a'", async () => ts.openGguf([parts[0], await part(1, "a")]));
};
if (!inNode) tests["a URL is asked for ranges, or for the file once"] = async () => {
  const origin = url.origin;
  const original = fetch;
  let asked = [];
  globalThis.fetch = (...args) => { asked.push(args[1]?.headers?.Range ?? "all"); return original(...args); };
  try {
    const file = await ts.openGguf(`${origin}/ranges?file=every_block.gguf`);
    const q = await file.tensor("blocks.q8_0");
    same([asked.length, asked[0], asked[1].startsWith("bytes="), q.shape], [2, "all", true, [4, 256]]);
    near((await q.astype("f32").data())[37], kFound.samples.q8_0[1], 1e-6);
    same((await file.tensor("plain.empty")).shape, [2, 0]);
    same(asked.length, 2, "requests with an empty tensor");
    asked = [];
    const whole = await ts.openGguf(url);  // a server without ranges
    for (const dtype of ["q4_0", "q8_0", "q6_k"]) near((await (await whole.tensor(`blocks.${dtype}`)).astype("f32").data())[37], kFound.samples[dtype][1], 1e-6);
    same([asked.length, asked[0]], [2, "all"]);
    const response = await ts.openGguf(await original(url));
    same(await (await response.tensor("plain.scalar")).item(), 7);
    same((await fails("io", "gave status 404", () => ts.openGguf(`${origin}/none.gguf`))).status, 404);
    await fails("io", "gave those from", async () => (await ts.openGguf(`${origin}/ranges?file=every_block.gguf&wrong`)).tensor("plain.f32"));
    const stop = new AbortController();
    stop.abort();
    await fails("cancelled", "", () => file.tensor("plain.f32", {signal: stop.signal}));
    await fails("cancelled", "", () => ts.openGguf(kBytes, {signal: stop.signal}));
  } finally {
    globalThis.fetch = original;
  }
};

export const run = (only, device) => runTests(tests, only, device);
