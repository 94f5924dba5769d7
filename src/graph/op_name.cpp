// The names of ops, in the order of Op.
#include "graph/op_name.h"

#include <array>

namespace tessera {

std::string_view op_name(Op op) {
  static constexpr std::array<std::string_view, static_cast<std::size_t>(kLastElementwise) + 1> kNames{
      "input",       "scalar",      "iota",        "random",        "view",        "copy",       "pad",
      "sum",         "prod",        "max",         "min",           "argmax",      "argmin",     "matmul",
      "cast",        "negative",    "abs",         "sign",          "exp",         "expm1",      "log",
      "log2",        "log10",       "log1p",       "sqrt",          "rsqrt",       "square",     "reciprocal",
      "sin",         "cos",         "tan",         "asin",          "acos",        "atan",       "sinh",
      "cosh",        "tanh",        "asinh",       "acosh",         "atanh",       "erf",        "sigmoid",
      "floor",       "ceil",        "round",       "trunc",         "isnan",       "isinf",      "isfinite",
      "logical_not", "bitwise_not", "add",         "subtract",      "multiply",    "divide",     "floor_divide",
      "remainder",   "power",       "maximum",     "minimum",       "atan2",       "equal",      "not_equal",
      "less",        "less_equal",  "greater",     "greater_equal", "logical_and", "logical_or", "logical_xor",
      "bitwise_and", "bitwise_or",  "bitwise_xor", "left_shift",    "right_shift", "where"};
  static_assert(!kNames.back().empty());
  return kNames[static_cast<std::size_t>(op)];
}

}  // namespace tessera
