// Measures and stores the fastest correct program of a matmul or a convolution.
#include "api/tune/tune.h"

#include <algorithm>
#include <set>

#include "api/profiling.h"
#include "api/tune/tune_judge.h"
#include "base/fail.h"
#include "base/log.h"
#include "codegen/matmul/matmul_cost.h"
#include "graph/op.h"
#include "runtime/memory/storage.h"
#include "runtime/tuning/tuning.h"
#include "schedule/lower/chunks.h"
#include "schedule/lower/fit.h"
#include "tessera/conv.h"
#include "tessera/ops.h"
#include "tessera/random.h"

namespace tessera {

namespace {

using codegen::MatmulShape;
using codegen::tile_text;
using runtime::Trial;

/// A winner must be faster than the suggested shape by this fraction: less may be noise.
constexpr double kWorthwhile = 0.02;

/// Checks shared by matmuls and convolutions.
std::shared_ptr<runtime::WebGpuDevice> checked(std::string_view what, const Device& device, DType dtype) {
  if (device == Device{}) fail(ErrorKind::kDevice, "{}: an empty Device handle was given.", what);
  auto webgpu = std::dynamic_pointer_cast<runtime::WebGpuDevice>(device.impl());
  if (webgpu == nullptr) {
    fail(ErrorKind::kUnsupported, "There is nothing to tune on {}: only WebGPU devices choose between programs.",
         device.info().id);
  }
  if (dtype != DType::kF32 && dtype != DType::kF16 && dtype != DType::kBF16) {
    fail(ErrorKind::kDType, "{}: matmuls of {} have nothing to choose; f32, f16 and bf16 do.", what, name(dtype));
  }
  return webgpu;
}

/// The expression to measure, of existing operands, and its name.
struct Question {
  std::string text;
  Tensor result;
};

Question question_of(const MatmulSizes& s, const Device& device) {
  const std::string text =
      fmt::format("tune_matmul: the matmul {} {}{}x{}x{}{}", name(s.dtype),
                  s.batch > 1 ? fmt::format("{}x", s.batch) : "", s.m, s.n, s.k, s.transposed ? " transposed" : "");
  if (s.m < 1 || s.n < 1 || s.k < 1 || s.batch < 1) {
    fail(ErrorKind::kValue, "{} has sizes that are not positive.", text);
  }
  const auto operand = [&](std::int64_t rows, std::int64_t cols) {
    return exact_operand(s.batch == 1 ? Shape{rows, cols} : Shape{s.batch, rows, cols}, s.dtype, device);
  };
  return {text, matmul(operand(s.m, s.k), s.transposed ? transpose(operand(s.n, s.k)) : operand(s.k, s.n))};
}

Question question_of(const ConvSizes& s, const Device& device) {
  const std::string text =
      fmt::format("tune_conv2d: the convolution {} of {} with {}", name(s.dtype), s.images.str(), s.weights.str());
  if (s.images.numel() == 0 || s.weights.numel() == 0) {
    fail(ErrorKind::kValue, "{} has sizes that are not positive.", text);
  }
  const Tensor x = exact_operand(s.images, s.dtype, device);
  if (s.options.layout == ImageLayout::kChannelsFirst || s.weights.rank() != 4 || s.options.groups != 1) {
    return {text, conv2d(x, exact_operand(s.weights, s.dtype, device), {}, s.options)};
  }
  // In the order in which the matmul reads them: filters in another order are first copied by a separate kernel.
  const Tensor w = exact_operand({s.weights[2], s.weights[3], s.weights[1], s.weights[0]}, s.dtype, device);
  return {text, conv2d(x, permute(w, {3, 2, 0, 1}), {}, s.options)};
}

/// The matmul of an expression, its kernel, and its binding.
struct TunedKernel {
  NodePtr matmul;
  Graph graph;
  Kernel kernel;
  Binding binding;
};
TunedKernel plan(const Question& question, const DeviceInfo& device) {
  const NodePtr& root = question.result.node();
  TunedKernel p;
  for (const Graph::Entry& e : schedule::simplify_to_fit(snapshot(std::span(&root, 1)), device).entries) {
    if (e.op() != Op::kMatmul) continue;
    if (p.matmul != nullptr) fail(ErrorKind::kUnsupported, "{} is computed by several matmuls.", question.text);
    p.matmul = e.node;
  }
  // With split-K or an epilogue, the matmul alone is tuned.
  schedule::Plan plan;
  if (p.matmul != nullptr) {
    p.graph = snapshot(std::span(&p.matmul, 1));
    plan = schedule::make_plan(p.graph, {}, device);
  }
  if (plan.kernels.size() != 1 || plan.kernels[0].kind != Kernel::Kind::kMatmul) {
    fail(ErrorKind::kUnsupported, "{} is not computed by a matmul in tiles; there is nothing to choose.",
         question.text);
  }
  p.kernel = plan.kernels[0];
  if (!schedule::fits_whole(p.kernel, p.graph, device)) {
    fail(ErrorKind::kLimit, "{} is too large for {} to bind its matrices whole.", question.text, device.name);
  }
  p.binding = bind(p.kernel, p.graph);
  return p;
}

/// The candidate shapes of one matmul, and their results.
class Contest {
 public:
  Contest(const Device& device, std::shared_ptr<runtime::WebGpuDevice> webgpu, const Question& question,
          const runtime::Tuner::Change& change)
      : info_(device.info()),
        model_(info_),
        planned_(plan(question, info_)),
        judge_(device, planned_.matmul),
        timestamps_(info_.features.timestamps && !is_profiled(*webgpu)),
        tuner_(std::move(webgpu), planned_.kernel, planned_.binding, buffers(), change),
        matmul_(runtime::problem_of(planned_.kernel, planned_.binding, info_)),
        tuning_(runtime::tuning_of(info_)),
        demoted_(tuning_->table().demoted[matmul_.kind()]) {}

