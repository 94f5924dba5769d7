// Caches of keys and values: dtypes, writes of new rows, and pages.
#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/fail.h"
#include "base/ints.h"
#include "tessera/index.h"
#include "tessera/llm/blocks.h"
#include "tessera/ops.h"

namespace tessera::llm {

namespace {

/// Blocks of 32 elements share a scale, as in Q8_0; fewer where they do not divide a head.
std::int64_t block_of(std::int64_t head_size) {
  std::int64_t block = 32;
  while (block > 1 && head_size % block != 0) block /= 2;
  return block;
}

/// Rows [.., D] as quants in i8 and scales [.., D / block]: the largest element of a block becomes 127 or -127.
std::pair<Tensor, Tensor> quantized_rows(const Tensor& rows) {
  const Shape& s = rows.shape();
  const std::int64_t block = block_of(s[3]);
  const Tensor x = reshape(cast(rows, f32), {s[0], s[1], s[2], s[3] / block, block});
  const Tensor scales = max(abs(x), {-1}, true) * (1.0 / 127);
  const Tensor quants = clamp(round(x / where(equal(scales, 0.0), 1.0, scales)), -127.0, 127.0);
  return {reshape(cast(quants, i8), s), reshape(scales, {s[0], s[1], s[2], s[3] / block})};
}

}  // namespace

Cache::Cache(const Config& config, std::int64_t batch, std::int64_t context, DType dtype, const Device& device,
             const PageOptions& pages)
    : lengths(zeros({batch}, i32, device)), context_(context), pages_(pages) {
  const std::int64_t block = block_of(config.head_size);
  if (dtype != q8_0 && !is_float(dtype)) {
    fail(ErrorKind::kDType, "Cache: the dtype {} was given; f32, f16, bf16 or q8_0 is expected.", name(dtype));
  }
  if (dtype == q8_0 && block < 4) {
    fail(ErrorKind::kUnsupported, "Cache: q8_0 needs heads whose size is a multiple of 4; this model's have {}.",
         config.head_size);
  }
  if (pages.size < 0 || pages.count < 0 || pages.chunk < 1) {
    fail(ErrorKind::kValue,
         "Cache: {} pages of {} tokens, and chunks of {}, were given; at least 0, 0 and 1 are expected.", pages.count,
         pages.size, pages.chunk);
  }
  const std::int64_t in_row = pages.size > 0 ? ceil_div(context, pages.size) : 0;  // of a table
  for (const LayerConfig& layer : config.layers) {
    Shape rows{batch, config.kv_heads, context, config.head_size};
    if (pages.size > 0) {
      const auto same = [&](const Pool& p) { return p.window == layer.window; };
      const auto at = std::ranges::find_if(pools_, same) - pools_.begin();
      table_of_.push_back(static_cast<std::size_t>(at));
      if (at == static_cast<std::ptrdiff_t>(pools_.size())) {
        Pool pool;
        pool.window = layer.window;
        pool.most = layer.window > 0 ? std::min(in_row, ceil_div(layer.window + pages.chunk, pages.size) + 1) : in_row;
        pool.count = 1 + (pages.count > 0 ? std::min(pages.count, batch * pool.most) : batch * pool.most);
        for (std::int64_t i = pool.count - 1; i > 0; --i) pool.free.push_back(static_cast<std::int32_t>(i));
        pool.entries.assign(static_cast<std::size_t>(batch * in_row), 0);
        tables.push_back(zeros({batch, in_row}, i32, device));
        pools_.push_back(std::move(pool));
      }
      rows = {pools_[table_of_.back()].count, config.kv_heads, pages.size, config.head_size};
    }
    for (std::vector<Tensor>* x : {&k, &v}) x->push_back(zeros(rows, dtype == q8_0 ? i8 : dtype, device));
    if (dtype != q8_0) continue;
    rows[3] /= block;
    for (std::vector<Tensor>* x : {&k_scales, &v_scales}) x->push_back(zeros(rows, f32, device));
  }
}

void Cache::fields(nn::Fields& f) {
  f.buffer("k", k);
  f.buffer("v", v);
  f.buffer("k_scales", k_scales);
  f.buffer("v_scales", v_scales);
  f.buffer("lengths", lengths);
  f.buffer("tables", tables);
}

DType Cache::dtype_of_rows(DType weights) const {
  if (!quantized()) return k[0].dtype();
  return is_float(weights) ? weights : f16;
}

// ---- Writes ----

/// A tensor of the cache with new rows [B, H, T, ..] from each sequence's position on.
Tensor Cache::updated(const Tensor& cache, const Tensor& rows, const Tensor& starts, const Tensor& table) const {
  const Shape& s = rows.shape();
  if (!table.defined()) {
    return slice_update(cache, rows, s[0] == 1 ? starts : reshape(starts, {s[0], 1}), {2});
  }
  // Each row goes to a place of its own: the page of its position, and the position in the page.
  const auto size = static_cast<std::int32_t>(pages_.size);
  const Tensor at = reshape(starts, {s[0], 1}) + arange(0, static_cast<double>(s[2]), 1, i32, cache.device());
  const Tensor page = take_along_axis(table, floor_divide(at, size), 1);
  const Tensor places = reshape(stack({page, remainder(at, size)}, -1), {s[0] * s[2], 2});
  return slice_update(cache, reshape(transpose(rows, 1, 2), {s[0] * s[2], s[1], 1, s[3]}), places, {0, 2});
}

Tensor Cache::table(std::size_t layer, const Tensor& sequences) const {
  if (tables.empty()) return {};
  const Tensor& all = tables[table_of_[layer]];
  return sequences.defined() ? take(all, sequences, 0) : all;
}

void Cache::write(std::size_t layer, const Tensor& keys, const Tensor& values, const Tensor& starts,
                  const Tensor& sequences) {
  const Tensor pages = table(layer, sequences);
  if (!quantized()) {
    k[layer] = updated(k[layer], keys, starts, pages);
    v[layer] = updated(v[layer], values, starts, pages);
    return;
  }
  const auto put = [&](Tensor& quants, Tensor& scales, const Tensor& rows) {
    const auto [q, s] = quantized_rows(rows);
    quants = updated(quants, q, starts, pages);
    scales = updated(scales, s, starts, pages);
  };
  put(k[layer], k_scales[layer], keys);
  put(v[layer], v_scales[layer], values);
}

// ---- Pages ----

void Cache::check_sequence(std::int64_t sequence) const {
  if (pools_.empty()) fail(ErrorKind::kValue, "Cache: it has no pages; Model::cache with a page size makes one.");
  if (sequence < 0 || sequence >= batch()) {
    fail(ErrorKind::kValue, "Cache: sequence {} was given; 0 to {} is expected.", sequence, batch() - 1);
  }
}

void Cache::check_range(std::int64_t sequence, std::int64_t from, std::int64_t to) const {
  check_sequence(sequence);
  if (from < 0 || from > to || to > context_) {
    fail(ErrorKind::kValue, "Cache: tokens {} to {} of a sequence were given; the context has room for {}.", from, to,
         context_);
  }
}

std::int64_t Cache::first_page(const Pool& pool, std::int64_t from) const {
  return pool.window > 0 ? std::max<std::int64_t>(from - pool.window + 1, 0) / pages_.size : 0;
}

std::int64_t Cache::missing(const Pool& pool, std::int64_t sequence, std::int64_t from, std::int64_t to) const {
  auto available = static_cast<std::int64_t>(pool.free.size());
  const std::int32_t* row = pool.entries.data() + sequence * tables[0].size(1);
  for (std::int64_t p = 0; p < ceil_div(to, pages_.size); ++p) {
    const bool has = row[p] > 0 && row[p] < pool.count;
    if (has == (p >= first_page(pool, from))) continue;
    available += has ? 1 : -1;
  }
  return std::max<std::int64_t>(-available, 0);
}

bool Cache::can_reserve(std::int64_t sequence, std::int64_t from, std::int64_t to) const {
  check_range(sequence, from, to);
  return std::ranges::all_of(pools_, [&](const Pool& p) { return missing(p, sequence, from, to) == 0; });
}

void Cache::reserve(std::int64_t sequence, std::int64_t from, std::int64_t to) {
  check_range(sequence, from, to);
  const std::int64_t in_row = tables[0].size(1);
  const std::int64_t end = ceil_div(to, pages_.size);
  for (const Pool& pool : pools_) {
    const std::int64_t more = missing(pool, sequence, from, to);
    if (more == 0) continue;
    fail(ErrorKind::kOutOfMemory,
         "Cache: {} more pages of {} tokens are needed for tokens {} to {} of sequence {}; the cache has {}{}. Release "
         "a sequence, or make the cache with more pages.",
         more, pages_.size, from, to, sequence, pool.count - 1,
         pool.window > 0 ? fmt::format(" for layers with a window of {} and chunks of {}", pool.window, pages_.chunk)
                         : std::string());
  }
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    Pool& pool = pools_[i];
    const auto row =
        std::span(pool.entries).subspan(static_cast<std::size_t>(sequence * in_row), static_cast<std::size_t>(in_row));
    const auto owned = [&](std::int32_t entry) { return entry > 0 && entry < pool.count; };
    const std::int64_t first = first_page(pool, from);
    bool changed = false;
    for (std::int64_t p = 0; p < in_row; ++p) {
      std::int32_t& entry = row[static_cast<std::size_t>(p)];
      const std::int32_t before = entry;
      if (p < first) {
        if (owned(entry)) pool.free.push_back(entry);
        entry = 0;  // not seen again
      } else if (!owned(entry)) {
        entry = static_cast<std::int32_t>(pool.count);  // out of bounds: an Error if it is written
        if (p < end) {
          entry = pool.free.back();
          pool.free.pop_back();
        }
      }
      changed = changed || entry != before;
    }
    if (changed) tables[i] = Tensor(pool.entries, tables[i].shape(), tables[i].device());
  }
}

