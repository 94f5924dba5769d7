// What the ranks of a data-parallel run share besides gradients.
#include "train/ranks.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/fail.h"
#include "tessera/ops.h"

namespace tessera::train {

using distributed::Reduce;

Ranks::Ranks(const distributed::Group& group) : group_(group), size_(group.size()), rank_(group.rank()) {
  if (rank_ < 0) fail(ErrorKind::kValue, "Trainer: this process is not in the group that was given.");
  if (several()) host_ = Device::create({.device = "cpu"});
}

std::vector<double> Ranks::largest(const std::vector<double>& numbers) const {
  if (!several()) return numbers;
  const Tensor own(numbers, Shape{static_cast<std::int64_t>(numbers.size())}, host_);
  return distributed::all_reduce(own, Reduce::kMax, group_).to_vector<double>();
}

std::string Ranks::from_first(const std::string& text) const {
  if (!several()) return text;
  const std::vector<std::int64_t> own{static_cast<std::int64_t>(text.size())};
  const auto length = distributed::broadcast(Tensor(own, Shape{1}, host_), 0, group_).to_vector<std::int64_t>()[0];
  if (length == 0) return {};
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  bytes.resize(static_cast<std::size_t>(length));
  bytes = distributed::broadcast(Tensor(bytes, Shape{length}, host_), 0, group_).to_vector<std::uint8_t>();
  return {bytes.begin(), bytes.end()};
}

bool Ranks::from_first(bool value) const { return from_first(std::string(value ? "1" : "")) == "1"; }

void Ranks::on_first(const std::function<void()>& f) const {
  if (!several()) return f();
  std::string fault;  // a kind and a text
  std::exception_ptr own;
  if (first()) {
    const auto note = [&](ErrorKind kind, const char* text) {
      own = std::current_exception();
      fault = static_cast<char>(static_cast<int>(kind) + 1) + std::string(text);
    };
    try {
      f();
    } catch (const Error& e) {
      note(e.kind(), e.what());
    } catch (const std::exception& e) {
      note(ErrorKind::kValue, e.what());
    } catch (...) {
      note(ErrorKind::kValue, "an exception of an unknown type");
    }
  }
  fault = from_first(fault);
  if (own != nullptr) std::rethrow_exception(own);
  if (fault.empty()) return;
  throw Error(static_cast<ErrorKind>(fault[0] - 1), "On the first rank: " + fault.substr(1));
}

void Ranks::share(const Saved& objects) const {
  if (!several()) return;
  std::unordered_map<const Node*, Tensor> shared;  // tied tensors stay tied
  std::vector<Tensor> before;                      // whose nodes are in the map
  for (const auto& [name, object] : objects) {
    nn::visit(*object, [&](const nn::Field& field) {
      if (is_block(field.tensor.dtype())) return;
      before.push_back(field.tensor);
      const auto [at, fresh] = shared.try_emplace(field.tensor.node().get());
      if (fresh) at->second = distributed::broadcast(field.tensor.detach(), 0, group_);
      field.tensor = at->second;
    });
  }
}

void Ranks::add_up(nn::Stateful& object) const {
  if (!several()) return;
  nn::visit(object, [&](const nn::Field& field) {
    const Reduce op = field.tensor.dtype() == boolean ? Reduce::kMax : Reduce::kSum;
    field.tensor = distributed::all_reduce(field.tensor.detach(), op, group_);
  });
}

}  // namespace tessera::train
