// Which elements of each buffer a part of a loop nest needs, and the largest parts whose needs can be bound.
#include "schedule/lower/chunks.h"

#include <algorithm>
#include <limits>

#include "base/fail.h"
#include "base/ints.h"
#include "graph/op.h"

namespace tessera::schedule {

namespace {

constexpr std::int64_t kSmallestTile = 32;  // rows or columns of the smallest tile of a matmul
/// A chunk whose elements fill less than this part of a window is worth a copy in the order of reading.
constexpr std::int64_t kSparse = 16;

std::int64_t padded(std::int64_t elements) { return (elements + 3) / 4 * 4; }

Span join(const Span& a, const Span& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

Span shift(const Span& a, std::int64_t by) { return a.empty() ? a : Span{a.first + by, a.last + by}; }

/// Where the indices first..last of dims d.. lead to.
Span strided(const std::vector<Dim>& dims, std::size_t d, std::int64_t first, std::int64_t last) {
  if (d == dims.size()) return {0, 0};
  std::int64_t inner = 1;
  for (std::size_t i = d + 1; i < dims.size(); ++i) inner *= dims[i].size;
  if (first == 0 && last == inner * dims[d].size - 1) {
    Span all{0, 0};
    for (std::size_t i = d; i < dims.size(); ++i) {
      const std::int64_t end = (dims[i].size - 1) * dims[i].stride;
      (end < 0 ? all.first : all.last) += end;
    }
    return all;
  }
  const std::int64_t from = first / inner;
  const std::int64_t to = last / inner;
  const std::int64_t stride = dims[d].stride;
  if (from == to) return shift(strided(dims, d + 1, first % inner, last % inner), from * stride);
  Span all = shift(strided(dims, d + 1, first % inner, inner - 1), from * stride);
  all = join(all, shift(strided(dims, d + 1, 0, last % inner), to * stride));
  if (to - from > 1) {
    const Span middle = strided(dims, d + 1, 0, inner - 1);
    all = join(all, join(shift(middle, (from + 1) * stride), shift(middle, (to - 1) * stride)));
  }
  return all;
}

/// The elements inside a pad's window that come before position `at` of its output.
std::int64_t inside_before(std::int64_t at, const Shape& outer, const Shape& inner, const PadLow& window) {
  std::int64_t below = outer.numel();
  std::int64_t rest = inner.numel();
  std::int64_t prefix = 0;
  if (below == 0 || rest == 0) return 0;
  if (at >= below) return rest;
  for (int d = 0; d < outer.rank(); ++d) {
    below /= outer[d];
    const std::int64_t c = at / below - window.low[as_index(d)];
    at %= below;
    if (c < 0) return prefix * rest;
    if (c >= inner[d]) return (prefix + 1) * rest;
    rest /= inner[d];
    prefix = prefix * inner[d] + c;
  }
  return prefix;
}

/// A part of a loop nest, as the ranges of its indices.
struct Part {
  Span elements = {}, rows = {}, cols = {};
  Span matrices = {}, m = {}, n = {};  // matmul
};

class Chunker {
 public:
  Chunker(const Kernel& kernel, const Graph& graph, const DeviceInfo& device)
      : kernel_(kernel), graph_(graph), limit_(binding_limit(device)), most_groups_(device.limits.max_workgroups) {}

  [[nodiscard]] bool fits_whole() const {
    for (std::size_t i = 0; i < buffers(); ++i) {
      if (!bound_whole(i)) return false;
    }
    std::int64_t columns = 0;  // of whole tiles
    for (const Kernel& k : kernel_.matmuls()) {
      const Shape& c = graph_.node(k.domain).shape();
      columns += round_up(c.back(), kSmallestTile);
      if (batch(c) > most_groups_ || !fits_grid({0, c[c.rank() - 2] - 1})) return false;
    }
    return fits_grid({0, columns - 1});
  }

  Chunks run() {
    switch (kernel_.kind) {
      case Kernel::Kind::kMap:
        if (kernel_.in_ranges) {
          cut_in_ranges();
        } else {
          cut_loop(graph_.node(kernel_.domain).numel(), 4);
          update_in_ranges();
        }
        break;
      case Kernel::Kind::kReduce:
        cols_ = reduce_cols(graph_.node(kernel_.domain), graph_.node(graph_[kernel_.domain].inputs[0]));
        cut_loop(reduce_rows(graph_.node(kernel_.domain)), 1);
        break;
      case Kernel::Kind::kMatmul:
        cut_matmul();
        break;
      case Kernel::Kind::kGrouped:
        fail(ErrorKind::kValue, "A grouped kernel was to be cut as a whole; its parts are.");
      case Kernel::Kind::kCustom:
        fail(ErrorKind::kValue, "A custom kernel was to be cut; it addresses its buffers itself.");
    }
    out_.too_many = out_.chunks.size() > kMaxChunks;
    if (!out_.ok()) out_.chunks.clear();
    return std::move(out_);
  }

 private:
  // ---- Buffers ----

  [[nodiscard]] std::size_t buffers() const { return kernel_.inputs.size() + kernel_.outputs.size(); }
  [[nodiscard]] const Slot& slot(std::size_t i) const {
    return i < kernel_.inputs.size() ? kernel_.inputs[i] : kernel_.outputs[i - kernel_.inputs.size()];
  }
  [[nodiscard]] std::int64_t bytes_of(std::size_t i) const { return static_cast<std::int64_t>(size_of(slot(i).dtype)); }
  [[nodiscard]] std::int64_t total(std::size_t i) const {
    return std::max<std::int64_t>(padded(graph_.node(slot(i).node).numel()), 4);
  }
  [[nodiscard]] bool bound_whole(std::size_t i) const { return total(i) * bytes_of(i) <= limit_; }

  /// The window of a buffer for what a part needs of it.
  [[nodiscard]] Span window(std::size_t i, const Span& need) const {
    if (bound_whole(i)) return {0, total(i) - 1};
    if (need.empty()) return {0, kRangeAlign / bytes_of(i) - 1};
    const std::int64_t unit = kRangeAlign / bytes_of(i);
    return {need.first / unit * unit, padded(need.last + 1) - 1};
  }
  [[nodiscard]] bool can_bind(std::size_t i, const Span& need) const {
    const Span w = window(i, need);
    return (w.last - w.first + 1) * bytes_of(i) <= limit_;
  }

  // ---- What a part needs ----

  [[nodiscard]] Span index(int i, const Part& part) const {
    const Index& x = kernel_.indices[as_index(i)];
    switch (x.kind) {
      case Index::Kind::kAt:  // anywhere
        return {0, std::int64_t{1} << 40};
      case Index::Kind::kElement:
        return part.elements;
      case Index::Kind::kRow:
        return part.rows;
      case Index::Kind::kCol:
        return part.cols;
      case Index::Kind::kView: {
        Span s = index(x.parent, part);
        for (const ViewLevel& level : graph_.node(x.node).view().levels) {
          if (!s.empty()) s = shift(strided(level.dims, 0, s.first, s.last), level.offset);
        }
        return s;
      }
      case Index::Kind::kPadded: {
        const Span s = index(x.parent, part);
        if (s.empty()) return s;
        const Graph::Entry& e = graph_[x.node];
        const Shape& outer = e.node->shape();
        const Shape& inner = graph_.node(e.inputs[0]).shape();
        return {inside_before(s.first, outer, inner, e.node->pad_low()),
                inside_before(s.last + 1, outer, inner, e.node->pad_low()) - 1};
      }
    }
    return {};
  }

  [[nodiscard]] Span operand(const Operand& x, const Part& part, bool is_a) const {
    static const View kPlain;
    const Node& node = graph_.node(x.node);
    if (x.is_im2col()) return {0, graph_.node(kernel_.inputs[as_index(x.slot)].node).numel() - 1};
    const SplitView s = split_view(graph_[x.node].op() == Op::kView ? node.view() : kPlain, node.shape());
    const std::size_t rank = s.dims.size();
    const std::vector<Dim> outer(s.dims.begin(), s.dims.end() - 2);
    const auto along = [&](std::size_t d, const Span& range) {
      const std::int64_t a = range.first * s.dims[d].stride;
      const std::int64_t b = range.last * s.dims[d].stride;
      return Span{std::min(a, b), std::max(a, b)};
    };
    const Span k{0, node.shape()[static_cast<int>(rank) - (is_a ? 1 : 2)] - 1};
    const Span row = is_a ? part.m : k;
    const Span col = is_a ? k : part.n;
    if (part.matrices.empty() || row.empty() || col.empty()) return {};
    const Span b = strided(outer, 0, part.matrices.first, part.matrices.last);
    const Span r = along(rank - 2, row);
    const Span c = along(rank - 1, col);
    return {s.offset + b.first + r.first + c.first, s.offset + b.last + r.last + c.last};
  }

  /// Whether a buffer is updated at computed positions: it is bound in ranges, each with all of the loop nest.
  [[nodiscard]] bool updated(std::size_t i) const {
    if (i >= kernel_.inputs.size()) return kernel_.updates(static_cast<int>(i - kernel_.inputs.size()));
    return std::ranges::any_of(kernel_.aliases, [&](const auto& alias) {
      return as_index(alias.first) == i && kernel_.updates(alias.second);
    });
  }

  [[nodiscard]] Span need(std::size_t i, const Part& part) const {
    Span s;
    if (updated(i)) return s;
    if (i >= kernel_.inputs.size()) {
      for (const Store& x : kernel_.stores) {
        if (as_index(x.slot) + kernel_.inputs.size() == i) s = join(s, x.row ? part.rows : part.elements);
      }
      return s;
    }
    for (const Instr& x : kernel_.instrs) {
      if (x.kind == Instr::Kind::kLoad && as_index(x.slot) == i) s = join(s, index(x.index, part));
    }
    if (kernel_.kind == Kernel::Kind::kMatmul) {
      if (as_index(kernel_.a.slot) == i) s = join(s, operand(kernel_.a, part, true));
      if (as_index(kernel_.b.slot) == i) s = join(s, operand(kernel_.b, part, false));
    }
    return s;
  }

  [[nodiscard]] int misfit(const Part& part) const {
    for (std::size_t i = 0; i < buffers(); ++i) {
      if (!bound_whole(i) && !can_bind(i, need(i, part))) return static_cast<int>(i);
    }
    return -1;
  }

  /// A node of this kind of index through which input `i` is loaded; -1: there is none.
  [[nodiscard]] int behind(int i, Index::Kind kind) const {
    for (const Instr& x : kernel_.instrs) {
      if (x.kind != Instr::Kind::kLoad || x.slot != i) continue;
      for (int at = x.index; at >= 0; at = kernel_.indices[as_index(at)].parent) {
        if (kernel_.indices[as_index(at)].kind == kind) return kernel_.indices[as_index(at)].node;
      }
    }
    return -1;
  }

  /// Notes why buffer `i` cannot be bound.
  void blame(int i) {
    if (as_index(i) < kernel_.inputs.size()) {
      for (const Instr& x : kernel_.instrs) {
        if (x.kind == Instr::Kind::kLoad && x.slot == i && kernel_.indices[as_index(x.index)].kind == Index::Kind::kAt)
          out_.wild_gather = x.node;
      }
      if (!out_.ok()) return;
      out_.wild_view = behind(i, Index::Kind::kView);
      if (out_.wild_view < 0) out_.wild_pad = behind(i, Index::Kind::kPadded);
      if (!out_.ok()) return;
    }
    if (kernel_.kind == Kernel::Kind::kMatmul && (kernel_.a.slot == i || kernel_.b.slot == i)) {
      out_.wild_operand = kernel_.b.slot == i ? 1 : 0;
      return;
    }
    out_.long_row = i;
  }

  // ---- Cutting ----

  /// The most units, up to `most`, that fit; 0 where one does not.
  template <class F>
  static std::int64_t grow(std::int64_t most, F fits) {
    if (fits(most)) return most;
    std::int64_t good = 0;
    std::int64_t bad = most;
    while (bad - good > 1) {
      const std::int64_t middle = good + (bad - good) / 2;
      (fits(middle) ? good : bad) = middle;
    }
    return good;
  }

  void add(Chunk chunk, const Part& part) {
    for (std::size_t i = 0; i < buffers(); ++i) chunk.ranges.push_back(window(i, need(i, part)));
    out_.chunks.push_back(std::move(chunk));
  }

  /// A map's elements or a reduction's rows.
  [[nodiscard]] Part part_of(std::int64_t first, std::int64_t count) const {
    if (kernel_.kind == Kernel::Kind::kMap) return {.elements = {first, first + count - 1}, .rows = {0, 0}, .cols = {}};
    return {.elements = {first * cols_, (first + count) * cols_ - 1},
            .rows = {first, first + count - 1},
            .cols = {0, cols_ - 1}};
  }

  void cut_loop(std::int64_t n, std::int64_t unit) {
    const std::int64_t each = std::max<std::int64_t>(cols_, 1);
    for (std::int64_t first = 0; first < n;) {
      const auto part = [&](std::int64_t units) { return part_of(first, std::min(units * unit, n - first)); };
      const std::int64_t most = ceil_div(n - first, unit);
      const std::int64_t units = grow(most, [&](std::int64_t x) { return misfit(part(x)) < 0; });
      if (units == 0) return blame(misfit(part(1)));
      add({.first = first, .count = std::min(units * unit, n - first)}, part(units));
      first += units * unit;
      if (units == most || out_.chunks.size() < 8) continue;
      const int tight = misfit(part_of(first - units * unit, std::min((units + 1) * unit, n - first + units * unit)));
      const auto count = static_cast<std::int64_t>(out_.chunks.size());
      if (tight >= 0 && first * each * kSparse < count * (limit_ / bytes_of(as_index(tight))) &&
          behind(tight, Index::Kind::kView) >= 0) {
        return blame(tight);
      }
    }
  }

  /// Every chunk once for each window of the tensor that is updated.
  void update_in_ranges() {
    const auto put = std::ranges::find_if(kernel_.stores, [](const Store& x) { return x.at >= 0; });
    if (put == kernel_.stores.end() || !out_.ok()) return;
    const std::size_t out = kernel_.inputs.size() + as_index(put->slot);
    if (bound_whole(out)) return;
    const std::int64_t step = limit_ / kRangeAlign * kRangeAlign / bytes_of(out);
    std::vector<Chunk> chunks;
    for (const Chunk& chunk : out_.chunks) {
      for (std::int64_t at = 0; at < total(out) && chunks.size() <= kMaxChunks; at += step) {
        Chunk& part = chunks.emplace_back(chunk);
        for (std::size_t i = 0; i < buffers(); ++i) {
          if (updated(i)) part.ranges[i] = {at, std::min(at + step, total(out)) - 1};
        }
      }
    }
    out_.chunks = std::move(chunks);
  }

  /// Every chunk of the output once for each window of the input that it reads from.
  void cut_in_ranges() {
    const std::int64_t n = graph_.node(kernel_.domain).numel();
    const std::size_t out = kernel_.inputs.size();
    const std::int64_t whole = limit_ / kRangeAlign * kRangeAlign;
    const std::int64_t step = whole / bytes_of(0);
    for (std::int64_t first = 0; first < n;) {
      const std::int64_t count = std::min(n - first, whole / bytes_of(out));
      const Part part = part_of(first, count);
      const Span from = need(0, part);
      const std::int64_t unit = kRangeAlign / bytes_of(0);
      for (std::int64_t at = from.first / unit * unit; at <= from.last; at += step) {
        if (out_.chunks.size() > kMaxChunks) return;
        const Span in{at, std::min(at + step, total(0)) - 1};
        out_.chunks.push_back({.first = first, .count = count, .ranges = {in, window(out, part.elements)}});
      }
      first += count;
    }
  }

  /// Matrices in the result of a matmul.
  static std::int64_t batch(const Shape& c) {
    std::int64_t n = 1;
    for (int i = 0; i < c.rank() - 2; ++i) n *= c[i];
    return n;
  }
  [[nodiscard]] bool fits_grid(const Span& range) const {
    return range.last - range.first < kSmallestTile * most_groups_;
  }

  /// As many matrices as fit; of a matrix that does not, as many columns and then rows.
  void cut_matmul() {
    const Shape& c = graph_.node(kernel_.domain).shape();
    const std::int64_t rows = c[c.rank() - 2];
    const std::int64_t cols = c.back();
    const auto part_of = [&](Span z, Span m, Span n) {
      const std::int64_t first = z.first * rows + m.first;
      const std::int64_t last = z.last * rows + m.last;
      return Part{.elements = {first * cols + n.first, last * cols + n.last},
                  .rows = {first, last},
                  .cols = n,
                  .matrices = z,
                  .m = m,
                  .n = n};
    };
    const Span all_m{0, rows - 1};
    const Span all_n{0, cols - 1};
    const auto fits = [&](const Part& part) {
      return part.matrices.last - part.matrices.first < most_groups_ && fits_grid(part.m) && fits_grid(part.n) &&
             misfit(part) < 0;
    };
    const std::int64_t matrices = rows == 0 || cols == 0 ? 0 : batch(c);
    for (std::int64_t z = 0; z < matrices;) {
      const std::int64_t count =
          grow(matrices - z, [&](std::int64_t x) { return fits(part_of({z, z + x - 1}, all_m, all_n)); });
      if (count > 0) {
        add({.first = z, .count = count, .m1 = rows, .n1 = cols}, part_of({z, z + count - 1}, all_m, all_n));
        z += count;
        continue;
      }
      for (std::int64_t n = 0; n < cols;) {
        const auto range_n = [&](std::int64_t quads) { return Span{n, std::min(n + 4 * quads, cols) - 1}; };
        const std::int64_t quads =
            grow((cols - n + 3) / 4, [&](std::int64_t x) { return fits(part_of({z, z}, {0, 0}, range_n(x))); });
        if (quads == 0) return blame(misfit(part_of({z, z}, {0, 0}, range_n(1))));
        const Span ns = range_n(quads);
        for (std::int64_t m = 0; m < rows;) {
          std::int64_t high = grow(rows - m, [&](std::int64_t x) { return fits(part_of({z, z}, {m, m + x - 1}, ns)); });
          if (high == 0) return blame(misfit(part_of({z, z}, {m, m}, ns)));
          if (m + high < rows && high >= 4) high = high / 4 * 4;
          add({.first = z, .count = 1, .m0 = m, .m1 = m + high, .n0 = n, .n1 = ns.last + 1},
              part_of({z, z}, {m, m + high - 1}, ns));
          m += high;
        }
        n = ns.last + 1;
      }
      ++z;
    }
  }

  const Kernel& kernel_;
  const Graph& graph_;
  std::int64_t limit_;
  std::int64_t most_groups_;
  std::int64_t cols_ = 0;  // reduce
  Chunks out_;
};

}  // namespace

std::int64_t binding_limit(const DeviceInfo& device) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  const std::uint64_t limit = device.limits.max_storage_binding_size;
  return device.type == DeviceType::kCpu || limit == 0 || limit > static_cast<std::uint64_t>(kNone)
             ? kNone
             : static_cast<std::int64_t>(limit);
}

bool oversize(const Node& node, const DeviceInfo& device) {
  return padded(node.numel()) > binding_limit(device) / static_cast<std::int64_t>(size_of(node.dtype()));
}

// A window may have to start before what is needed; four rows of a matmul's operand are read at a time.
std::int64_t longest_row(const DeviceInfo& device) { return (binding_limit(device) - kRangeAlign) / 32; }

bool fits_whole(const Kernel& kernel, const Graph& graph, const DeviceInfo& device) {
  // Custom kernels address their buffers themselves: the device refuses what it cannot bind.
  if (kernel.kind == Kernel::Kind::kCustom) return true;
  return device.type == DeviceType::kCpu || Chunker(kernel, graph, device).fits_whole();
}

Chunks chunks_of(const Kernel& kernel, const Graph& graph, const DeviceInfo& device) {
  return Chunker(kernel, graph, device).run();
}

Binding bind_chunk(const Kernel& kernel, const Binding& whole, const Chunk& chunk) {
  Binding b = whole;
  b.chunked = true;
  b.first = chunk.first;
  const auto word = [&](std::int64_t v) { b.params.push_back(static_cast<std::uint32_t>(v)); };
  switch (kernel.kind) {
    case Kernel::Kind::kMap:
      b.cols = chunk.count;
      b.params[0] = static_cast<std::uint32_t>(chunk.first + chunk.count);
      word(chunk.first / 4);
      break;
    case Kernel::Kind::kReduce:
      b.rows = chunk.count;
      b.params[0] = static_cast<std::uint32_t>(chunk.first + chunk.count);
      word(chunk.first);
      break;
    default:
      b.batch = chunk.count;
      b.first_m = chunk.m0;
      b.first_n = chunk.n0;
      b.m = chunk.m1 - chunk.m0;
      b.n = chunk.n1 - chunk.n0;
      b.rows = b.batch * b.m;
      b.cols = b.n;
      for (const std::int64_t v : {chunk.first, chunk.m0, chunk.n0, chunk.m1, chunk.n1}) word(v);
      break;
  }
  for (const Span& w : chunk.ranges) {
    word(w.first);
    word(w.last - w.first);
  }
  return b;
}

}  // namespace tessera::schedule
