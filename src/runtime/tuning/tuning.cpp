// Finds the choice for a matmul: exact sizes first, then near ones, never a demoted one.
#include "runtime/tuning/tuning.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "base/log.h"
#include "codegen/matmul/matmul_cost.h"
#include "tessera/error.h"

namespace tessera::runtime {

namespace {

using codegen::MatmulShape;

constexpr double kNear = 0.125;  // matmuls whose sizes differ by no more than this share a choice

/// Parses MatmulProblem::text().
std::optional<MatmulProblem> parse(const std::string& text) {
  const std::size_t batch = text.find(" batch ");
  const std::size_t sizes = batch == std::string::npos ? batch : text.rfind(' ', batch - 1);
  constexpr std::string_view kWord = "matmul ";
  if (sizes == std::string::npos || !text.starts_with(kWord) || sizes < kWord.size()) return {};
  MatmulProblem p;
  p.types = text.substr(kWord.size(), sizes - kWord.size());
  std::istringstream in(text.substr(sizes));
  char x = 0;
  std::string word;
  if (!(in >> p.m >> x >> p.n >> x >> p.k >> word >> p.batch)) return {};
  std::getline(in >> std::ws, p.layouts);
  return p;
}

/// The relative distance of the sizes; nothing if it is too large.
std::optional<double> distance(const MatmulProblem& a, const MatmulProblem& b) {
  if (a.types != b.types || a.layouts != b.layouts) return {};
  double sum = 0;
  for (const auto size : {&MatmulProblem::m, &MatmulProblem::n, &MatmulProblem::k, &MatmulProblem::batch}) {
    const auto x = static_cast<double>(a.*size);
    const auto y = static_cast<double>(b.*size);
    const double apart = std::abs(x - y) / std::max({x, y, 1.0});
    if (apart > kNear) return {};
    sum += apart;
  }
  return sum;
}

const TunedMatmul* nearest(const TuningTable& table, const MatmulProblem& matmul) {
  if (const auto it = table.matmuls.find(matmul.text()); it != table.matmuls.end()) return &it->second;
  const TunedMatmul* best = nullptr;
  double least = 1;
  for (const auto& [text, choice] : table.matmuls) {
    const std::optional<MatmulProblem> other = parse(text);
    const std::optional<double> apart = other ? distance(matmul, *other) : std::nullopt;
    if (apart && *apart < least) {
      least = *apart;
      best = &choice;
    }
  }
  return best;
}

}  // namespace

std::string MatmulProblem::text() const {
  return fmt::format("matmul {} {}x{}x{} batch {} {}", types, m, n, k, batch, layouts);
}

MatmulProblem problem_of(const Kernel& kernel, const Binding& b, const DeviceInfo& device) {
  const Kernel& first = kernel.matmuls()[0];
  const DType ta = first.a.dtype;
  const DType tb = first.b.dtype;
  MatmulProblem p;
  p.m = b.m, p.n = b.n, p.k = b.k, p.batch = b.batch;
  p.types = name(ta);
  if (ta != tb) p.types += fmt::format("*{}", name(tb));
  if (first.b.is_dequantized()) p.types += fmt::format("({})", first.b.dequantizer->name);
  if (device.reduced_precision && (ta != DType::kF16 || tb != DType::kF16)) p.types += " reduced";
  if (device.half_sums && ta == DType::kF16 && tb == DType::kF16) p.types += " half";
  p.layouts = fmt::format("a:{} b:{}", first.a.layout.matrix_str(), first.b.layout.matrix_str());
  return p;
}

Tuning::Tuning(std::filesystem::path file, const DeviceInfo& device)
    : file_(std::move(file)), device_(tuning_key(device)) {}

const TuningTable& Tuning::known() {
  if (!loaded_) known_ = load_tuning(file_, device_);
  loaded_ = true;
  return known_;
}

Variant Tuning::variant_for(const Kernel& kernel, const Binding& binding, const DeviceInfo& device,
                            const schedule::DeviceModel& model) {
  Variant suggested = codegen::choose_variant(kernel, binding, device, model);
  if (kernel.matmuls().empty()) return suggested;
  const std::lock_guard lock(mutex_);
  if (known().empty()) return suggested;
  const MatmulProblem matmul = problem_of(kernel, binding, device);
  // All that the candidates depend on: a matmul's kind and sizes, and the layout of its operands, which the shape
  // contains.
  std::string key = matmul.text() + '\n' + suggested.key;
  if (suggested.matmul().in_place) key += " in_place";
  for (const Binding& part : binding.parts) key += fmt::format(" {}", part.n);
  auto it = chosen_.find(key);
  if (it == chosen_.end()) {
    it = chosen_.emplace(std::move(key), choose(matmul, suggested.matmul(), kernel, binding, device, model)).first;
  }
  return codegen::variant_of(it->second);
}

MatmulShape Tuning::choose(const MatmulProblem& matmul, const MatmulShape& suggested, const Kernel& kernel,
                           const Binding& binding, const DeviceInfo& device, const schedule::DeviceModel& model) {
  std::vector<MatmulShape> right = codegen::matmul_candidates(kernel, binding, device, model);
  if (const auto it = known_.demoted.find(matmul.kind()); it != known_.demoted.end()) {
    std::erase_if(right, [&](const MatmulShape& s) { return it->second.contains(s.key()); });
  }
  if (right.empty()) return suggested;
  if (const TunedMatmul* tuned = nearest(known_, matmul)) {
    const auto same = std::ranges::find(right, tuned->tile, codegen::tile_text);
    if (same != right.end()) return *same;
  }
  return right.front();
}

void Tuning::add(const TuningTable& more) {
  const std::lock_guard lock(mutex_);
  static_cast<void>(known());
  known_.merge(more);
  chosen_.clear();
  try {
    known_.merge(store_tuning(file_, device_, more));
  } catch (const Error& e) {
    if (!said_) log_warn("Measured choices are not kept: {}.", e.what());
    said_ = true;
  }
}

TuningTable Tuning::table() {
  const std::lock_guard lock(mutex_);
  return known();
}

std::shared_ptr<Tuning> tuning_of(const DeviceInfo& device) {
  static auto& mutex = *new std::mutex;
  static auto& all = *new std::map<std::pair<std::filesystem::path, std::string>, std::weak_ptr<Tuning>>;
  std::filesystem::path file = tuning_file();
  const std::lock_guard lock(mutex);
  std::weak_ptr<Tuning>& known = all[{file, tuning_key(device)}];
  auto tuning = known.lock();
  if (tuning == nullptr) known = tuning = std::make_shared<Tuning>(std::move(file), device);
  return tuning;
}

}  // namespace tessera::runtime
