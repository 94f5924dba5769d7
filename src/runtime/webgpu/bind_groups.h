// A device's bind groups, created once per layout and list of buffers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/lru_cache.h"
#include "runtime/webgpu/core.h"

namespace tessera::runtime::webgpu {

class WebGpuBuffer final : public Buffer {
 public:
  WebGpuBuffer(std::shared_ptr<Core> core, BufferHandle handle, std::size_t bytes);
  ~WebGpuBuffer() override;
  [[nodiscard]] WGPUBuffer raw() const { return handle_.get(); }
  void* object() override;
  /// Throws device_lost if `core` is not the buffer's own, which was lost then.
  void check_belongs(const Core& core) const {
    if (core_.get() != &core) throw core_->lost_error();
  }
  /// Never reused, not even after the buffer is destroyed.
  [[nodiscard]] std::uint64_t id() const { return id_; }

 private:
  std::shared_ptr<Core> core_;
  BufferHandle handle_;
  std::uint64_t id_;
};

/// Which bindings are written, and whether a uniform with a dynamic offset follows them.
struct Layout {
  std::uint64_t id = 0;
  std::size_t storage = 0;
  bool uniform = false;
  bool reports = false;  // group 1 is the device's reports
  BindGroupLayoutHandle group;
  PipelineLayoutHandle pipeline;
};

/// Not thread-safe: guarded by the device's submission lock.
class BindGroups {
 public:
  static constexpr std::size_t kMost = 8192;

  explicit BindGroups(std::shared_ptr<Core> core) : core_(std::move(core)) {}

  /// The bind group of `buffers` (one per storage binding of the layout; each with its range, or whole without ranges
  /// or with a range of 0 bytes)
  /// and `uniform_bytes` of `uniform`.
  WGPUBindGroup get(const Layout& layout, std::span<const WebGpuBuffer* const> buffers,
                    std::span<const BufferRange> ranges, WGPUBuffer uniform, std::uint32_t uniform_bytes,
                    std::uint64_t max_binding);
  /// Drops the groups of destroyed buffers, so that their memory is freed.
  void purge();
  void clear() { groups_.clear(); }

  [[nodiscard]] std::size_t size() const { return groups_.size(); }
  [[nodiscard]] std::uint64_t hits() const { return hits_; }
  [[nodiscard]] std::uint64_t misses() const { return misses_; }

 private:
  // The layout's id and the uniform's size, then the buffers' ids, then the ranges.
  using Key = std::vector<std::uint64_t>;
  using KeyView = std::span<const std::uint64_t>;
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming)
    std::size_t operator()(KeyView key) const;
    std::size_t operator()(const Key& key) const { return (*this)(KeyView(key)); }
  };
  struct Equal {
    using is_transparent = void;  // NOLINT(readability-identifier-naming)
    bool operator()(KeyView a, KeyView b) const;
  };
  struct Group {
    BindGroupHandle handle;
    std::size_t buffers = 0;
  };
  WGPUBindGroup make(const Layout& layout, std::span<const WebGpuBuffer* const> buffers,
                     std::span<const BufferRange> ranges, WGPUBuffer uniform, std::uint32_t uniform_bytes,
                     std::uint64_t max_binding);

  std::shared_ptr<Core> core_;
  LruCache<Group, Key, Hash, Equal> groups_{kMost};
  Key key_;  // reused between calls
  std::vector<WGPUBindGroupEntry> entries_;
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace tessera::runtime::webgpu
