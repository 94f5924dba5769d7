// npz: a zip archive of npy files, stored or deflated, read front to back.

const kLocal = 0x04034b50, kDescriptor = 0x08074b50, kLocator64 = 0x07064b50, kCentral = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50;
const kMostDirectory = 64 * 2 ** 20;
const kMostHeader = 2 ** 20;
const kInflatesTo = 1032;  // bytes that one of deflate can become

const kCrc = Uint32Array.from({length: 256}, (_, n) => {
  for (let k = 0; k < 8; ++k) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});
function crc32(crc, bytes) {
  for (let i = 0; i < bytes.length; ++i) crc = kCrc[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return crc;
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

const kTypes = {b1: "bool", i1: "i8", u1: "u8", i2: "i16", u2: "u16", i4: "i32", u4: "u32", i8: "i64", u8: "u64", f2: "f16", f4: "f32", f8: "f64"};

// A npy file that comes in parts: its header first, then the elements.
class Npy {
  #head = [];
  #target = null;
  #begun = false;
  constructor(member, {begin, end}) { Object.assign(this, {member, begin, end}); }

  add(part) {
    if (this.#begun) return this.#data(part);
    // Headers are short: byte by byte costs nothing.
    let at = 0;
    while (at < part.length && !this.#begun) {
      this.#head.push(part[at++]);
      if (this.#head.length === this.#headerBytes()) this.#start();
    }
    if (at < part.length) this.#data(part.subarray(at));
  }
  #headerBytes() {
    const h = this.#head;
    if (h.length >= 8) {
      if (String.fromCharCode(...h.slice(1, 6)) !== "NUMPY" || h[0] !== 0x93) throw this.member.bad("is no npy file.");
      if (h[6] < 1 || h[6] > 3) throw this.member.bad(`has version ${h[6]} of the npy format; expected 1, 2 or 3.`);
    }
    if (h.length < 12) return h.length >= 10 && h[6] === 1 ? 10 + h[8] + 256 * h[9] : Infinity;
    if (h[6] === 1) return 10 + h[8] + 256 * h[9];
    const length = h[8] + 256 * h[9] + 65536 * h[10] + 16777216 * h[11];
    if (length > kMostHeader) throw this.member.bad(`has a header of ${length} bytes; expected at most ${kMostHeader}.`);
    return 12 + length;
  }
  #start() {
    this.#begun = true;
    const text = new TextDecoder().decode(Uint8Array.from(this.#head.slice(this.#head[6] === 1 ? 10 : 12)));
    const descr = /'descr'\s*:\s*'([^']*)'/.exec(text)?.[1];
    const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
    const sizes = /'shape'\s*:\s*\(([^)]*)\)/.exec(text)?.[1];
    if (order === undefined || sizes === undefined || !/^[\d,\sL]*$/.test(sizes)) throw this.member.bad(`has a header that says '${text.trim().slice(0, 120)}'; expected descr, fortran_order and shape.`);
    const [, endian, kind] = /^([<>|=])(\w\d+)$/.exec(descr ?? "") ?? [];
    if (!Object.hasOwn(kTypes, kind ?? "")) throw this.member.bad(`has elements of type ${descr === undefined ? "of several fields" : `'${descr}'`}; expected one of ${Object.keys(kTypes).join(", ")}.`);
    const shape = sizes.split(",").map((s) => s.trim().replace("L", "")).filter((s) => s).map(Number);
    const size = Number(kind[1]);
    const bytes = shape.reduce((a, b) => a * b, size);
    if (!Number.isSafeInteger(bytes)) throw this.member.bad(`has the shape (${sizes}); expected sizes of a tensor.`);
    const held = this.member.size - this.#head.length;
    if (this.member.size !== null && bytes !== held) throw this.member.bad(`has ${held} bytes of elements; expected ${bytes} for '${descr}' of shape [${shape.join(", ")}].`);
    if (this.member.size === null && bytes > this.member.most) throw this.member.bad(`has a header for ${bytes} bytes of elements, and at most ${this.member.most} are left of the archive: it is cut off or damaged.`);
    this.left = bytes;
    this.#target = this.begin({name: this.member.name.replace(/\.npy$/, ""), dtype: kTypes[kind], shape, bytes, swap: endian === ">" ? size : 0, reversed: order === "True"});
  }
  #data(part) {
    this.left -= part.length;
    if (this.left < 0) throw this.member.bad("has more bytes than it is said to have.");
    this.#target?.add(part);
  }
  finish() {
    if (!this.#begun || this.left !== 0) throw this.member.bad(`ends before ${this.#begun ? "its last element" : "its header does"}.`);
    if (this.#target) this.end();
  }
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

export async function npz(from, calls) {
  const members = [];
  while (signature(await from.peek(4)) === kLocal) {
    const member = await localHeader(from);
    members.push(member);
    let crc = 0xffffffff;
    let size = 0;
    const npy = member.name.endsWith(".npy") ? new Npy(member, calls) : null;
    await unpack(from, member, (part) => {
      crc = crc32(crc, part);
      if ((size += part.length) > (member.size ?? Infinity)) throw member.bad(`has more than the ${member.size} bytes that it is said to have.`);
      npy?.add(part);
    });
    if (size !== member.size) throw member.bad(`has ${size} bytes; it is said to have ${member.size}.`);
    if ((crc ^ 0xffffffff) >>> 0 !== member.crc) throw member.bad("does not fit its checksum: the archive is damaged.");
    npy?.finish();
  }
  checkDirectory(from, await from.rest(kMostDirectory), members);
}
