// Where bytes come from: a URL, a File or Blob, a Response or bytes in memory, read front to back with progress.
import {bytesOf} from "./memory.js";
import {TesseraError} from "./runtime.js";

function nameOf(source) {
  if (typeof source === "string" || source instanceof URL) return String(source);
  if (globalThis.Response && source instanceof Response) return source.url || "the response";
  return source?.name || "the given bytes";
}

// The answer to a URL, or an error of kind io that says what came instead.
async function fetched(url, signal) {
  let response;
  try {
    response = await fetch(url, {signal});
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

/** Bytes in order. Chunks go through as they come: no more than one is held. */
export class Source {
  #reader;
  #chunk = new Uint8Array(0);  // what came and was not taken yet
  loaded = 0;   // bytes that came
  taken = 0;    // bytes that were taken
  onProgress = null;
  signal = null;

  constructor(name, stream, total) {
    this.name = name;
    this.total = total;  // null where nobody says
    this.#reader = stream.getReader();
  }

  static async open(source, signal) {
    const name = nameOf(source);
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
      const bytes = bytesOf(source, "load");
      const stream = new ReadableStream({start(c) { if (bytes.length) c.enqueue(bytes); c.close(); }});
      return new Source(name, stream, bytes.length);
    }
    if (source instanceof Blob) return new Source(name, source.stream(), source.size);
    const response = globalThis.Response && source instanceof Response ? answered(source)
      : typeof source === "string" || source instanceof URL ? await fetched(source, signal) : null;
    if (response === null || !response.body || response.body.locked) {
      const given = response ? "a response without a body that can be read" : source === null ? "null" : typeof source === "object" ? source.constructor?.name ?? "an object" : typeof source;
      throw new TesseraError({kind: "value", op: "load", message: `load: the source is ${given}; expected a URL, a File or Blob, a Response or an ArrayBuffer.`});
    }
    // The length of a compressed answer is not that of the file.
    const length = response.headers.get("content-encoding") ? null : response.headers.get("content-length");
    return new Source(name, response.body, length === null ? null : Number(length));
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
