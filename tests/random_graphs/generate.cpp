// Makes random programs: steps are tried until one fits what was made before.
#include <algorithm>
#include <numeric>
#include <optional>

#include "graph/op.h"
#include "ops/build.h"
#include "program.h"

namespace tessera::test {

namespace {

constexpr Sizes kTrial{6, 5, 4};
constexpr std::int64_t kMostElements = 4000;  // at the trial's sizes

class Generator {
 public:
  Generator(std::uint32_t seed, const Device& device) : random_(seed), device_(device) { program_.seed = seed; }

  Program run() {
    const int inputs = 1 + pick(3);
    for (int i = 0; i < inputs; ++i) add(input());
    if (chance(25)) add_products();
    const int wanted = static_cast<int>(program_.steps.size()) + 4 + pick(20);
    for (int tries = 0; static_cast<int>(program_.steps.size()) < wanted && tries < 600; ++tries) {
      if (auto step = propose()) add(std::move(*step));
    }
    // What nobody uses is a result, and now and then something in the middle.
    program_.roots.clear();
    for (int i = static_cast<int>(program_.steps.size()) - 1; i >= 0; --i) {
      if (program_.steps[at(i)].args.empty()) continue;
      if ((used_[at(i)] == 0 && program_.roots.size() < 5) || chance(8)) program_.roots.push_back(i);
    }
    if (program_.roots.empty()) program_.roots = {static_cast<int>(program_.steps.size()) - 1};
    program_.gradients = chance(35) && own_kernels();
    return program_;
  }

 private:
  using Kind = Step::Kind;

  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  /// Whether kernels with a text of their own run: they bind tensors whole, and take workgroups of 256.
  [[nodiscard]] bool own_kernels() const {
    const DeviceLimits& limits = device_.info().limits;
    return limits.max_storage_binding_size > 4096 && limits.max_workgroup_size >= 256;
  }
  bool chance(int percent) { return pick(100) < percent; }

  DType type() {
    static constexpr DType kTypes[] = {f32, f32,  f32, f32, f32, f32, f32,     f32, f32, f32, f16,
                                       f16, bf16, i32, i32, i64, u8,  boolean, u32, i16, i8,  u64};
    return kTypes[pick(static_cast<int>(std::size(kTypes)))];
  }

  Step input() {
    Step s;
    s.dtype = type();
    const int rank = pick(5) == 0 ? pick(2) : 2 + pick(2);
    for (int i = 0; i < rank; ++i) s.extents.push_back(pick(8) == 0 ? Extent::one() : Extent::base(pick(3)));
    return s;
  }

  /// What nobody uses yet and recent steps are taken more often, so that graphs grow deep.
  int any() {
    const int n = static_cast<int>(program_.steps.size());
    if (chance(50)) {
      std::vector<int> unused;
      for (int i = 0; i < n; ++i) {
        if (used_[at(i)] == 0) unused.push_back(i);
      }
      if (!unused.empty()) return unused[at(pick(static_cast<int>(unused.size())))];
    }
    return chance(50) ? n - 1 - pick(std::min(n, 4)) : pick(n);
  }
  const Extents& extents(int i) const { return program_.steps[at(i)].extents; }
  DType dtype(int i) const { return types_[at(i)]; }

  /// Extents that two broadcast to.
  static std::optional<Extents> broadcast(const Extents& a, const Extents& b) {
    Extents result = a.size() >= b.size() ? a : b;
    const Extents& small = a.size() >= b.size() ? b : a;
    const std::size_t shift = result.size() - small.size();
    for (std::size_t i = 0; i < small.size(); ++i) {
      Extent& e = result[i + shift];
      if (e.is_one()) {
        e = small[i];
      } else if (!small[i].is_one() && !(small[i] == e)) {
        return std::nullopt;
      }
    }
    return result;
  }

  /// A step that broadcasts with `a`, most often found.
  std::optional<int> partner(int a) {
    for (int tries = 0; tries < 8; ++tries) {
      const int b = any();
      if (broadcast(extents(a), extents(b)).has_value()) return b;
    }
    return std::nullopt;
  }

