// Statements for the steps of a kernel: indices, loads, ops.
#include "codegen/body.h"

#include <bit>

#include <fmt/format.h>

#include "base/fail.h"
#include "base/ints.h"
#include "graph/op.h"
#include "ops/elementwise/elementwise.h"

namespace tessera::codegen {

Body::Body(const Kernel& kernel, std::vector<BufferForm> inputs, int first_param)
    : kernel_(kernel), inputs_(std::move(inputs)), layout_(kernel), first_(first_param) {
  if (kernel_.table.is_dequantized()) inputs_[as_index(kernel_.table.slot)] = dequantized_form();
  only_stored_.assign(kernel_.instrs.size(), 1);
  for (const Instr& x : kernel_.instrs) {
    for (const int a : x.args) only_stored_[as_index(a)] = 0;
  }
}

void Body::leave_scope() {
  std::erase_if(names_, [](const auto& e) { return !e.first.second.empty(); });
  std::erase_if(index_names_, [](const auto& e) { return !e.first.second.empty(); });
}

namespace {

bool in_set(std::uint64_t set, int index) { return index >= 0 && index < 64 && (set >> index & 1U) != 0; }

}  // namespace

bool Body::loads_quad(const Kernel& kernel, int slot, std::uint64_t whole) {
  bool any = false;
  for (const Instr& x : kernel.instrs) {
    if (x.kind != Instr::Kind::kLoad || x.slot != slot) continue;
    if (x.index != 0 && !in_set(whole, x.index)) return false;
    any = true;
  }
  return any;
}

std::string Body::in_range(int instr, const ElementNames& place, std::string& out) {
  const Instr& x = kernel_.instrs[as_index(instr)];
  return inputs_[as_index(x.slot)].in_range(index(x.index, place, out));
}

std::string Body::index(int i, const ElementNames& place, std::string& out) {
  const Index& x = kernel_.indices[as_index(i)];
  switch (x.kind) {
    case Index::Kind::kElement:
      return place.element;
    case Index::Kind::kRow:
      return place.row;
    case Index::Kind::kCol:
      return place.col;
    default:
      break;
  }
  // An index that depends on the row alone is computed once per row.
  bool row = kernel_.kind == Kernel::Kind::kReduce;
  for (int j = i; row && j >= 0; j = kernel_.indices[as_index(j)].parent) {
    row = kernel_.indices[as_index(j)].parent >= 0 || kernel_.indices[as_index(j)].kind == Index::Kind::kRow;
  }
  const std::string suffix = row ? "" : place.suffix;
  if (const auto it = index_names_.find({i, suffix}); it != index_names_.end()) return it->second;
  const std::string tag = fmt::format("{}{}", i, suffix);
  const int at = first_ + layout_.index_at[as_index(i)];
  std::string name = x.kind == Index::Kind::kView ? view_index(x, at, place, tag, out)
                                                  : padded_index(x, at, index(x.parent, place, out), tag, out);
  index_names_[{i, suffix}] = name;
  return name;
}

namespace {

/// The sum of coordinate * stride over dims [first, last) of a level; the coordinates come from the index `rest`. The
/// size of the last dim is the word `last_size`.
std::string strided_sum(const StrideClasses& strides, int first, int last, int at, int last_size, std::string rest,
                        const std::string& tag, std::string& out) {
  int outermost = first;  // dims left of this one have stride 0 and need no coordinate
  while (outermost < last && strides[as_index(outermost)] == StrideClass::kZero) ++outermost;
  std::string sum;
  for (int d = last - 1; d >= outermost; --d) {
    const std::string size = param(d == last - 1 ? last_size : at + 2 * d);
    std::string coordinate = rest;
    if (d > first && d == outermost) {
      coordinate = fmt::format("({} % {})", rest, size);
    } else if (d > first) {
      const std::string q = fmt::format("q{}_{}", tag, d);
      out += fmt::format("let {} = {} / {};\n", q, rest, size);
      coordinate = fmt::format("({} - {} * {})", rest, q, size);
      rest = q;
    }
    const StrideClass stride = strides[as_index(d)];
    if (stride == StrideClass::kZero) continue;
    const std::string term =
        stride == StrideClass::kOne ? coordinate : fmt::format("{} * {}", coordinate, param(at + 2 * d + 1));
    sum += sum.empty() ? term : " + " + term;
  }
  return sum;
}

}  // namespace

std::string Body::view_index(const Index& x, int at, const ElementNames& place, const std::string& tag,
                             std::string& out) {
  std::string current;
  int level = 0;
  int joint_word = -1;
  if (const auto i = static_cast<std::size_t>(&x - kernel_.indices.data()); i < 64 && ((joint_ >> i) & 1) != 0) {
    const auto lowest = static_cast<std::size_t>(std::countr_zero(joint_));
    joint_word = first_ + last_size_at(kernel_.indices[lowest], layout_.index_at[lowest]);
  }
  for (const auto& [strides, offset] : x.layout.levels()) {
    const int rank = static_cast<int>(strides.size());
    const std::string step = fmt::format("{}_{}", tag, level);
    std::string sum;
    const auto add = [&](const std::string& term) {
      if (!term.empty()) sum += sum.empty() ? term : " + " + term;
    };
    if (level == 0 && x.split >= 0) {
      add(strided_sum(strides, 0, x.split, at, at + 2 * (x.split - 1), place.row, step, out));
      add(strided_sum(strides, x.split, rank, at, at + 2 * (rank - 1), place.col, step, out));
    } else {
      const int size = level == 0 && joint_word >= 0 ? joint_word : at + 2 * (rank - 1);
      add(strided_sum(strides, 0, rank, at, size, level == 0 ? index(x.parent, place, out) : current, step, out));
    }
    if (offset) add(param(at + 2 * rank));
    if (sum.empty()) sum = "0u";
    const std::string name = fmt::format("i{}", step);
    out += fmt::format("let {} = {};\n", name, sum);
    current = name;
    at += 2 * rank + 1;
    ++level;
  }
  return current;
}

std::string Body::padded_index(const Index& x, int at, const std::string& parent, const std::string& tag,
                               std::string& out) {
  const int rank = x.pad_axes;
  std::string rest = parent;
  std::string inside;
  std::string sum;
  std::string scale;
  for (int d = rank - 1; d >= 0; --d) {
    const std::string size = param(at + 3 * d);
    const std::string low = param(at + 3 * d + 1);
    const std::string inner = param(at + 3 * d + 2);
    const std::string c = fmt::format("c{}_{}", tag, d);
    if (d > 0) {
      const std::string q = fmt::format("q{}_{}", tag, d);
      out += fmt::format("let {} = {} / {};\nlet {} = {} - {} * {} - {};\n", q, rest, size, c, rest, q, size, low);
      rest = q;
    } else {
      out += fmt::format("let {} = {} - {};\n", c, rest, low);
    }
    // Below the range the difference wraps to a large number.
    inside += fmt::format("{}{} < {}", inside.empty() ? "" : " && ", c, inner);
    sum += sum.empty() ? c : fmt::format(" + {} * {}", c, scale);
    scale = scale.empty() ? inner : fmt::format("({} * {})", scale, inner);
  }
  if (rank == 0) {
    inside = "true";
    sum = "0u";
  }
  out += fmt::format("let ok{} = {};\nlet i{} = select(0u, {}, ok{});\n", tag, inside, tag, sum, tag);
  return fmt::format("i{}", tag);
}

std::string op_text(Op op, DType operand, DType result_type, std::vector<std::string> args) {
  const ElementwiseOp& row = elementwise(op);
  if (op == Op::kWhere) return fmt::format("select({}, {}, {})", args[2], args[1], args[0]);
  const Compute c = compute_type(operand);
  std::string_view text;
  bool from_bool = false;
  if (c == Compute::kI64 || c == Compute::kU64) {
    return fmt::format("{}_{}({})", c == Compute::kI64 ? "i64" : "u64", row.name, fmt::join(args, ", "));
  }
  if (c == Compute::kF32 || (c == Compute::kBool && row.rule == TypeRule::kLogical)) {
    text = row.wgsl;
  } else {
    from_bool = c == Compute::kBool;
    if (from_bool) {
      for (std::string& a : args) a = fmt::format("select(0u, 1u, {})", a);
    }
    text = row.wgsl_int == "=" ? row.wgsl : row.wgsl_int;
  }
  if (text.empty()) fail(ErrorKind::kUnsupported, "{} has no WGSL for {} operands.", row.name, name(operand));
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$' && i + 1 < text.size()) {
      const char what = text[++i];
      result += what == 'T' ? (c == Compute::kI32 ? "i32" : (c == Compute::kF32 ? "f32" : "u32"))
                            : args[as_index(what - '0')];
    } else {
      result += text[i];
    }
  }
  if (from_bool && result_type == DType::kBool &&
      (row.rule == TypeRule::kSame || row.rule == TypeRule::kReal || row.rule == TypeRule::kBits)) {
    result = fmt::format("(({}) != 0u)", result);
  }
  return is_subword_integer(result_type) ? wrap(result, result_type) : result;
}

