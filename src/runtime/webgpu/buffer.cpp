// Buffers of the device, uploads and downloads.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/ints.h"
#include "ops/elementwise/special.h"
#include "runtime/webgpu/device.h"

namespace tessera::runtime::webgpu {

namespace {

constexpr std::size_t kUploadChunk = std::size_t{32} << 20U;   // the API copies each write into its own memory
constexpr std::size_t kUploadsAhead = 4;                       // chunks in flight of one upload
constexpr std::size_t kStagingMost = std::size_t{64} << 20U;   // the largest staging buffer
constexpr std::size_t kStagingKept = std::size_t{256} << 20U;  // bytes kept for later downloads

WebGpuBuffer& own(Buffer& buffer) { return static_cast<WebGpuBuffer&>(buffer.whole()); }

void check_range(std::string_view what, const Buffer& buffer, std::size_t offset, std::size_t bytes) {
  if (offset > buffer.bytes() || bytes > buffer.bytes() - offset) {
    fail(ErrorKind::kValue, "{}: bytes {} to {} were asked for; the buffer has {}.", what, offset, offset + bytes,
         buffer.bytes());
  }
}

}  // namespace

BufferHandle DeviceImpl::try_create_buffer(std::size_t bytes, WGPUBufferUsage usage) {
  const auto alive = core_->alive();
  WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
  descriptor.usage = usage;
  descriptor.size = bytes;
  return {core_->api(), core_->api().wgpuDeviceCreateBuffer(core_->device(), &descriptor)};
}

BufferHandle DeviceImpl::create_raw_buffer(std::size_t bytes, WGPUBufferUsage usage, std::string_view what) {
  for (const bool last_try : {false, true}) {
    const ErrorCatch errors;
    BufferHandle handle = try_create_buffer(bytes, usage);
    if (!errors.caught() && handle) return handle;
    if (core_->lost()) throw core_->lost_error();
    if (errors.caught() && errors.type() != WGPUErrorType_OutOfMemory) {
      throw translate(errors.type(), errors.message(), fmt::format("making {} of {} bytes", what, bytes));
    }
    if (last_try) break;
    // Freed memory is available only when the commands that used it have finished.
    free_dead_buffers();
    core_->poll(true);
  }
  throw Error(ErrorKind::kOutOfMemory, fmt::format("{} has no memory for {} of {} bytes.", info().name, what, bytes),
              {.requested = bytes, .available = pool().available()});
}

std::unique_ptr<Buffer> DeviceImpl::create_buffer(std::size_t bytes) {
  const std::size_t size = std::max<std::size_t>(round_up(bytes, 16), 256);
  std::uint64_t largest = info().limits.max_buffer_size;
  if (config().max_buffer_size != 0) largest = std::min(largest, config().max_buffer_size);
  if (size > largest) {
    throw Error(
        ErrorKind::kLimit,
        fmt::format("A buffer of {} bytes was asked for; the largest on {} is {} bytes.", size, info().name, largest),
        {.requested = size, .available = largest});
  }
  constexpr WGPUBufferUsage kUsage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
  return std::make_unique<WebGpuBuffer>(core_, create_raw_buffer(size, kUsage, "a buffer"), size);
}

void DeviceImpl::free_dead_buffers() {
  const std::lock_guard lock(submit_mutex_);
  bind_groups_.purge();
}

void DeviceImpl::upload(Buffer& to, std::size_t offset, std::span<const std::byte> from) {
  if (offset % 4 != 0) fail(ErrorKind::kValue, "upload: the offset {} is not a multiple of 4 bytes.", offset);
  check_range("upload", to, offset, from.size());
  own(to).check_belongs(*core_);
  offset += to.offset();
  counters().count_upload(from.size());
  const auto alive = core_->alive();
  const Functions& api = core_->api();
  const ErrorCatch errors;
  const auto write = [&](std::size_t at, std::span<const std::byte> data) {
    api.wgpuQueueWriteBuffer(core_->queue(), own(to).raw(), at, data.data(), data.size());
  };
  std::array<WGPUSubmissionIndex, kUploadsAhead> flushed{};
  std::size_t flushes = 0;
  const std::size_t whole = from.size() / 4 * 4;
  for (std::size_t done = 0; done < whole;) {
    const std::size_t n = std::min(whole - done, kUploadChunk);
    write(offset + done, from.subspan(done, n));
    done += n;
    // Without a submission the API's copies would accumulate.
    if (uploaded_.fetch_add(n) + n >= kUploadChunk && !errors.caught() && !core_->lost()) {
      uploaded_ = 0;
      WGPUSubmissionIndex& index = flushed[flushes % kUploadsAhead];
      if (flushes >= kUploadsAhead) api.wgpuDevicePoll(core_->device(), 1U, &index);
      index = api.wgpuQueueSubmitForIndex(core_->queue(), 0, nullptr);
      ++flushes;
    }
  }
  if (whole < from.size()) {  // the last partial word; buffers end on whole words
    std::array<std::byte, 4> word{};
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(whole), from.end(), word.begin());
    write(offset + whole, word);
  }
  if (core_->lost()) throw core_->lost_error();
  if (errors.caught()) {
    const Error error = translate(errors.type(), errors.message(), fmt::format("uploading {} bytes", from.size()));
    throw Error(error.kind(), error.what(), {.requested = from.size()});
  }
}

