// Checkpoints as zip archives of the folders that the Trainer of C++ and Python writes: step-000500/model.safetensors, .., run.json.
import {load} from "./load.js";
import {withBytes} from "./memory.js";
import {checkedText, engine, takeText, TesseraError, withText} from "./runtime.js";
import {save} from "./safetensors.js";
import {parsed, Source} from "./source.js";
import {Checksum, unzip, zip} from "./zip.js";

const kRunFile = "run.json";
const fileOf = (object) => `${object}.safetensors`;

// The engine's hash of bytes that come in parts; its text is asked for once.
class Hash {
  #number = engine()._tessera_train_hash() >>> 0;
  bytes = 0;
  add(part) {
    this.bytes += part.length;
    if (part.length) withBytes(part, "checkpoint", (pointer) => engine()._tessera_train_hash_add(this.#number, pointer, part.length));
  }
  text() { return takeText(engine()._tessera_train_hash_text(this.#number)); }
}

// {bytes, hash, crc} of a file.
async function measured(blob) {
  const [hash, crc] = [new Hash(), new Checksum()];
  const from = await Source.open(blob);
  let text;
  try {
    for (let part; (part = await from.some(Infinity)) !== null;) {
      hash.add(part);
      crc.add(part);
    }
  } finally {
    from.close();
    text = hash.text();
  }
  return {bytes: hash.bytes, hash: text, crc: crc.value};
}

/**
 * A checkpoint as a File. `objects` are tensors by name for each object, which are disposed; `run` is {step, values, metric, maximize}.
 * Reading the tensors starts before the first wait.
 */
export async function packed(objects, run) {
  const folder = `step-${String(run.step).padStart(6, "0")}`;
  let blobs;
  try {
    blobs = await Promise.all(Object.values(objects).map((tensors) => save(tensors)));
  } finally {
    for (const tensors of Object.values(objects)) for (const t of Object.values(tensors)) t.dispose();
  }
  const files = {};
  const members = [];
  for (const [i, name] of Object.keys(objects).entries()) {
    const {bytes, hash, crc} = await measured(blobs[i]);
    files[fileOf(name)] = {bytes, hash};
    members.push({name: `${folder}/${fileOf(name)}`, blob: blobs[i], crc});
  }
  const text = withText(JSON.stringify({...run, files}), (about) => checkedText(engine()._tessera_train_run_text(about)));
  const blob = new Blob([text]);
  members.push({name: `${folder}/${kRunFile}`, blob, crc: (await measured(blob)).crc});
  return new File([zip(members)], `${folder}.zip`, {type: "application/zip"});
}

// The files of the latest checkpoint of an archive by name: {path, blob, bytes, hash}; and its folder.
async function unpacked(source) {
  const from = await Source.open(source);
  const hashes = new Set();
  const folders = new Map();
  try {
    const first = await from.peek(4);
    if (String.fromCharCode(...first) !== "PK\x03\x04") throw from.fault("its first bytes are not those of a zip archive.");
    await unzip(from, (member) => {
      const [, folder, name] = /^(.*?)([^/]*)$/.exec(member.name.replaceAll("\\", "/"));
      if (name.startsWith(".") || !(name === kRunFile || name.endsWith(fileOf("")))) return null;
      const [hash, parts] = [new Hash(), []];
      hashes.add(hash);
      return {
        add(part) {
          hash.add(part);
          parts.push(part);
        },
        finish() {
          hashes.delete(hash);
          if (!folders.has(folder)) folders.set(folder, new Map());
          folders.get(folder).set(name, {path: member.name, blob: new Blob(parts), bytes: hash.bytes, hash: hash.text()});
        },
      };
    });
    const stepOf = (folder) => Number(/(?:^|\/)step-(\d+)\/$/.exec(folder)?.[1] ?? -1);
    const whole = [...folders].filter(([, files]) => files.has(kRunFile)).sort(([a], [b]) => stepOf(b) - stepOf(a));
    if (!whole.length) throw from.fault(`it has no ${kRunFile}: it is no checkpoint, or not a whole one.`);
    const [folder, files] = whole[0];
    return {name: from.name, folder, files, step: stepOf(folder)};
  } finally {
    from.close();
    for (const hash of hashes) hash.text();  // frees it
  }
}

// Errors as those of the C++ library where a file does not have the tensors of an object.
function checkHeader(header, path, name, expected) {
  const wrong = (tensor, message) => new TesseraError({kind: "parse", op: "load", source: path, tensor, message: `load: ${path}: ${message}`});
  for (const [tensor, {shape, dtype}] of Object.entries(expected)) {
    if (!Object.hasOwn(header, tensor)) throw wrong(tensor, `it has no tensor '${tensor}', which '${name}' has.`);
    const given = header[tensor];
    if (given.shape.join() !== shape.join()) throw wrong(tensor, `the tensor '${tensor}' has the shape [${given.shape.join(", ")}]; expected [${shape.join(", ")}].`);
    if (given.dtype !== dtype) throw wrong(tensor, `the tensor '${tensor}' has the dtype ${given.dtype}; expected ${dtype}.`);
  }
  const other = Object.keys(header).find((tensor) => !Object.hasOwn(expected, tensor));
  if (other !== undefined) throw wrong(other, `it has a tensor '${other}', which '${name}' does not have.`);
}

/**
 * Reads the latest checkpoint of an archive: {run: {step, values, metric, maximize}, path, objects}. `expected` are {shape, dtype} by name for
 * each object; those of `optional` may be missing. Everything is checked before the tensors of `objects`, which are the caller's.
 */
export async function unpackedObjects(source, expected, optional) {
  const {name: archive, folder, files, step} = await unpacked(source);
  const fault = (path, message) => new TesseraError({kind: "parse", op: "load", source: path, message: `load: ${path}: ${message}`});
  const {path, blob} = files.get(kRunFile);
  const text = await blob.text();
  const run = JSON.parse(parsed({name: path, fault: (_, error) => new TesseraError({...error, source: path})}, (name) =>
    withText(text, (pointer) => checkedText(engine()._tessera_train_run_read(pointer, name)))));
  if (step >= 0 && run.step !== step) throw fault(path, `it is of step ${run.step}; expected ${step}.`);
  const objects = {};
  try {
    for (const [object, tensors] of Object.entries(expected)) {
      const [file, said] = [files.get(fileOf(object)), run.files[fileOf(object)]];
      if (!file && !said && optional.includes(object)) continue;
      if (!file || !said) throw fault(folder || archive, `it has no file '${fileOf(object)}' with the tensors of '${object}'.`);
      if (file.bytes !== said.bytes || file.hash !== said.hash) {
        throw fault(file.path, `it has ${file.bytes} bytes with the hash ${file.hash}, and run.json beside it says ${said.bytes} bytes with the hash ${said.hash}: ` +
          "the file was changed, or belongs to another checkpoint.");
      }
      objects[object] = await load(new File([file.blob], file.path), {format: "safetensors", onHeader: (header) => checkHeader(header, file.path, object, tensors)});
    }
    return {run, path, objects};
  } catch (error) {
    for (const tensors of Object.values(objects)) for (const t of Object.values(tensors)) t.dispose();
    throw error;
  }
}
