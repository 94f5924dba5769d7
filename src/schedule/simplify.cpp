// The rewrites before scheduling, each a few lines over one node; nodes are rebuilt bottom-up and looked up by
// structure.
#include "schedule/simplify.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>

#include "base/hash.h"
#include "schedule/inline.h"
#include "schedule/operand.h"

namespace tessera::schedule {

namespace {

std::uint64_t hash_attrs(const Attrs& attrs) {
  std::uint64_t h = attrs.index();
  if (const auto* s = std::get_if<Scalar>(&attrs)) {
    h = hash_mix(h, std::bit_cast<std::uint64_t>(s->as_double()));
  } else if (const auto* v = std::get_if<View>(&attrs)) {
    for (const ViewLevel& level : v->levels) {
      h = hash_mix(h, static_cast<std::uint64_t>(level.offset));
      for (const Dim& d : level.dims) {
        h = hash_mix(hash_mix(h, static_cast<std::uint64_t>(d.size)), static_cast<std::uint64_t>(d.stride));
      }
    }
  } else if (const auto* w = std::get_if<Window>(&attrs)) {
    for (const std::int64_t low : w->low) h = hash_mix(h, static_cast<std::uint64_t>(low));
  } else if (const auto* r = std::get_if<RandomState>(&attrs)) {
    h = hash_mix(hash_mix(h, r->seed), r->counter);
  } else if (const auto* c = std::get_if<CustomResult>(&attrs)) {
    h = hash_mix(hash_mix(h, c->call->kernel->id), static_cast<std::uint64_t>(c->output));
    for (const std::uint32_t word : c->call->params) h = hash_mix(h, word);
  }
  return h;
}

/// Rows below which, and columns above which, one workgroup a row leaves a GPU idle.
constexpr std::int64_t kFewRows = 256;
constexpr std::int64_t kLongRow = 16384;
constexpr std::int64_t kStageCols = 4096;  // what one row of the first stage reduces
constexpr std::int64_t kBusy = 262144;     // invocations that fill a large GPU
/// A matmul with this few rows (or columns) is bound by reading its other operand: a reduction does that best.
constexpr std::int64_t kSkinny = 4;
constexpr std::int64_t kManyColumns = 64;

/// When k is cut into pieces that a GPU sums side by side: products of few tiles leave it idle otherwise. Measured on a
/// large GPU with 16x256 to 1024x1024 results and k from 1024 to 65536.
struct CutRule {
  std::int64_t tiles;  // times pieces, at most
  std::int64_t width;  // of a piece, at least
  std::int64_t k;      // at least
};
constexpr CutRule kPlainCut{256, 256, 1024};
constexpr CutRule kMatrixCut{1024, 512, 4096};  // of matrix units, which are through a step sooner
constexpr std::int64_t kTile = 64;              // rows and columns
constexpr std::int64_t kMostPieces = 64;
constexpr std::int64_t kManyTiles = 64;  // from here on it takes a k of four times that length
constexpr std::int64_t kSmaller = 8;     // than a large GPU: others need so many times fewer tiles

/// The type in which partial results are kept.
DType wide_float(DType t) { return t == DType::kF16 || t == DType::kBF16 ? DType::kF32 : t; }

class Simplifier {
 public:
  Simplifier(const Graph& from, const DeviceInfo& device, std::int64_t longest_row)
      : from_(from), device_(device), gpu_(device.type != DeviceType::kCpu), longest_row_(longest_row) {}

  Graph run() {
    // Only what the roots reach is in a snapshot, so nothing here is dead until a rewrite drops it.
    std::vector<int> at(from_.entries.size());
    for (int i = 0; i < from_.size(); ++i) at[static_cast<std::size_t>(i)] = rebuild(from_[i], at);
    for (const int root : from_.roots) {
      int r = at[static_cast<std::size_t>(root)];
      while (out_[r].op() == Op::kView && out_[r].node->view().identity()) r = out_[r].inputs[0];
      out_.roots.push_back(r);
    }
    return without_dead_nodes();
  }

