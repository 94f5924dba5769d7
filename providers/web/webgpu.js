// The JavaScript half of the provider: a table of WebGPU objects by number, and events for the C++ half to pick up.
//
// A program linked with JSPI suspends in the functions marked __async. Elsewhere nothing waits: adapters and a device are
// made ready by TesseraWeb.prepare() before the module asks for them, and TesseraWeb.onEvent is called when there is
// something to pick up.

mergeInto(LibraryManager.library, {
  $TesseraWeb__deps: ["$UTF8ToString", "$stringToNewUTF8"],
  $TesseraWeb__postset: "TesseraWeb.objects = [null]; TesseraWeb.unused = []; TesseraWeb.adapters = []; TesseraWeb.ready = []; TesseraWeb.refused = new Map();",
  $TesseraWeb: {
#if ASYNCIFY
    suspends: 1,
#else
    suspends: 0,
#endif
    onEvent: null,
    reason: "",
    kError: 1, kLost: 2, kMapped: 4, kDone: 8,
    calls: 0,  // those that may have made an error, of all devices
    kWriteMost: 32 * 2 ** 20,  // bytes of one write: the browser copies each

    keep(object) {
      ++TesseraWeb.calls;
      const id = TesseraWeb.unused.pop() ?? TesseraWeb.objects.length;
      TesseraWeb.objects[id] = object;
      return id;
    },
    get(id) { return TesseraWeb.objects[id]; },

    // ---- Adapters and devices ----

    // Why there is no WebGPU, in a sentence.
    whyNot() {
      if (navigator.gpu) return "The browser offers no WebGPU adapter: its GPU or driver is not supported, or blocked.";
      if (!globalThis.isSecureContext) return "WebGPU needs a secure context: serve the page over https or from localhost.";
      return "This browser has no WebGPU (navigator.gpu is missing): use a newer one.";
    },
    findAdapters: async () => {
      const found = [];
      TesseraWeb.reason = "";
      for (const powerPreference of ["high-performance", "low-power"]) {
        const gpu = await navigator.gpu?.requestAdapter({powerPreference}).catch(() => null);
        const name = (a) => `${a.info.vendor} ${a.info.architecture} ${a.info.device} ${a.info.description}`;
        if (gpu && !found.some((other) => name(other.gpu) === name(gpu))) found.push({gpu, powerPreference, used: false});
      }
      if (!found.length) TesseraWeb.reason = TesseraWeb.whyNot();
      TesseraWeb.adapters = found;
      return found.length;
    },
    // The device, or throws. An adapter gives one device; after that the same one is asked for again.
    makeDevice: async (adapter, descriptor) => {
      if (adapter.used) {
        const again = await navigator.gpu.requestAdapter({powerPreference: adapter.powerPreference});
        if (!again) throw new Error(TesseraWeb.whyNot());
        adapter.gpu = again;
      }
      adapter.used = true;
      const gpu = await adapter.gpu.requestDevice(descriptor);
      const device = {gpu, events: [], later: [], busy: false, gathered: [], settled: null, compiling: new Set(), onNext: null, dead: false};
      gpu.lost.then((info) => {
        device.dead = true;
        TesseraWeb.tell(device, TesseraWeb.kLost, 0, 0, 0, info.reason === "destroyed" ? 2 : 1, info.message);
      });
      gpu.addEventListener("uncapturederror", (event) => TesseraWeb.tellError(device, event.error));
      TesseraWeb.openScopes(device);
      return device;
    },
    // Makes adapters and a device of the first one ready, for a module that cannot wait; says why there is none.
    prepare: async () => {
      for (const {device} of TesseraWeb.ready.splice(0)) device.gpu.destroy();
      if (!await TesseraWeb.findAdapters()) return TesseraWeb.reason;
      for (const adapter of TesseraWeb.adapters) {
        const requiredFeatures = ["timestamp-query", "shader-f16", "subgroups"].filter((f) => adapter.gpu.features.has(f));
        const requiredLimits = {};
        for (const name in adapter.gpu.limits) requiredLimits[name] = adapter.gpu.limits[name];
        delete requiredLimits.minSubgroupSize;
        delete requiredLimits.maxSubgroupSize;
        try {
          TesseraWeb.ready.push({adapter, device: await TesseraWeb.makeDevice(adapter, {requiredFeatures, requiredLimits})});
          return "";
        } catch (error) {
          TesseraWeb.reason = `The adapter gives no device: ${error.message}`;
        }
      }
      return TesseraWeb.reason;
    },

    // ---- Texts ----

    // What wgpu takes for granted, a browser wants to read; on the first line, so that positions stay. tests/web/dawn.mjs and
    // tools/check_wgsl.py read the line with the names.
    browserText(code) {
      const names = /\bsubgroup(Add|Max|Min|Mul|Any|All|Shuffle|Broadcast|Ballot|Elect|Exclusive|Inclusive)|subgroup_(size|invocation)/;
      return names.test(code) ? "enable subgroups; " + code : code;
    },
    // The module, and a promise for what is wrong with it: empty where nothing is.
    compileText(gpu, label, code) {
      gpu.pushErrorScope("validation");
      const module = gpu.createShaderModule({label, code});
      const scope = gpu.popErrorScope().catch(() => null);
      const refused = Promise.all([module.getCompilationInfo(), scope]).then(([info, error]) => {
        const first = info.messages.find((m) => m.type === "error");
        if (!first && !error) return "";
        if (!first) return error.message;
        return `Shader '${label}': ${first.message}\n┌─ wgsl:${first.lineNum}:${first.linePos}`;
      }, () => "");
      return {gpu: module, refused};
    },
    // The layout of what a text declares, as the engine makes it from its own declarations.
    layoutOf(gpu, text) {
      const types = {storage: "read-only-storage", "storage, read": "read-only-storage", "storage, read_write": "storage", uniform: "uniform"};
      const groups = [];
      for (const [, group, binding, space] of text.matchAll(/@group\((\d+)\) @binding\((\d+)\) var<([^>]*)>/g)) {
        (groups[group] ??= []).push({binding: Number(binding), visibility: GPUShaderStage.COMPUTE, buffer: {type: types[space]}});
      }
      const bindGroupLayouts = Array.from(groups, (entries) => gpu.createBindGroupLayout({entries: entries ?? []}));
      return gpu.createPipelineLayout({bindGroupLayouts});
    },
    // Compiles a user's text, behind the header of the engine, apart from the engine's work. One that is refused is an error of the
    // call that uses it, from then on, and not of the device. Resolves in any case.
    tryText: async (label, text, source) => {
      const device = TesseraWeb.objects.find((object) => object?.events && !object.dead);
      const code = TesseraWeb.browserText(text);
      if (!device || TesseraWeb.refused.has(code)) return;
      const {gpu: module, refused} = TesseraWeb.compileText(device.gpu, label, code);
      const made = device.gpu.createComputePipelineAsync({label, layout: TesseraWeb.layoutOf(device.gpu, text.slice(0, text.lastIndexOf(source))), compute: {module, entryPoint: "main"}})
        .then(() => "", (error) => device.dead ? "" : `Shader '${label}': ${error.message}`);
      const message = await refused || await made;
      if (message && !device.dead) TesseraWeb.refused.set(code, message);
    },

    // ---- Events and errors ----

    tell(device, kind, callback, first, second, status, message) {
      device.events.push({kind, callback, first, second, status, message: message ?? ""});
      device.onNext?.();
      TesseraWeb.onEvent?.();
    },
    tellError(device, error) {
      const type = error instanceof GPUOutOfMemoryError ? 3 : error instanceof GPUInternalError ? 4 : 2;
      TesseraWeb.tell(device, TesseraWeb.kError, 0, 0, 0, type, error.message);
    },
    // Three scopes are always open, so that errors are known in order with what follows them.
    openScopes(device) {
      for (const filter of ["out-of-memory", "internal", "validation"]) device.gpu.pushErrorScope(filter);
    },
    // Resolves when the errors of all calls so far are events.
    settle(device) {
      if (device.dead) return Promise.resolve();
      TesseraWeb.flush(device);
      if (device.settled?.calls === TesseraWeb.calls) return device.settled.promise;  // nothing was asked of it since
      const scopes = [0, 1, 2].map(() => device.gpu.popErrorScope().catch(() => null));
      TesseraWeb.openScopes(device);
      const promise = Promise.all(scopes).then((errors) => {
        for (const error of errors) if (error) TesseraWeb.tellError(device, error);
      });
      device.settled = {calls: TesseraWeb.calls, promise};
      return promise;
    },

    // ---- Data ----

    // Bytes of an array into a buffer, in order with submissions, from an offset that is a multiple of 4; the last word is filled
    // up. The array is the caller's again when this returns.
    write(id, offset, bytes) {
      const {gpu, device} = TesseraWeb.get(id);
      if (device.busy) bytes = bytes.slice();
      TesseraWeb.inOrder(device, () => {
        TesseraWeb.flush(device);
        ++TesseraWeb.calls;
        const {queue} = device.gpu;
        const whole = bytes.length - bytes.length % 4;
        for (let at = 0; at < whole; at += TesseraWeb.kWriteMost) {
          queue.writeBuffer(gpu, offset + at, bytes, at, Math.min(TesseraWeb.kWriteMost, whole - at));
        }
        if (whole < bytes.length) {
          const word = new Uint8Array(4);
          word.set(bytes.subarray(whole));
          queue.writeBuffer(gpu, offset + whole, word);
        }
      });
    },
    // The bytes of a mapped buffer, each asked for once.
    mapped(id, offset, size) {
      const first = offset - offset % 8;
      const last = offset + size;
      return new Uint8Array(TesseraWeb.get(id).gpu.getMappedRange(first, last + (4 - last % 4) % 4 - first), offset - first, size);
    },

    // A submission, sent with the next one where that follows at once: two are one message to the browser's GPU process. What else goes
    // to the queue sends it first.
    submit(device, commands) {
      device.gathered.push(commands);
      if (device.gathered.length > 1) TesseraWeb.flush(device);
      else queueMicrotask(() => TesseraWeb.flush(device));
    },
    flush(device) {
      if (!device.gathered.length) return;
      ++TesseraWeb.calls;
      device.gpu.queue.submit(device.gathered.splice(0));
    },

    // Queue work in order: at once, or after a submission whose pipelines are still being compiled.
    inOrder(device, task, needs = []) {
      needs = needs.filter((pipeline) => pipeline.compiled);
      if (!device.busy && !needs.length) return task();
      device.later.push({task, needs});
      if (!device.busy) TesseraWeb.runLater(device);
    },
    runLater: async (device) => {
      device.busy = true;
      while (device.later.length) {
        const {task, needs} = device.later.shift();
        await Promise.all(needs.map((pipeline) => pipeline.compiled));
        task();
      }
      device.busy = false;
    },
  },

  tessera_web_suspends__deps: ["$TesseraWeb"],
  tessera_web_suspends: () => TesseraWeb.suspends,

  tessera_web_release__deps: ["$TesseraWeb"],
  tessera_web_release: (id) => {
    const object = TesseraWeb.get(id);
    // A buffer's memory would otherwise wait for the garbage collector.
    if (object.buffer) {
      TesseraWeb.inOrder(object.device, () => {
        TesseraWeb.flush(object.device);
        object.gpu.destroy();
      });
    }
    if (object.events) object.gpu.destroy();
    TesseraWeb.objects[id] = undefined;
    TesseraWeb.unused.push(id);
  },

  tessera_web_find_adapters__deps: ["$TesseraWeb"],
#if ASYNCIFY
  tessera_web_find_adapters__async: true,
  tessera_web_find_adapters__sig: "i",
  tessera_web_find_adapters: async () => TesseraWeb.findAdapters(),
#else
  tessera_web_find_adapters: () => TesseraWeb.adapters.length,
#endif
  tessera_web_adapter__deps: ["$TesseraWeb"],
  tessera_web_adapter: (index) => TesseraWeb.keep(TesseraWeb.adapters[index]),

  tessera_web_info__deps: ["$TesseraWeb"],
  tessera_web_info: (id, name) => {
    const info = TesseraWeb.get(id).gpu.info;
    name = UTF8ToString(name);
    // Most browsers name the device only by its vendor and architecture.
    const text = name === "device" ? info.device || info.description || `${info.vendor} ${info.architecture}`.trim()
                                   : info[name];
    return stringToNewUTF8(text || "");
  },
  tessera_web_info_number__deps: ["$TesseraWeb"],
  tessera_web_info_number: (id, name) => {
    const {info} = TesseraWeb.get(id).gpu;
    return Number(info[UTF8ToString(name)] ?? 0);
  },
  tessera_web_limit__deps: ["$TesseraWeb"],
  tessera_web_limit: (id, name) => TesseraWeb.get(id).gpu.limits[UTF8ToString(name)] ?? -1,
  tessera_web_has_feature__deps: ["$TesseraWeb"],
  tessera_web_has_feature: (id, name) => TesseraWeb.get(id).gpu.features.has(UTF8ToString(name)) ? 1 : 0,

  tessera_web_request_device__deps: ["$TesseraWeb"],
#if ASYNCIFY
  tessera_web_request_device__async: true,
  tessera_web_request_device__sig: "ippppp",
  tessera_web_request_device: async (id, label, features, limits, why) => {
    try {
      return TesseraWeb.keep(await TesseraWeb.makeDevice(TesseraWeb.get(id), {
        label: UTF8ToString(label),
        requiredFeatures: UTF8ToString(features).split(",").filter((f) => f),
        requiredLimits: JSON.parse(UTF8ToString(limits)),
      }));
    } catch (error) {
      {{{ makeSetValue('why', 0, 'stringToNewUTF8(error.message)', '*') }}};
      return 0;
    }
  },
#else
  tessera_web_request_device: (id, label, features, limits, why) => {
    const adapter = TesseraWeb.get(id);
    const at = TesseraWeb.ready.findIndex((entry) => entry.adapter.powerPreference === adapter.powerPreference && !entry.device.dead);
    if (at >= 0) return TesseraWeb.keep(TesseraWeb.ready.splice(at, 1)[0].device);
    {{{ makeSetValue('why', 0, 'stringToNewUTF8("a page makes its device ready beforehand, and this one is used")', '*') }}};
    return 0;
  },
#endif
  tessera_web_queue__deps: ["$TesseraWeb"],
  tessera_web_queue: (id) => TesseraWeb.keep({gpu: TesseraWeb.get(id).gpu.queue, device: TesseraWeb.get(id)}),
  tessera_web_destroy_device__deps: ["$TesseraWeb"],
  tessera_web_destroy_device: (id) => TesseraWeb.get(id).gpu.destroy(),

  tessera_web_check__deps: ["$TesseraWeb"],
  tessera_web_wait__deps: ["$TesseraWeb"],
#if ASYNCIFY
  tessera_web_check__async: true,
  tessera_web_check__sig: "vi",
  tessera_web_check: async (id) => {
    const device = TesseraWeb.get(id);
    await Promise.all(device.compiling);
    await TesseraWeb.settle(device);
  },
  tessera_web_wait__async: true,
  tessera_web_wait__sig: "vii",
  tessera_web_wait: async (id, untilDone) => {
    const device = TesseraWeb.get(id);
    TesseraWeb.flush(device);
    if (untilDone) {
      await Promise.all([device.gpu.queue.onSubmittedWorkDone().catch(() => {}), TesseraWeb.settle(device)]);
      await new Promise((go) => setTimeout(go));  // what resolved with it is an event by then
    } else if (!device.events.length) {
      await new Promise((go) => {
        const timer = setTimeout(go, 1);
        device.onNext = () => { clearTimeout(timer); go(); };
      });
      device.onNext = null;
    }
  },
#else
  tessera_web_check: (id) => {},
  tessera_web_wait: (id, untilDone) => {},
#endif

  tessera_web_next_event__deps: ["$TesseraWeb"],
  tessera_web_next_event: (id, kinds, out) => {
    const events = TesseraWeb.get(id).events;
    const at = events.findIndex((event) => event.kind & kinds);
    if (at < 0) return 0;
    const event = events.splice(at, 1)[0];
    HEAPU32.set([event.kind, event.callback, event.first, event.second, event.status,
                 event.message ? stringToNewUTF8(event.message) : 0], out >> 2);
    return 1;
  },

  // ---- Buffers ----

  tessera_web_create_buffer__deps: ["$TesseraWeb"],
  tessera_web_create_buffer: (id, label, size, usage) => {
    const device = TesseraWeb.get(id);
    try {
      return TesseraWeb.keep({buffer: true, device, gpu: device.gpu.createBuffer({label: UTF8ToString(label), size, usage})});
    } catch (error) {  // the browser itself has no room
      TesseraWeb.tell(device, TesseraWeb.kError, 0, 0, 0, 3, error.message);
      return 0;
    }
  },
  tessera_web_map__deps: ["$TesseraWeb"],
  tessera_web_map: (id, offset, bytes, callback, first, second) => {
    const {gpu, device} = TesseraWeb.get(id);
    TesseraWeb.inOrder(device, () => {
      const errors = TesseraWeb.settle(device);
      ++TesseraWeb.calls;
      gpu.mapAsync(GPUMapMode.READ, offset, bytes).then(() => [1, ""], (error) => [3, error.message])
        .then(([status, message]) => errors.then(
          () => TesseraWeb.tell(device, TesseraWeb.kMapped, callback, first, second, status, message)));
    });
  },
  tessera_web_copy_mapped__deps: ["$TesseraWeb"],
  tessera_web_copy_mapped: (id, offset, bytes, to) => {
    HEAPU8.set(TesseraWeb.mapped(id, offset, bytes), to);
  },
  tessera_web_unmap__deps: ["$TesseraWeb"],
  tessera_web_unmap: (id) => TesseraWeb.get(id).gpu.unmap(),

  // ---- Programs ----

  tessera_web_create_shader__deps: ["$TesseraWeb"],
  tessera_web_create_shader: (id, label, text) => {
    const device = TesseraWeb.get(id);
    label = UTF8ToString(label);
    const code = TesseraWeb.browserText(UTF8ToString(text));
    if (TesseraWeb.refused.has(code)) {
      TesseraWeb.tell(device, TesseraWeb.kError, 0, 0, 0, 2, TesseraWeb.refused.get(code));
      return TesseraWeb.keep({gpu: null, refused: Promise.resolve("")});
    }
    const {gpu, refused} = TesseraWeb.compileText(device.gpu, label, code);
    if (TesseraWeb.suspends) {
      const told = refused.then((message) => {
        device.compiling.delete(told);
        if (message) TesseraWeb.tell(device, TesseraWeb.kError, 0, 0, 0, 2, message);
      });
      device.compiling.add(told);
    }
    return TesseraWeb.keep({gpu, refused});
  },
  tessera_web_create_pipeline__deps: ["$TesseraWeb"],
  tessera_web_create_pipeline: (id, label, layout, shader, entryPoint) => {
    const device = TesseraWeb.get(id);
    const {gpu: module, refused} = TesseraWeb.get(shader);
    const descriptor = {label: UTF8ToString(label), layout: TesseraWeb.get(layout).gpu,
                        compute: {module, entryPoint: UTF8ToString(entryPoint)}};
    const pipeline = {gpu: null, compiled: null};
    const compiling = device.gpu.createComputePipelineAsync(descriptor);
    pipeline.compiled = Promise.allSettled([compiling, refused]).then(([made, text]) => {
      device.compiling.delete(pipeline.compiled);
      pipeline.compiled = null;
      if (made.status === "fulfilled") {
        pipeline.gpu = made.value;
      } else {
        TesseraWeb.tell(device, TesseraWeb.kError, 0, 0, 0, 2, text.value || `Shader '${descriptor.label}': ${made.reason.message}`);
      }
    });
    device.compiling.add(pipeline.compiled);
    return TesseraWeb.keep(pipeline);
  },
  tessera_web_create_group_layout__deps: ["$TesseraWeb"],
  tessera_web_create_group_layout: (id, label, kinds) => {
    const types = {w: "storage", r: "read-only-storage", u: "uniform", s: "uniform"};
    const entries = [...UTF8ToString(kinds)].map((kind, binding) => ({
      binding, visibility: GPUShaderStage.COMPUTE, buffer: {type: types[kind], hasDynamicOffset: kind === "u"}}));
    return TesseraWeb.keep({gpu: TesseraWeb.get(id).gpu.createBindGroupLayout({label: UTF8ToString(label), entries})});
  },
  tessera_web_create_pipeline_layout__deps: ["$TesseraWeb"],
  tessera_web_create_pipeline_layout: (id, label, groups, count) => {
    const bindGroupLayouts = [...HEAP32.subarray(groups >> 2, (groups >> 2) + count)].map((group) => TesseraWeb.get(group).gpu);
    return TesseraWeb.keep({gpu: TesseraWeb.get(id).gpu.createPipelineLayout({label: UTF8ToString(label), bindGroupLayouts})});
  },
  tessera_web_create_group__deps: ["$TesseraWeb"],
  tessera_web_create_group: (id, layout, numbers, count) => {
    const entries = [];
    for (let i = 0; i < count; ++i) {
      const [binding, buffer, offset, size] = HEAPF64.subarray((numbers >> 3) + 4 * i, (numbers >> 3) + 4 * i + 4);
      entries.push({binding, resource: {buffer: TesseraWeb.get(buffer).gpu, offset, size}});
    }
    return TesseraWeb.keep({gpu: TesseraWeb.get(id).gpu.createBindGroup({layout: TesseraWeb.get(layout).gpu, entries})});
  },
  tessera_web_create_timestamps__deps: ["$TesseraWeb"],
  tessera_web_create_timestamps: (id, count) =>
    TesseraWeb.keep({gpu: TesseraWeb.get(id).gpu.createQuerySet({type: "timestamp", count})}),

  // ---- Commands: recorded, and encoded when the pipelines are there ----

  tessera_web_create_encoder__deps: ["$TesseraWeb"],
  tessera_web_create_encoder: (id) => TesseraWeb.keep({device: TesseraWeb.get(id), steps: [], pipelines: []}),
  tessera_web_begin_pass__deps: ["$TesseraWeb"],
  tessera_web_begin_pass: (id, label, timestamps, begin, end) => {
    const encoder = TesseraWeb.get(id);
    const descriptor = {label: UTF8ToString(label)};
    if (timestamps) {
      descriptor.timestampWrites = {querySet: TesseraWeb.get(timestamps).gpu, beginningOfPassWriteIndex: begin,
                                    endOfPassWriteIndex: end};
    }
    encoder.steps.push((state) => { state.pass = state.encoder.beginComputePass(descriptor); });
    return TesseraWeb.keep({encoder});
  },
  tessera_web_set_pipeline__deps: ["$TesseraWeb"],
  tessera_web_set_pipeline: (id, which) => {
    const {encoder} = TesseraWeb.get(id);
    const pipeline = TesseraWeb.get(which);
    encoder.pipelines.push(pipeline);
    encoder.steps.push((state) => state.pass.setPipeline(pipeline.gpu));
  },
  tessera_web_set_group__deps: ["$TesseraWeb"],
  tessera_web_set_group: (id, index, which, hasOffset, offset) => {
    const group = TesseraWeb.get(which).gpu;
    const offsets = hasOffset ? [offset >>> 0] : [];
    TesseraWeb.get(id).encoder.steps.push((state) => state.pass.setBindGroup(index, group, offsets));
  },
  tessera_web_dispatch__deps: ["$TesseraWeb"],
  tessera_web_dispatch: (id, x, y, z) => {
    TesseraWeb.get(id).encoder.steps.push((state) => state.pass.dispatchWorkgroups(x >>> 0, y >>> 0, z >>> 0));
  },
  tessera_web_end_pass__deps: ["$TesseraWeb"],
  tessera_web_end_pass: (id) => { TesseraWeb.get(id).encoder.steps.push((state) => state.pass.end()); },
  tessera_web_clear__deps: ["$TesseraWeb"],
  tessera_web_clear: (id, which, offset, bytes) => {
    const buffer = TesseraWeb.get(which).gpu;
    TesseraWeb.get(id).steps.push((state) => state.encoder.clearBuffer(buffer, offset, bytes));
  },
  tessera_web_copy__deps: ["$TesseraWeb"],
  tessera_web_copy: (id, from, fromOffset, to, toOffset, bytes) => {
    const source = TesseraWeb.get(from).gpu;
    const target = TesseraWeb.get(to).gpu;
    TesseraWeb.get(id).steps.push((state) => state.encoder.copyBufferToBuffer(source, fromOffset, target, toOffset, bytes));
  },
  tessera_web_resolve__deps: ["$TesseraWeb"],
  tessera_web_resolve: (id, timestamps, first, count, to, offset) => {
    const queries = TesseraWeb.get(timestamps).gpu;
    const target = TesseraWeb.get(to).gpu;
    TesseraWeb.get(id).steps.push((state) => state.encoder.resolveQuerySet(queries, first, count, target, offset));
  },
  tessera_web_finish__deps: ["$TesseraWeb"],
  tessera_web_finish: (id) => {
    const {device, steps, pipelines} = TesseraWeb.get(id);
    const encode = () => {
      const state = {encoder: device.gpu.createCommandEncoder(), pass: null};
      for (const step of steps) step(state);
      return state.encoder.finish();
    };
    const commands = {gpu: null, encode, pipelines};
    if (!pipelines.some((pipeline) => pipeline.compiled || !pipeline.gpu)) commands.gpu = encode();
    return TesseraWeb.keep(commands);
  },
  tessera_web_submit__deps: ["$TesseraWeb"],
  tessera_web_submit: (id, which) => {
    const queue = TesseraWeb.get(id);
    const commands = TesseraWeb.get(which);
    TesseraWeb.inOrder(queue.device, () => {
      // A pipeline that was refused has been told of.
      if (commands.gpu || commands.pipelines.every((pipeline) => pipeline.gpu)) TesseraWeb.submit(queue.device, commands.gpu ?? commands.encode());
    }, commands.pipelines);
  },
  tessera_web_write__deps: ["$TesseraWeb"],
  tessera_web_write: (buffer, offset, data, bytes) => {
    data >>>= 0;
    TesseraWeb.write(buffer, offset, HEAPU8.subarray(data, data + bytes));
  },
  tessera_web_on_done__deps: ["$TesseraWeb"],
  tessera_web_on_done: (id, callback, first, second) => {
    const {gpu, device} = TesseraWeb.get(id);
    TesseraWeb.inOrder(device, () => {
      const errors = TesseraWeb.settle(device);
      gpu.onSubmittedWorkDone().then(() => 1, () => 3).then((status) => errors.then(
        () => TesseraWeb.tell(device, TesseraWeb.kDone, callback, first, second, status, "")));
    });
  },
});
