// The cache of bind groups.
#include "runtime/webgpu/bind_groups.h"

#include <algorithm>
#include <atomic>
#include <unordered_set>

#include "base/fail.h"

namespace tessera::runtime::webgpu {

namespace {
std::atomic<std::uint64_t> next_buffer_id = 1;
}

WebGpuBuffer::WebGpuBuffer(std::shared_ptr<Core> core, BufferHandle handle, std::size_t bytes)
    : Buffer(bytes), core_(std::move(core)), handle_(std::move(handle)), id_(next_buffer_id.fetch_add(1)) {}

WebGpuBuffer::~WebGpuBuffer() { core_->bury(id_); }

void* WebGpuBuffer::object() { return core_->provider().traits().outside ? raw() : nullptr; }

std::size_t BindGroups::Hash::operator()(KeyView key) const {
  std::uint64_t h = 0x9e3779b97f4a7c15U;
  for (const std::uint64_t word : key) {
    h = (h ^ word) * 0xff51afd7ed558ccdU;
    h ^= h >> 32U;
  }
  return h;
}

bool BindGroups::Equal::operator()(KeyView a, KeyView b) const { return std::ranges::equal(a, b); }

WGPUBindGroup BindGroups::get(const Layout& layout, std::span<const WebGpuBuffer* const> buffers,
                              std::span<const BufferRange> ranges, WGPUBuffer uniform, std::uint32_t uniform_bytes,
                              std::uint64_t max_binding) {
  key_.clear();
  key_.push_back(layout.id << 32U | uniform_bytes);
  for (const WebGpuBuffer* buffer : buffers) key_.push_back(buffer->id());
  for (const BufferRange& range : ranges) key_.insert(key_.end(), {range.offset, range.bytes});
  if (const Group* known = groups_.find(KeyView(key_))) {
    ++hits_;
    return known->handle.get();
  }
  ++misses_;
  BindGroupHandle handle(core_->api(), make(layout, buffers, ranges, uniform, uniform_bytes, max_binding));
  return groups_.put(key_, Group{std::move(handle), buffers.size()}).handle.get();
}

WGPUBindGroup BindGroups::make(const Layout& layout, std::span<const WebGpuBuffer* const> buffers,
                               std::span<const BufferRange> ranges, WGPUBuffer uniform, std::uint32_t uniform_bytes,
                               std::uint64_t max_binding) {
  entries_.clear();
  for (const WebGpuBuffer* buffer : buffers) {
    buffer->check_belongs(*core_);
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.binding = static_cast<std::uint32_t>(entries_.size());
    entry.buffer = buffer->raw();
    entry.size = std::min<std::uint64_t>(buffer->bytes(), max_binding);
    // A pooled buffer may be an eighth larger than its tensor; more than that cannot be addressed by a kernel.
    std::uint64_t wanted = buffer->bytes() - buffer->bytes() / 8;
    if (!ranges.empty() && ranges[entries_.size()].bytes != 0) {
      const BufferRange& range = ranges[entries_.size()];
      entry.offset = range.offset;
      entry.size = wanted = range.bytes;
    }
    if (wanted > max_binding) {
      throw Error(ErrorKind::kLimit,
                  fmt::format("A kernel was given {} bytes of a buffer; {} binds at most {} bytes.", wanted,
                              core_->name(), max_binding),
                  {.requested = wanted, .available = max_binding});
    }
    entries_.push_back(entry);
  }
  if (layout.uniform) {
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.binding = static_cast<std::uint32_t>(entries_.size());
    entry.buffer = uniform;
    entry.size = uniform_bytes;
    entries_.push_back(entry);
  }
  WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
  descriptor.layout = layout.group.get();
  descriptor.entryCount = entries_.size();
  descriptor.entries = entries_.data();
  return core_->api().wgpuDeviceCreateBindGroup(core_->device(), &descriptor);
}

void BindGroups::purge() {
  const std::vector<std::uint64_t> dead = core_->take_dead();
  if (dead.empty()) return;
  const std::unordered_set<std::uint64_t> gone(dead.begin(), dead.end());
  groups_.erase_if([&](const Key& key, const Group& group) {
    const auto first = key.begin() + 1;
    return std::any_of(first, first + static_cast<std::ptrdiff_t>(group.buffers),
                       [&](std::uint64_t id) { return gone.contains(id); });
  });
}

}  // namespace tessera::runtime::webgpu
