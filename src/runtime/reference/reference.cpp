// Interprets the nodes of a graph: one plain loop per op.
#include "runtime/reference/reference.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/compute.h"
#include "base/fail.h"
#include "graph/op.h"
#include "ops/elementwise/elementwise.h"
#include "schedule/calls/calls.h"

namespace tessera::reference {
namespace {

using Args = std::vector<const Value*>;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
bool is_unsigned(DType t) { return !is_signed(t); }

bool less(std::int64_t a, std::int64_t b, bool u) {
  return u ? std::bit_cast<std::uint64_t>(a) < std::bit_cast<std::uint64_t>(b) : a < b;
}
std::int64_t add(std::int64_t a, std::int64_t b) {
  return std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(a) + std::bit_cast<std::uint64_t>(b));
}
std::int64_t multiply(std::int64_t a, std::int64_t b) {
  return std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(a) * std::bit_cast<std::uint64_t>(b));
}

/// An element as f64, exact except for large 64-bit integers.
double real(const Value& v, std::size_t k) {
  return is_float(v.dtype) ? v.f[k] : to_float(v.i[k], is_unsigned(v.dtype), DType::kF64);
}

std::complex<double> complex(const Value& v, std::size_t k) {
  return is_complex(v.dtype) ? v.c[k] : std::complex<double>(real(v, k));
}

Value make(const Node& node) {
  Value v{node.dtype(), node.shape(), {}, {}};
  if (is_complex(v.dtype)) {
    v.c.resize(at(node.numel()));
  } else if (is_float(v.dtype)) {
    v.f.resize(at(node.numel()));
  } else {
    v.i.resize(at(node.numel()));
  }
  return v;
}

/// Copies element `from` of `source`, which has the same dtype, to element `to` of `target`.
void put(Value& target, std::size_t to, const Value& source, std::size_t from) {
  if (is_complex(target.dtype)) {
    target.c[to] = source.c[from];
  } else if (is_float(target.dtype)) {
    target.f[to] = source.f[from];
  } else {
    target.i[to] = source.i[from];
  }
}

void scalar(const Node& node, Value& out) {
  const DType precision = node.scalar().weak ? wide_float(out.dtype) : out.dtype;
  std::fill(out.c.begin(), out.c.end(), round_to(node.scalar().as_complex(), out.dtype));
  std::fill(out.f.begin(), out.f.end(), round_to(node.scalar().as_double(), precision));
  std::fill(out.i.begin(), out.i.end(), wrap_to(node.scalar().as_int(), out.dtype));
}

void iota(Value& out) {
  for (std::size_t k = 0; k < out.f.size(); ++k) out.f[k] = round_to(static_cast<double>(k), out.dtype);
  for (std::size_t k = 0; k < out.i.size(); ++k) out.i[k] = wrap_to(static_cast<std::int64_t>(k), out.dtype);
}

void random(const Node& node, Value& out) {
  const RandomState& state = node.random();
  for (std::size_t k = 0; k < out.i.size(); ++k) out.i[k] = wrap_to(philox(k, state.seed, state.counter), out.dtype);
}

void view(const Node& node, const Value& in, Value& out) {
  for (std::int64_t k = 0; k < node.numel(); ++k) put(out, at(k), in, at(node.view().map(k)));
}

void pad(const Node& node, const Value& in, const Value& around, Value& out) {
  const std::vector<std::int64_t>& low = node.pad_low().low;
  for (std::int64_t k = 0; k < node.numel(); ++k) {
    std::int64_t rest = k;
    std::int64_t from = 0;
    std::int64_t stride = 1;
    bool inside = true;
    for (int axis = out.shape.rank() - 1; axis >= 0; --axis) {
      const std::int64_t c = rest % out.shape[axis] - low[at(axis)];
      rest /= out.shape[axis];
      inside = inside && c >= 0 && c < in.shape[axis];
      from += c * stride;
      stride *= in.shape[axis];
    }
    put(out, at(k), inside ? in : around, at(inside ? from : k));
  }
}