  /// Two or three products of one input, of which the scheduler may make one kernel.
  void add_products() {
    const Extent depth = Extent::base(pick(3));
    const bool turned = chance(30);
    Step x;
    x.dtype = type();
    x.extents = {Extent::product(Extent::base(0), Extent::base(pick(3))), depth};
    add(x);
    const int left = static_cast<int>(program_.steps.size()) - 1;
    for (int i = 2 + pick(2); i > 0; --i) {
      const Extent columns = Extent::product(Extent::base(pick(3)), Extent::base(pick(3)));
      Step w;
      w.dtype = x.dtype;
      w.extents = turned ? Extents{columns, depth} : Extents{depth, columns};
      add(w);
      Step product;
      product.kind = Kind::kMatmul;
      product.args = {left, static_cast<int>(program_.steps.size()) - 1};
      product.keep = turned;
      product.extents = {x.extents[0], columns};
      add(product);
    }
  }

  std::optional<Step> propose() {
    const int roll = pick(100);
    const int a = any();
    const int rank = static_cast<int>(extents(a).size());
    Step s;
    s.args = {a};
    s.extents = extents(a);
    if (roll < 10) {
      static constexpr Op kUnary[] = {Op::kNegative,   Op::kAbs,        Op::kSign,    Op::kExp,   Op::kSin,
                                      Op::kCos,        Op::kTanh,       Op::kErf,     Op::kAtan,  Op::kFloor,
                                      Op::kRound,      Op::kSquare,     Op::kSigmoid, Op::kIsNan, Op::kExpm1,
                                      Op::kLogicalNot, Op::kBitwiseNot, Op::kTrunc};
      s.kind = Kind::kElementwise;
      s.op = kUnary[pick(static_cast<int>(std::size(kUnary)))];
    } else if (roll < 28) {
      static constexpr Op kBinary[] = {Op::kAdd,          Op::kAdd,         Op::kSubtract,  Op::kMultiply,
                                       Op::kMultiply,     Op::kMaximum,     Op::kMinimum,   Op::kLess,
                                       Op::kGreaterEqual, Op::kEqual,       Op::kAtan2,     Op::kBitwiseAnd,
                                       Op::kBitwiseXor,   Op::kFloorDivide, Op::kRemainder, Op::kLogicalOr};
      s.kind = Kind::kElementwise;
      s.op = kBinary[pick(static_cast<int>(std::size(kBinary)))];
      const auto b = partner(a);
      if (!b.has_value()) return std::nullopt;
      const bool divides = s.op == Op::kFloorDivide || s.op == Op::kRemainder;
      if (divides && is_float(promote(dtype(a), dtype(*b)))) return std::nullopt;  // jumps everywhere
      s.args.push_back(*b);
      s.extents = *broadcast(extents(a), extents(*b));
    } else if (roll < 32) {
      const auto b = partner(a);
      const int c = any();
      if (!b.has_value()) return std::nullopt;
      const auto both = broadcast(extents(a), extents(*b));
      const auto all = broadcast(*both, extents(c));
      if (!all.has_value()) return std::nullopt;
      s.kind = Kind::kElementwise;
      s.op = Op::kWhere;
      s.args = {c, a, *b};
      s.extents = *all;
    } else if (roll < 37) {
      s.kind = Kind::kComposite;
      s.which = pick(8);
      if (!is_float(dtype(a)) && s.which != 0) return std::nullopt;
    } else if (roll < 41) {
      static constexpr Op kBinary[] = {Op::kAdd, Op::kSubtract, Op::kMultiply, Op::kMaximum, Op::kLess, Op::kPower};
      s.kind = Kind::kWithNumber;
      s.op = kBinary[pick(6)];
      s.keep = s.op == Op::kPower || chance(60);
      s.number = s.op == Op::kPower ? 2 : std::array{0.5, 2.0, 3.0, 1.0, 0.25}[at(pick(5))];
    } else if (roll < 44) {
      s.kind = Kind::kCast;
      s.dtype = type();
    } else if (roll < 50) {
      if (rank < 2) return std::nullopt;
      s.kind = Kind::kPermute;
      s.axes.resize(at(rank));
      std::iota(s.axes.begin(), s.axes.end(), 0);
      std::shuffle(s.axes.begin(), s.axes.end(), random_);
      s.extents.clear();
      for (const int x : s.axes) s.extents.push_back(extents(a)[at(x)]);
    } else if (roll < 54) {
      if (rank < 2) return std::nullopt;
      s.kind = Kind::kMerge;
      const auto i = pick(rank - 1);
      s.extents[at(i)] = Extent::product(s.extents[at(i)], s.extents[at(i) + 1]);
      s.extents.erase(s.extents.begin() + i + 1);
    } else if (roll < 57) {
      s.kind = Kind::kSplit;
      for (std::size_t i = 0; i < s.extents.size() && rank < 6; ++i) {
        const std::vector<Extent> factors = s.extents[i].factors();
        if (factors.empty()) continue;
        // In either order: the second one mixes elements.
        const bool swap = chance(40);
        s.extents[i] = factors[swap ? 1 : 0];
        s.extents.insert(s.extents.begin() + static_cast<std::ptrdiff_t>(i) + 1, factors[swap ? 0 : 1]);
        return s;
      }
      return std::nullopt;
    } else if (roll < 60) {
      if (rank >= 5) return std::nullopt;
      s.kind = Kind::kExpand;
      s.axis = pick(rank + 1);
      s.extents.insert(s.extents.begin() + s.axis, Extent::one());
    } else if (roll < 62) {
      s.kind = Kind::kSqueeze;
      for (int i = 0; i < rank; ++i) {
        if (!s.extents[at(i)].is_one()) continue;
        s.axis = i;
        s.extents.erase(s.extents.begin() + i);
        return s;
      }
      return std::nullopt;
    } else if (roll < 65) {
      s.kind = Kind::kBroadcast;
      if (rank < 5 && chance(50)) s.extents.insert(s.extents.begin(), Extent::base(pick(3)));
      for (Extent& e : s.extents) {
        if (e.is_one() && chance(70)) e = Extent::base(pick(3));
      }
    } else if (roll < 70) {
      if (rank == 0) return std::nullopt;
      s.kind = Kind::kSlice;
      s.axis = pick(rank);
      static constexpr std::int64_t kSteps[] = {1, 1, 2, 3, -1, -1, -2};
      s.range = {pick(2), pick(2), kSteps[pick(7)]};
      Extent& e = s.extents[at(s.axis)];
      if (e.text().size() > 20) return std::nullopt;
      const bool whole = s.range[0] == 0 && s.range[1] == 0 && std::abs(s.range[2]) == 1;
      if (!whole) e = Extent::slice(e, s.range[0], s.range[1], s.range[2]);
    } else if (roll < 74) {
      if (rank == 0) return std::nullopt;
      s.kind = Kind::kPad;
      s.axis = pick(rank);
      s.range = {pick(3), pick(3), 0};
      s.number = std::array{0.0, 1.0, -0.5}[at(pick(3))];
      const std::int64_t more = s.range[0] + s.range[1];
      if (more > 0) s.extents[at(s.axis)] = Extent::sum(s.extents[at(s.axis)], Extent::constant(more));
    } else if (roll < 78) {
      if (rank == 0) return std::nullopt;
      const int b = any();
      if (extents(b).size() != extents(a).size()) return std::nullopt;
      s.args.push_back(b);
      s.axis = pick(rank);
      for (int i = 0; i < rank; ++i) {
        if (i != s.axis && !(extents(a)[at(i)] == extents(b)[at(i)])) return std::nullopt;
      }
      s.kind = Kind::kConcat;
      s.extents[at(s.axis)] = Extent::sum(extents(a)[at(s.axis)], extents(b)[at(s.axis)]);
    } else if (roll < 80) {
      const int b = any();
      if (!(extents(b) == extents(a)) || rank >= 5) return std::nullopt;
      s.args.push_back(b);
      s.kind = Kind::kStack;
      s.axis = pick(rank + 1);
      s.extents.insert(s.extents.begin() + s.axis, Extent::constant(2));
    } else if (roll < 90) {
      if (rank == 0) return std::nullopt;
      s.kind = Kind::kReduce;
      s.which = pick(11);
      if (s.which == 4 && !is_float(dtype(a))) return std::nullopt;
      if (s.which == 10) {
        s.axes = {rank - 1};
        return s;
      }
      s.keep = chance(50);
      for (int i = 0; i < rank; ++i) {
        if (chance(50)) s.axes.push_back(i);
      }
      const bool one_axis = s.which == 6 || s.which >= 8;
      if (one_axis || s.axes.empty()) s.axes = {pick(rank)};
      if (s.which >= 8) return s;
      s.extents.clear();
      for (int i = 0; i < rank; ++i) {
        if (std::find(s.axes.begin(), s.axes.end(), i) == s.axes.end()) {
          s.extents.push_back(extents(a)[at(i)]);
        } else if (s.keep) {
          s.extents.push_back(Extent::one());
        }
      }
    } else if (roll < 95) {
      if (rank < 2) return std::nullopt;
      int b = chance(20) ? a : any();
      for (int tries = 0; tries < 10; ++tries, b = any()) {
        const Extents& e = extents(b);
        if (e.size() >= 2 && (extents(a).back() == e[e.size() - 2] || extents(a).back() == e.back())) break;
      }
      const Extents& y = extents(b);
      if (y.size() < 2) return std::nullopt;
      s.kind = Kind::kMatmul;
      s.args.push_back(b);
      const Extent& k = extents(a).back();
      if (k == y[y.size() - 2]) {
        s.keep = false;
      } else if (k == y.back()) {
        s.keep = true;
      } else {
        return std::nullopt;
      }
      const auto batch = broadcast({extents(a).begin(), extents(a).end() - 2}, {y.begin(), y.end() - 2});
      if (!batch.has_value()) return std::nullopt;
      s.extents = *batch;
      s.extents.push_back(extents(a)[at(rank) - 2]);
      s.extents.push_back(s.keep ? y[y.size() - 2] : y.back());
    } else if (roll < 98 && chance(60)) {
      if (rank == 0) return std::nullopt;
      s.axis = pick(rank);
      s.keep = chance(50);
      s.which = pick(5);
      if (is_float(dtype(a)) || dtype(a) == boolean || !own_kernels() || chance(40)) {
        s.kind = Kind::kTake;
        s.extents[at(s.axis)] = Extent::base(pick(3));
      } else {
        s.kind = chance(50) ? Kind::kScan : Kind::kSort;
      }
    } else if (roll < 98) {
      s.kind = Kind::kContiguous;
    } else {
      s.kind = chance(50) ? Kind::kRange : Kind::kUniform;
      s.dtype = s.kind == Kind::kUniform || chance(50) ? f32 : i32;
      s.args.clear();
    }
    return s;
  }

  void add(Step step) {
    std::int64_t numel = 1;
    for (const Extent& e : step.extents) numel *= e.size(kTrial);
    if (numel > kMostElements || step.extents.size() > 6) return;
    program_.steps.push_back(std::move(step));
    program_.roots = {static_cast<int>(program_.steps.size()) - 1};
    try {
      const Tensor t = program_.build(kTrial, device_)[0];
      types_.push_back(t.dtype());
      used_.push_back(0);
      for (const int a : program_.steps.back().args) used_[at(a)] = 1;
      // Shrinking may put an input in a step's place.
      program_.steps.back().dtype = t.dtype();
    } catch (const Error&) {
      program_.steps.pop_back();  // its types or sizes do not suit the op
    }
  }

  std::mt19937 random_;
  Device device_;
  Program program_;
  std::vector<DType> types_;
  std::vector<char> used_;
};

}  // namespace

Program make_program(std::uint32_t seed, const Device& device) { return Generator(seed, device).run(); }

}  // namespace tessera::test