 private:
  int rebuild(const Graph::Entry& e, const std::vector<int>& at) {
    std::vector<int> inputs;
    inputs.reserve(e.inputs.size());
    for (const int in : e.inputs) inputs.push_back(at[static_cast<std::size_t>(in)]);
    if (e.op() == Op::kInput) return add({e.node, {}, e.storage});
    if (gpu_ && is_reduction(e.op())) return reduction(e, inputs);
    if (e.op() == Op::kMatmul) return matmul(e, inputs);
    if (e.op() == Op::kCustom) return custom(e, std::move(inputs));
    if (e.op() == Op::kGather) return add({e.node, {in_memory(inputs[0]), inputs[1]}, nullptr});
    if (e.op() == Op::kMark) return mark(e, inputs);
    if (e.op() == Op::kView && out_[inputs[0]].op() == Op::kView) return view_of_view(e, inputs[0]);
    return add({e.node, std::move(inputs), nullptr});
  }

  /// The position of an equal node, or of this one as a new entry.
  int add(Graph::Entry entry) {
    const Node& n = *entry.node;
    std::uint64_t h = hash_mix(static_cast<std::uint64_t>(entry.op()), static_cast<std::uint64_t>(n.dtype()));
    if (entry.op() == Op::kInput) {
      h = hash_mix(h, reinterpret_cast<std::uintptr_t>(entry.node.get()));
    } else {
      h = hash_mix(h, hash_attrs(n.attrs()));
      for (const std::int64_t d : n.shape()) h = hash_mix(h, static_cast<std::uint64_t>(d));
      for (const int in : entry.inputs) h = hash_mix(h, static_cast<std::uint64_t>(in));
    }
    auto [it, end] = seen_.equal_range(h);
    for (; it != end; ++it) {
      const Graph::Entry& other = out_[it->second];
      if (other.node == entry.node) return it->second;
      if (entry.op() == Op::kInput || other.op() != entry.op()) continue;
      if (other.inputs == entry.inputs && other.node->dtype() == n.dtype() && other.node->shape() == n.shape() &&
          other.node->attrs() == n.attrs()) {
        return it->second;
      }
    }
    out_.entries.push_back(std::move(entry));
    seen_.emplace(h, out_.size() - 1);
    return out_.size() - 1;
  }

  int make(Op op, DType dtype, const Shape& shape, std::vector<int> inputs, Attrs attrs = {}) {
    Node::Inputs nodes;
    nodes.reserve(inputs.size());
    for (const int in : inputs) nodes.push_back(out_[in].node);
    auto node = std::make_shared<const Node>(op, dtype, shape, nullptr, std::move(nodes), std::move(attrs));
    return add({std::move(node), std::move(inputs), nullptr});
  }

  /// The axes of `input` as strided dims over what lies under its view, for a new view to be made of.
  SplitView split(int input) const {
    static const View kPlain;
    const Graph::Entry& e = out_[input];
    return split_view(e.op() == Op::kView ? e.node->view() : kPlain, e.node->shape());
  }

  /// A view of `input` whose dims come from split(input).
  int make_view_of(int input, std::vector<Dim> dims, const SplitView& from, const Shape& shape) {
    const Graph::Entry e = out_[input];
    int base = e.op() == Op::kView ? e.inputs[0] : input;
    View view = make_view(std::move(dims), from.offset, from.below, out_.node(base).numel());
    if (view.levels.size() > View::kMaxLevels) {
      base = make(Op::kCopy, e.node->dtype(), Shape{view.levels[1].dims.empty() ? 1 : numel_of(view.levels[1])},
                  {make(Op::kView, e.node->dtype(), Shape{numel_of(view.levels[1])}, {base},
                        View{{view.levels.begin() + 1, view.levels.end()}})});
      view.levels.resize(1);
    }
    std::vector<int> inputs{base};  // and what the view waits for
    if (e.op() == Op::kView) inputs.insert(inputs.end(), e.inputs.begin() + 1, e.inputs.end());
    return make(Op::kView, e.node->dtype(), shape, std::move(inputs), std::move(view));
  }
  /// The same with the dims for its shape.
  int make_view_of(int input, std::vector<Dim> dims, const SplitView& from) {
    std::vector<std::int64_t> sizes;
    for (const Dim& d : dims) sizes.push_back(d.size);
    return make_view_of(input, std::move(dims), from, Shape(sizes));
  }

