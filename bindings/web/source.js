// Where bytes come from: a URL, a File or Blob, a Response or bytes in memory, read front to back with progress, or in ranges.
import {bytesOf} from "./memory.js";
import {TesseraError, withText} from "./runtime.js";

function nameOf(source) {
  if (typeof source === "string" || source instanceof URL) return String(source);
  if (globalThis.Response && source instanceof Response) return source.url || "the response";
  return source?.name || "the given bytes";
}

// The answer to a URL, or an error of kind io that says what came instead.
async function fetched(url, signal, headers = {}) {
  let response;
  try {
    response = await fetch(url, {signal, headers});
  } catch (error) {
    if (error.name === "AbortError") throw new TesseraError({kind: "cancelled", op: "load", url: String(url), message: `load: ${url} was not loaded: the signal ended it.`});
    throw new TesseraError({kind: "io", op: "load", url: String(url), message: `load: ${url} cannot be reached: ${error.message}.`});
  }
  return answered(response);
}
function answered(response) {
  if (response.ok) return response;
  response.body?.cancel();
  throw new TesseraError({kind: "io", op: "load", url: response.url, status: response.status,
                          message: `load: ${response.url || "the response"} gave status ${response.status} ${response.statusText}; expected 200.`});
}

function joined(parts, bytes) {
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return all;
}

function wrongSource(given) {
  return new TesseraError({kind: "value", op: "load", message: `load: the source is ${given}; expected a URL, a File or Blob, a Response or an ArrayBuffer.`});
}
const kindOf = (source) => source === null ? "null" : typeof source === "object" ? source.constructor?.name ?? "an object" : typeof source;

/** Calls f with the name of a source as text of the engine; errors of the engine's parsers say where in the source they are. */
export function parsed(from, f) {
  try {
    return withText(from.name, f);
  } catch (error) {
    if (!(error instanceof TesseraError) || error.kind !== "parse") throw error;
    const tensor = / has a tensor '(.*?)' /.exec(error.message)?.[1];
    const at = /\(at byte (\d+)\)/.exec(error.message)?.[1];
    throw from.fault("", {...error, tensor, op: "load", message: error.message, ...(at && {offset: Number(at)})});
  }
}

/** Bytes in order. Chunks go through as they come: no more than one is held. */
export class Source {
  #reader;
  #chunk = new Uint8Array(0);  // what came and was not taken yet
  loaded = 0;   // bytes that came
  taken;        // where the next byte is in the file
  onProgress = null;
  signal = null;

  constructor(name, stream, total, at = 0) {
    this.name = name;
    this.total = total;  // null where nobody says
    this.taken = at;
    this.#reader = stream.getReader();
  }

  static ofBytes(name, bytes, at = 0) {
    const stream = new ReadableStream({start(c) { if (bytes.length) c.enqueue(bytes); c.close(); }});
    return new Source(name, stream, bytes.length, at);
  }
  static ofResponse(name, response, at = 0) {
    if (!response.body || response.body.locked) throw wrongSource("a response without a body that can be read");
    // The length of a compressed answer is not that of the file.
    const length = response.headers.get("content-encoding") ? null : response.headers.get("content-length");
    return new Source(name, response.body, length === null ? null : Number(length), at);
  }
  static async open(source, signal) {
    const name = nameOf(source);
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return Source.ofBytes(name, bytesOf(source, "load"));
    if (source instanceof Blob) return new Source(name, source.stream(), source.size);
    if (globalThis.Response && source instanceof Response) return Source.ofResponse(name, answered(source));
    if (typeof source === "string" || source instanceof URL) return Source.ofResponse(name, await fetched(source, signal));
    throw wrongSource(kindOf(source));
  }

  fault(message, fields = {}) {
    return new TesseraError({kind: "parse", op: "load", source: this.name, offset: this.taken, message: `load: ${this.name}: ${message}`, ...fields});
  }

