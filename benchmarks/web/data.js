// The sizes and the data of the compared steps: the same for every library.

export const kMatmul = 1024;
export const kSoftmax = [1024, 1024];
export const kConv = {batch: 4, channels: 16, size: 64, filters: 32, window: 3};
export const kChain = 2 ** 20;
export const kMlp = {batch: 64, sizes: [784, 128, 10], rate: 0.1};

/** Numbers of [-scale, scale) that follow the seed. */
function numbers(count, seed, scale = 1) {
  const out = new Float32Array(count);
  let state = (seed * 2654435761 + 12345) >>> 0;
  for (let i = 0; i < count; ++i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out[i] = (state / 2 ** 31 - 1) * scale;
  }
  return out;
}

/** [batch, channels, rows, columns] with its channels last. */
export function channelsLast(data, batch, channels, size) {
  const out = new Float32Array(data.length);
  let at = 0;
  for (let b = 0; b < batch; ++b) for (let i = 0; i < size * size; ++i) for (let c = 0; c < channels; ++c) out[at++] = data[(b * channels + c) * size * size + i];
  return out;
}
export function channelsFirst(data, batch, channels, size) {
  const out = new Float32Array(data.length);
  let at = 0;
  for (let b = 0; b < batch; ++b) for (let c = 0; c < channels; ++c) for (let i = 0; i < size * size; ++i) out[at++] = data[(b * size * size + i) * channels + c];
  return out;
}

/** What each step brings to the device: lists of typed arrays by the step's number. */
export const inputs = {
  matmul: (i) => [numbers(kMatmul ** 2, 20 + i)],
  softmax: (i) => [numbers(kSoftmax[0] * kSoftmax[1], 30 + i, 8)],
  conv2d: (i) => [numbers(kConv.batch * kConv.channels * kConv.size ** 2, 40 + i)],
  chain: (i) => [numbers(kChain, 50 + i)],
  // Pictures, and their classes as one-hot rows.
  mlp: (i) => {
    const {batch, sizes} = kMlp;
    const labels = new Float32Array(batch * sizes.at(-1));
    for (let row = 0; row < batch; ++row) labels[row * sizes.at(-1) + (row * 7 + i) % sizes.at(-1)] = 1;
    return [numbers(batch * sizes[0], 100 + i), labels];
  },
};

/** What stays on the device. */
export const kept = {
  matmul: () => numbers(kMatmul ** 2, 2),
  conv2d: () => numbers(kConv.filters * kConv.channels * kConv.window ** 2, 4),
  chain: () => numbers(kChain, 6),
  mlp: () => [numbers(784 * 128, 11, 0.05), numbers(128, 12, 0.05), numbers(128 * 10, 13, 0.1), numbers(10, 14, 0.1)],
};