/// Whether element `k` precedes element `best` in the search for an extreme: NaN precedes all.
bool beats(Op op, const Value& in, std::size_t k, std::size_t best) {
  const bool wants_max = op == Op::kMax || op == Op::kArgMax;
  if (is_float(in.dtype)) {
    if (std::isnan(in.f[best])) return false;
    return std::isnan(in.f[k]) || (wants_max ? in.f[k] > in.f[best] : in.f[k] < in.f[best]);
  }
  return wants_max ? less(in.i[best], in.i[k], is_unsigned(in.dtype))
                   : less(in.i[k], in.i[best], is_unsigned(in.dtype));
}

/// The maximum or minimum of no elements: the identity of the op.
void put_extreme(Op op, Value& out, std::size_t row) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (is_float(out.dtype)) {
    out.f[row] = op == Op::kMax ? -kInf : kInf;
    return;
  }
  const int bits = out.dtype == DType::kBool ? 1 : static_cast<int>(8 * size_of(out.dtype));
  const std::int64_t largest =
      is_unsigned(out.dtype) ? -1 : static_cast<std::int64_t>((std::uint64_t{1} << (bits - 1)) - 1);
  const std::int64_t smallest = is_unsigned(out.dtype) ? 0 : -largest - 1;
  out.i[row] = wrap_to(op == Op::kMax ? smallest : largest, out.dtype);
}

void reduce(const Node& node, const Value& in, Value& out) {
  const std::int64_t rows = node.numel();
  const std::int64_t cols = rows == 0 ? 0 : in.shape.numel() / rows;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::size_t first = at(r * cols);
    if (node.op() == Op::kSum || node.op() == Op::kProd) {
      const bool sum = node.op() == Op::kSum;
      double f = sum ? 0 : 1;
      std::int64_t i = sum ? 0 : 1;
      std::complex<double> c = sum ? 0 : 1;
      for (std::size_t k = first; k < first + at(cols); ++k) {
        if (is_complex(in.dtype)) {
          c = sum ? c + in.c[k] : c * in.c[k];
        } else if (is_float(in.dtype)) {
          f = sum ? f + in.f[k] : f * in.f[k];
        } else {
          i = sum ? add(i, in.i[k]) : multiply(i, in.i[k]);
        }
      }
      if (is_complex(in.dtype)) {
        out.c[at(r)] = c;
      } else if (is_float(in.dtype)) {
        out.f[at(r)] = f;
      } else {
        out.i[at(r)] = wrap_to(i, out.dtype);
      }
      continue;
    }
    std::size_t best = first;
    for (std::size_t k = first; k < first + at(cols); ++k) {
      if (beats(node.op(), in, k, best)) best = k;
    }
    if (node.op() == Op::kArgMax || node.op() == Op::kArgMin) {
      out.i[at(r)] = static_cast<std::int64_t>(best - first);
    } else if (cols == 0) {
      put_extreme(node.op(), out, at(r));
    } else {
      put(out, at(r), in, best);
    }
  }
}

void matmul(const Node& node, const Value& a, const Value& b, Value& out) {
  const std::int64_t m = a.shape[a.shape.rank() - 2];
  const std::int64_t k = a.shape.back();
  const std::int64_t n = b.shape.back();
  for (std::int64_t e = 0; e < node.numel(); ++e) {
    const std::int64_t col = e % n;
    const std::int64_t row = e / n;  // of all batches
    const std::int64_t batch = row / m;
    double f = 0;
    std::int64_t i = 0;
    std::complex<double> c = 0;
    for (std::int64_t x = 0; x < k; ++x) {
      const std::size_t from_a = at(row * k + x);
      const std::size_t from_b = at((batch * k + x) * n + col);
      if (is_complex(a.dtype)) {
        c += a.c[from_a] * b.c[from_b];
      } else if (is_float(a.dtype)) {
        f += a.f[from_a] * b.f[from_b];
      } else {
        i = add(i, multiply(a.i[from_a], b.i[from_b]));
      }
    }
    if (is_complex(out.dtype)) {
      out.c[at(e)] = c;
    } else if (is_float(out.dtype)) {
      out.f[at(e)] = f;
    } else {
      out.i[at(e)] = wrap_to(i, out.dtype);
    }
  }
}

