// Elementwise nodes: promotion, broadcasting, and the dtype rules of the table.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/compute.h"
#include "base/fail.h"
#include "base/numbers.h"
#include "graph/op.h"
#include "ops/autocast.h"
#include "ops/build.h"
#include "ops/quant/quant.h"

namespace tessera::ops {

namespace {

NodePtr make(Op op, DType dtype, const Shape& shape, std::vector<NodePtr> inputs, Attrs attrs = {}) {
  auto device = common_device(elementwise(op).name, inputs);
  return std::make_shared<const Node>(op, dtype, shape, std::move(device), std::move(inputs), std::move(attrs));
}

bool is_weak(const Node& n) { return n.op() == Op::kScalar && n.scalar().weak; }

/// An operand as `dtype`. A weak scalar next to f16 or bf16 stays weak and is computed with in f32: 1e5 and 1e-8 are
/// not f16 values, but f16(60000) / 1e5 is.
NodePtr operand_as(const NodePtr& x, DType dtype) {
  if (!is_weak(*x) || wide_float(dtype) == dtype) return cast(x, dtype);
  if (x->dtype() == dtype) return x;
  return std::make_shared<const Node>(Op::kScalar, dtype, x->shape(), x->device(), Node::Inputs{}, x->attrs());
}

/// Whether an integer scalar is representable in the dtype.
bool holds(DType t, const Scalar& s) {
  const auto* big = std::get_if<std::uint64_t>(&s.value);
  return tessera::holds(t, big != nullptr ? Wide{*big} : Wide{s.as_int()});
}

/// The dtype of a weak scalar next to an operand of dtype `other`.
DType weak_type(std::string_view what, const Scalar& s, DType other) {
  if (is_complex(other)) return other;
  if (std::holds_alternative<std::complex<double>>(s.value)) {
    return other == DType::kF64 ? DType::kC128 : DType::kC64;
  }
  if (std::holds_alternative<double>(s.value)) return is_float(other) ? other : DType::kF32;
  if (is_float(other)) return other;
  if (other == DType::kBool) {
    return holds(DType::kI32, s) ? DType::kI32 : (holds(DType::kI64, s) ? DType::kI64 : DType::kU64);
  }
  if (!holds(other, s)) {
    const auto* big = std::get_if<std::uint64_t>(&s.value);
    fail(ErrorKind::kValue, "{}: the number {} does not fit the other operand's type {}.", what,
         big != nullptr ? std::to_string(*big) : std::to_string(s.as_int()), name(other));
  }
  return other;
}

template <class T>
T saturated(double v) {
  // The upper limit as a double may be one past the largest T.
  if (v >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  if (v <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  return static_cast<T>(v);
}

/// The scalar after the cast of a tensor: floats are rounded, or truncated and clamped to the range of the compute
/// type; integers keep their low bits.
Scalar converted(Scalar s, DType to) {
  const auto rounded = [to](double v, float narrow) -> double {
    return to == DType::kF64 || to == DType::kC128 ? v : rounded_to_half(narrow, to);
  };
  const double v = s.as_double();
  if (to == DType::kBool) {
    s.value = std::int64_t{s.as_complex() != 0.0 ? 1 : 0};  // 0.5 is true
  } else if (is_complex(to)) {
    const std::complex<double> c = s.as_complex();
    s.value = std::complex<double>(rounded(c.real(), static_cast<float>(c.real())),
                                   rounded(c.imag(), static_cast<float>(c.imag())));
  } else if (is_float(to)) {
    const auto* i = std::get_if<std::int64_t>(&s.value);
    const auto* u = std::get_if<std::uint64_t>(&s.value);
    // Rounded once: an intermediate double would round twice.
    s.value = rounded(
        v, i != nullptr ? static_cast<float>(*i) : (u != nullptr ? static_cast<float>(*u) : static_cast<float>(v)));
  } else {
    std::int64_t bits = 0;
    if (!std::holds_alternative<double>(s.value)) {
      bits = s.as_int();
    } else if (!std::isnan(v)) {
      const Compute compute = compute_type(to);
      bits = compute == Compute::kI32   ? saturated<std::int32_t>(v)
             : compute == Compute::kU32 ? saturated<std::uint32_t>(v)
             : compute == Compute::kI64 ? saturated<std::int64_t>(v)
                                        : static_cast<std::int64_t>(saturated<std::uint64_t>(v));
    }
    const auto unused = static_cast<unsigned>(64 - 8 * size_of(to));
    if (info(to).kind == DTypeKind::kSigned) {
      s.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) << unused) >> unused;
    } else {
      const std::uint64_t low = static_cast<std::uint64_t>(bits) << unused >> unused;
      if (to == DType::kU64) {
        s.value = low;
      } else {
        s.value = static_cast<std::int64_t>(low);
      }
    }
  }
  return s;
}

/// One dtype for the operands from `first` on; weak scalars follow the others.
DType common_type(std::string_view what, const std::vector<NodePtr>& args, std::size_t first) {
  std::optional<DType> strong;
  for (std::size_t i = first; i < args.size(); ++i) {
    if (!is_weak(*args[i])) strong = strong.has_value() ? promote(*strong, args[i]->dtype()) : args[i]->dtype();
  }
  std::optional<DType> result = strong;
  for (std::size_t i = first; i < args.size(); ++i) {
    if (!is_weak(*args[i])) continue;
    const DType t = strong.has_value() ? weak_type(what, args[i]->scalar(), *strong) : args[i]->dtype();
    result = result.has_value() ? promote(*result, t) : t;
  }
  return *result;
}

}  // namespace

std::shared_ptr<runtime::Device> common_device(std::string_view what, std::span<const NodePtr> nodes) {
  std::shared_ptr<runtime::Device> device;
  for (const NodePtr& n : nodes) {
    if (n->device() == nullptr) continue;
    if (device != nullptr && device != n->device()) {
      fail(ErrorKind::kDevice, "{}: the operands are on two devices; move one of them with to().", what);
    }
    device = n->device();
  }
  return device;
}

Shape broadcast_shapes(std::string_view what, std::span<const Shape> shapes) {
  int rank = 0;
  for (const Shape& s : shapes) rank = std::max(rank, s.rank());
  Shape result;
  for (int i = 0; i < rank; ++i) result.push_back(1);
  for (const Shape& s : shapes) {
    const int shift = rank - s.rank();
    for (int i = 0; i < s.rank(); ++i) {
      std::int64_t& d = result[i + shift];
      if (d == 1) {
        d = s[i];
      } else if (s[i] != 1 && s[i] != d) {
        std::string text;
        for (const Shape& each : shapes) text += (text.empty() ? "" : " and ") + each.str();
        fail(ErrorKind::kShape, "{}: shapes {} do not broadcast: sizes {} and {} differ at axis {}.", what, text, d,
             s[i], i + shift);
      }
    }
  }
  return result;
}

NodePtr cast(const NodePtr& x, DType dtype) {
  if (x->dtype() == dtype && is_block(dtype)) return x;
  if (is_block(x->dtype())) refuse_blocks("cast", x->dtype());
  if (is_block(dtype)) {
    fail(ErrorKind::kDType, "cast: a tensor of dtype {} was to become {}; quantize(x, {}) does that.", name(x->dtype()),
         name(dtype), name(dtype));
  }
  if (is_complex(x->dtype()) && !is_complex(dtype) && dtype != DType::kBool) {
    fail(ErrorKind::kDType,
         "cast: a tensor of type {} cannot become {}, which has no imaginary part; take real(x), imag(x) or abs(x).",
         name(x->dtype()), name(dtype));
  }
  if (x->op() == Op::kScalar) {
    if (!x->scalar().weak && x->dtype() == dtype) return x;
    // A weak scalar keeps its value, whatever its own dtype would be.
    Scalar value = converted(x->scalar().weak ? x->scalar() : converted(x->scalar(), x->dtype()), dtype);
    value.weak = false;
    return std::make_shared<const Node>(Op::kScalar, dtype, x->shape(), x->device(), Node::Inputs{}, value);
  }
  if (x->dtype() == dtype) return x;
  return make(Op::kCast, dtype, x->shape(), {x});
}

DType float_of(const NodePtr& x) {
  return is_float(x->dtype()) || is_complex(x->dtype()) ? f32_dtype(x->dtype()) : DType::kF32;
}

NodePtr wide(const NodePtr& x) { return cast(x, wide_float(float_of(x))); }

NodePtr elementwise(Op op, std::vector<NodePtr> args) {
  const ElementwiseOp& row = tessera::elementwise(op);
  const std::size_t first = op == Op::kWhere ? 1 : 0;
  for (const NodePtr& x : args) {
    if (is_block(x->dtype())) refuse_blocks(row.name, x->dtype());
  }
  DType common = common_type(row.name, args, first);
  if (row.f32_in_autocast) common = f32_dtype(common);
  DType operand = common;
  DType result = common;
  const auto refuse = [&](const char* takes) {
    fail(ErrorKind::kDType, "{}: operands of type {} were given; it takes {}.", row.name, name(common), takes);
  };
  if (is_complex(common) && row.complex.cpu == nullptr && row.rule != TypeRule::kLogical) refuse("real numbers");
  if (row.rule == TypeRule::kComplex && !is_complex(common)) {
    return op == Op::kImag ? full(args[0]->shape(), cast(number(0), common), args[0]->device()) : args[0];
  }
  switch (row.rule) {
    case TypeRule::kSame:
      break;
    case TypeRule::kReal:
      result = real_of(common);
      break;
    case TypeRule::kComplex:
      if (op != Op::kConj) result = real_of(common);
      break;
    case TypeRule::kNumeric:
      if (common == DType::kBool) refuse("numbers, not bool");
      break;
    case TypeRule::kFloat:
      if (!is_float(common) && !is_complex(common)) operand = result = DType::kF32;
      break;
    case TypeRule::kCompare:
    case TypeRule::kTest:
      result = DType::kBool;
      break;
    case TypeRule::kLogical:
      operand = result = DType::kBool;
      break;
    case TypeRule::kBits:
      if (is_float(common)) refuse("integers or bool");
      if (op == Op::kBitwiseNot && common == DType::kBool) return elementwise(Op::kLogicalNot, std::move(args));
      break;
    case TypeRule::kShift:
      if (!is_integer(common)) refuse("integers");
      break;
    case TypeRule::kIndex:
      if (common != DType::kI32) refuse("i32");
      break;
    case TypeRule::kWhere:
      args[0] = cast(args[0], DType::kBool);
      break;
    case TypeRule::kCast:
      return cast(args[0], common);
  }
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i >= first) args[i] = operand_as(args[i], operand);
    shapes.push_back(args[i]->shape());
  }
  const Shape shape = broadcast_shapes(row.name, shapes);
  for (NodePtr& a : args) a = broadcast_to(a, shape);
  return make(op, result, shape, std::move(args));
}

}  // namespace tessera::ops

namespace tessera {

NodePtr operator+(const NodePtr& a, const NodePtr& b) { return ops::elementwise(Op::kAdd, {a, b}); }
NodePtr operator-(const NodePtr& a, const NodePtr& b) { return ops::elementwise(Op::kSubtract, {a, b}); }
NodePtr operator*(const NodePtr& a, const NodePtr& b) { return ops::elementwise(Op::kMultiply, {a, b}); }
NodePtr operator/(const NodePtr& a, const NodePtr& b) { return ops::elementwise(Op::kDivide, {a, b}); }

}  // namespace tessera