  /// Marks mean nothing here, but that of something to wait for: a view that depends on it.
  int mark(const Graph::Entry& e, const std::vector<int>& inputs) {
    if (inputs.size() == 1) return inputs[0];
    const Graph::Entry x = out_[inputs[0]];
    const bool is_view = x.op() == Op::kView;
    std::vector<int> after{is_view ? x.inputs[0] : inputs[0]};
    after.insert(after.end(), inputs.begin() + 1, inputs.end());
    return make(Op::kView, e.node->dtype(), e.node->shape(), std::move(after), is_view ? x.node->view() : View{});
  }

  /// A view of what was a mark, whose own input turned out to be a view.
  int view_of_view(const Graph::Entry& e, int input) {
    const Graph::Entry inner = out_[input];
    if (inner.inputs.size() > 1 && e.node->view().identity())  // keep what it waits for
      return make(Op::kView, e.node->dtype(), e.node->shape(), inner.inputs, inner.node->view());
    View view = inner.node->view();
    const std::int64_t numel = out_.node(inner.inputs[0]).numel();
    const std::vector<ViewLevel>& levels = e.node->view().levels;
    for (std::size_t i = levels.size(); i-- > 0;)
      view = make_view(levels[i].dims, levels[i].offset, view.levels, numel);
    if (view.levels.size() <= View::kMaxLevels)
      return make(Op::kView, e.node->dtype(), e.node->shape(), inner.inputs, std::move(view));
    const int copy = make(Op::kCopy, inner.node->dtype(), inner.node->shape(), {input});
    return make(Op::kView, e.node->dtype(), e.node->shape(), {copy}, e.node->view());
  }

  static std::int64_t numel_of(const ViewLevel& level) {
    std::int64_t n = 1;
    for (const Dim& d : level.dims) n *= d.size;
    return n;
  }

  int reshape(int input, const Shape& shape) {
    const SplitView from = split(input);
    return make_view_of(input, from.dims, from, shape);
  }

  static Scalar identity_of(Op op, DType t) {
    switch (op) {
      case Op::kProd:
        return {std::int64_t{1}};
      case Op::kMax:
        if (is_float(t)) return {-std::numeric_limits<double>::infinity()};
        if (info(t).kind != DTypeKind::kSigned) return {std::int64_t{0}};
        return {static_cast<std::int64_t>(~0ULL << (size_of(t) * 8 - 1))};
      case Op::kMin:
        if (is_float(t)) return {std::numeric_limits<double>::infinity()};
        if (t == DType::kBool) return {std::int64_t{1}};
        if (info(t).kind == DTypeKind::kUnsigned) return {static_cast<std::uint64_t>(~0ULL) >> (64 - size_of(t) * 8)};
        return {static_cast<std::int64_t>(~(~0ULL << (size_of(t) * 8 - 1)))};
      default:
        return {std::int64_t{0}};
    }
  }

  /// The stride along the columns of the largest buffer behind a node: what a reduction over them streams.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> streamed(int n, int depth) const {  // (elements, stride)
    const Graph::Entry& e = out_[n];
    if (e.op() == Op::kView) {
      const View& view = e.node->view();
      const std::int64_t base = out_.node(e.inputs[0]).numel();
      return {base, view.identity() || view.levels[0].dims.empty() ? 1 : view.levels[0].dims.back().stride};
    }
    std::pair<std::int64_t, std::int64_t> result{e.op() == Op::kScalar ? 0 : e.node->numel(), 1};
    if (depth == 0 || !is_elementwise(e.op())) return result;
    result = {0, 1};
    for (const int in : e.inputs) result = std::max(result, streamed(in, depth - 1));
    return result;
  }

  /// The largest divisor of n up to `most`.
  static std::int64_t divisor(std::int64_t n, std::int64_t most) {
    for (std::int64_t d = std::min(n, most); d > 1; --d) {
      if (n % d == 0) return d;
    }
    return 1;
  }