void gather(const Value& in, const Value& positions, Value& out) {
  for (std::size_t k = 0; k < at(out.shape.numel()); ++k) {
    if (positions.i[k] < 0 || positions.i[k] >= in.shape.numel()) {
      fail(ErrorKind::kValue, "gather: position {} was given; the tensor has {} elements.", positions.i[k],
           in.shape.numel());
    }
    put(out, k, in, at(positions.i[k]));
  }
}

void put_at(const Value& in, const Value& values, const Value& positions, Value& out) {
  for (std::size_t k = 0; k < at(out.shape.numel()); ++k) put(out, k, in, k);
  for (std::size_t k = 0; k < at(values.shape.numel()); ++k) {
    if (positions.i[k] < 0 || positions.i[k] >= in.shape.numel()) {
      fail(ErrorKind::kValue, "put: position {} was given; the tensor has {} elements.", positions.i[k],
           in.shape.numel());
    }
    put(out, at(positions.i[k]), values, k);
  }
}

void cast(const Value& in, Value& out) {
  for (std::size_t k = 0; k < at(out.shape.numel()); ++k) {
    if (is_complex(out.dtype)) {
      out.c[k] = round_to(complex(in, k), out.dtype);
    } else if (is_complex(in.dtype)) {
      out.i[k] = in.c[k] != 0.0 ? 1 : 0;
    } else if (is_float(in.dtype) && is_float(out.dtype)) {
      out.f[k] = round_to(in.f[k], out.dtype);
    } else if (is_float(in.dtype)) {
      out.i[k] = to_integer(in.f[k], out.dtype);
    } else if (is_float(out.dtype)) {
      out.f[k] = to_float(in.i[k], is_unsigned(in.dtype), out.dtype);
    } else {
      out.i[k] = wrap_to(in.i[k], out.dtype);
    }
  }
}

void complex_op(const ElementwiseOp& row, const Args& in, Value& out) {
  for (std::size_t k = 0; k < at(out.shape.numel()); ++k) {
    std::array<std::complex<double>, 3> c{};
    for (std::size_t a = 0; a < in.size(); ++a) c[a] = complex(*in[a], k);
    const std::complex<double> result = row.complex.reference(c.data());
    if (is_complex(out.dtype)) {
      out.c[k] = result;
    } else if (is_float(out.dtype)) {
      out.f[k] = result.real();
    } else {
      out.i[k] = result != 0.0 ? 1 : 0;
    }
  }
}

void elementwise_op(const Node& node, const Args& in, Value& out) {
  const ElementwiseOp& row = elementwise(node.op());
  const Value& typed = *in.back();  // where's first operand is the condition
  if (is_complex(typed.dtype)) return complex_op(row, in, out);
  const bool floats = is_float(typed.dtype) || row.rule == TypeRule::kFloat;
  for (std::size_t k = 0; k < at(node.numel()); ++k) {
    std::array<double, 3> f{};
    std::array<std::int64_t, 3> i{};
    for (std::size_t a = 0; a < in.size(); ++a) {
      if (floats) {
        f[a] = real(*in[a], k);
      } else {
        i[a] = in[a]->i[k];
      }
    }
    if (floats) {
      const double result = row.reference(f.data());
      if (is_float(out.dtype)) {
        out.f[k] = result;
      } else {
        out.i[k] = result != 0 ? 1 : 0;
      }
    } else {
      const std::int64_t result = row.reference_int(i.data(), is_unsigned(typed.dtype));
      const bool one_bit = row.rule == TypeRule::kBits && out.dtype == DType::kBool;
      out.i[k] = one_bit ? result & 1 : wrap_to(result, out.dtype);
    }
  }
}

/// Custom kernels: the oracle runs the host function, since it cannot interpret WGSL.
void custom(const Node& node, const Args& in, Value& out) {
  const CustomCall& call = *node.custom().call;
  if (!call.kernel->host) {
    fail(ErrorKind::kUnsupported, "The oracle cannot run kernel '{}': its definition has no `cpu` function.",
         call.kernel->name);
  }
  std::vector<std::vector<std::byte>> bytes;
  for (const Value* v : in) bytes.push_back(to_bytes(*v));
  for (const TensorSpec& t : call.outputs) bytes.emplace_back(at(t.shape.numel()) * size_of(t.dtype));
  std::vector<std::span<const std::byte>> inputs(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(in.size()));
  std::vector<std::span<std::byte>> outputs(bytes.begin() + static_cast<std::ptrdiff_t>(in.size()), bytes.end());
  call.kernel->host({inputs, outputs, call.inputs, call.outputs, call.params, call.kernel->inputs});
  out = from_bytes(outputs[at(node.custom().output)], out.dtype, out.shape);
}

