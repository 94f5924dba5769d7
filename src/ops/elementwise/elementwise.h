// The table of elementwise ops: each row has an op's name, dtype rule, and its implementations in WGSL, for the oracle
// and on the CPU.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/compute.h"
#include "graph/op_fwd.h"

namespace tessera {

/// The operand and result dtypes of an op.
enum class TypeRule : std::uint8_t {
  kSame,     // operands promoted to one type; the result has it: add, abs, maximum
  kFloat,    // as kSame, integers and bool become f32 first: exp, divide
  kCompare,  // operands promoted to one type; the result is bool: less, equal
  kTest,     // one operand of any type; the result is bool: isnan
  kLogical,  // operands become bool; the result is bool
  kBits,     // integers or bool, promoted to one type: bitwise_and
  kShift,    // integers, promoted to one type
  kNumeric,  // as kSame, bool refused: negative, floor_divide
  kReal,     // as kSame, but real where the operand is complex: abs
  kComplex,  // complex numbers; the identity on real ones: conj, and real, whose result is a part
  kIndex,    // i32: index and size
  kWhere,    // bool, then two promoted to one type
  kCast,     // any to the node's own
};

/// A block of values in one compute type, all n long: bool as bytes of 0 and 1.
struct CpuBlock {
  Compute type;             // of the operands
  const void* const* args;  // arity pointers; kWhere: args[0] is bool bytes, `type` is that of the rest
  void* out;                // the result's compute type: bool for comparisons and tests, else `type`
  std::int64_t n;
};
using CpuFn = void (*)(const CpuBlock&);

class Node;
using Grads = std::vector<std::shared_ptr<const Node>>;

/// The arguments of a gradient: the operands (promoted, and broadcast to one shape), the result, and its gradient.
struct VjpArgs {
  std::span<const std::shared_ptr<const Node>> in;
  const std::shared_ptr<const Node>& out;
  const std::shared_ptr<const Node>& g;
  [[nodiscard]] bool needs(std::size_t k) const;  // whether operand k depends on a variable
};
/// The gradients of the operands; null for none.
using Vjp = Grads (*)(const VjpArgs&);

/// The functions of complex operands; null if there are none.
struct ComplexOp {
  std::complex<double> (*reference)(const std::complex<double>* args) = nullptr;  // real and bool results as well
  CpuFn cpu = nullptr;
};

struct ElementwiseOp {
  Op op;
  std::string_view name;  // the public name
  int arity;
  TypeRule rule;
  int cost;                   // of one element, in units of an add
  std::string_view wgsl;      // $0, $1, $2 are the operands: f32, or bool for kLogical and kBits; empty: not for floats
  std::string_view wgsl_int;  // for i32 and u32 operands, whose type is $T; "=" as for floats; empty: not for integers.
                              // 64-bit integers call i64_<name> or u64_<name> of the prelude with the same operands
  double (*reference)(const double* args);  // the oracle for floats; bool results are 0 or 1
  std::int64_t (*reference_int)(const std::int64_t* args, bool is_unsigned);  // for integers and bool, 64 bits wide;
                                                                              // the oracle wraps to the type after
  CpuFn cpu;
  Vjp vjp;  // null: not differentiable, which is an error
  ComplexOp complex = {};
  bool f32_in_autocast = false;  // f16 and bf16 operands become f32 inside of an Autocast scope
};

/// All rows, in the order of Op.
std::span<const ElementwiseOp> elementwise_ops();
const ElementwiseOp& elementwise(Op op);

namespace ops {
/// The cost of one element of any op, in units of an add: that of its row, if it has one.
int cost(Op op);
}  // namespace ops

}  // namespace tessera
