// npz: a zip archive of npy files.
import {unzip} from "./zip.js";

const kMostHeader = 2 ** 20;

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

export const npz = (from, calls) => unzip(from, (member) => member.name.endsWith(".npy") ? new Npy(member, calls) : null);