std::string Body::position(const Instr& load, const ElementNames& place, std::string& out) {
  if (kernel_.indices[as_index(load.index)].kind != Index::Kind::kAt) return index(load.index, place, out);
  return fmt::format("u32({})", value(load.args[0], place, out));
}

std::string Body::value(int j, const ElementNames& place, std::string& out) {
  const Instr& x = kernel_.instrs[as_index(j)];
  const std::string suffix = x.row ? "" : place.suffix;
  if (const auto it = names_.find({j, suffix}); it != names_.end()) return it->second;
  std::string text;
  switch (x.kind) {
    case Instr::Kind::kLoad: {
      const BufferForm& form = inputs_[as_index(x.slot)];
      if ((x.index == 0 || in_set(whole_, x.index)) && !place.quad.empty() && form.quad) {
        // One statement loads the quad for all four lanes.
        const std::string prefix = fmt::format("l{}{}_", j, place.suffix.substr(0, place.suffix.rfind('_')));
        const std::string first = x.index == 0 ? "" : position(x, place, out);
        out += form.load_quad(x.index == 0 ? place.quad : fmt::format("({} >> 2u)", first), prefix);
        const std::string stem = place.suffix.substr(0, place.suffix.rfind('_'));
        for (int t = 0; t < 4; ++t) names_[{j, fmt::format("{}_{}", stem, t)}] = fmt::format("{}{}", prefix, t);
        return names_[{j, suffix}];
      }
      text = form.load(position(x, place, out));
      break;
    }
    case Instr::Kind::kScalar: {
      const int at = first_ + layout_.instr_at[as_index(j)];
      switch (compute_type(x.dtype)) {
        case Compute::kBool:
          text = fmt::format("({} != 0u)", param(at));
          break;
        case Compute::kI32:
          text = fmt::format("bitcast<i32>({})", param(at));
          break;
        case Compute::kU32:
          text = param(at);
          break;
        case Compute::kI64:
        case Compute::kU64:
          text = fmt::format("vec2<u32>({}, {})", param(at), param(at + 1));
          break;
        default:
          text = fmt::format("bitcast<f32>({})", param(at));
          break;
      }
      break;
    }
    case Instr::Kind::kIota:
      text = convert(index(x.index, place, out), DType::kU32, x.dtype, true);
      break;
    case Instr::Kind::kRandom: {
      const int at = first_ + layout_.instr_at[as_index(j)];
      text = fmt::format("philox({}, {}, {}, {}, {})", index(x.index, place, out), param(at), param(at + 1),
                         param(at + 2), param(at + 3));
      break;
    }
    case Instr::Kind::kPad: {
      const std::string inner = value(x.args[0], place, out);
      const std::string fill = value(x.args[1], place, out);
      const std::string at = index(x.index, place, out);  // "i<tag>"; its bounds check is "ok<tag>"
      text = fmt::format("select({}, {}, ok{})", fill, inner, at.substr(1));
      break;
    }
    case Instr::Kind::kContract:
      return is_subword_integer(x.dtype) ? wrap(place.contract, x.dtype) : place.contract;
    case Instr::Kind::kReduce:
      fail(ErrorKind::kValue, "A reduction was used before it was finished: the kernel is malformed.");
    case Instr::Kind::kOp: {
      std::vector<std::string> args;
      args.reserve(x.args.size());
      for (const int a : x.args) args.push_back(value(a, place, out));
      // A map may end inside a quad that is loaded whole: the elements past the end are no indices.
      if (x.op == Op::kCheckIndex && kernel_.kind == Kernel::Kind::kMap && !place.quad.empty() && place.lane > 0)
        args[0] = fmt::format("select(0, {}, 4u * {} + {}u <= last)", args[0], place.quad, place.lane);
      text = x.op == Op::kCast
                 ? convert(args[0], kernel_.instrs[as_index(x.args[0])].dtype, x.dtype, only_stored_[as_index(j)] == 0)
                 : op_text(x.op, kernel_.instrs[as_index(x.args[x.op == Op::kWhere ? 1 : 0])].dtype, x.dtype, args);
      break;
    }
  }
  const std::string name = fmt::format("v{}{}", j, suffix);
  out += fmt::format("let {} = {};\n", name, text);
  names_[{j, suffix}] = name;
  return name;
}

}  // namespace tessera::codegen
