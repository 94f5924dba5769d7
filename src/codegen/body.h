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

/// A place where the body is evaluated: one element (a lane of a quad), or a whole row.
struct Place {
  std::string suffix;   // makes names unique: "_0", "_1", ..; "" for what is the same along a row
  std::string element;  // expressions of type u32
  std::string row;
  std::string col;
  std::string quad;      // the quad that the element lies in, where quads are loaded whole; else empty
  int lane = 0;          // its place in the quad
  std::string contract;  // the accumulated value of a matmul
};

class Body {
 public:
  /// `inputs` and `outputs` are the forms of the kernel's slots; `first_param` is where the kernel's words start.
  Body(const Kernel& kernel, std::vector<BufferForm> inputs, int first_param);

  /// The name (or text) of an instr's value at a place; statements that it needs go to out.
  std::string value(int instr, const Place& place, std::string& out);
  /// Whether a load at a place falls into its buffer's window, as an expression.
  std::string in_range(int instr, const Place& place, std::string& out);
  /// Sets the text of a row-level value, such as a finished reduction.
  void define(int instr, const std::string& text) { names_[{instr, ""}] = text; }
  /// Forgets all element-level names: their scope ends. Row-level names stay.
  void leave_scope();
  /// Element loads at kElement that can be whole quads.
  [[nodiscard]] static bool loads_quad(const Kernel& kernel, int slot);

 private:
  std::string index(int i, const Place& place, std::string& out);
  std::string view_index(const Index& x, int at, const Place& place, const std::string& tag, std::string& out);
  std::string window_index(const Index& x, int at, const std::string& parent, const std::string& tag, std::string& out);

  const Kernel& kernel_;
  std::vector<BufferForm> inputs_;
  ParamLayout layout_;
  int first_;
  std::map<std::pair<int, std::string>, std::string> names_;
  std::map<std::pair<int, std::string>, std::string> index_names_;
  std::vector<char> only_stored_;  // a cast whose value goes nowhere but to memory needs no rounding of its own
};

}  // namespace tessera::codegen