  /// Columns that lie far apart are summed by one invocation each row; pieces of them keep a GPU busy. Invocations that
  /// follow each other take neighbouring rows, so the pieces' results lie [pieces, rows].
  int strided_reduction(const Graph::Entry& e, int input, std::int64_t rows, std::int64_t cols) {
    const SplitView from = split(input);
    std::size_t first = from.dims.size();
    for (std::int64_t inner = 1; first > 0 && inner < cols;) inner *= from.dims[--first].size;
    while (first < from.dims.size() && from.dims[first].size == 1) ++first;
    if (first == from.dims.size()) return -1;
    const Dim outer = from.dims[first];
    const std::int64_t pieces = divisor(outer.size, std::min(kBusy / rows, cols / 32));
    if (pieces < 2) return -1;
    std::vector<Dim> dims{{pieces, outer.stride * (outer.size / pieces)}};
    dims.insert(dims.end(), from.dims.begin(), from.dims.end());
    dims[first + 1].size /= pieces;
    const int cut = make_view_of(input, std::move(dims), from, Shape{pieces, rows, cols / pieces});
    const int parts = make(e.op(), wide_float(e.node->dtype()), {pieces, rows}, {cut});
    return second_stage(e.op(), e, parts, rows, pieces);
  }

  /// Reduces [pieces, rows] over the pieces to the result of `e`.
  int second_stage(Op op, const Graph::Entry& e, int parts, std::int64_t rows, std::int64_t pieces) {
    const int turned = make_view_of(parts, {{rows, 1}, {pieces, rows}}, split(parts), Shape{rows, pieces});
    return reduce(op, e.node->dtype(), e.node->shape(), turned);
  }

  /// A few long rows: reduce pieces of them first, then the pieces' results.
  int reduction(const Graph::Entry& e, const std::vector<int>& inputs) {
    const Node& input = out_.node(inputs[0]);
    const std::int64_t rows = e.node->numel();
    const std::int64_t cols = reduce_cols(*e.node, input);
    const bool arg = e.op() == Op::kArgMax || e.op() == Op::kArgMin;
    const bool long_row = rows > 0 && cols > longest_row_;
    if (!arg && !long_row && rows > 0 && rows < kBusy / 2 && cols >= 512 && streamed(inputs[0], 4).second != 1) {
      const int result = strided_reduction(e, inputs[0], rows, cols);
      if (result >= 0) return result;
    }
    const bool staged = rows > 0 && rows < kFewRows && cols > kLongRow && !arg;
    if (!staged && !long_row) return add({e.node, inputs, nullptr});
    const DType t = input.dtype();
    const std::int64_t pieces = ceil_div(cols, std::min(kStageCols, longest_row_));
    const std::int64_t width = (cols + pieces - 1) / pieces;
    const int matrix = reshape(inputs[0], Shape{rows, cols});
    int padded = matrix;
    if (pieces * width != cols) {
      const Op like = e.op() == Op::kArgMax ? Op::kMax : (e.op() == Op::kArgMin ? Op::kMin : e.op());
      const int value = make(Op::kScalar, t, {}, {}, identity_of(like, t));
      const int fill = make_view_of(value, {{rows * pieces * width, 0}}, split(value), Shape{rows, pieces * width});
      padded = make(Op::kPad, t, {rows, pieces * width}, {matrix, fill}, Window{{0, 0}});
    }
    if (arg) return arg_stages(e, padded, rows, pieces, width);
    const DType between = wide_float(e.node->dtype());
    const int first = make(e.op(), between, {rows, pieces}, {padded});
    return reduce(e.op(), e.node->dtype(), e.node->shape(), first);
  }

  /// A reduction of what another one made, itself in stages where its rows are too long.
  int reduce(Op op, DType dtype, const Shape& shape, int input) {
    auto node = std::make_shared<const Node>(op, dtype, shape, nullptr, Node::Inputs{out_[input].node});
    const Graph::Entry e{std::move(node), {input}, nullptr};
    return reduce_cols(*e.node, out_.node(input)) > longest_row_ ? reduction(e, {input}) : add(e);
  }

