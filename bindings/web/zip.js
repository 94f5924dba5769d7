// Zip archives: read front to back, members stored or deflated; and written, with stored members.
import {TesseraError} from "./runtime.js";

const kLocal = 0x04034b50, kDescriptor = 0x08074b50, kLocator64 = 0x07064b50, kCentral = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50;
const kMostDirectory = 64 * 2 ** 20;
const kInflatesTo = 1032;  // bytes that one of deflate can become

const kCrc = Uint32Array.from({length: 256}, (_, n) => {
  for (let k = 0; k < 8; ++k) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});
/** The CRC-32 of bytes that come in parts. */
export class Checksum {
  #crc = 0xffffffff;
  add(bytes) {
    let crc = this.#crc;
    for (let i = 0; i < bytes.length; ++i) crc = kCrc[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
    this.#crc = crc;
  }
  get value() { return (this.#crc ^ 0xffffffff) >>> 0; }
}

const number64 = (view, at) => Number(view.getBigUint64(at, true));

// The name and the sizes of the member that comes next.
async function localHeader(from) {
  const view = new DataView((await from.take(30, "the header of a member")).buffer, 4);
  const [flags, method, crc] = [view.getUint16(2, true), view.getUint16(4, true), view.getUint32(10, true)];
  let [packed, size] = [view.getUint32(14, true), view.getUint32(18, true)];
  const name = new TextDecoder().decode(await from.take(view.getUint16(22, true), "a member's name"));
  const extra = new DataView((await from.take(view.getUint16(24, true), "a member's header")).buffer);
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== 1) continue;  // sizes of 64 bits
    let field = at + 4;
    const need = (size === 0xffffffff ? 8 : 0) + (packed === 0xffffffff ? 8 : 0);
    if (field + need > extra.byteLength) throw from.fault(`the member '${name}' has a header that is too short for its sizes.`);
    if (size === 0xffffffff) { size = number64(extra, field); field += 8; }
    if (packed === 0xffffffff) packed = number64(extra, field);
  }
  const bad = (message) => from.fault(`the member '${name}' ${message}`, {tensor: name});
  if (flags & 1) throw bad("is encrypted.");
  if (method !== 0 && method !== 8) throw bad(`is compressed by method ${method}; expected 0 (stored) or 8 (deflated).`);
  const left = from.total === null ? Infinity : from.total - from.taken;
  // Sizes stand behind the data: no more can come than what is left of the file holds.
  if (flags & 8) return {name, method, crc: null, packed: null, size: null, bad, most: method === 0 ? left : left * kInflatesTo};
  if (method === 0 && packed !== size) throw bad(`is stored with ${packed} bytes and said to have ${size}.`);
  if (packed > left) throw from.fault(`the member '${name}' is said to have ${packed} bytes; ${left} are left.`, {tensor: name, requested: packed, available: left});
  if (size > packed * kInflatesTo + 64) throw bad(`is said to have ${size} bytes in ${packed} compressed ones; expected at most ${packed * kInflatesTo + 64}.`);
  return {name, method, crc, packed, size, bad};
}

// Hands on the bytes of a member whose sizes stand behind them, in a record that begins with a signature and the checksum: the one
// that says as many packed bytes as came. Sizes have 64 bits where the archive has large members or may have.
async function pourToDescriptor(from, member, sink) {
  let held = new Uint8Array(0);  // may be the beginning of the record
  let before = 0;                // bytes handed on
  for (;;) {
    const part = await from.some(Infinity);
    if (part === null) throw member.bad(`has no record of its sizes behind its data: the archive is cut off after ${from.taken} bytes.`);
    const bytes = new Uint8Array(held.length + part.length);
    bytes.set(held);
    bytes.set(part, held.length);
    const view = new DataView(bytes.buffer);
    for (let at = bytes.indexOf(0x50); at >= 0 && at + 24 <= bytes.length; at = bytes.indexOf(0x50, at + 1)) {
      if (signature(bytes, at) !== kDescriptor) continue;
      const wide = number64(view, at + 8) === before + at;
      if (!wide && view.getUint32(at + 8, true) !== before + at) continue;
      await sink(bytes.subarray(0, at));
      Object.assign(member, {crc: view.getUint32(at + 4, true), size: wide ? number64(view, at + 16) : view.getUint32(at + 12, true)});
      return from.unread(bytes.subarray(at + (wide ? 24 : 16)));
    }
    const kept = Math.min(bytes.length, 23);  // a directory follows, so that every record has 24 bytes of the file from it on
    if (bytes.length > kept) await sink(bytes.subarray(0, bytes.length - kept));
    before += bytes.length - kept;
    held = bytes.slice(bytes.length - kept);
  }
}

// Hands the member's own bytes to sink(part), inflated where they are deflated.
async function unpack(from, member, sink) {
  const what = `the member '${member.name}'`;
  const pour = (to) => member.packed === null ? pourToDescriptor(from, member, to) : from.pour(member.packed, what, to);
  if (member.method === 0) return pour(sink);
  const inflate = new DecompressionStream("deflate-raw");
  const writer = inflate.writable.getWriter();
  const reader = inflate.readable.getReader();
  // The reader says what is wrong with the stream; the writer only that something is.
  const broken = (error) => error.name === "TesseraError" ? error : member.bad(`is not a whole deflate stream: ${error.message}.`);
  const reading = (async () => {
    for (let next; !(next = await reader.read()).done;) sink(next.value);
  })();
  reading.catch((error) => writer.abort(error).catch(() => {}));
  try {
    await pour((part) => writer.write(part));
    await writer.close();
  } catch (error) {
    if (error.name === "TesseraError") {
      writer.abort(error).catch(() => {});
      await reading.catch(() => {});
      throw error;
    }
    await reading.catch((first) => { throw broken(first); });
    throw broken(error);
  }
  await reading.catch((error) => { throw broken(error); });
}

const signature = (bytes, at = 0) => at + 4 <= bytes.length ? new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0, true) : 0;

