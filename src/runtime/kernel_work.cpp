// Bytes and floating-point operations of kernels.
#include "runtime/kernel_work.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace tessera::runtime {

namespace {

struct KernelWork {
  std::uint64_t bytes = 0;    // read and written
  std::uint64_t written = 0;  // of them
  std::uint64_t flops = 0;
};

bool reads(const Operand& x, int slot) {
  if (x.is_computed()) return std::ranges::find(x.sources, slot) != x.sources.end();
  const int count = x.is_dequantized() ? static_cast<int>(x.dequantizer->inputs.size()) : 1;
  return slot >= x.slot && slot < x.slot + count;
}

/// Whether a buffer is bound to be written at computed positions, and nothing of it is loaded.
bool is_only_updated(const Kernel& kernel, int slot) {
  const auto updates = [&](const std::pair<int, int>& x) { return x.first == slot && kernel.updates(x.second); };
  const auto loads = [&](const Instr& x) { return x.kind == Instr::Kind::kLoad && x.slot == slot; };
  return std::ranges::any_of(kernel.aliases, updates) && std::ranges::none_of(kernel.instrs, loads);
}

/// Elements of an output that replace some of an input's: a kernel of m rows with n0, n1, .. outputs has these sizes in
/// its uniform. None if it writes all of the output, or does not say.
std::optional<std::uint64_t> updated_elements(const CustomCall& call, std::size_t output) {
  const CustomKernel& kernel = *call.kernel;
  if (output >= kernel.outputs.size() || kernel.outputs[output].updates < 0) return std::nullopt;
  const auto size = [&](const std::string& name) -> std::optional<std::uint64_t> {
    const auto found = std::ranges::find(kernel.params, name, &CustomParam::name);
    if (found == kernel.params.end() || found->dtype != DType::kU32) return std::nullopt;
    return call.params.at(static_cast<std::size_t>(found->word));
  };
  const auto rows = size("m");
  const auto columns = size(fmt::format("n{}", output));
  if (!rows || !columns) return std::nullopt;
  return std::min(*rows * *columns, static_cast<std::uint64_t>(call.outputs[output].shape.numel()));
}

// The least bytes that a kernel moves, by its sizes; a buffer never counts for more than its size.
KernelWork work_of(const Kernel& kernel, const Binding& binding, std::span<Buffer* const> buffers) {
  KernelWork work;
  if (kernel.kind == Kernel::Kind::kGrouped && kernel.parts.size() == binding.parts.size()) {
    std::size_t inputs = 0;
    std::size_t outputs = kernel.inputs.size();
    for (std::size_t i = 0; i < kernel.parts.size(); ++i) {
      const Kernel& part = kernel.parts[i];
      std::vector<Buffer*> own(buffers.begin() + static_cast<std::ptrdiff_t>(inputs),
                               buffers.begin() + static_cast<std::ptrdiff_t>(inputs + part.inputs.size()));
      own.insert(own.end(), buffers.begin() + static_cast<std::ptrdiff_t>(outputs),
                 buffers.begin() + static_cast<std::ptrdiff_t>(outputs + part.outputs.size()));
      for (std::size_t j = 0; j < part.inputs.size(); ++j) {
        if (kernel.shared_input(inputs + j) != inputs + j) own[j] = nullptr;  // counted already
      }
      const KernelWork of_part = work_of(part, binding.parts[i], own);
      work.bytes += of_part.bytes;
      work.written += of_part.written;
      work.flops += of_part.flops;
      inputs += part.inputs.size();
      outputs += part.outputs.size();
    }
    return work;
  }
  if (kernel.kind == Kernel::Kind::kCustom) {
    const auto bytes_of = [](const TensorSpec& t) {
      return static_cast<std::uint64_t>(t.shape.numel()) * size_of(t.dtype);
    };
    const CustomCall& call = *binding.custom;
    const std::vector<KernelBinding>& outputs = call.kernel->outputs;
    std::vector<bool> replaced(call.inputs.size(), false);  // in part, and not read
    for (std::size_t i = 0; i < call.outputs.size(); ++i) {
      const std::optional<std::uint64_t> elements = updated_elements(call, i);
      work.written += elements ? *elements * size_of(call.outputs[i].dtype) : bytes_of(call.outputs[i]);
      if (elements) replaced[static_cast<std::size_t>(outputs[i].updates)] = true;
    }
    work.bytes = work.written;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {  // a view may repeat elements
      if (!replaced[i]) work.bytes += std::min(bytes_of(call.inputs[i]), bytes_of(call.bound_inputs()[i]));
    }
    return work;
  }
  const auto at_most = [](const Buffer& buffer, std::int64_t elements, DType dtype) {
    return std::min<std::uint64_t>(buffer.bytes(), static_cast<std::uint64_t>(elements) * size_of(dtype));
  };
  const std::int64_t elements = binding.rows * binding.cols;
  const bool matmul = kernel.kind == Kernel::Kind::kMatmul;
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
    if (buffers[i] == nullptr || is_only_updated(kernel, static_cast<int>(i))) continue;
    std::int64_t count = elements;
    if (matmul && reads(kernel.a, static_cast<int>(i))) count = binding.batch * binding.m * binding.k;
    if (matmul && reads(kernel.b, static_cast<int>(i))) count = binding.batch * binding.k * binding.n;
    work.bytes += at_most(*buffers[i], count, kernel.inputs[i].dtype);
  }
  for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
    const auto store = std::ranges::find(kernel.stores, static_cast<int>(i), &Store::slot);
    const bool row = store != kernel.stores.end() && store->row;
    work.written += at_most(*buffers[kernel.inputs.size() + i], row ? binding.rows : elements, kernel.outputs[i].dtype);
  }
  work.bytes += work.written;
  if (matmul) work.flops = 2 * static_cast<std::uint64_t>(binding.batch * binding.m * binding.n * binding.k);
  return work;
}

}  // namespace

KernelTime describe(const Dispatch& dispatch) {
  KernelTime time;
  time.label = dispatch.executable->label();
  if (dispatch.kernel != nullptr && dispatch.binding != nullptr &&
      dispatch.buffers.size() >= dispatch.kernel->inputs.size() + dispatch.kernel->outputs.size()) {
    const KernelWork work = work_of(*dispatch.kernel, *dispatch.binding, dispatch.buffers);
    time.bytes = work.bytes;
    time.written = work.written;
    time.flops = work.flops;
    if (dispatch.kernel->in_ranges && !dispatch.ranges.empty()) {  // only the elements of its binding range are moved
      const double share =
          static_cast<double>(dispatch.ranges[0].bytes) / static_cast<double>(dispatch.buffers[0]->bytes());
      time.bytes = static_cast<std::uint64_t>(share * static_cast<double>(work.bytes));
    }
  } else {
    for (const Buffer* buffer : dispatch.buffers) time.bytes += buffer->bytes();
  }
  return time;
}

}  // namespace tessera::runtime