  /// The best piece of a row, and the place in it: the first of equals wins in both, and NaN wins over all.
  int arg_stages(const Graph::Entry& e, int padded, std::int64_t rows, std::int64_t pieces, std::int64_t width) {
    const DType t = e.node->dtype();
    const DType value = out_.node(padded).dtype();
    const Op best = e.op() == Op::kArgMax ? Op::kMax : Op::kMin;
    const Shape cut{rows, pieces, width};
    const int matrix = reshape(padded, cut);
    const int values = make(best, value, {rows, pieces}, {matrix});
    const int places = make(e.op(), t, {rows, pieces}, {matrix});
    const int piece = reduce(e.op(), t, {rows}, values);
    const auto spread = [&](int x, std::vector<Dim> dims) {
      return make_view_of(x, std::move(dims), split(x), Shape{rows, pieces});
    };
    const int numbers = spread(make(Op::kIota, t, {pieces}, {}), {{rows, 0}, {pieces, 1}});
    const int same = make(Op::kEqual, DType::kBool, {rows, pieces}, {numbers, spread(piece, {{rows, 1}, {pieces, 0}})});
    const int zero = make(Op::kScalar, t, {}, {}, Scalar{std::int64_t{0}});
    const int chosen = make(Op::kWhere, t, {rows, pieces}, {same, places, spread(zero, {{rows, 0}, {pieces, 0}})});
    const int place = reduce(Op::kSum, t, {rows}, chosen);
    const int times = make(Op::kScalar, t, {}, {}, Scalar{width});
    const int start = make(Op::kMultiply, t, {rows}, {piece, make_view_of(times, {{rows, 0}}, split(times), {rows})});
    return reshape(make(Op::kAdd, t, {rows}, {start, place}), e.node->shape());
  }

  static std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

  /// The sum over pieces of k, each added to the one before; halves are kept in f32 until the end.
  int matmul_in_pieces(const Graph::Entry& e, const std::vector<int>& inputs, std::int64_t k) {
    const DType t = e.node->dtype();
    const DType between = wide_float(t);
    const Shape c = e.node->shape();
    const auto rank = static_cast<std::size_t>(c.rank());
    const std::int64_t pieces = ceil_div(k, longest_row_);
    const std::int64_t width = ceil_div(k, pieces);
    int total = -1;
    for (std::int64_t first = 0; first < k; first += width) {
      const std::int64_t count = std::min(width, k - first);
      std::vector<int> parts;
      for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
        SplitView from = split(inputs[which]);
        const std::size_t axis = which == 0 ? rank - 1 : rank - 2;
        from.offset += first * from.dims[axis].stride;
        std::vector<Dim> dims = from.dims;
        dims[axis].size = count;
        parts.push_back(make_view_of(inputs[which], std::move(dims), from));
      }
      const int product = make(Op::kMatmul, between, c, std::move(parts));
      total = total < 0 ? product : make(Op::kAdd, between, c, {product, total});
    }
    return between == t ? total : make(Op::kCast, t, c, {total});
  }

  /// Into how many pieces k is cut; 1: not at all.
  [[nodiscard]] std::int64_t k_pieces(const Shape& c, std::int64_t k, DType t) const {
    const int rank = c.rank();
    if (!gpu_ || longest_row_ != kAnyRow || rank == kMaxRank || c.numel() == 0) return 1;
    const bool matrices = !device_.matrices.empty() && (t == DType::kF16 || (device_.reduced_precision && is_float(t)));
    const CutRule& rule = matrices ? kMatrixCut : kPlainCut;
    const bool large = device_.type != DeviceType::kIntegratedGpu && device_.type != DeviceType::kSoftware;
    std::int64_t tiles = ceil_div(c[rank - 2], kTile) * ceil_div(c[rank - 1], kTile) * (large ? 1 : kSmaller);
    for (int i = 0; i < rank - 2; ++i) tiles *= c[i];
    if (k < rule.k * (tiles > kManyTiles ? 4 : 1)) return 1;
    const std::int64_t most = std::min({rule.tiles / tiles, k / rule.width, kMostPieces});
    // Rows of whole quads stay so.
    return most < 2 ? 1 : divisor(k % 8 == 0 ? k / 8 : k, most);
  }