/// Calls: what they are lowered to on the CPU.
void call(const Node& node, const Args& in, Value& out, Rounding rounding) {
  const Call& call = *node.call().call;
  std::vector<TensorSpec> inputs;
  for (const Value* v : in) inputs.push_back({v->dtype, v->shape});
  DeviceInfo cpu;
  cpu.type = DeviceType::kCpu;
  const schedule::LoweredCall lowered = schedule::lower(call, inputs, cpu);
  const auto given = [&](const Node& leaf) -> Value {
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (lowered.placeholders[i].get() == &leaf) return *in[i];
    }
    fail(ErrorKind::kUnsupported, "The lowering of {} reads an input that is not its own.", call.op);
  };
  out = evaluate(std::span(&lowered.results[at(node.call().output)], 1), given, rounding)[0];
}

Value interpret(const Node& node, const Args& in, Rounding rounding) {
  Value out = make(node);
  switch (node.op()) {
    case Op::kScalar:
      scalar(node, out);
      break;
    case Op::kIota:
      iota(out);
      break;
    case Op::kRandom:
      random(node, out);
      break;
    case Op::kView:
      view(node, *in[0], out);
      break;
    case Op::kCopy:
    case Op::kMark:
      for (std::size_t k = 0; k < at(node.numel()); ++k) put(out, k, *in[0], k);
      break;
    case Op::kPad:
      pad(node, *in[0], *in[1], out);
      break;
    case Op::kPack: {
      std::size_t to = 0;
      for (const Value* piece : in) {
        const std::size_t count = piece->f.size() + piece->i.size() + piece->c.size();
        for (std::size_t k = 0; k < count; ++k) put(out, to++, *piece, k);
      }
      break;
    }
    case Op::kMatmul:
      matmul(node, *in[0], *in[1], out);
      break;
    case Op::kGather:
      gather(*in[0], *in[1], out);
      break;
    case Op::kPut:
      put_at(*in[0], *in[1], *in[2], out);
      break;
    case Op::kCast:
      cast(*in[0], out);
      break;
    case Op::kCustom:
      custom(node, in, out);
      break;
    case Op::kCall:
      call(node, in, out, rounding);
      break;
    default:
      if (is_reduction(node.op())) {
        reduce(node, *in[0], out);
      } else {
        elementwise_op(node, in, out);
      }
  }
  // Ops that only move values keep them as they are, such as a weak scalar in f32 precision.
  const bool moves = node.op() == Op::kScalar || node.op() == Op::kView || node.op() == Op::kMark;
  if (rounding == Rounding::kEachNode && !moves) {
    for (double& v : out.f) v = round_to(v, out.dtype);
    for (std::complex<double>& v : out.c) v = round_to(v, out.dtype);
  }
  return out;
}

}  // namespace

std::vector<Value> evaluate(std::span<const NodePtr> roots, const Input& input, Rounding rounding) {
  const Graph graph = snapshot(roots);
  std::vector<Value> values;
  values.reserve(graph.entries.size());
  for (const Graph::Entry& entry : graph.entries) {
    if (entry.op() == Op::kInput) {
      values.push_back(input(*entry.node));
      const Value& v = values.back();
      const std::size_t given = v.f.size() + v.i.size() + v.c.size();
      if (values.back().dtype != entry.node->dtype() || given != at(entry.node->numel())) {
        fail(ErrorKind::kValue, "The oracle was given {} elements of {} for an input of {}{}.", given,
             name(values.back().dtype), name(entry.node->dtype()), entry.node->shape());
      }
      continue;
    }
    Args args;
    for (const int i : entry.inputs) args.push_back(&values[at(i)]);
    values.push_back(interpret(*entry.node, args, rounding));
  }
  std::vector<Value> results;
  results.reserve(graph.roots.size());
  for (const int root : graph.roots) results.push_back(values[at(root)]);
  return results;
}

}  // namespace tessera::reference
