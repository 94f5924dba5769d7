// Elementwise work on lists of tensors: on arenas where that copies nothing, else tensor by tensor.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tessera/grad.h"
#include "tessera/pack.h"

namespace tessera::optim {

/// Replaces one tensor of each list, which have equal shapes.
using ApplyOne = std::function<void(std::span<Tensor> one_of_each)>;

void apply_each(std::vector<Tensors>& lists, const ApplyOne& f);

/// The same for an f that works element by element: once for each arena, in a trace in which all lists but the first
/// are in arenas of one layout. What the first has, gradients, is computed into such an arena.
void apply_together(std::vector<Tensors>& lists, const ApplyOne& f);

/// Tensors as the arenas of each dtype, with zeros between tensors, in a trace or if they are in arenas; else as they
/// are. Those that elementwise work gives are tensors again.
class Flattened {
 public:
  explicit Flattened(Tensors tensors);
  [[nodiscard]] Tensors tensors() const;

  Tensors values;

 private:
  struct List {
    std::vector<std::size_t> positions;
    Packing packing;
    bool packed = false;
    [[nodiscard]] std::size_t size() const { return packed ? packing.arenas() : positions.size(); }
  };
  std::vector<List> lists_;  // their values, one after the other
};

}  // namespace tessera::optim
