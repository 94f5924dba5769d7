// `tessera doctor`: the WebGPU provider, the libraries of text, images and collectives, every device with a self-test,
// the selected device, and advice.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "selftest.h"
#include "terminal.h"
#include "tessera/data/image.h"
#include "tessera/tessera.h"

namespace tessera::app {

namespace {

using Json = nlohmann::ordered_json;

struct Checked {
  DeviceInfo info;
  std::string selftest;
};

struct Findings {
  ProviderInfo provider;
  text::LibraryInfo text;
  data::ImageLibrary image;
  distributed::LibraryInfo mpi;
  std::vector<Checked> devices;
  std::string chosen;    // an id; empty: none
  std::string why;       // it was chosen, or none was
  bool healthy = false;  // the chosen device passes
};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string why_chosen(const DeviceInfo& chosen) {
  const std::string asked = environment("TESSERA_DEVICE");
  if (!asked.empty()) return fmt::format("TESSERA_DEVICE is {}", asked);
  if (chosen.type == DeviceType::kCpu) return "there is no GPU that WebGPU can use";
  return "a GPU is preferred to the CPU";
}

Findings examine() {
  Findings found;
  found.provider = Device::provider();
  found.text = text::library();
  found.image = data::image_library();
  found.mpi = distributed::library();
  for (DeviceInfo& info : Device::list()) {
    std::string result = selftest(info);
    found.devices.push_back({std::move(info), std::move(result)});
  }
  try {
    const Device device = Device::create();
    found.chosen = device.info().id;
    found.why = why_chosen(device.info());
    const auto same = std::ranges::find(found.devices, found.chosen, [](const auto& d) { return d.info.id; });
    if (same != found.devices.end()) {
      found.healthy = same->selftest == "pass";
    } else {
      found.devices.push_back({device.info(), selftest(device)});
      found.healthy = found.devices.back().selftest == "pass";
    }
  } catch (const Error& e) {
    found.why = e.what();
  }
  return found;
}

std::vector<std::string> advice(const Findings& found) {
  std::vector<std::string> out;
  const auto has = [&](auto test) { return std::ranges::any_of(found.devices, test); };
  const auto is_gpu = [](const Checked& d) {
    return d.info.type == DeviceType::kDiscreteGpu || d.info.type == DeviceType::kIntegratedGpu;
  };
  const bool webgpu = has([](const Checked& d) { return d.info.id.starts_with("webgpu"); });
  if (found.provider.name.empty()) {
    if (!environment("TESSERA_WEBGPU_LIBRARY").empty()) {
      out.emplace_back(
          "TESSERA_WEBGPU_LIBRARY names the library above: correct it, or unset it to use the bundled one.");
    } else {
      out.emplace_back("Put the WebGPU library next to the program, or set TESSERA_WEBGPU_LIBRARY.");
    }
  } else if (!webgpu) {
    out.emplace_back("WebGPU finds no adapter: install your GPU's Vulkan driver (Debian: mesa-vulkan-drivers).");
  } else if (!has(is_gpu)) {
    out.emplace_back("Only software adapters were found: they are for tests, and the CPU device is faster.");
  }
  if (!found.provider.name.empty() && !has(is_gpu)) {
    out.emplace_back(
        "If this machine has a GPU, check its driver with `vulkaninfo --summary`; on a headless NVIDIA "
        "machine set VK_ICD_FILENAMES to a manifest of libEGL_nvidia.so.0.");
  }
  for (const Checked& d : found.devices) {
    if (d.selftest != "pass")
      out.push_back(
          fmt::format("{} fails its self-test: update its driver, or use another device with "
                      "TESSERA_DEVICE.",
                      d.info.id));
    if (!is_gpu(d)) continue;
    if (!d.info.features.f16)
      out.push_back(d.info.id + " has no f16 in shaders: f16 tensors work and are computed in f32.");
    if (!d.info.features.trusted)
      out.push_back(d.info.id + " runs shaders with bounds checks: matmul is slower than without.");
  }
  if (found.chosen.empty()) out.emplace_back("Select an available device: TESSERA_DEVICE=cpu always works.");
  return out;
}

Json limits_json(const DeviceLimits& l) {
  return {{"max_buffer_size", l.max_buffer_size},
          {"max_storage_binding_size", l.max_storage_binding_size},
          {"max_storage_buffers", l.max_storage_buffers},
          {"max_workgroup_size", l.max_workgroup_size},
          {"max_workgroup_memory", l.max_workgroup_memory},
          {"max_workgroups", l.max_workgroups},
          {"subgroup_min", l.subgroup_min},
          {"subgroup_max", l.subgroup_max}};
}

/// The features that the engine uses.
std::vector<std::string> engine_features(const DeviceFeatures& f) {
  std::vector<std::string> out;
  const std::pair<bool, const char*> all[] = {
      {f.f16, "f16"}, {f.subgroups, "subgroups"}, {f.timestamps, "timestamps"}, {f.i64, "i64"},
      {f.f64, "f64"}, {f.trusted, "trusted"}};
  for (const auto& [there, name] : all) {
    if (there) out.emplace_back(name);
  }
  return out;
}

Json matrices_json(const std::vector<MatrixConfig>& matrices) {
  Json out = Json::array();
  for (const MatrixConfig& c : matrices) {
    out.push_back({{"m", c.m}, {"n", c.n}, {"k", c.k}, {"input", name(c.input)}, {"result", name(c.result)}});
  }
  return out;
}

std::string matrices_text(const std::vector<MatrixConfig>& matrices) {
  std::vector<std::string> out;
  out.reserve(matrices.size());
  for (const MatrixConfig& c : matrices)
    out.push_back(fmt::format("{}x{}x{} {} to {}", c.m, c.n, c.k, name(c.input), name(c.result)));
  return fmt::format("{}", fmt::join(out, ", "));
}

/// Null if there is nothing to tune on the device.
Json tuning_json(const DeviceInfo& info) {
  if (!info.id.starts_with("webgpu")) return nullptr;
  const TuningStatus status = tuning_status(info);
  return {{"file", status.file}, {"matmuls", status.matmuls}, {"demoted", status.demoted}};
}

std::string tuning_text(const DeviceInfo& info) {
  if (!info.id.starts_with("webgpu")) return {};
  const TuningStatus status = tuning_status(info);
  if (status.file.empty()) return "not stored, because TESSERA_CACHE is empty";
  std::string text = fmt::format("{} matmul{} in {}", status.matmuls, status.matmuls == 1 ? "" : "s", status.file);
  if (status.demoted > 0) text += fmt::format(", {} kernels demoted", status.demoted);
  if (status.matmuls == 0) text += " (run `tessera tune`)";
  return text;
}

void print_json(const Findings& found) {
  Json devices = Json::array();
  for (const auto& [info, result] : found.devices) {
    devices.push_back({{"id", info.id},
                       {"name", info.name},
                       {"vendor", info.vendor},
                       {"type", type_text(info.type)},
                       {"driver", info.driver},
                       {"backend", info.backend},
                       {"memory_size", info.memory_size},
                       {"features", engine_features(info.features)},
                       {"adapter_features", info.feature_names},
                       {"matrices", matrices_json(info.matrices)},
                       {"limits", limits_json(info.limits)},
                       {"tuning", tuning_json(info)},
                       {"selftest", result}});
  }
  Json provider{{"found", !found.provider.name.empty()},
                {"name", found.provider.name},
                {"version", found.provider.version},
                {"path", found.provider.path}};
  if (!found.provider.error.empty()) provider["error"] = found.provider.error;
  const auto library = [](const auto& l) {
    Json out{{"found", l.error.empty()}, {"version", l.version}, {"path", l.path}};
    if (!l.error.empty()) out["error"] = l.error;
    return out;
  };
  Json all{{"provider", provider},      {"text", library(found.text)}, {"image", library(found.image)},
           {"mpi", library(found.mpi)}, {"devices", devices},          {"chosen", nullptr},
           {"why", found.why}};
  if (distributed::launched_size() > 1) {
    all["mpi"]["rank"] = distributed::launched_rank();
    all["mpi"]["size"] = distributed::launched_size();
  }
  if (!found.chosen.empty()) all["chosen"] = found.chosen;
  all["advice"] = advice(found);
  fmt::print("{}\n", all.dump());
}

void print_device(const Checked& d, bool chosen) {
  const auto& [info, result] = d;
  const auto line = [](const char* what, const std::string& value) {
    if (!value.empty()) fmt::print("    {:<10} {}\n", what, value);
  };
  fmt::print("  {} {}{}\n", styled(Style::kBold, info.id), info.name,
             chosen ? styled(Style::kGood, "  <- selected") : std::string());
  line("type", type_text(info.type) + (info.vendor.empty() ? "" : " by " + info.vendor));
  line("backend", info.backend + (info.driver.empty() ? "" : ", driver " + info.driver));
  line("memory", info.memory_size > 0 ? bytes_text(info.memory_size) : "");
  line("features", fmt::format("{}", fmt::join(engine_features(info.features), ", ")));
  line("matrices", matrices_text(info.matrices));
  const DeviceLimits& l = info.limits;
  line("limits",
       fmt::format("buffer {}, binding {}", bytes_text(l.max_buffer_size), bytes_text(l.max_storage_binding_size)));
  if (info.type != DeviceType::kCpu) {
    fmt::print("    {:<10} workgroup of {} with {}, {} storage buffers, {} workgroups a dimension", "",
               l.max_workgroup_size, bytes_text(l.max_workgroup_memory), l.max_storage_buffers, l.max_workgroups);
    if (l.subgroup_max > 0) fmt::print(", subgroups of {}-{}", l.subgroup_min, l.subgroup_max);
    fmt::print("\n");
  }
  if (info.type != DeviceType::kCpu && !info.feature_names.empty())
    line("adapter", fmt::format("{}", fmt::join(info.feature_names, ", ")));
  line("tuned", tuning_text(info));
  line("self-test", styled(result == "pass" ? Style::kGood : Style::kBad, result));
}

void print_text(const Findings& found) {
  fmt::print("{}\n", styled(Style::kBold, "WebGPU provider"));
  if (found.provider.name.empty()) {
    fmt::print("  none: {}\n", found.provider.error);
  } else {
    fmt::print("  {} {} from {}{}\n", found.provider.name, found.provider.version, found.provider.path,
               environment("TESSERA_WEBGPU_LIBRARY").empty() ? "" : " (TESSERA_WEBGPU_LIBRARY)");
  }
  const auto print_library = [](const char* what, const auto& l) {
    fmt::print("\n{}\n", styled(Style::kBold, what));
    if (l.error.empty()) {
      fmt::print("  {} from {}\n", l.version, l.path);
    } else {
      fmt::print("  none: {}\n", l.error);
    }
  };
  print_library("Tokenizers and chat templates", found.text);
  print_library("PNG and JPEG files", found.image);
  print_library("Collectives", found.mpi);
  if (distributed::launched_size() > 1) {
    fmt::print("  this process is rank {} of {}\n", distributed::launched_rank(), distributed::launched_size());
  }
  fmt::print("\n{}\n", styled(Style::kBold, "Devices"));
  if (found.devices.empty()) fmt::print("  none\n");
  for (const Checked& d : found.devices) print_device(d, d.info.id == found.chosen);
  fmt::print("\n{}\n", styled(Style::kBold, "Choice"));
  if (found.chosen.empty()) {
    fmt::print("  {}: {}\n", styled(Style::kBad, "none"), found.why);
  } else {
    fmt::print("  {}, since {}\n", found.chosen, found.why);
  }
  const std::vector<std::string> hints = advice(found);
  if (hints.empty()) return;
  fmt::print("\n{}\n", styled(Style::kBold, "What to do"));
  for (const std::string& hint : hints) fmt::print("  - {}\n", hint);
}

}  // namespace

int doctor(bool json) {
  const Findings found = examine();
  if (json) {
    print_json(found);
  } else {
    print_text(found);
  }
  return found.healthy ? 0 : 1;
}

}  // namespace tessera::app
