// Training digits, drawn here: in system fonts and as pen strokes, rotated, scaled, shifted and noisy.
export const kSize = 20;
const kInside = 15;  // the box that a digit is fitted into

const kFonts = ["sans-serif", "serif", "monospace", "cursive", "system-ui", "Arial", "Georgia", "Verdana", "Courier New", "Comic Sans MS",
                "Trebuchet MS", "Times New Roman"];
// Each digit as one or more lines through points of a unit square, several ways for those that people write in several.
const kStrokes = [
  [[[[0.5, 0], [0.15, 0.2], [0.05, 0.5], [0.15, 0.8], [0.5, 1], [0.85, 0.8], [0.95, 0.5], [0.85, 0.2], [0.5, 0]]]],
  [[[[0.25, 0.22], [0.55, 0], [0.55, 1]]], [[[0.5, 0], [0.5, 1]]], [[[0.3, 0.2], [0.55, 0], [0.55, 1]], [[0.25, 1], [0.85, 1]]]],
  [[[[0.1, 0.22], [0.3, 0.02], [0.65, 0], [0.88, 0.2], [0.8, 0.45], [0.45, 0.72], [0.08, 1], [0.95, 1]]]],
  [[[[0.1, 0.1], [0.45, 0], [0.82, 0.12], [0.8, 0.36], [0.42, 0.48], [0.85, 0.6], [0.9, 0.84], [0.5, 1], [0.08, 0.9]]]],
  [[[[0.7, 1], [0.7, 0], [0.05, 0.66], [0.98, 0.66]]], [[[0.2, 0], [0.12, 0.5], [0.85, 0.5]], [[0.78, 0.05], [0.75, 1]]]],
  [[[[0.88, 0], [0.2, 0], [0.14, 0.45], [0.5, 0.38], [0.86, 0.55], [0.88, 0.8], [0.5, 1], [0.1, 0.92]]]],
  [[[[0.75, 0], [0.35, 0.25], [0.1, 0.65], [0.25, 0.95], [0.6, 1], [0.88, 0.8], [0.75, 0.55], [0.4, 0.52], [0.12, 0.72]]]],
  [[[[0.05, 0.02], [0.95, 0], [0.4, 1]]], [[[0.05, 0.02], [0.95, 0], [0.4, 1]], [[0.3, 0.5], [0.85, 0.48]]]],
  [[[[0.5, 0.47], [0.18, 0.28], [0.25, 0.05], [0.55, 0], [0.82, 0.15], [0.75, 0.36], [0.5, 0.47], [0.12, 0.7], [0.2, 0.95], [0.55, 1], [0.88, 0.85], [0.85, 0.65], [0.5, 0.47]]]],
  [[[[0.88, 0.3], [0.6, 0.5], [0.22, 0.42], [0.15, 0.18], [0.45, 0], [0.82, 0.1], [0.88, 0.3], [0.8, 0.7], [0.55, 1]]], [[[0.85, 0.28], [0.5, 0.48], [0.15, 0.25], [0.45, 0], [0.85, 0.2], [0.85, 1]]]],
];

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function line(context, points) {
  context.beginPath();
  context.moveTo(...points[0]);
  for (let i = 1; i < points.length - 1; ++i) {
    const [x, y] = points[i], [nextX, nextY] = points[i + 1];
    context.quadraticCurveTo(x, y, i === points.length - 2 ? nextX : (x + nextX) / 2, i === points.length - 2 ? nextY : (y + nextY) / 2);
  }
  if (points.length === 2) context.lineTo(...points[1]);
  context.stroke();
}

function drawStrokes(context, digit, random) {
  const ways = kStrokes[digit];
  const wide = 7 + 5 * random(), wobble = 1.3;
  context.lineWidth = 1.2 + 1.6 * random();
  context.lineCap = context.lineJoin = "round";
  for (const points of ways[Math.floor(random() * ways.length)]) {
    line(context, points.map(([x, y]) => [(x - 0.5) * wide + wobble * (random() - 0.5), (y - 0.5) * 13.5 + wobble * (random() - 0.5)]));
  }
}

