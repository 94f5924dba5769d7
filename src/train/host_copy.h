// The tensors of objects in host memory: for checkpoints, and for recovery from device loss.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tessera/async.h"
#include "tessera/train/checkpoint.h"

namespace tessera::train {

/// The values that all tensors of some objects have at construction. Reading them is queued behind what was submitted
/// before, and nothing waits: a step that follows may update the tensors in place.
class HostCopy : public std::enable_shared_from_this<HostCopy> {
 public:
  static std::shared_ptr<HostCopy> start(const Saved& objects);
  /// Whether wait() would not wait.
  [[nodiscard]] bool ready() const;
  /// Throws what went wrong, at each call.
  void wait();

  struct Item {
    std::string name;
    DType dtype;
    Shape shape;
    Device device;
    std::vector<std::byte> bytes = {};  // after wait(); of a block dtype: its blocks
  };
  /// Of each object, in the order of its fields.
  [[nodiscard]] const std::vector<std::vector<Item>>& items() const { return items_; }
  /// Gives the objects these values, on the devices that they were on. After wait().
  void restore(const Saved& objects) const;

 private:
  HostCopy() = default;
  struct Reading {
    std::vector<Item*> items;
    Async<std::vector<std::vector<std::byte>>> bytes;
  };
  struct BlocksReading {
    Item* item;
    Async<std::vector<std::byte>> bytes;
  };
  std::vector<std::vector<Item>> items_;
  std::vector<Reading> readings_;      // one per device
  std::vector<BlocksReading> blocks_;  // of tensors of block dtypes
  std::exception_ptr failed_;
};

}  // namespace tessera::train
