// Safetensors: a JSON header with the place of each tensor, then their bytes.

const kTypes = {BOOL: ["bool", 1], U8: ["u8", 1], I8: ["i8", 1], I16: ["i16", 2], U16: ["u16", 2], F16: ["f16", 2], BF16: ["bf16", 2], I32: ["i32", 4],
                U32: ["u32", 4], F32: ["f32", 4], I64: ["i64", 8], U64: ["u64", 8], F64: ["f64", 8]};
const kLongestHeader = 100_000_000;  // as in the reference implementation

const isSize = (v) => Number.isSafeInteger(v) && v >= 0;

// The entries of the header in the order of their bytes, each checked.
function entries(from, header) {
  const all = [];
  for (const [name, about] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const bad = (message) => from.fault(`the tensor '${name}' ${message}`, {tensor: name});
    if (typeof about !== "object" || about === null) throw bad("has no entry of dtype, shape and data_offsets.");
    const {dtype, shape, data_offsets: offsets} = about;
    if (typeof dtype !== "string" || !Object.hasOwn(kTypes, dtype)) throw bad(`has the type '${typeof dtype === "string" ? dtype : JSON.stringify(dtype)}'; expected one of ${Object.keys(kTypes).join(", ")}.`);
    if (!Array.isArray(shape) || !shape.every(isSize)) throw bad(`has the shape ${JSON.stringify(shape)}; expected a list of sizes.`);
    if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isSize)) throw bad(`has the offsets ${JSON.stringify(offsets)}; expected two.`);
    const [type, size] = kTypes[dtype];
    const bytes = shape.reduce((a, b) => a * b, size);
    if (!isSize(bytes) || offsets[1] - offsets[0] !== bytes) {
      throw bad(`lies from ${offsets[0]} to ${offsets[1]}; expected ${bytes} bytes for ${dtype} of shape [${shape.join(", ")}].`);
    }
    all.push({name, dtype: type, shape, bytes, begin: offsets[0], end: offsets[1]});
  }
  return all.sort((a, b) => a.begin - b.begin || a.end - b.end);
}

export async function safetensors(from, {begin, end, onHeader}) {
  const length = Number(new DataView((await from.take(8, "the header's length")).buffer).getBigUint64(0, true));
  const most = Math.min(kLongestHeader, from.total === null ? Infinity : from.total - 8);
  if (!(length >= 2 && length <= most)) throw from.fault(`its header is said to have ${length} bytes; expected 2 to ${most}.`, {requested: length, available: most});
  const text = await from.take(length, "the header");
  let header;
  try {
    header = JSON.parse(new TextDecoder("utf-8", {fatal: true}).decode(text));
  } catch (error) {
    throw from.fault(`its header is not JSON: ${error.message}.`);
  }
  const all = entries(from, header);
  let at = 0;
  for (const {name, begin: first, end: last} of all) {
    if (first !== at) {
      const other = first < at ? "overlaps the one before it" : "leaves a gap behind the one before it";
      throw from.fault(`the tensor '${name}' ${other}: it begins at ${first}; expected ${at}.`, {tensor: name});
    }
    at = last;
  }
  const data = from.total === null ? at : from.total - 8 - length;
  if (at !== data) throw from.fault(`its tensors take ${at} bytes; there are ${data} behind the header.`, {requested: at, available: data});
  // Such as a warmup() that goes on meanwhile.
  const started = Promise.resolve(onHeader?.(Object.fromEntries(all.map(({name, dtype, shape}) => [name, {dtype, shape}]))));
  started.catch(() => {});
  for (const about of all) {
    const target = begin(about);
    await from.pour(about.bytes, `the tensor '${about.name}'`, (part) => target?.add(part));
    if (target) end();
  }
  if (await from.some(1) !== null) throw from.fault("there are bytes behind the last tensor.");
  await started;
}
