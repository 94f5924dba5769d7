// The names of ops, in the order of Op.
#include "graph/op_name.h"

#include <array>

#include "graph/op.h"

namespace tessera {

std::string_view op_name(Op op) {
#define TESSERA_NAME(Name, name, arity) #name,
  static constexpr std::array<std::string_view, static_cast<std::size_t>(Op::kPack) + 1> kNames{
      "input",  "scalar", "iota", "random", "view", "copy",   "pad",
      "mark",   "sum",    "prod", "max",    "min",  "argmax", "argmin",
      "matmul", "gather", "put",  "custom", "call", "cast",   TESSERA_ELEMENTWISE_OPS(TESSERA_NAME) "pack"};
#undef TESSERA_NAME
  static_assert(kNames[static_cast<std::size_t>(kFirstElementwise)] == "cast" &&
                kNames[static_cast<std::size_t>(kLastElementwise)] == "where" && kNames.back() == "pack");
  return kNames[static_cast<std::size_t>(op)];
}

}  // namespace tessera
