// Dispatches: programs, parameters, grids and binding ranges of kernels.
#include "runtime/eval/dispatches.h"

#include <algorithm>

#include "base/fail.h"
#include "base/pass_timer.h"
#include "schedule/lower/chunks.h"

namespace tessera::runtime {

namespace {

/// Whole words and whole elements, and never zero bytes.
std::size_t custom_bytes(const TensorSpec& t) {
  const std::size_t bytes = static_cast<std::size_t>(t.shape.numel()) * size_of(t.dtype);
  return std::max<std::size_t>((bytes + 3) / 4 * 4, 8);
}

/// Adds a dispatch of `kernel` to the submission; the caller fills in its buffers.
void add_dispatch(Submission& s, Device& device, const Kernel& kernel, const Binding& binding,
                  std::span<const schedule::Span> ranges = {}) {
  Dispatch d;
  {
    const PassTimer timer("compile");
    d.executable = device.compile(kernel, binding);
  }
  d.first_param = s.add_params(binding.params);
  d.param_count = static_cast<std::uint32_t>(binding.params.size());
  d.kernel = &kernel;
  d.binding = &binding;
  device.grid(*d.executable, binding, d.grid);
  d.buffers.resize(kernel.inputs.size() + kernel.outputs.size(), nullptr);
  if (kernel.kind == Kernel::Kind::kCustom) {  // so that arrayLength() is exact
    for (const auto* tensors : {&binding.custom->bound_inputs(), &binding.custom->outputs}) {
      for (const TensorSpec& t : *tensors) d.ranges.push_back({0, custom_bytes(t)});
    }
  }
  for (const schedule::Span& w : ranges) {
    const std::size_t i = d.ranges.size();
    const Slot& slot = i < kernel.inputs.size() ? kernel.inputs[i] : kernel.outputs[i - kernel.inputs.size()];
    const std::size_t size = size_of(slot.dtype);
    d.ranges.push_back(
        {static_cast<std::size_t>(w.first) * size, static_cast<std::size_t>(w.last - w.first + 1) * size});
  }
  s.dispatches.push_back(std::move(d));
}

}  // namespace

std::vector<BufferSlot> add_kernel(Submission& s, Device& device, const Kernel& kernel, const Graph& graph,
                                   std::deque<Binding>& bindings) {
  std::vector<BufferSlot> places;
  const auto note = [&](std::size_t count, std::size_t at, std::size_t of_kernel) {
    for (std::size_t i = 0; i < count; ++i) places.push_back({s.dispatches.size() - 1, at + i, of_kernel + i});
  };
  const auto add = [&](const Kernel& part, std::size_t first_in, std::size_t first_out) {
    bindings.push_back(bind(part, graph));
    const auto noted = [&] {
      note(part.inputs.size(), 0, first_in);
      note(part.outputs.size(), part.inputs.size(), first_out);
    };
    if (schedule::fits_whole(part, graph, device.info())) {
      add_dispatch(s, device, part, bindings.back());
      return noted();
    }
    const Binding whole = bindings.back();
    for (const schedule::Chunk& chunk : schedule::chunks_of(part, graph, device.info()).chunks) {
      bindings.push_back(schedule::bind_chunk(part, whole, chunk));
      add_dispatch(s, device, part, bindings.back(), chunk.ranges);
      noted();
    }
  };
  if (kernel.parts.empty() || schedule::fits_whole(kernel, graph, device.info())) {
    add(kernel, 0, kernel.inputs.size());
    return places;
  }
  std::size_t first_in = 0;
  std::size_t first_out = kernel.inputs.size();
  for (const Kernel& part : kernel.parts) {
    add(part, first_in, first_out);
    first_in += part.inputs.size();
    first_out += part.outputs.size();
  }
  return places;
}

void check_bindings(const Submission& submission) {
  for (const Dispatch& d : submission.started()) {
    const std::size_t inputs = d.kernel->inputs.size();
    const auto range_of = [&](std::size_t i) {
      BufferRange range{0, d.buffers[i]->bytes()};
      if (!d.ranges.empty()) range = d.ranges[i];
      return BufferRange{range.offset + d.buffers[i]->offset(), range.bytes};
    };
    const auto aliased = [&](std::size_t in, std::size_t out) {
      return std::ranges::find(d.kernel->aliases, std::pair(static_cast<int>(in), static_cast<int>(out - inputs))) !=
             d.kernel->aliases.end();
    };
    for (std::size_t out = inputs; out < d.buffers.size(); ++out) {
      for (std::size_t i = 0; i < out; ++i) {
        if (&d.buffers[i]->whole() != &d.buffers[out]->whole() || (i < inputs && aliased(i, out))) continue;
        const BufferRange a = range_of(i);
        const BufferRange b = range_of(out);
        if (i >= inputs && (a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset)) continue;
        fail(ErrorKind::kValue,
             "The kernel '{}' binds bytes {} to {} of a buffer for {} and {} to {} of it for writing in one dispatch.",
             d.kernel->label(), a.offset, a.offset + a.bytes, i < inputs ? "reading" : "writing", b.offset,
             b.offset + b.bytes);
      }
    }
  }
}

}  // namespace tessera::runtime