void Cache::release(std::int64_t sequence) {
  check_sequence(sequence);
  const std::int64_t in_row = tables[0].size(1);
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    Pool& pool = pools_[i];
    for (std::int64_t p = sequence * in_row; p < (sequence + 1) * in_row; ++p) {
      std::int32_t& entry = pool.entries[static_cast<std::size_t>(p)];
      if (entry > 0 && entry < pool.count) pool.free.push_back(entry);
      entry = 0;
    }
    tables[i] = Tensor(pool.entries, tables[i].shape(), tables[i].device());
  }
  const Tensor row = arange(0, static_cast<double>(batch()), 1, i32, lengths.device());
  lengths = where(equal(row, static_cast<std::int32_t>(sequence)), 0, lengths);
}

std::int64_t Cache::free_pages() const {
  std::int64_t fewest = pools_.empty() ? 0 : INT64_MAX;
  for (const Pool& p : pools_) fewest = std::min(fewest, static_cast<std::int64_t>(p.free.size()));
  return fewest;
}

std::int64_t Cache::free_tokens() const {
  std::int64_t most = batch() * context_;
  for (const Pool& p : pools_) {
    const auto free = static_cast<std::int64_t>(p.free.size());
    if (p.window == 0 || free < p.most) most = std::min(most, free * pages_.size);
  }
  return most;
}

}  // namespace tessera::llm
