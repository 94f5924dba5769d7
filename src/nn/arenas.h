// How a compiled step passes its state: what is updated together as arenas, the other tensors by themselves.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/nn/transforms.h"
#include "tessera/pack.h"

namespace tessera::nn {

/// Of the tensors of some objects, its slots. A step passes the arenas of all lists, then the other tensors.
class StateLayout {
 public:
  /// Without `packs` there are no lists. The key is that of no other layout of the step.
  StateLayout(const std::vector<StateRef>& objects, bool packs, std::string key);
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] std::size_t passed() const { return passed_.size(); }
  /// The slots that are in a tensor that is passed, with the elements that each has there.
  struct Member {
    std::size_t slot;
    std::int64_t numel;
  };
  [[nodiscard]] const std::vector<Member>& members(std::size_t passed) const { return passed_[passed]; }
  /// Whether the tensors of the lists have the shapes, the dtype and the device that it was made for.
  [[nodiscard]] bool serves(const std::vector<Tensor*>& slots) const;
  /// What is passed of these tensors, and the tensors of what is passed.
  [[nodiscard]] Tensors take(const std::vector<Tensor*>& slots) const;
  void put(const std::vector<Tensor*>& slots, std::span<const Tensor> passed) const;

 private:
  friend class LentState;
  struct List {
    std::vector<std::size_t> slots;
    std::vector<Shape> shapes;
    DType dtype = f32;
    std::optional<Device> device = {};
    Packing packing;
  };
  std::string key_;
  std::vector<List> lists_;
  std::vector<std::size_t> others_;
  std::vector<std::vector<Member>> passed_;
};

/// The state for the duration of a call, to which it is donated, and before which it is moved into arenas where it is
/// in none. A tensor that somebody else holds too is copied, with its arena: then it keeps its value.
class LentState {
 public:
  LentState(const StateLayout& layout, const std::vector<Tensor*>& slots);
  /// Unless they were replaced, the slots have the tensors of before.
  ~LentState();
  LentState(const LentState&) = delete;
  LentState& operator=(const LentState&) = delete;
  [[nodiscard]] const Tensors& tensors() const { return tensors_; }
  void replace(std::span<const Tensor> next);

 private:
  const StateLayout& layout_;
  const std::vector<Tensor*>& slots_;
  Tensors tensors_;
  std::vector<char> lent_;  // by list: the slots do not refer to its tensors now
};

}  // namespace tessera::nn