// The directory at the end must name the members that came, in their order.
function checkDirectory(from, bytes, members) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  for (const member of members) {
    if (signature(bytes, at) !== kCentral || at + 46 > bytes.length) {
      throw from.fault(`there is neither a member nor the directory's entry of '${member.name}' where one is expected: the archive is cut off or damaged.`);
    }
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const said = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name));
    if (said !== member.name) throw from.fault(`its directory names '${said}' where the member '${member.name}' is.`, {tensor: member.name});
    at += 46 + name + extra + comment;
  }
  if (signature(bytes, at) === kEnd64 && at + 12 <= bytes.length) at += 12 + number64(view, at + 4);
  if (signature(bytes, at) === kLocator64) at += 20;
  if (signature(bytes, at) !== kEnd || at + 22 > bytes.length) throw from.fault("it has no end record behind its directory: the archive is cut off.");
}

/**
 * Reads an archive. `open(member)` gives what takes the bytes of a member, {add(part), finish()}, or null; finish() is called when they fit
 * their checksum. `member.bad(message)` is an error about the member.
 */
export async function unzip(from, open) {
  const members = [];
  while (signature(await from.peek(4)) === kLocal) {
    const member = await localHeader(from);
    members.push(member);
    const crc = new Checksum();
    let size = 0;
    const target = open(member);
    await unpack(from, member, (part) => {
      crc.add(part);
      if ((size += part.length) > (member.size ?? Infinity)) throw member.bad(`has more than the ${member.size} bytes that it is said to have.`);
      target?.add(part);
    });
    if (size !== member.size) throw member.bad(`has ${size} bytes; it is said to have ${member.size}.`);
    if (crc.value !== member.crc) throw member.bad("does not fit its checksum: the archive is damaged.");
    target?.finish();
  }
  checkDirectory(from, await from.rest(kMostDirectory), members);
}

const kVersion = 20;          // that is needed to read the archive: 2.0
const kDate = 1 << 5 | 1;     // 1980-01-01
const kLargest = 0xffffffff;  // of sizes and places of 32 bits

// What the headers of a member have in common, from the version on, and the name.
function fieldsOf({name, crc, size}) {
  const text = new TextEncoder().encode(name);
  const fields = new DataView(new ArrayBuffer(26));
  fields.setUint16(0, kVersion, true);
  fields.setUint16(2, 0x800, true);  // names are UTF-8
  fields.setUint16(8, kDate, true);
  fields.setUint32(10, crc, true);
  fields.setUint32(14, size, true);
  fields.setUint32(18, size, true);
  fields.setUint16(22, text.length, true);
  return [fields, text];
}
function words(...values) {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => view.setUint32(4 * i, value, true));
  return view;
}

/** An archive of stored members {name, blob, crc}, where crc is their Checksum, as a Blob. */
export function zip(members) {
  const parts = [];
  const directory = [];
  let at = 0, length = 0;
  for (const {name, blob, crc} of members) {
    const [fields, text] = fieldsOf({name, crc, size: blob.size});
    // The directory's entry has the version of the writer in front, and behind the sizes of names: comment, disk, attributes, place.
    const version = new DataView(new ArrayBuffer(2));
    version.setUint16(0, kVersion, true);
    directory.push(words(kCentral), version, fields, new Uint8Array(10), words(at), text);
    length += 46 + text.length;
    parts.push(words(kLocal), fields, text, blob);
    at += 30 + text.length + blob.size;
  }
  if (at + length > kLargest) {
    throw new TesseraError({kind: "limit", requested: at + length, available: kLargest, message: `The archive would have ${at + length} bytes; at most ${kLargest} are possible.`});
  }
  const counts = new DataView(new ArrayBuffer(4));
  for (const place of [0, 2]) counts.setUint16(place, members.length, true);
  return new Blob([...parts, ...directory, words(kEnd, 0), counts, words(length, at), new Uint8Array(2)]);
}