DeviceImpl::Staging DeviceImpl::take_staging(std::size_t bytes) {
  const std::size_t size = Pool::size_class(std::max<std::size_t>(bytes, 4096));
  {
    const std::lock_guard lock(staging_mutex_);
    const auto it = std::ranges::find(staging_, size, &Staging::bytes);
    if (it != staging_.end()) {
      Staging staging = std::move(*it);
      staging_.erase(it);
      return staging;
    }
  }
  return {create_raw_buffer(size, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, "a staging buffer"), size};
}

void DeviceImpl::give_staging(Staging staging) {
  const std::lock_guard lock(staging_mutex_);
  std::size_t kept = staging.bytes;
  for (const Staging& other : staging_) kept += other.bytes;
  staging_.push_back(std::move(staging));
  while (kept > kStagingKept) {  // the oldest first
    kept -= staging_.front().bytes;
    staging_.erase(staging_.begin());
  }
}

struct DeviceImpl::Transfer {
  struct Piece {
    WGPUBuffer from = nullptr;
    std::size_t offset = 0;  // in `from`, a multiple of 4
    std::size_t part = 0;    // which staging buffer
    std::size_t at = 0;      // in the staging buffer
    std::size_t words = 0;   // bytes copied, a multiple of 4
    std::size_t skip = 0;    // of them, before the requested range
    std::size_t bytes = 0;   // of them, requested
    std::size_t read = 0;    // index of the read
    std::size_t into = 0;    // offset in the read
  };
  std::vector<Read> reads;
  std::vector<Piece> pieces;
  std::vector<std::size_t> sizes;  // bytes of each part
  std::vector<Staging> parts;
  Done done;
  std::array<std::uint32_t, 4> report{};
  bool reports = false;

  void add(Read read, WGPUBuffer buffer) {
    const std::size_t end = read.offset + read.bytes;
    for (std::size_t from = read.offset; from < end;) {
      Piece piece{.from = buffer, .offset = from / 4 * 4, .read = reads.size(), .into = from - read.offset};
      piece.skip = from - piece.offset;
      piece.words = std::min(round_up(end, 4) - piece.offset, kStagingMost);
      piece.bytes = std::min(end, piece.offset + piece.words) - from;
      if (sizes.empty() || sizes.back() + piece.words > kStagingMost) sizes.push_back(0);
      piece.part = sizes.size() - 1;
      piece.at = sizes.back();
      sizes.back() = round_up(sizes.back() + piece.words, 8);
      from += piece.bytes;
      pieces.push_back(piece);
    }
    reads.push_back(std::move(read));
  }
};

