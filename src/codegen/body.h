// Writes the steps of a kernel's body as WGSL statements, for several elements at a time.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "codegen/buffers.h"
#include "codegen/program.h"

namespace tessera::codegen {

/// The expression of an elementwise op on operands of one type.
std::string op_text(Op op, DType operand, DType result_type, std::vector<std::string> args);

/// A point at which the body is evaluated: one element (a lane of a quad), or a whole row.
struct ElementNames {
  std::string suffix;   // makes names unique: "_0", "_1", ..; "" for row-level values
  std::string element;  // expressions of type u32
  std::string row;
  std::string col;
  std::string quad;      // the element's quad if quads are loaded whole; else empty
  int lane = 0;          // its position in the quad
  std::string contract;  // the accumulated value of a matmul
};

/// The parameter word of the size of the last dim of a view's first level, whose words start at `at`.
inline int last_size_at(const Index& view, int at) { return at + 2 * (view.layout.levels()[0].rank() - 1); }

class Body {
 public:
  /// `inputs` and `outputs` are the forms of the kernel's slots; `first_param` is the kernel's first parameter word.
  Body(const Kernel& kernel, std::vector<BufferForm> inputs, int first_param);

  /// The name (or text) of an instr's value at a place; the statements for it are appended to `out`.
  std::string value(int instr, const ElementNames& place, std::string& out);
  /// Whether a load at a place is inside its buffer's binding range, as an expression.
  std::string in_range(int instr, const ElementNames& place, std::string& out);
  /// Sets the text of a row-level value, such as a finished reduction.
  void define(int instr, const std::string& text) { names_[{instr, ""}] = text; }
  /// Drops all element-level names at the end of their scope. Row-level names stay.
  void leave_scope();
  /// Whether loads of a slot at kElement, or at an index of `whole`, can be whole quads.
  [[nodiscard]] static bool loads_quad(const Kernel& kernel, int slot, std::uint64_t whole = 0);
  /// A bit for each index whose four elements of a quad are a quad of the buffer.
  void set_whole(std::uint64_t whole) { whole_ = whole; }
  /// A bit for each view whose last dim has the size of that of the lowest one, whose word they divide by.
  void set_joint(std::uint64_t joint) { joint_ = joint; }

 private:
  std::string index(int i, const ElementNames& place, std::string& out);
  /// Where in its buffer a load is.
  std::string position(const Instr& load, const ElementNames& place, std::string& out);
  std::string view_index(const Index& x, int at, const ElementNames& place, const std::string& tag, std::string& out);
  std::string padded_index(const Index& x, int at, const std::string& parent, const std::string& tag, std::string& out);

  const Kernel& kernel_;
  std::vector<BufferForm> inputs_;
  ParamLayout layout_;
  int first_;
  std::map<std::pair<int, std::string>, std::string> names_;
  std::map<std::pair<int, std::string>, std::string> index_names_;
  std::uint64_t whole_ = 0, joint_ = 0;
  std::vector<char> only_stored_;  // a cast that is only stored needs no rounding of its own
};

}  // namespace tessera::codegen
