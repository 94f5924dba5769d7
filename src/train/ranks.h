// The ranks of a data-parallel run: what they share besides gradients, and what they decide together.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tessera/device.h"
#include "tessera/distributed.h"
#include "tessera/train/checkpoint.h"

namespace tessera::train {

/// Every function is called by all ranks together; with one rank they do nothing, and return what they are given.
class Ranks {
 public:
  explicit Ranks(const distributed::Group& group);

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] bool several() const { return distributed::kSupported && size_ > 1; }
  /// Shows, logs and saves.
  [[nodiscard]] bool first() const { return rank_ == 0; }

  /// The largest of each number.
  [[nodiscard]] std::vector<double> largest(const std::vector<double>& numbers) const;
  /// What the first rank gives; others may give anything.
  [[nodiscard]] std::string from_first(const std::string& text) const;
  [[nodiscard]] bool from_first(bool value) const;
  /// Runs f on the first rank; its exception is thrown there, and an Error of its kind and text on the others.
  void on_first(const std::function<void()>& f) const;
  /// Gives objects the tensors of the first rank. Tensors of block dtypes, which do not train, stay as they are.
  void share(const Saved& objects) const;
  /// Adds up the tensors of an object over the ranks.
  void add_up(nn::Stateful& object) const;

 private:
  distributed::Group group_;
  int size_, rank_;
  Device host_;  // where numbers and texts are exchanged
};

}  // namespace tessera::train
