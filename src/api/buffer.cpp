// Buffer handles: checks, then transfers to and from the storage's two sides.
#include "tessera/buffer.h"

#include <cstring>

#include "api/buffer_state.h"
#include "base/call_back.h"
#include "base/fail.h"
#include "base/sizes.h"
#include "graph/node.h"
#include "graph/op.h"
#include "runtime/eval/evaluate.h"
#include "runtime/memory/copy.h"
#include "runtime/memory/new_storage.h"
#include "runtime/registry.h"
#include "tessera/work.h"

namespace tessera {

namespace {

const Buffer::State& check(const Buffer& buffer, std::string_view what) {
  if (buffer.state() == nullptr) fail(ErrorKind::kValue, "{}: an empty Buffer was given; it holds no memory.", what);
  return *buffer.state();
}

std::string_view name(BufferUsage use) {
  return use == BufferUsage::kRead ? "reading" : (use == BufferUsage::kWrite ? "writing" : "kernels");
}

/// Whether transfers go through the host's side.
bool by_host(const Buffer::State& s) {
  return s.descriptor.location != BufferLocation::kDevice && s.device->info().type != DeviceType::kCpu;
}

std::shared_ptr<Storage> make_storage(const std::shared_ptr<runtime::Device>& device, const BufferDescriptor& d) {
  const auto numel = static_cast<std::int64_t>((d.size + 31) / 32 * 32);  // whole quads of every dtype
  if (d.location == BufferLocation::kDevice || device->info().type == DeviceType::kCpu) {
    auto storage = runtime::new_storage(device, numel, DType::kU8);
    if (d.location != BufferLocation::kDevice) std::memset(storage->buffer().host(), 0, storage->bytes());
    return storage;
  }
  std::shared_ptr<Storage> both;
  if (d.location == BufferLocation::kMirrored) both = runtime::new_storage(device, numel, DType::kU8);
  auto host = new_host_memory(both != nullptr ? both->bytes() : static_cast<std::size_t>(numel));
  std::memset(host->host(), 0, host->bytes());
  if (both == nullptr) return std::make_shared<Storage>(Storage::OnHost{}, device, std::move(host));
  both->keep_host(std::move(host));
  both->written_on_host();
  return both;
}

}  // namespace

std::shared_ptr<Storage> storage_for(const Buffer& buffer, BufferUsage use, std::string_view what) {
  const Buffer::State& s = check(buffer, what);
  if ((static_cast<unsigned>(s.descriptor.usage) & static_cast<unsigned>(use)) == 0) {
    fail(ErrorKind::kValue, "{}: the buffer '{}' was allocated without the usage for {}.", what, s.descriptor.label,
         name(use));
  }
  std::shared_ptr<Storage> before;  // destroyed outside of the lock
  const std::lock_guard lock(s.mutex);
  if (s.storage == nullptr) fail(ErrorKind::kValue, "{}: the buffer '{}' was freed before.", what, s.descriptor.label);
  if (s.storage->stale()) {  // a copy on the host survives a device loss
    before = s.storage->revived();
    before.swap(buffer.state()->storage);
  }
  return s.storage;
}

void check_range(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::string_view what) {
  const std::uint64_t size = buffer.size();
  if (offset <= size && bytes <= size - offset) return;
  fail(ErrorKind::kValue, "{}: {} bytes at {} were asked for; the buffer '{}' has {} bytes.", what, bytes, offset,
       buffer.descriptor().label, size);
}

void Work::then(std::function<void(std::exception_ptr)> done) const {
  device_.impl()->on_done([done = std::move(done)](std::exception_ptr error) { call_back(done, std::move(error)); });
}

Async<> Work::async() const {
  auto state = std::make_shared<detail::AsyncValue<void>>(device_.impl());
  const detail::Completion<void> completion(state);
  then([completion](const std::exception_ptr& error) { completion.finish({}, error); });
  return Async<>(std::move(state));
}

Buffer Buffer::allocate(const Device& device, const BufferDescriptor& descriptor) {
  if (descriptor.size == 0)
    fail(ErrorKind::kValue, "allocate: a size of 0 was given for the buffer '{}'; it must hold something.",
         descriptor.label);
  auto state = std::make_shared<State>();
  state->descriptor = descriptor;
  state->device = device.impl() != nullptr ? device.impl() : runtime::default_device();
  const std::uint64_t largest = state->device->info().limits.max_buffer_size;
  if (descriptor.size > largest) {
    throw Error(ErrorKind::kLimit,
                fmt::format("allocate: {} bytes were asked for the buffer '{}'; the largest on {} is {} bytes.",
                            descriptor.size, descriptor.label, state->device->info().name, largest),
                {.requested = descriptor.size, .available = largest});
  }
  state->storage = make_storage(state->device, descriptor);
  return Buffer(std::move(state));
}

Buffer Buffer::of(const Tensor& tensor, std::string label) {
  if (tensor.numel() == 0) fail(ErrorKind::kValue, "Buffer::of: a tensor of shape {} has no bytes.", tensor.shape());
  if (is_block(tensor.dtype())) {
    fail(ErrorKind::kDType,
         "Buffer::of: a tensor of the block dtype {} was given, which has several buffers; dequantize it first, by "
         "astype(f16).",
         name(tensor.dtype()));
  }
  tensor.eval();
  auto state = std::make_shared<State>();
  state->device = tensor.device().impl();
  state->storage = tensor.node()->storage();
  if (state->storage == nullptr)
    fail(ErrorKind::kValue, "Buffer::of: a tensor of shape {} has no data: it was donated.", tensor.shape());
  if (state->storage->parent() != nullptr) {  // others may use the same memory, and the handle may be written to
    state->storage = runtime::copy_of_storage(*tensor.node(), state->storage);
    tensor.node()->replace_storage(state->storage);
  }
  state->descriptor = {std::move(label), static_cast<std::uint64_t>(tensor.numel()) * size_of(tensor.dtype())};
  return Buffer(std::move(state));
}

const BufferDescriptor& Buffer::descriptor() const { return check(*this, "descriptor").descriptor; }
Device Buffer::device() const { return Device(check(*this, "device").device); }
bool Buffer::freed() const {
  const State& s = check(*this, "freed");
  const std::lock_guard lock(s.mutex);
  return s.storage == nullptr;
}

void Buffer::copy_to(std::span<const std::byte> data, std::uint64_t offset) const {
  const auto storage = storage_for(*this, BufferUsage::kWrite, "copy_to");
  check_range(*this, offset, data.size(), "copy_to");
  if (data.empty()) return;
  const bool whole = data.size() == size();
  if (by_host(*state_)) {
    std::memcpy(static_cast<std::byte*>(storage->host_memory(whole).host()) + offset, data.data(), data.size());
    return storage->written_on_host();
  }
  runtime::Device& device = *state_->device;
  runtime::Buffer& buffer = storage->device_memory(whole);
  // Uploads write whole words. Partial words at the ends go through a temporary buffer and a kernel that keeps their
  // neighbors.
  const bool words = offset % 4 == 0 && (data.size() % 4 == 0 || offset + data.size() == size());
  if (words || buffer.host() != nullptr) {
    device.upload(buffer, offset, data);
  } else {
    const auto between = runtime::new_storage(state_->device, static_cast<std::int64_t>(data.size()), DType::kU8);
    device.upload(between->buffer(), 0, data);
    runtime::copy_bytes(device, between->buffer(), 0, buffer, offset, data.size());
  }
  storage->written_on_device();
}

RawBytes Buffer::to_write() const {
  const auto storage = storage_for(*this, BufferUsage::kWrite, "to_write");
  runtime::Device& device = *state_->device;
  if (!device.is_available()) {
    fail(ErrorKind::kDeviceLost, "to_write: the device {} was lost; restore() recreates it.", device.info().name);
  }
  RawBytes bytes{.size = static_cast<std::size_t>(size())};
  if (!by_host(*state_)) {
    runtime::Buffer& memory = storage->device_memory(true);
    bytes.host = memory.host();
    bytes.object = memory.object();
  }
  if (bytes.host == nullptr && bytes.object == nullptr) {
    bytes.host = storage->host_memory(true).host();  // uploaded, and counted, when a kernel needs it
    storage->written_on_host();
  } else {
    device.counters().count_upload(bytes.size);
    storage->written_on_device();
  }
  return bytes;
}

void Buffer::copy_from(std::uint64_t bytes, std::uint64_t offset,
                       std::function<void(std::vector<std::byte>, std::exception_ptr)> done) const {
  const auto storage = storage_for(*this, BufferUsage::kRead, "copy_from");
  check_range(*this, offset, bytes, "copy_from");
  auto result = std::make_shared<std::vector<std::byte>>(bytes);
  if (bytes == 0) return call_back(done, std::vector<std::byte>{}, nullptr);
  const Storage::Side side = storage->readable();
  side.device->download({{side.buffer, static_cast<std::size_t>(offset), result->size(), result->data()}},
                        [storage, result, done = std::move(done)](const std::exception_ptr& error) {
                          call_back(done, error ? std::vector<std::byte>{} : std::move(*result), error);
                        });
}

void Buffer::copy_from(std::span<std::byte> data, std::uint64_t offset) const {
  const auto storage = storage_for(*this, BufferUsage::kRead, "copy_from");
  check_range(*this, offset, data.size(), "copy_from");
  if (data.empty()) return;
  if (by_host(*state_)) {
    std::memcpy(data.data(), static_cast<const std::byte*>(storage->read_host().host()) + offset, data.size());
    return;
  }
  const Storage::Side side = storage->readable();
  runtime::wait_for(*side.device, [&](runtime::Done done) {
    side.device->download({{side.buffer, static_cast<std::size_t>(offset), data.size(), data.data()}}, std::move(done));
  });
}

std::future<std::vector<std::byte>> Buffer::copy_from_async(std::uint64_t bytes, std::uint64_t offset) const {
  auto promise = std::make_shared<std::promise<std::vector<std::byte>>>();
  auto result = promise->get_future();
  copy_from(bytes, offset, [promise](std::vector<std::byte> data, const std::exception_ptr& error) {
    if (error) {
      promise->set_exception(error);
    } else {
      promise->set_value(std::move(data));
    }
  });
  return result;
}

void Buffer::fill(std::uint8_t value, std::uint64_t offset, std::uint64_t bytes) const {
  const auto storage = storage_for(*this, BufferUsage::kWrite, "fill");
  if (bytes == ~std::uint64_t{0} && offset <= size()) bytes = size() - offset;
  check_range(*this, offset, bytes, "fill");
  if (bytes == 0) return;
  if (by_host(*state_)) {
    std::memset(static_cast<std::byte*>(storage->host_memory(bytes == size()).host()) + offset, value, bytes);
    return storage->written_on_host();
  }
  runtime::fill_bytes(*state_->device, storage->device_memory(bytes == size()), offset, bytes, value);
  storage->written_on_device();
}

void Buffer::free() const {
  const State& s = check(*this, "free");
  std::shared_ptr<Storage> last;  // destroyed outside of the lock
  const std::lock_guard lock(s.mutex);
  if (s.storage == nullptr) fail(ErrorKind::kValue, "free: the buffer '{}' was freed before.", s.descriptor.label);
  last = std::move(state_->storage);
  state_->storage = nullptr;
}

Tensor Buffer::tensor(const Shape& shape, DType dtype) const {
  const auto storage = storage_for(*this, BufferUsage::kKernel, "tensor");
  const std::uint64_t bytes = static_cast<std::uint64_t>(checked_numel("tensor", shape, dtype)) * size_of(dtype);
  if (bytes > size()) {
    fail(ErrorKind::kShape, "tensor: {} of shape {} needs {} bytes; the buffer '{}' has {}.", tessera::name(dtype),
         shape, bytes, state_->descriptor.label, size());
  }
  runtime::check_type("tensor", dtype, state_->device->info());
  auto node = std::make_shared<const Node>(Op::kInput, dtype, shape, state_->device, Node::Inputs{});
  node->publish(storage);
  return Tensor(std::move(node));
}

void copy(const Buffer& from, std::uint64_t from_offset, const Buffer& to, std::uint64_t to_offset,
          std::uint64_t bytes) {
  const auto source = storage_for(from, BufferUsage::kRead, "copy");
  const auto target = storage_for(to, BufferUsage::kWrite, "copy");
  check_range(from, from_offset, bytes, "copy");
  check_range(to, to_offset, bytes, "copy");
  if (from.device() != to.device()) {
    fail(ErrorKind::kDevice, "copy: the buffer '{}' is on {} and '{}' on {}; copy through the host.",
         from.descriptor().label, from.device().info().id, to.descriptor().label, to.device().info().id);
  }
  const bool overlap = from_offset < to_offset + bytes && to_offset < from_offset + bytes;
  if (source == target && overlap && bytes > 0) {
    fail(ErrorKind::kValue, "copy: bytes {} to {} and {} to {} of the buffer '{}' overlap.", from_offset,
         from_offset + bytes, to_offset, to_offset + bytes, from.descriptor().label);
  }
  if (bytes == 0) return;
  runtime::Buffer& read = source->buffer();
  runtime::copy_bytes(*from.state()->device, read, from_offset, target->device_memory(bytes == to.size()), to_offset,
                      bytes);
  target->written_on_device();
}

}  // namespace tessera
