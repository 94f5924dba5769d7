// Arenas: tensors of one dtype one after the other in one buffer, so that elementwise work on all of them is one
// kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// Where tensors of given shapes are in arenas, which are tensors of rank 1. Each begins at a multiple of 256 elements;
/// those with two axes or more come first, the others behind them. An arena that would exceed the device's largest
/// binding is split, and a tensor that exceeds it is an arena by itself. Two lists of tensors of the same shapes have
/// the same layout in all dtypes of at most 4 bytes, so that elementwise work on the arenas is that on the tensors.
class Packing {
 public:
  /// None.
  Packing() = default;
  Packing(std::vector<Shape> shapes, DType dtype, const Device& device);

  /// The number of arenas, and of tensors.
  [[nodiscard]] std::size_t arenas() const { return arenas_.size(); }
  [[nodiscard]] std::size_t tensors() const { return shapes_.size(); }
  /// A tensor of an arena: its position in the list, and the elements up to the next one.
  struct Member {
    std::size_t tensor;
    std::int64_t numel;
  };
  [[nodiscard]] std::vector<Member> members(std::size_t arena) const;
  /// The arenas of these tensors. Nothing is copied if they are in arenas of this layout, alone or among others. What
  /// is computed in the same graph is stored into the arena by its own kernel. Elements between tensors are zeros if
  /// `zeros`; else they may be anything in arenas that exist. Error of kind value for another number of tensors, of
  /// kind shape or dtype for other shapes or several dtypes.
  [[nodiscard]] std::vector<Tensor> pack(const std::vector<Tensor>& tensors, bool zeros = true) const;
  /// Whether pack() would copy nothing.
  [[nodiscard]] bool holds(const std::vector<Tensor>& tensors, bool zeros = true) const;
  /// The tensors in such arenas, as views: of evaluated arenas they are evaluated, too, and share their memory, which
  /// is freed after the last of them.
  [[nodiscard]] std::vector<Tensor> unpack(const std::vector<Tensor>& arenas) const;

 private:
  struct Arena {
    std::vector<std::size_t> tensors;  // without empty ones
    std::vector<std::int64_t> offsets;
    std::int64_t numel = 0;
  };
  [[nodiscard]] Tensor found(const Arena& arena, const std::vector<Tensor>& tensors, bool zeros) const;
  void check(const std::vector<Tensor>& tensors) const;

  std::vector<Shape> shapes_;
  std::vector<Arena> arenas_;
};

/// The arenas of a list of tensors, and the tensors as views of them.
struct Packed {
  std::vector<Tensor> arenas;
  std::vector<Tensor> tensors;
};
/// Lays tensors of one dtype and one device flat, as Packing describes it. The results are computed with the rest of
/// the graph.
Packed pack(const std::vector<Tensor>& tensors);

}  // namespace tessera
