// Modules, parameters and optimizers by number, as JavaScript holds them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tessera/nn.h>

namespace tessera::web {

/// A tensor of a module that JavaScript defines.
struct Parameter : nn::Stateful {
  Tensor value;
  bool buffer;
  Parameter(Tensor v, bool is_buffer) : value(std::move(v)), buffer(is_buffer) {}
  void fields(nn::Fields& f) override;
};

/// A module that JavaScript defines: its parts by name. JavaScript has its forward function.
class Group : public nn::Module {
 public:
  using Parts = std::vector<std::pair<std::string, std::shared_ptr<nn::Stateful>>>;
  explicit Group(std::string kind) : kind_(std::move(kind)) {}
  void set_parts(Parts parts) { parts_ = std::move(parts); }
  void fields(nn::Fields& f) override;
  [[nodiscard]] std::string kind() const override { return kind_; }

 private:
  std::string kind_;
  Parts parts_;
};

/// A number for an object; it lives until JavaScript releases it, and as long as others hold it.
std::int32_t keep(std::shared_ptr<nn::Stateful> object);
/// Error of kind value where the number stands for none: it was disposed.
std::shared_ptr<nn::Stateful> object_of(std::int32_t number);
template <class T>
std::shared_ptr<T> object_as(std::int32_t number, const char* expected) {
  auto found = std::dynamic_pointer_cast<T>(object_of(number));
  if (found == nullptr)
    throw Error(ErrorKind::kValue, std::string("Another object was given; expected ") + expected + ".");
  return found;
}
inline std::shared_ptr<nn::Module> module_of(std::int32_t number) { return object_as<nn::Module>(number, "a module"); }

/// Tensors by name; `names` is a JSON list.
Tree tree_from(const char* names, const std::int32_t* numbers);

}  // namespace tessera::web
