// The table of tensors.
#include "handles.h"

#include <utility>

namespace tessera::web {

namespace {

struct Table {
  std::vector<Tensor> tensors{Tensor()};  // 0 is none
  std::vector<std::int32_t> unused;
};
Table& table() {
  static auto& value = *new Table;
  return value;
}

}  // namespace

std::int32_t keep(Tensor tensor) {
  Table& t = table();
  if (t.unused.empty()) {
    t.tensors.push_back(std::move(tensor));
    return static_cast<std::int32_t>(t.tensors.size()) - 1;
  }
  const std::int32_t number = t.unused.back();
  t.unused.pop_back();
  t.tensors[static_cast<std::size_t>(number)] = std::move(tensor);
  return number;
}

const Tensor& tensor_of(std::int32_t number) {
  const Table& t = table();
  const auto i = static_cast<std::size_t>(number);
  if (number <= 0 || i >= t.tensors.size() || !t.tensors[i].defined()) {
    throw Error(ErrorKind::kValue, "The tensor was disposed; expected one that is alive.");
  }
  return t.tensors[i];
}

std::vector<Tensor> tensors_of(std::span<const std::int32_t> numbers) {
  std::vector<Tensor> out;
  out.reserve(numbers.size());
  for (const std::int32_t n : numbers) out.push_back(tensor_of(n));
  return out;
}

std::vector<Tree::Named> named_of(const std::vector<std::string>& names, std::span<const std::int32_t> numbers) {
  std::vector<Tree::Named> out;
  for (std::size_t i = 0; i < names.size(); ++i) out.emplace_back(names[i], tensor_of(numbers[i]));
  return out;
}

void release(std::int32_t number) {
  tensor_of(number);
  table().tensors[static_cast<std::size_t>(number)] = Tensor();
  table().unused.push_back(number);
}

std::int64_t live() { return static_cast<std::int64_t>(table().tensors.size() - 1 - table().unused.size()); }

}  // namespace tessera::web
