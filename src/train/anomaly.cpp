// detect_anomaly: the modules of the ops that a loss function records, and the sentence about what was found.
#include "tessera/train/anomaly.h"

#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "nn/recorder.h"
#include "nn/restore.h"
#include "tessera/error.h"
#include "tessera/explain.h"
#include "tessera/nn/transforms.h"
#include "tessera/random.h"
#include "tessera/tracing.h"

namespace tessera::train {

namespace {

/// A tensor of the model.
struct Member {
  std::string name;
  std::string module;
  nn::FieldKind kind;
  bool trained;
  Tensor* slot;
};

/// The training modes of the modules.
class Modes {
 public:
  void add(nn::Module& m) { modes_.emplace_back(&m, m.training()); }
  Modes() = default;
  ~Modes() {
    for (std::size_t i = modes_.size(); i-- > 0;) {
      if (modes_[i].first->training() != modes_[i].second) restore();
    }
  }
  Modes(const Modes&) = delete;
  Modes& operator=(const Modes&) = delete;

 private:
  /// train() changes all parts too, which come behind what contains them.
  void restore() {
    for (const auto& [module, training] : modes_) module->train(training);
  }
  std::vector<std::pair<nn::Module*, bool>> modes_;
};

constexpr std::size_t kLoss = 0;
constexpr std::size_t kGradients = 1;

std::string module_text(const std::string& name, const std::string& kind) {
  return name.empty() ? fmt::format("in {} itself", kind) : fmt::format("in module '{}'", name);
}

/// "; its operand ranges from 0 to 1".
std::string operands_text(const std::vector<std::string>& operands) {
  if (operands.empty()) return {};
  if (operands.size() == 1) return "; its operand " + operands[0];
  constexpr const char* kWhich[] = {"first", "second", "third"};
  std::string text = "; ";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool last = i + 1 == operands.size();
    text += fmt::format("{}its {} operand {}", i == 0 ? "" : (last ? ", and " : ", "), kWhich[i], operands[i]);
  }
  return text;
}

}  // namespace

Anomaly detect_anomaly(nn::Module& model, const std::function<Tensor()>& loss) {
  if (!loss) throw Error(ErrorKind::kValue, "detect_anomaly: an empty function was given; the loss is expected.");
  if (is_tracing()) {
    throw Error(ErrorKind::kValue,
                "detect_anomaly: it was called inside a function that compile() or scan() traces, which has no values; "
                "call it outside, with the arguments of the step.");
  }
  std::unordered_map<const nn::Module*, int> label_of;
  std::vector<std::string> modules;
  Modes modes;
  model.apply([&](const std::string& name, nn::Module& m) {
    label_of.emplace(&m, static_cast<int>(modules.size()));
    modules.push_back(name);
    modes.add(m);
  });
  std::vector<Member> members;
  std::vector<Tensor*> slots;
  nn::visit(model, [&](const nn::Field& f) {
    const bool trained = f.trainable && is_float(f.tensor.dtype());
    const std::string owner = f.owner != nullptr ? modules[static_cast<std::size_t>(label_of.at(f.owner))] : "";
    members.push_back({f.name, owner, f.kind, trained, &f.tensor});
    slots.push_back(&f.tensor);
  });
  const nn::Restore restore(slots);
  const Tensors& before = restore.before();
  eval(before);

  std::vector<std::string> trained;  // names, in the order of the gradients
  for (const Member& m : members) {
    if (m.trained) trained.push_back(m.name);
  }
  std::vector<Tensors> groups(kGradients + 1);  // the loss, the gradients, and the buffers
  const random::Fork fork;
  detail::OpLog log;
  {
    std::vector<int> outer;  // labels around calls
    const nn::Recorder recorder({}, [&](const nn::Module& m, bool begins) {
      if (!begins) {
        log.set_label(outer.back());
        outer.pop_back();
        return;
      }
      const auto it = label_of.find(&m);
      outer.push_back(log.set_label(-1));
      log.set_label(it != label_of.end() ? it->second : outer.back());
    });
    if (trained.empty()) {
      groups[kLoss] = {loss()};
    } else {
      auto [value, gradients] = nn::detail::value_and_grad_of(model, loss);
      groups[kLoss] = {std::move(value)};
      for (const std::string& name : trained) groups[kGradients].push_back(gradients.tensor(name));
    }
  }
  Tensors& buffers = groups.emplace_back();
  std::vector<std::string> buffer_names;
  for (const Member& m : members) {
    if (m.kind != nn::FieldKind::kBuffer) continue;
    buffers.push_back(*m.slot);
    buffer_names.push_back(m.name);
  }
  const detail::NonFinite found = log.first_non_finite(groups, before);

  Anomaly anomaly{.found = found.found, .module = {}, .op = found.op, .backward = found.backward, .text = {}};
  if (!found.found) {
    anomaly.text = "Op by op, the loss, its gradients and the buffers are finite.";
    return anomaly;
  }
  // What is not finite in the end, if it is not the loss.
  std::string result;
  if (found.group == kGradients) {
    result = fmt::format(" The loss is finite; the gradient of '{}' is not.", trained[found.root]);
  } else if (found.group > kGradients) {
    result = fmt::format(" The loss and its gradients are finite; the buffer '{}' is not.", buffer_names[found.root]);
  }
  if (found.known >= 0) {
    const Member& m = members[static_cast<std::size_t>(found.known)];
    anomaly.op = m.kind == nn::FieldKind::kParameter ? "parameter" : "buffer";
    anomaly.module = m.module;
    anomaly.text =
        fmt::format("The {} '{}' is not finite before the step: {}.{}", anomaly.op, m.name, found.value, result);
    return anomaly;
  }
  if (found.op == "input" || found.op == "constant") {
    anomaly.text = fmt::format("{} that the loss function uses is not finite: {}.{}",
                               found.op == "input" ? "An input" : "A number", found.value, result);
    return anomaly;
  }
  if (found.label >= 0) anomaly.module = modules[static_cast<std::size_t>(found.label)];
  anomaly.text =
      fmt::format("{}{} made the first {}, {}, {}{}.{}", found.op,
                  found.backward ? fmt::format(", in the gradient of {},", found.gradient_of) : "",
                  found.from_infinite ? "NaN" : "value that is not finite", found.value,
                  found.label >= 0 ? module_text(anomaly.module, model.kind()) : "outside of the model's modules",
                  operands_text(found.operands), result);
  return anomaly;
}

}  // namespace tessera::train
