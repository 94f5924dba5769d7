// Finds the tensors that are updated together, and moves them into arenas and out of them.
#include "nn/arenas.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "tessera/tracing.h"

namespace tessera::nn {

namespace {

Tensors tensors_at(const std::vector<Tensor*>& slots, const std::vector<std::size_t>& positions) {
  Tensors all;
  all.reserve(positions.size());
  for (const std::size_t i : positions) all.push_back(*slots[i]);
  return all;
}

void put_at(const std::vector<Tensor*>& slots, const std::vector<std::size_t>& positions, Tensors tensors) {
  for (std::size_t k = 0; k < positions.size(); ++k) *slots[positions[k]] = std::move(tensors[k]);
}

/// A tensor of its own with the same elements.
Tensor copy_of(const Tensor& x) {
  const Shape shape = x.shape();
  Shape longer{1};
  for (const std::int64_t size : shape) longer.push_back(size);
  const Tensor view = x.reshape(longer).eval();
  return view.reshape(shape);
}

}  // namespace

StateLayout::StateLayout(const std::vector<StateRef>& objects, bool packs, std::string key) : key_(std::move(key)) {
  std::vector<Tensor*> slots;
  std::vector<std::unordered_map<std::string, std::size_t>> by_name;
  for (const StateRef& object : objects) {
    auto& names = by_name.emplace_back();
    object.visit([&](const std::string& name, Tensor& t) {
      names.emplace(name, slots.size());
      slots.push_back(&t);
    });
  }
  std::vector<char> taken(slots.size(), 0);
  /// In the object that names them, in one before it, the nearest first, or in one behind it.
  const auto found = [&](const std::vector<std::string>& names, std::size_t object) -> std::optional<List> {
    for (std::size_t k = 0; k < by_name.size(); ++k) {
      const auto& positions = by_name[k <= object ? object - k : k];
      List list;
      for (const std::string& name : names) {
        const auto it = positions.find(name);
        if (it == positions.end() || taken[it->second] != 0) break;
        const Tensor& t = *slots[it->second];
        if (list.slots.empty()) {
          list.dtype = t.dtype();
          list.device = t.device();
        }
        if (t.dtype() != list.dtype || !(t.device() == *list.device)) break;
        list.slots.push_back(it->second);
        list.shapes.push_back(t.shape());
      }
      if (list.slots.size() == names.size()) return list;
    }
    return std::nullopt;
  };
  for (std::size_t object = 0; object < objects.size() && packs; ++object) {
    for (const NameLists& group : objects[object].together()) {
      std::vector<List> lists;
      for (const std::vector<std::string>& names : group) {
        if (std::optional<List> list = found(names, object); list.has_value() && names.size() > 1) {
          lists.push_back(std::move(*list));
        }
      }
      if (lists.size() != group.size()) continue;  // a part of it is not in the state
      for (List& list : lists) {
        for (const std::size_t i : list.slots) taken[i] = 1;
        list.packing = Packing(list.shapes, list.dtype, *list.device);
        for (std::size_t a = 0; a < list.packing.arenas(); ++a) {
          std::vector<Member>& members = passed_.emplace_back();
          for (const auto& [tensor, numel] : list.packing.members(a)) members.push_back({list.slots[tensor], numel});
        }
        lists_.push_back(std::move(list));
      }
    }
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (taken[i] != 0) continue;
    others_.push_back(i);
    passed_.push_back({{i, slots[i]->numel()}});
  }
}

bool StateLayout::serves(const std::vector<Tensor*>& slots) const {
  return std::ranges::all_of(lists_, [&](const List& list) {
    for (std::size_t i = 0; i < list.slots.size(); ++i) {
      const Tensor& t = *slots[list.slots[i]];
      if (t.dtype() != list.dtype || t.shape() != list.shapes[i] || !(t.device() == *list.device)) return false;
    }
    return true;
  });
}

Tensors StateLayout::take(const std::vector<Tensor*>& slots) const {
  Tensors all;
  all.reserve(passed_.size());
  for (const List& list : lists_) {
    for (Tensor& arena : list.packing.pack(tensors_at(slots, list.slots), false)) all.push_back(std::move(arena));
  }
  for (const std::size_t i : others_) all.push_back(*slots[i]);
  return all;
}

void StateLayout::put(const std::vector<Tensor*>& slots, std::span<const Tensor> passed) const {
  for (const List& list : lists_) {
    const auto arenas = passed.first(list.packing.arenas());
    put_at(slots, list.slots, list.packing.unpack(Tensors(arenas.begin(), arenas.end())));
    passed = passed.subspan(arenas.size());
  }
  put_at(slots, others_, Tensors(passed.begin(), passed.end()));
}

LentState::LentState(const StateLayout& layout, const std::vector<Tensor*>& slots) : layout_(layout), slots_(slots) {
  tensors_.reserve(layout.passed());
  for (const StateLayout::List& list : layout.lists_) {  // one after the other: each frees what it had
    const Tensors arenas = list.packing.pack(tensors_at(slots, list.slots), false);
    if (std::ranges::any_of(arenas, [](const Tensor& t) { return !t.is_evaluated(); })) {
      eval(arenas);
      put_at(slots, list.slots, list.packing.unpack(arenas));
    }
    const auto alone = [&](std::size_t i) { return slots[i]->node().use_count() == 1; };
    lent_.push_back(std::ranges::all_of(list.slots, alone) ? 1 : 0);
    // Its ranges would be owners of the arena, which is donated.
    for (std::size_t i = 0; i < list.slots.size() && lent_.back() != 0; ++i) *slots[list.slots[i]] = arenas[0];
    tensors_.insert(tensors_.end(), arenas.begin(), arenas.end());
  }
  for (const std::size_t i : layout.others_) {
    Tensor t = *slots[i];
    // The slot's handle and ours.
    if (t.node().use_count() > 2 && !t.is_tracked() && !is_tracing()) t = copy_of(t);
    tensors_.push_back(std::move(t));
  }
}

LentState::~LentState() {
  std::size_t at = 0;
  for (std::size_t k = 0; k < lent_.size(); ++k) {
    const StateLayout::List& list = layout_.lists_[k];
    const auto arenas = std::span(tensors_).subspan(at, list.packing.arenas());
    at += arenas.size();
    if (lent_[k] == 0) continue;
    put_at(slots_, list.slots, list.packing.unpack(Tensors(arenas.begin(), arenas.end())));
  }
}

void LentState::replace(std::span<const Tensor> next) {
  lent_.clear();
  layout_.put(slots_, next);
}

}  // namespace tessera::nn
