// Counts what a page asks of WebGPU, whichever library asks: put into the page before any of them loads.
(() => {
  const counts = {};
  const reset = () => Object.assign(counts, {dispatches: 0, submits: 0, readBacks: 0, uploaded: 0, copied: 0, readBack: 0});
  reset();

  // before(self, arguments) sees each call of a method.
  const watch = (type, method, before) => {
    const original = type.prototype[method];
    if (!original) return;
    type.prototype[method] = function (...args) {
      before(this, args);
      return original.apply(this, args);
    };
  };
  const rest = (buffer, offset, size) => size ?? buffer.size - (offset ?? 0);

  watch(GPUQueue, "submit", () => { ++counts.submits; });
  watch(GPUQueue, "writeBuffer", (_, [, , data, from = 0, size]) => {
    // Offset and size count elements of a typed array, bytes of anything else.
    const unit = ArrayBuffer.isView(data) && !(data instanceof DataView) ? data.BYTES_PER_ELEMENT : 1;
    counts.uploaded += size === undefined ? data.byteLength - from * unit : size * unit;
  });
  watch(GPUDevice, "createBuffer", (_, [{mappedAtCreation, size}]) => { if (mappedAtCreation) counts.uploaded += size; });
  watch(GPUBuffer, "mapAsync", (buffer, [mode, offset, size]) => {
    const bytes = rest(buffer, offset, size);
    if (mode & GPUMapMode.READ) { ++counts.readBacks; counts.readBack += bytes; } else counts.uploaded += bytes;
  });
  watch(GPUCommandEncoder, "copyBufferToBuffer", (_, args) => {
    const [source, , , , size] = typeof args[1] === "number" ? args : [args[0], 0, args[1], 0, args[2]];
    counts.copied += rest(source, 0, size);
  });
  // Textures would hide traffic from the rows above: whoever uses one is told.
  for (const [type, method] of [[GPUQueue, "writeTexture"], [GPUQueue, "copyExternalImageToTexture"], [GPUCommandEncoder, "copyBufferToTexture"],
                                [GPUCommandEncoder, "copyTextureToBuffer"], [GPUCommandEncoder, "copyTextureToTexture"]]) {
    watch(type, method, () => { throw new Error(`the counter does not count ${method}`); });
  }
  for (const method of ["dispatchWorkgroups", "dispatchWorkgroupsIndirect"]) watch(GPUComputePassEncoder, method, () => { ++counts.dispatches; });

  globalThis.gpuCounter = {reset, read: () => ({...counts, moved: counts.uploaded + counts.copied + counts.readBack})};
})();