  TuneResult decide();

 private:
  [[nodiscard]] std::vector<runtime::Buffer*> buffers() const {
    std::vector<runtime::Buffer*> all;
    for (const Slot& slot : planned_.kernel.inputs) all.push_back(&planned_.graph[slot.node].storage->buffer());
    all.push_back(&judge_.answer()->buffer());
    return all;
  }
  [[nodiscard]] bool demoted(const MatmulShape& shape) const { return demoted_.contains(shape.key()); }
  void demote(const Trial& trial);
  /// Runs it; `on_host`: there is no reference result yet. A wrong result becomes its fault.
  void try_out(Trial& trial, bool on_host);
  void find_right_answer(const std::vector<MatmulShape>& candidates);

  const DeviceInfo& info_;
  const schedule::DeviceModel model_;
  TunedKernel planned_;
  Judge judge_;
  bool timestamps_;
  runtime::Tuner tuner_;
  runtime::MatmulProblem matmul_;
  std::shared_ptr<runtime::Tuning> tuning_;
  std::set<std::string> demoted_;  // shapes, by key
  runtime::TuningTable learned_;
  TuneResult result_;
};

void Contest::demote(const Trial& trial) {
  log_warn("{}: the tile '{}' is not used on {} any more: {}.", matmul_.text(), tile_text(trial.shape), info_.name,
           trial.fault);
  learned_.demoted[matmul_.kind()].insert(trial.shape.key());
  demoted_.insert(trial.shape.key());
  result_.demoted.push_back(tile_text(trial.shape));
}

void Contest::try_out(Trial& trial, bool on_host) {
  if (trial.fault.empty()) {
    judge_.spoil();
    try {
      tuner_.run(trial);
      trial.fault = on_host ? judge_.check_on_host() : judge_.check();
    } catch (const Error& e) {
      trial.fault = e.what();
      if (e.kind() == ErrorKind::kDeviceLost) {  // the next device must not try it again
        demote(trial);
        tuning_->add(learned_);
      }
      if (!runtime::is_fault(e)) throw;
    }
  }
  if (!trial.fault.empty()) demote(trial);
}

void Contest::find_right_answer(const std::vector<MatmulShape>& candidates) {
  // The simplest first: without tensor cores, with small tiles.
  std::vector<MatmulShape> plain = candidates;
  std::erase_if(plain, [&](const MatmulShape& s) { return demoted(s); });
  std::ranges::stable_sort(plain, {},
                           [](const MatmulShape& s) { return std::pair(s.unit != 0, s.tile_m() * s.tile_n()); });
  for (const MatmulShape& shape : plain) {
    std::vector<Trial> trials = tuner_.compile({shape});
    try_out(trials[0], true);
    if (!trials[0].fault.empty()) continue;
    return judge_.trust();
  }
  tuning_->add(learned_);
  fail(ErrorKind::kDevice, "None of the {} programs for {} gives the right answer on {}.", plain.size(), matmul_.text(),
       info_.name);
}

TuneResult Contest::decide() {
  result_.matmul = matmul_.text();
  const std::vector<MatmulShape> candidates =
      codegen::matmul_candidates(planned_.kernel, planned_.binding, info_, model_);
  result_.suggested = tile_text(candidates.at(0));
  result_.candidates = candidates.size();
  find_right_answer(candidates);
  std::vector<MatmulShape> likely = codegen::worth_measuring(candidates, planned_.binding, model_);
  std::erase_if(likely, [&](const MatmulShape& s) { return demoted(s); });
  std::vector<Trial> trials = tuner_.compile(likely);
  for (Trial& t : trials) try_out(t, false);
  std::erase_if(trials, [](const Trial& t) { return !t.fault.empty(); });
  if (trials.empty()) {
    tuning_->add(learned_);
    fail(ErrorKind::kDevice, "None of the likely programs for {} gives the right answer on {}.", matmul_.text(),
         info_.name);
  }
  tuner_.time(trials, timestamps_);
  result_.measured = trials.size();
  const auto fastest = std::ranges::min_element(trials, {}, &Trial::us);
  const Trial* winner = &*fastest;
  if (trials[0].shape.key() == candidates[0].key()) {
    result_.suggested_us = trials[0].us;
    if (fastest->us > (1 - kWorthwhile) * trials[0].us) winner = trials.data();
  }
  result_.winner = tile_text(winner->shape);
  result_.winner_us = winner->us;
  learned_.matmuls[result_.matmul] = {result_.winner, result_.winner_us, result_.suggested_us};
  tuning_->add(learned_);
  return result_;
}

template <class Sizes>
TuneResult tune(std::string_view what, const Device& device, const Sizes& sizes, const runtime::Tuner::Change& change) {
  const auto webgpu = checked(what, device, sizes.dtype);
  const random::Use own(random::Generator(17));  // other generators do not advance
  return Contest(device, webgpu, question_of(sizes, device), change).decide();
}

}  // namespace

TuneResult tune_matmul(const Device& device, const MatmulSizes& sizes) { return tune_matmul(device, sizes, {}); }
TuneResult tune_matmul(const Device& device, const MatmulSizes& sizes, const runtime::Tuner::Change& change) {
  return tune("tune_matmul", device, sizes, change);
}

TuneResult tune_conv2d(const Device& device, const ConvSizes& sizes) { return tune_conv2d(device, sizes, {}); }
TuneResult tune_conv2d(const Device& device, const ConvSizes& sizes, const runtime::Tuner::Change& change) {
  return tune("tune_conv2d", device, sizes, change);
}

TuningStatus tuning_status(const DeviceInfo& device) {
  TuningStatus status;
  status.file = runtime::tuning_file().string();
  const runtime::TuningTable table = runtime::tuning_of(device)->table();
  status.matmuls = table.matmuls.size();
  for (const auto& [kind, shapes] : table.demoted) status.demoted += shapes.size();
  return status;
}

}  // namespace tessera
