// summary(model, input): what the calls of modules show.
#include "tessera/nn/summary.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "nn/recorder.h"
#include "tessera/grad.h"

namespace tessera::nn {

Summary summary(Module& model, const Tensor& input) {
  return summary(model, [&] { model(input); });
}

Summary summary(Module& model, const std::function<void()>& f) {
  Summary result;
  std::unordered_map<const Module*, std::size_t> rows;
  std::vector<std::pair<Tensor*, Tensor>> buffers;
  const auto bytes = [](const Tensor& t) { return t.numel() * static_cast<std::int64_t>(size_of(t.dtype())); };
  model.apply([&](const std::string& name, Module& m) {
    rows.emplace(&m, result.rows.size());
    result.rows.push_back({.name = name, .kind = m.kind(), .output = {}});
  });
  std::vector<bool> has_parts(result.rows.size());
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const std::string prefix = result.rows[i].name.empty() ? "" : result.rows[i].name + ".";
    has_parts[i] = i + 1 < result.rows.size() && result.rows[i + 1].name.starts_with(prefix);
  }
  visit(model, [&](const Field& field) {
    if (field.kind == FieldKind::kBuffer) {
      buffers.emplace_back(&field.tensor, field.tensor);
      result.buffer_bytes += bytes(field.tensor);
      return;
    }
    SummaryRow& row = result.rows[rows.at(field.owner)];
    row.parameters += field.tensor.numel();
    if (field.trainable) row.trainable += field.tensor.numel();
    result.parameter_bytes += bytes(field.tensor);
  });
  const auto put_back = [&] {
    for (auto& [slot, value] : buffers) *slot = value;
  };
  try {
    const NoGrad untracked;
    const Recorder recorder([&](const Module& m, const Shape& input, const Shape& output) {
      const auto it = rows.find(&m);
      if (it == rows.end()) return;
      SummaryRow& row = result.rows[it->second];
      row.called = true;
      row.output = output;
      row.flops += m.flops(input, output);
      if (!has_parts[it->second]) result.output_bytes += 4 * output.numel();
    });
    f();
  } catch (...) {
    put_back();
    throw;
  }
  put_back();
  for (const SummaryRow& row : result.rows) {
    result.parameters += row.parameters;
    result.trainable += row.trainable;
    result.flops += row.flops;
  }
  return result;
}

std::string Summary::str() const {
  std::size_t width = 6;
  std::size_t kinds = 4;
  std::size_t shapes = 6;
  for (const SummaryRow& r : rows) {
    width = std::max(width, r.name.size());
    kinds = std::max(kinds, r.kind.size());
    if (r.called) shapes = std::max(shapes, r.output.str().size());
  }
  std::string text = fmt::format("{:{}}  {:{}}  {:{}}  {:>12}  {:>10}\n", "name", width, "kind", kinds, "output",
                                 shapes, "parameters", "MFLOPs");
  for (const SummaryRow& r : rows) {
    text += fmt::format("{:{}}  {:{}}  {:{}}  {:>12}  {:>10}\n", r.name.empty() ? "(all)" : r.name, width, r.kind,
                        kinds, r.called ? r.output.str() : "-", shapes, r.parameters,
                        r.flops > 0 ? fmt::format("{:.2f}", r.flops / 1e6) : "-");
  }
  const double mib = 1024.0 * 1024;
  text += fmt::format("{} parameters ({} trainable, {:.2f} MiB), {:.2f} MFLOPs, outputs {:.2f} MiB\n", parameters,
                      trainable, static_cast<double>(parameter_bytes) / mib, flops / 1e6,
                      static_cast<double>(output_bytes) / mib);
  return text;
}

}  // namespace tessera::nn
