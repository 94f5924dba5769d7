// Values as NumPy prints them: aligned columns, shortest digits, the middle of long axes left out.
const kMostShown = 1000;  // elements; more are summed up by the edges of each axis
const kEdge = 3;
const kPrecision = 8;
const kWidth = 74;

// The fewest digits that give the same number again in its type.
function shortest(x, dtype) {
  if (dtype !== "f32") return String(x);
  for (let digits = 1; digits < 9; ++digits) {
    const text = x.toPrecision(digits);
    if (Math.fround(Number(text)) === x) return String(Number(text));
  }
  return String(Number(x.toPrecision(9)));
}

function special(x) { return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf"; }

function floats(values, dtype) {
  const finite = values.filter(Number.isFinite);
  const sizes = finite.filter((x) => x !== 0).map(Math.abs);
  const most = Math.max(...sizes), least = Math.min(...sizes);
  const scientific = sizes.length > 0 && (most >= 1e8 || least < 1e-4 || most / least > 1000);
  const split = (x) => {
    if (scientific) {
      const [mantissa, exponent] = Number(Number(shortest(x, dtype)).toExponential(kPrecision)).toExponential().split("e");
      const sign = exponent[0] === "-" ? "-" : "+";
      return {whole: mantissa.split(".")[0], part: mantissa.split(".")[1] ?? "", tail: `e${sign}${exponent.replace(/^[+-]/, "").padStart(2, "0")}`};
    }
    const rounded = Number(Number(shortest(x, dtype)).toFixed(kPrecision));
    const [whole, part = ""] = rounded.toFixed(kPrecision).replace(/\.?0+$/, "").split(".");
    return {whole: Object.is(x, -0) ? "-0" : whole, part, tail: ""};
  };
  const parts = finite.map(split);
  const right = Math.max(0, ...parts.map((p) => p.part.length));
  const left = Math.max(1, ...parts.map((p) => p.whole.length));
  const width = Math.max(left + 1 + right + (parts[0]?.tail.length ?? 0), ...values.filter((x) => !Number.isFinite(x)).map((x) => special(x).length));
  return (x) => {
    if (!Number.isFinite(x)) return special(x).padStart(width);
    const p = split(x);
    // In the scientific form all mantissas have the same length; else blanks stand for what is not there.
    const fraction = scientific ? p.part.padEnd(right, "0") : p.part.padEnd(right);
    return `${p.whole.padStart(left)}.${fraction}${p.tail}`.padStart(width);
  };
}

function formatter(values, dtype) {
  if (["f16", "bf16", "f32", "f64"].includes(dtype)) return floats(values.map(Number), dtype);
  const text = dtype === "bool" ? (x) => (x ? "True" : "False") : String;
  const width = Math.max(0, ...values.map((x) => text(x).length));
  return (x) => text(x).padStart(width);
}

// The positions of an axis that are shown; null stands for those left out.
function shownOf(size, summarize) {
  if (!summarize || size <= 2 * kEdge) return Array.from({length: size}, (_, i) => i);
  return [0, 1, 2, null, size - 3, size - 2, size - 1];
}

/** The elements, in row-major order, of a tensor of that shape and type, as text. */
export function formatValues(data, shape, dtype) {
  const list = Array.from(data);
  const count = list.length;
  if (shape.length === 0) return formatter(list, dtype)(dtype.startsWith("f") || dtype === "bf16" ? Number(list[0]) : list[0]).trim().replace(/\.$/, ".0");
  if (count === 0) return `[] (shape ${shape.join(" × ")})`;
  const summarize = count > kMostShown;
  const seen = [];
  const walk = (depth, offset) => {
    const step = shape.slice(depth + 1).reduce((a, b) => a * b, 1);
    for (const i of shownOf(shape[depth], summarize)) {
      if (i === null) continue;
      if (depth === shape.length - 1) seen.push(list[offset + i]);
      else walk(depth + 1, offset + i * step);
    }
  };
  walk(0, 0);
  const format = formatter(seen, dtype);
  const write = (depth, offset, indent) => {
    const step = shape.slice(depth + 1).reduce((a, b) => a * b, 1);
    const entries = shownOf(shape[depth], summarize);
    if (depth === shape.length - 1) {
      const lines = [];
      let line = "";
      for (const i of entries) {
        const word = i === null ? "..." : format(dtype.startsWith("f") || dtype === "bf16" ? Number(list[offset + i]) : list[offset + i]);
        if (line && indent + line.length + 1 + word.length > kWidth) {
          lines.push(line);
          line = word;
        } else {
          line = line ? `${line} ${word}` : word;
        }
      }
      lines.push(line);
      return `[${lines.join(`\n${" ".repeat(indent)}`)}]`;
    }
    const gap = "\n".repeat(shape.length - 1 - depth);
    const rows = entries.map((i) => i === null ? "..." : write(depth + 1, offset + i * step, indent + 1));
    return `[${rows.join(`${gap}${" ".repeat(indent)}`)}]`;
  };
  return write(0, 0, 1);
}

/** "f32 2 × 3", as a heading. */
export function formatType(shape, dtype) { return shape.length ? `${dtype} [${shape.join(", ")}]` : `${dtype} []`; }
