// Decides when lists of tensors are worked on as arenas.
#include "optim/arenas.h"

#include <algorithm>
#include <map>

#include "tessera/tracing.h"

namespace tessera::optim {

namespace {

std::vector<Shape> shapes_of(const Tensors& tensors) {
  std::vector<Shape> shapes;
  for (const Tensor& t : tensors) shapes.push_back(t.shape());
  return shapes;
}

/// Tensors that may be in one arena.
bool alike(const Tensors& tensors) {
  return std::ranges::all_of(tensors, [&](const Tensor& t) {
    return t.dtype() == tensors[0].dtype() && t.device() == tensors[0].device() && !t.is_tracked();
  });
}

}  // namespace

void apply_each(std::vector<Tensors>& lists, const ApplyOne& f) {
  for (std::size_t i = 0; i < lists[0].size(); ++i) {
    Tensors one;
    for (const Tensors& list : lists) one.push_back(list[i]);
    f(one);
    for (std::size_t k = 0; k < lists.size(); ++k) lists[k][i] = std::move(one[k]);
  }
}

void apply_together(std::vector<Tensors>& lists, const ApplyOne& f) {
  const bool packs = is_tracing() && lists[0].size() > 1 && std::ranges::all_of(lists, alike);
  if (!packs) return apply_each(lists, f);
  const Packing packing(shapes_of(lists[0]), lists[0][0].dtype(), lists[0][0].device());
  for (std::size_t k = 1; k < lists.size(); ++k) {
    if (!packing.holds(lists[k], false)) return apply_each(lists, f);
  }
  for (Tensors& list : lists) list = packing.pack(list, false);
  apply_each(lists, f);
  for (Tensors& list : lists) list = packing.unpack(list);
}

Flattened::Flattened(Tensors tensors) {
  std::map<DType, std::vector<std::size_t>> by_dtype;
  for (std::size_t i = 0; i < tensors.size(); ++i) by_dtype[tensors[i].dtype()].push_back(i);
  for (auto& [dtype, positions] : by_dtype) {
    Tensors some;
    for (const std::size_t i : positions) some.push_back(tensors[i]);
    List& list = lists_.emplace_back();
    list.positions = std::move(positions);
    if (some.size() > 1 && alike(some)) {
      list.packing = Packing(shapes_of(some), dtype, some[0].device());
      list.packed = list.packing.arenas() > 0 && (is_tracing() || list.packing.holds(some));
    }
    if (list.packed) some = list.packing.pack(some);
    values.insert(values.end(), some.begin(), some.end());
  }
}

Tensors Flattened::tensors() const {
  std::size_t count = 0;
  for (const List& list : lists_) count += list.positions.size();
  Tensors all(count);
  auto next = values.begin();
  for (const List& list : lists_) {
    const auto first = next;
    next += static_cast<std::ptrdiff_t>(list.size());
    Tensors some(first, next);
    if (list.packed) some = list.packing.unpack(some);
    for (std::size_t k = 0; k < some.size(); ++k) all[list.positions[k]] = std::move(some[k]);
  }
  return all;
}

}  // namespace tessera::optim