function drawFont(context, digit, random) {
  const style = `${random() < 0.25 ? "italic " : ""}${random() < 0.35 ? "bold " : ""}`;
  context.font = `${style}${14 + 4 * random()}px ${JSON.stringify(kFonts[Math.floor(random() * kFonts.length)]).replace(/^"([a-z-]+)"$/, "$1")}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  const box = context.measureText(String(digit));
  context.fillText(String(digit), 0, (box.actualBoundingBoxAscent - box.actualBoundingBoxDescent) / 2);
  if (random() < 0.3) {  // a heavier one
    context.lineWidth = random();
    context.strokeText(String(digit), 0, (box.actualBoundingBoxAscent - box.actualBoundingBoxDescent) / 2);
  }
}

/** Draws digits on a sheet of its own, `count` at a time: {images: Float32Array [count, 1, 20, 20] of 0 to 1, labels: Int32Array}. */
export class Digits {
  constructor(seed, count) {
    this.random = randomFrom(seed);
    this.count = count;
    this.columns = Math.ceil(Math.sqrt(count));
    this.canvas = document.createElement("canvas");
    this.canvas.width = this.columns * kSize;
    this.canvas.height = Math.ceil(count / this.columns) * kSize;
    this.context = this.canvas.getContext("2d", {willReadFrequently: true});
  }
  next() {
    const {context, random, count, columns, canvas} = this;
    const labels = new Int32Array(count);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = "black";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = context.strokeStyle = "white";
    for (let i = 0; i < count; ++i) {
      labels[i] = Math.floor(random() * 10);
      const left = (i % columns) * kSize, top = Math.floor(i / columns) * kSize;
      const angle = 0.5 * (random() - 0.5), size = 0.8 + 0.35 * random(), slant = 0.4 * (random() - 0.5);
      context.save();
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.beginPath();
      context.rect(left, top, kSize, kSize);
      context.clip();
      context.translate(left + kSize / 2 + 3 * (random() - 0.5), top + kSize / 2 + 3 * (random() - 0.5));
      context.rotate(angle);
      context.transform(size, 0, slant, size * (0.9 + 0.2 * random()), 0, 0);
      (random() < 0.5 ? drawFont : drawStrokes)(context, labels[i], random);
      context.restore();
    }
    const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
    const images = new Float32Array(count * kSize * kSize);
    for (let i = 0, to = 0; i < count; ++i) {
      const left = (i % columns) * kSize, top = Math.floor(i / columns) * kSize;
      const noise = 0.12 * random();
      for (let y = 0; y < kSize; ++y) {
        let from = 4 * ((top + y) * canvas.width + left);
        for (let x = 0; x < kSize; ++x, from += 4) images[to++] = Math.min(1, Math.max(0, data[from] / 255 + noise * (random() - 0.5)));
      }
    }
    return {images, labels};
  }
}

/** Draws one digit as strokes into a context whose unit square is `box` = {x, y, size}, for those who cannot draw. */
export function drawFor(context, digit, box, random = Math.random) {
  const ways = kStrokes[digit];
  for (const points of ways[Math.floor(random() * ways.length)]) {
    line(context, points.map(([x, y]) => [box.x + box.size * (0.2 + 0.6 * x + 0.04 * (random() - 0.5)), box.y + box.size * (y + 0.04 * (random() - 0.5))]));
  }
}

/** What is on a canvas of white on black, fitted into the middle as the training digits are; null where there is nothing. */
export function fitted(canvas) {
  const context = canvas.getContext("2d", {willReadFrequently: true});
  const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
  let [left, top, right, bottom] = [canvas.width, canvas.height, -1, -1];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] < 40) continue;
    const x = (i / 4) % canvas.width, y = Math.floor(i / 4 / canvas.width);
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  if (right < left) return null;
  const scale = kInside / Math.max(right - left + 1, bottom - top + 1);
  const small = document.createElement("canvas");
  small.width = small.height = kSize;
  const to = small.getContext("2d", {willReadFrequently: true});
  to.fillRect(0, 0, kSize, kSize);
  to.imageSmoothingQuality = "high";
  const [width, height] = [(right - left + 1) * scale, (bottom - top + 1) * scale];
  to.drawImage(canvas, left, top, right - left + 1, bottom - top + 1, (kSize - width) / 2, (kSize - height) / 2, width, height);
  const pixels = to.getImageData(0, 0, kSize, kSize).data;
  return Float32Array.from({length: kSize * kSize}, (_, i) => pixels[4 * i] / 255);
}