  // The next bytes, at most `most`; null at the end.
  async some(most) {
    while (!this.#chunk.length) {
      let next;
      try {
        this.signal?.throwIfAborted();
        next = await this.#reader.read();
      } catch (error) {
        const of = this.total === null ? "" : ` of ${this.total}`;
        throw new TesseraError({kind: error.name === "AbortError" ? "cancelled" : "io", op: "load", source: this.name, available: this.loaded, requested: this.total ?? 0,
                                message: `load: ${this.name} broke off after ${this.loaded}${of} bytes: ${error.message}.`});
      }
      if (next.done) return null;
      this.#chunk = next.value;
      this.loaded += next.value.length;
      this.onProgress?.();
    }
    const part = this.#chunk.subarray(0, most);
    this.#chunk = this.#chunk.subarray(part.length);
    this.taken += part.length;
    return part;
  }
  /** Hands the next `count` bytes to sink(part) as they come. */
  async pour(count, what, sink) {
    for (let left = count; left > 0;) {
      const part = await this.some(left);
      if (part === null) {
        throw this.fault(`it ends after ${this.taken} bytes, inside ${what}, of which ${left} bytes are missing.`, {requested: this.taken + left, available: this.taken});
      }
      left -= part.length;
      await sink(part);
    }
  }
  /** The next `count` bytes in one piece. */
  async take(count, what) {
    const all = new Uint8Array(count);
    let at = 0;
    await this.pour(count, what, (part) => { all.set(part, at); at += part.length; });
    return all;
  }
  /** The next bytes, fewer at the end, which stay to be taken. */
  async peek(count) {
    const parts = [];
    let bytes = 0;
    for (let part; bytes < count && (part = await this.some(Infinity)) !== null; bytes += part.length) parts.push(part);
    this.taken -= bytes;
    this.#chunk = joined(parts, bytes);
    return this.#chunk.subarray(0, count);
  }
  /** Puts back the last bytes that were taken. */
  unread(bytes) {
    this.taken -= bytes.length;
    this.#chunk = joined([bytes, this.#chunk], bytes.length + this.#chunk.length);
  }
  /** What is left, at most that many bytes. */
  async rest(most) {
    const parts = [];
    let bytes = 0;
    for (let part; bytes <= most && (part = await this.some(most + 1)) !== null; bytes += part.length) parts.push(part);
    return joined(parts, bytes);
  }
  close() { this.#reader.cancel().catch(() => {}); }
}

/** The bytes of a source at any place: of memory and Blobs as slices, without a copy; of a URL as ranges. */
export class Ranges {
  #held;  // a Uint8Array, a Blob or a URL
  constructor(name, held) {
    this.name = name;
    this.#held = held;
  }
  static async open(source) {
    const name = nameOf(source);
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return new Ranges(name, bytesOf(source, "openGguf"));
    if (source instanceof Blob) return new Ranges(name, source);
    if (globalThis.Response && source instanceof Response) return new Ranges(name, await whole(name, answered(source)));
    if (typeof source === "string" || source instanceof URL) return new Ranges(name, String(source));
    throw wrongSource(kindOf(source));
  }

  /** The bytes from the first one on. */
  async start(signal) {
    const held = this.#held;
    const from = typeof held === "string" ? Source.ofResponse(this.name, await fetched(held, signal)) : this.#slice(0);
    from.signal = signal;
    return from;
  }
  /** `count` bytes from there on. A server that gives whole files only is asked once: the browser keeps the file. */
  async range(at, count, signal) {
    if (typeof this.#held === "string" && count > 0) {
      const response = await fetched(this.#held, signal, {Range: `bytes=${at}-${at + count - 1}`});
      if (response.status === 206) {
        const said = /^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "")?.[1] ?? at;
        if (Number(said) !== at) throw new TesseraError({kind: "io", op: "load", url: this.name, message: `load: ${this.name} was asked for the bytes from ${at} on and gave those from ${said} on.`});
        const from = Source.ofResponse(this.name, response, at);
        from.signal = signal;
        return from;
      }
      this.#held = await whole(this.name, response);
    }
    const from = typeof this.#held === "string" ? Source.ofBytes(this.name, new Uint8Array(0), at) : this.#slice(at, at + count);
    from.signal = signal;
    return from;
  }
  #slice(at, end) {
    if (!(this.#held instanceof Blob)) return Source.ofBytes(this.name, this.#held.subarray(at, end), at);
    const part = this.#held.slice(at, end);
    return new Source(this.name, part.stream(), part.size, at);
  }
}

async function whole(name, response) {
  if (!response.body || response.body.locked) throw wrongSource("a response without a body that can be read");
  try {
    return await response.blob();
  } catch (error) {
    throw new TesseraError({kind: error.name === "AbortError" ? "cancelled" : "io", op: "load", source: name, message: `load: ${name} broke off: ${error.message}.`});
  }
}