void DeviceImpl::download(std::vector<Read> reads, Done done) {
  auto transfer = std::make_shared<Transfer>();
  for (Read& read : reads) {
    check_range("download", *read.buffer, read.offset, read.bytes);
    own(*read.buffer).check_belongs(*core_);
  }
  counters().count_download(reads);
  for (Read& read : reads) {
    const WGPUBuffer buffer = own(*read.buffer).raw();
    read.offset += read.buffer->offset();
    transfer->add(std::move(read), buffer);
  }
  {
    const std::lock_guard lock(submit_mutex_);
    transfer->reports = std::exchange(reports_pending_, false);
  }
  if (transfer->reports) {
    transfer->add({.bytes = sizeof(transfer->report), .to = transfer->report.data()}, reports_.buffer(*core_));
  }
  for (const std::size_t size : transfer->sizes) transfer->parts.push_back(take_staging(size));
  transfer->done = std::move(done);

  std::optional<InFlightSlot> place;
  if (!transfer->parts.empty()) {
    core_->enter();
    place.emplace(*core_);
  }
  const auto alive = core_->alive();
  const Functions& api = core_->api();
  if (!transfer->parts.empty()) {
    const std::lock_guard lock(submit_mutex_);
    const ErrorCatch errors;
    CommandEncoderHandle encoder = make_encoder();
    for (const Transfer::Piece& piece : transfer->pieces) {
      api.wgpuCommandEncoderCopyBufferToBuffer(encoder.get(), piece.from, piece.offset,
                                               transfer->parts[piece.part].handle.get(), piece.at, piece.words);
    }
    if (transfer->reports) {
      api.wgpuCommandEncoderClearBuffer(encoder.get(), reports_.buffer(*core_), 0, sizeof(transfer->report));
    }
    finish_and_submit(std::move(encoder), errors, "reading back");
    place->keep();
    count_submission(true);
  }
  // The device outlives its callbacks: its destructor finishes them. The last arrival is this function's own, so that
  // the callback does not run before it has released the parts.
  const std::uint64_t number =
      core_->expect(static_cast<int>(transfer->parts.size()) + 1,
                    [this, transfer](std::exception_ptr failure) { finish_download(*transfer, std::move(failure)); });
  const WGPUBufferMapCallbackInfo info = core_->arrive_when_mapped(number);
  const ErrorCatch errors;  // a failed map calls back too: once is enough
  for (std::size_t i = 0; i < transfer->parts.size(); ++i) {
    api.wgpuBufferMapAsync(transfer->parts[i].handle.get(), WGPUMapMode_Read, 0, transfer->sizes[i], info);
  }
  core_->arrive(number, nullptr);
}

void DeviceImpl::finish_download(Transfer& transfer, std::exception_ptr failure) {
  if (failure == nullptr) failure = core_->peek_error();  // the data may be stale
  try {
    auto alive = core_->alive();
    const Functions& api = core_->api();
    // The API ends the process if the requested range is not mapped.
    if (failure == nullptr) {
      for (const Transfer::Piece& piece : transfer.pieces) {
        const Read& read = transfer.reads[piece.read];
        const WGPUBuffer part = transfer.parts[piece.part].handle.get();
        RawBytes bytes{.object = part, .offset = piece.at + piece.skip, .size = piece.bytes};
        if (!read.take || !core_->provider().traits().outside) {
          const void* mapped = api.wgpuBufferGetConstMappedRange(part, piece.at, piece.words);
          if (mapped == nullptr) fail(ErrorKind::kOutOfMemory, "There is no memory for {} bytes to read.", piece.words);
          const auto* first = static_cast<const std::byte*>(mapped) + piece.skip;
          if (!read.take) {
            read.give(piece.into, first, piece.bytes);
            continue;
          }
          bytes = {.host = const_cast<std::byte*>(first), .size = piece.bytes};
        }
        alive.unlock();  // `take` is the user's; the part stays mapped
        read.take(piece.into, bytes);
        alive = core_->alive();
      }
      for (Staging& part : transfer.parts) {
        api.wgpuBufferUnmap(part.handle.get());
        give_staging(std::move(part));
      }
    }
    if (transfer.report[0] != 0) {
      fail_index(std::bit_cast<std::int32_t>(transfer.report[1]), std::bit_cast<std::int32_t>(transfer.report[2]));
    }
  } catch (...) {
    if (failure == nullptr) failure = std::current_exception();
  }
  counters().count_error(failure);
  // After a failure download() may still be using the parts: they are freed with the transfer.
  transfer.done(std::move(failure));
}

}  // namespace tessera::runtime::webgpu
