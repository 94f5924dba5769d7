// The file of measured speeds: read whole, and changed under a lock.
#include "runtime/placement/placement_store.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "base/os/files.h"
#include "runtime/cache_folder.h"
#include "runtime/cpu/cpu_device.h"

namespace tessera::runtime {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kVersion = 3;

fs::path file() {
  const fs::path folder = cache_folder();
  return folder.empty() ? folder : folder / "placement.json";
}

Json to_json(const schedule::Speeds& s) {
  return {{"light", s.light}, {"heavy", s.heavy}, {"arrive", s.arrive}, {"matmul", s.matmul}, {"kernel", s.kernel}};
}

schedule::Speeds from_json(const Json& json) {
  schedule::Speeds s;
  const auto fill = [&](const char* name, auto& array) {
    const auto values = json.at(name).get<std::vector<double>>();
    if (values.size() != array.size()) throw std::runtime_error("an array of another length");
    std::copy(values.begin(), values.end(), array.begin());
  };
  fill("light", s.light);
  fill("heavy", s.heavy);
  fill("arrive", s.arrive);
  fill("matmul", s.matmul);
  s.kernel = json.at("kernel").get<double>();
  return s;
}

/// The file's contents, or a new object if it is missing or invalid.
Json parsed(const fs::path& path, const FileText& text) {
  Json fresh{{"version", kVersion}, {"devices", Json::object()}};
  if (!text) return fresh;
  Json json = Json::parse(*text, nullptr, false);
  const bool ours = json.is_object() && json.contains("version") && json["version"] == kVersion &&
                    json.contains("devices") && json["devices"].is_object();
  if (!ours) log_warn("{} does not contain measured speeds; it will be replaced.", path.string());
  return ours ? json : fresh;
}

}  // namespace

std::string placement_key(const DeviceInfo& device) {
  const DeviceInfo host = cpu_device_info();
  return fmt::format("{} | {} | {} | {}, {}", device.name, device.driver, device.backend, host.name, host.driver);
}

std::optional<PlacementSpeeds> load_speeds(const std::string& key) {
  const fs::path path = file();
  if (path.empty()) return std::nullopt;
  try {
    const Json json = parsed(path, os::read_file(path));
    const auto it = json["devices"].find(key);
    if (it == json["devices"].end()) return std::nullopt;
    return PlacementSpeeds{.host = from_json(it->at("host")), .device = from_json(it->at("device"))};
  } catch (const std::exception& e) {
    log_warn("{} does not hold measured speeds ({}); they are measured again.", path.string(), e.what());
    return std::nullopt;
  }
}

void store_speeds(const std::string& key, const PlacementSpeeds& speeds) {
  const fs::path path = file();
  if (path.empty()) return;
  try {
    update_file(path, [&](const FileText& text) {
      Json json = parsed(path, text);
      json["devices"][key] = {{"host", to_json(speeds.host)}, {"device", to_json(speeds.device)}};
      return json.dump(1) + '\n';
    });
  } catch (const std::exception& e) {
    log_info("measured speeds are not kept: {}: {}", path.string(), e.what());
  }
}

}  // namespace tessera::runtime
