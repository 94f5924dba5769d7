// The work that is measured: its inputs, its sizes, what it costs, and its values in plain JavaScript for a few places.
import {randomFrom} from "./digits.js";

export const kSizes = {
  tiny: {gemm: 64, bandwidth: 2 ** 16, softmax: [64, 256], conv: [1, 8, 14, 8]},
  small: {gemm: 256, bandwidth: 2 ** 18, softmax: [256, 512], conv: [1, 16, 28, 16]},
  medium: {gemm: 1024, bandwidth: 2 ** 22, softmax: [4096, 1024], conv: [8, 32, 56, 32]},
  large: {gemm: 2048, bandwidth: 2 ** 24, softmax: [16384, 1024], conv: [32, 64, 56, 64]},
};

function filled(count, seed) {
  const random = randomFrom(seed);
  return Float32Array.from({length: count}, () => random() - 0.5);
}
// Places whose values are compared, spread over the result.
const placesOf = (count) => Array.from({length: 8}, (_, i) => Math.floor((count - 1) * i / 7));

/** {name, what, shapes, inputs, places, expected, flops or bytes} of a task in a size. */
export function task(name, sizes) {
  if (name === "gemm") {
    const n = sizes.gemm;
    const [a, b] = [filled(n * n, 1), filled(n * n, 2)];
    const places = placesOf(n * n);
    const expected = places.map((p) => {
      let sum = 0;
      for (let k = 0; k < n; ++k) sum += a[Math.floor(p / n) * n + k] * b[k * n + p % n];
      return sum;
    });
    return {name, what: `matmul ${n} × ${n} × ${n}, f32`, shapes: [[n, n], [n, n]], inputs: [a, b], places, expected, flops: 2 * n ** 3};
  }
  if (name === "bandwidth") {
    const n = sizes.bandwidth;
    const [a, b] = [filled(n, 3), filled(n, 4)];
    const places = placesOf(n);
    return {name, what: `a + b, ${(n * 4 / 2 ** 20).toLocaleString("en")} MiB each, f32`, shapes: [[n], [n]], inputs: [a, b], places,
            expected: places.map((p) => a[p] + b[p]), bytes: 12 * n};
  }
  if (name === "softmax") {
    const [rows, columns] = sizes.softmax;
    const x = filled(rows * columns, 5);
    const places = placesOf(rows * columns);
    const expected = places.map((p) => {
      const row = x.subarray(Math.floor(p / columns) * columns, Math.floor(p / columns + 1) * columns);
      const most = row.reduce((m, v) => Math.max(m, v), -Infinity);
      return Math.exp(x[p] - most) / row.reduce((sum, v) => sum + Math.exp(v - most), 0);
    });
    return {name, what: `softmax over rows, ${rows} × ${columns}, f32`, shapes: [[rows, columns]], inputs: [x], places, expected, bytes: 8 * rows * columns};
  }
  const [batch, channels, side, filters] = sizes.conv;
  const [x, w] = [filled(batch * channels * side * side, 6), filled(filters * channels * 9, 7)];
  const places = placesOf(batch * filters * side * side);
  const expected = places.map((p) => {
    const [column, row, filter, image] = [p % side, Math.floor(p / side) % side, Math.floor(p / side ** 2) % filters, Math.floor(p / side ** 2 / filters)];
    let sum = 0;
    for (let c = 0; c < channels; ++c) {
      for (let i = 0; i < 3; ++i) {
        for (let j = 0; j < 3; ++j) {
          const [y, z] = [row + i - 1, column + j - 1];
          if (y < 0 || z < 0 || y >= side || z >= side) continue;
          sum += x[((image * channels + c) * side + y) * side + z] * w[((filter * channels + c) * 3 + i) * 3 + j];
        }
      }
    }
    return sum;
  });
  return {name, what: `conv2d ${batch} × ${channels} × ${side} × ${side}, ${filters} filters of 3 × 3, f32`,
          shapes: [[batch, channels, side, side], [filters, channels, 3, 3]], inputs: [x, w], places, expected,
          flops: 2 * batch * filters * side * side * channels * 9};
}
export const kTasks = ["gemm", "bandwidth", "softmax", "conv"];

/** Whether values are those that are expected, but for the rounding of sums in f32. */
export function agrees(values, {expected, name}) {
  const tolerance = name === "bandwidth" ? 1e-6 : 1e-3;
  const scale = (e) => name === "softmax" ? Math.abs(e) : Math.max(1, Math.abs(e));
  return values.length === expected.length && expected.every((e, i) => Math.abs(values[i] - e) <= tolerance * scale(e));
}
