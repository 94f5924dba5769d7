// Copies and fills as custom kernels: an invocation writes one word of the target, so that unaligned ends are exact.
#include "runtime/memory/copy.h"

#include <algorithm>
#include <cstring>

#include "base/fail.h"
#include "base/ints.h"

namespace tessera::runtime {

namespace {

constexpr std::uint32_t kWorkgroup = 256;

Kernel make_kernel(const char* name, std::vector<KernelBinding> inputs, std::vector<std::string> params) {
  CustomKernel custom;
  custom.name = name;
  custom.text = name;
  custom.inputs = std::move(inputs);
  custom.outputs = {"target_words"};
  custom.workgroup = {kWorkgroup, 1, 1};
  for (std::string& p : params) custom.params.push_back({std::move(p), DType::kU32});
  custom.trusted = true;
  Kernel kernel;
  kernel.kind = Kernel::Kind::kCustom;
  for (std::size_t i = 0; i < custom.inputs.size(); ++i) kernel.inputs.push_back({-1, DType::kU32});
  kernel.outputs.push_back({-1, DType::kU32});
  kernel.custom = make_custom(std::move(custom));
  return kernel;
}

/// `params` begin with the target's first byte and the number of bytes.
void run(Device& device, const Kernel& kernel, std::vector<Buffer*> buffers, std::vector<std::uint32_t> params) {
  for (const Buffer* buffer : buffers) {
    if (buffer->bytes() > 0xffffffffULL) {
      throw Error(ErrorKind::kLimit,
                  fmt::format("{}: a buffer of {} bytes was given; kernels count at most {}.", kernel.custom->name,
                              buffer->bytes(), 0xffffffffULL),
                  {.requested = buffer->bytes(), .available = 0xffffffffULL, .op = kernel.custom->name});
    }
  }
  const std::uint32_t words = (params[0] + params[1] + 3) / 4 - params[0] / 4;
  const std::uint32_t groups = ceil_div(words, kWorkgroup);
  auto call = std::make_shared<CustomCall>();
  call->kernel = kernel.custom;
  for (std::size_t i = 0; i + 1 < buffers.size(); ++i) {
    call->inputs.push_back({DType::kU32, Shape{static_cast<std::int64_t>(words)}});
  }
  call->outputs.push_back({DType::kU32, Shape{static_cast<std::int64_t>(words)}});
  const std::uint32_t across = std::min(groups, device.info().limits.max_workgroups);
  call->grid = {across, ceil_div(groups, across), 1};
  params.resize(static_cast<std::size_t>(kernel.custom->param_words));
  call->params = params;
  Binding binding;
  binding.custom = std::move(call);
  binding.params = params;
  Submission submission;
  Dispatch d;
  d.executable = device.compile(kernel, binding);
  d.buffers = std::move(buffers);
  d.first_param = submission.add_params(params);
  d.param_count = static_cast<std::uint32_t>(params.size());
  d.kernel = &kernel;
  d.binding = &binding;
  device.grid(*d.executable, binding, d.grid);
  submission.dispatches.push_back(std::move(d));
  device.submit(submission);
}

std::uint32_t word(std::size_t n) { return static_cast<std::uint32_t>(n); }

}  // namespace

void copy_bytes(Device& device, Buffer& from, std::size_t from_at, Buffer& to, std::size_t to_at, std::size_t bytes) {
  if (bytes == 0) return;
  if (from.host() != nullptr && to.host() != nullptr) {
    std::memmove(static_cast<std::byte*>(to.host()) + to_at, static_cast<const std::byte*>(from.host()) + from_at,
                 bytes);
    return;
  }
  static const Kernel kKernel = make_kernel("copy_bytes", {"source_words"}, {"to", "count", "start"});
  if (&from.whole() != &to.whole())
    return run(device, kKernel, {&from, &to}, {word(to_at), word(bytes), word(from_at)});
  // One dispatch cannot bind a buffer for reading and writing.
  auto between = device.pool().acquire(bytes);
  struct Return {
    Device& device;
    std::unique_ptr<Buffer>& buffer;
    ~Return() { device.pool().release(std::move(buffer)); }
  } give_back{device, between};
  run(device, kKernel, {&from, between.get()}, {0, word(bytes), word(from_at)});
  run(device, kKernel, {between.get(), &to}, {word(to_at), word(bytes), 0});
}

void fill_bytes(Device& device, Buffer& to, std::size_t at, std::size_t bytes, std::uint8_t value) {
  if (bytes == 0) return;
  if (to.host() != nullptr) {
    std::memset(static_cast<std::byte*>(to.host()) + at, value, bytes);
    return;
  }
  static const Kernel kKernel = make_kernel("fill_bytes", {}, {"to", "count", "value"});
  run(device, kKernel, {&to}, {word(at), word(bytes), value * 0x01010101U});
}

}  // namespace tessera::runtime