  /// The sum over pieces of k, which are matrices of one more batch.
  int matmul_side_by_side(const Graph::Entry& e, const std::vector<int>& inputs, std::int64_t k, std::int64_t pieces) {
    const Shape c = e.node->shape();
    const auto rank = static_cast<std::size_t>(c.rank());
    std::vector<int> parts;
    for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
      const SplitView from = split(inputs[which]);
      const std::size_t axis = which == 0 ? rank - 1 : rank - 2;
      std::vector<Dim> dims{{pieces, from.dims[axis].stride * (k / pieces)}};
      dims.insert(dims.end(), from.dims.begin(), from.dims.end());
      dims[axis + 1].size = k / pieces;
      parts.push_back(make_view_of(inputs[which], std::move(dims), from));
    }
    std::vector<std::int64_t> sizes{pieces};
    sizes.insert(sizes.end(), c.begin(), c.end());
    const int products = make(Op::kMatmul, wide_float(e.node->dtype()), Shape(sizes), std::move(parts));
    return second_stage(Op::kSum, e, products, c.numel(), pieces);
  }

  /// Whether a GPU reads this operand where it lies. Maps know no windows.
  [[nodiscard]] bool read_through(int in) const {
    if (!gpu_ || longest_row_ != kAnyRow) return false;
    const auto map = map_operand(out_, in);
    return map.has_value() && out_.node(in).numel() > out_.node(map->base).numel();
  }

  int matmul(const Graph::Entry& e, std::vector<int> inputs) {
    const DType t = e.node->dtype();
    const Shape a = out_.node(inputs[0]).shape();
    const Shape c = e.node->shape();
    const int rank = c.rank();
    const std::int64_t m = c[rank - 2];
    const std::int64_t n = c.back();
    const std::int64_t k = a.back();
    const bool wide = t == DType::kI64 || t == DType::kU64 || t == DType::kBool;
    // One row by a matrix whose rows lie in memory as they are has a kernel of its own among the products.
    const bool streamed = longest_row_ == kAnyRow && m == 1 && n >= kManyColumns && k >= kManyColumns && is_float(t) &&
                          plain_operand(out_, inputs[0]) && plain_operand(out_, inputs[1]) &&
                          split(inputs[1]).dims.back().stride == 1;
    if (wide || (gpu_ && (m <= kSkinny || n <= kSkinny) && k > 0 && !streamed)) return as_reduction(e, inputs, k);
    // An operand is read from memory with one stride for each axis, or through a map where that reads elements several
    // times; what is not so is written out first.
    for (int& in : inputs) {
      const Graph::Entry x = out_[in];
      const Op base = x.op() == Op::kView ? out_[x.inputs[0]].op() : x.op();
      if (base == Op::kScalar || base == Op::kIota || (!plain_operand(out_, in) && !read_through(in))) {
        in = make(Op::kCopy, x.node->dtype(), x.node->shape(), {in});
      }
    }
    if (k > longest_row_) return matmul_in_pieces(e, inputs, k);
    if (!streamed && plain_operand(out_, inputs[0]) && plain_operand(out_, inputs[1]) &&
        decodable(out_, inputs[1]) < 0) {
      if (const std::int64_t pieces = k_pieces(c, k, t); pieces > 1) return matmul_side_by_side(e, inputs, k, pieces);
    }
    return add({e.node, std::move(inputs), nullptr});
  }

  /// Something that lies in memory in the order of `n`: what is not so is written out.
  int in_memory(int n) {
    const auto plain = [&](int x) {
      return out_[x].op() == Op::kView && out_[x].node->view().identity() && out_[x].inputs.size() == 1;
    };
    while (plain(n)) n = out_[n].inputs[0];
    const Graph::Entry x = out_[n];
    if (x.op() != Op::kView && x.op() != Op::kScalar && x.op() != Op::kIota) return n;
    return make(Op::kCopy, x.node->dtype(), x.node->shape(), {n});
  }

  /// A custom kernel reads whole tensors from memory and writes all of its results, which become neighbours here.
  int custom(const Graph::Entry& e, std::vector<int> inputs) {
    for (int& in : inputs) in = in_memory(in);
    const CustomResult own = e.node->custom();
    int result = -1;
    for (std::size_t i = 0; i < own.call->outputs.size(); ++i) {
      const auto output = static_cast<int>(i);
      const CustomTensor& t = own.call->outputs[i];
      const int at = output == own.output ? add({e.node, inputs, nullptr})
                                          : make(Op::kCustom, t.dtype, t.shape, inputs, CustomResult{own.call, output});
      if (output == own.output) result = at;
    }
    return result;
  }

  /// sum over k of a[.., m, 1, k] * b[.., 1, n, k], with the operands as expanded views.
  int as_reduction(const Graph::Entry& e, const std::vector<int>& inputs, std::int64_t k) {
    const Shape c = e.node->shape();
    const DType t = e.node->dtype();
    const int rank = c.rank();
    std::int64_t batch = 1;
    for (int i = 0; i < rank - 2; ++i) batch *= c[i];
    const std::int64_t m = c[rank - 2];
    const std::int64_t n = c.back();
    const SplitView from_a = split(inputs[0]);
    const SplitView from_b = split(inputs[1]);
    const Dim* ends_a = &from_a.dims[static_cast<std::size_t>(rank) - 2];  // m, k
    const Dim* ends_b = &from_b.dims[static_cast<std::size_t>(rank) - 2];  // k, n
    // The larger operand decides how k is walked; far steps are cut in pieces as strided_reduction() does.
    const std::int64_t step = m < n ? ends_b[0].stride : ends_a[1].stride;
    const std::int64_t rows = batch * m * n;
    const bool cut_far = gpu_ && k <= longest_row_;
    const std::int64_t pieces = cut_far && step != 1 && rows > 0 && rows < kBusy / 2 && t != DType::kBool
                                    ? divisor(k, std::min(kBusy / rows, k / 32))
                                    : 1;
    const std::int64_t width = k / std::max<std::int64_t>(pieces, 1);
    const auto cut = [&](const SplitView& from, Dim outer_m, Dim outer_n, std::int64_t stride) {
      std::vector<Dim> dims{{pieces, width * stride}};
      dims.insert(dims.end(), from.dims.begin(), from.dims.end() - 2);
      dims.insert(dims.end(), {outer_m, outer_n, {width, stride}});
      return dims;
    };
    const Shape full{pieces, batch, m, n, width};
    const int a = make_view_of(inputs[0], cut(from_a, {m, ends_a[0].stride}, {n, 0}, ends_a[1].stride), from_a, full);
    const int b = make_view_of(inputs[1], cut(from_b, {m, 0}, {n, ends_b[1].stride}, ends_b[0].stride), from_b, full);
    const DType compute = wide_float(t);
    const int wide_a = compute == t ? a : make(Op::kCast, compute, full, {a});
    const int wide_b = compute == t ? b : make(Op::kCast, compute, full, {b});
    const int product = make(Op::kMultiply, compute, full, {wide_a, wide_b});
    const Op op = t == DType::kBool ? Op::kMax : Op::kSum;
    auto sum = std::make_shared<const Node>(op, t, c, nullptr, Node::Inputs{out_[product].node});
    const Graph::Entry whole{std::move(sum), {product}, nullptr};
    if (k > longest_row_) return reduction(whole, {product});
    if (pieces == 1) return add(whole);
    return second_stage(op, whole, make(op, compute, {pieces, rows}, {product}), rows, pieces);
  }

  /// A live result of a custom kernel keeps the others: `i` is the last of them, and all that reads them was seen.
  void keep_results(int i, std::vector<char>& live) const {
    const CustomResult& last = out_[i].node->custom();
    const auto count = static_cast<std::ptrdiff_t>(last.call->outputs.size());
    if (last.output + 1 != count) return;
    const auto first = live.begin() + i + 1 - count;
    const char any = *std::max_element(first, first + count);
    std::fill(first, first + count, any);
  }

  Graph without_dead_nodes() {
    std::vector<char> live(out_.entries.size(), 0);
    for (const int root : out_.roots) live[static_cast<std::size_t>(root)] = 1;
    for (int i = out_.size() - 1; i >= 0; --i) {
      if (out_[i].op() == Op::kCustom) keep_results(i, live);
      if (live[static_cast<std::size_t>(i)] == 0) continue;
      for (const int in : out_[i].inputs) live[static_cast<std::size_t>(in)] = 1;
    }
    Graph result;
    std::vector<int> at(out_.entries.size(), -1);
    for (int i = 0; i < out_.size(); ++i) {
      if (live[static_cast<std::size_t>(i)] == 0) continue;
      at[static_cast<std::size_t>(i)] = result.size();
      result.entries.push_back(std::move(out_.entries[static_cast<std::size_t>(i)]));
      for (int& in : result.entries.back().inputs) in = at[static_cast<std::size_t>(in)];
    }
    for (const int root : out_.roots) result.roots.push_back(at[static_cast<std::size_t>(root)]);
    return result;
  }

  const Graph& from_;
  const DeviceInfo& device_;
  bool gpu_;
  std::int64_t longest_row_;
  Graph out_;
  std::unordered_multimap<std::uint64_t, int> seen_;
};

}  // namespace

Graph simplify(const Graph& graph, const DeviceInfo& device, std::int64_t longest_row) {
  return Simplifier(graph, device, longest_row).run();
}

}  // namespace tessera::schedule
