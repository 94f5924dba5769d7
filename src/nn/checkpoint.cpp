// Gradient checkpointing of modules: their parameters become arguments of a function that the backward pass calls
// again.
#include <algorithm>
#include <memory>

#include "nn/fail.h"
#include "nn/recorder.h"
#include "nn/restore.h"
#include "tessera/grad.h"
#include "tessera/nn/module.h"

namespace tessera::nn {

namespace {

/// While it lives, a flag is set.
class Set {
 public:
  explicit Set(bool& flag) : flag_(flag) { flag_ = true; }
  ~Set() { flag_ = false; }
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;

 private:
  bool& flag_;
};

}  // namespace

void Module::checkpoint(std::string_view pattern, bool on) {
  std::vector<std::string> names;
  std::string inside;  // the latest module that matched: its parts are recomputed with it
  bool any = false;
  apply([&](const std::string& name, Module& m) {
    if (name.empty()) return;
    names.push_back(name);
    if (!inside.empty() && name.starts_with(inside)) return;
    if (!matches(pattern, name)) return;
    m.checkpoint_ = on;
    inside = name + ".";
    any = true;
  });
  if (!any) {
    fail(ErrorKind::kValue, "{}::checkpoint: no module matches '{}'; {}.", kind(), pattern,
         names.empty() ? "there are none inside" : "the first is '" + names[0] + "'");
  }
}

Tensor Module::checkpointed(const Tensors& inputs, std::function<Tensor(const Tensors&)> f) {
  const Recorder::Inside call(*this);
  if (!checkpoint_ || recomputing_) return f(inputs);
  std::vector<std::string> tracked;
  Tensors arguments = inputs;
  Tensors buffers;
  visit(*this, [&](const Field& field) {
    if (field.kind == FieldKind::kBuffer) buffers.push_back(field.tensor);
    if (field.kind == FieldKind::kParameter && field.tensor.is_tracked()) {
      tracked.push_back(field.name);
      arguments.push_back(field.tensor);
    }
  });
  const auto again = std::make_shared<bool>(false);
  const TensorFunction run = [this, f = std::move(f), tracked, buffers, again,
                              count = inputs.size()](const Tensors& given) {
    std::vector<Tensor*> slots;
    Tensors values(given.begin() + static_cast<std::ptrdiff_t>(count), given.end());
    // The first call updates buffers; the second starts from the old ones, and leaves the new ones.
    std::vector<Tensor*> updated;
    visit(*this, [&](const Field& field) {
      if (field.kind == FieldKind::kBuffer && *again) updated.push_back(&field.tensor);
      if (std::ranges::find(tracked, field.name) != tracked.end()) slots.push_back(&field.tensor);
    });
    slots.insert(slots.end(), updated.begin(), updated.end());
    if (*again) values.insert(values.end(), buffers.begin(), buffers.end());
    const Restore restore(slots);
    for (std::size_t i = 0; i < slots.size(); ++i) *slots[i] = values[i];
    *again = true;
    const Set set(recomputing_);
    return Tensors{f({given.begin(), given.begin() + static_cast<std::ptrdiff_t>(count)})};
  };
  return tessera::checkpoint(run)(arguments)[0];
}

}  // namespace tessera::nn
