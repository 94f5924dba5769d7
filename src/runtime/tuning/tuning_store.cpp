// Reads the file whole, and merges into it under a lock, so that other processes' entries stay.
#include "runtime/tuning/tuning_store.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/log.h"
#include "base/os/files.h"
#include "runtime/cache_folder.h"

namespace tessera::runtime {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

TuningTable table_of(const Json& json) {
  TuningTable table;
  for (const auto& [matmul, choice] : json.at("matmuls").items()) {
    table.matmuls[matmul] = {.tile = choice.at("tile").get<std::string>(),
                             .us = choice.at("us").get<double>(),
                             .suggested_us = choice.at("suggested_us").get<double>()};
  }
  for (const auto& [kind, shapes] : json.at("demoted").items()) {
    table.demoted[kind] = shapes.get<std::set<std::string>>();
  }
  return table;
}

Json to_json(const TuningTable& table) {
  Json matmuls = Json::object();
  for (const auto& [matmul, choice] : table.matmuls) {
    const auto rounded = [](double us) { return std::round(us * 1e3) / 1e3; };
    matmuls[matmul] = {
        {"tile", choice.tile}, {"us", rounded(choice.us)}, {"suggested_us", rounded(choice.suggested_us)}};
  }
  Json demoted = Json::object();
  for (const auto& [kind, shapes] : table.demoted) demoted[kind] = shapes;
  return {{"matmuls", std::move(matmuls)}, {"demoted", std::move(demoted)}};
}

using Tables = std::map<std::string, TuningTable>;

/// Empty if there is nothing to read. `why` gets the reason if the file is invalid.
Tables parsed(const FileText& text, std::string& why) {
  if (!text) return {};
  try {
    const Json json = Json::parse(*text);
    const int version = json.at("version").get<int>();
    if (version == kTuningVersion) {
      Tables all;
      for (const auto& [device, table] : json.at("devices").items()) all[device] = table_of(table);
      return all;
    }
    why = fmt::format("is of version {}, not {}", version, kTuningVersion);
  } catch (const Json::exception&) {
    why = "does not hold measured choices";
  }
  return {};
}

/// The same; an invalid file is renamed. The caller holds the file's lock.
Tables parsed_or_set_aside(const fs::path& file, const FileText& text) {
  std::string why;
  Tables all = parsed(text, why);
  if (why.empty()) return all;
  const fs::path aside = file.string() + ".aside";
  std::error_code error;
  fs::rename(file, aside, error);
  if (error) {
    log_warn("{} {}; it is not used.", file.string(), why);
  } else {
    log_warn("{} {}; it is now {}. `tessera tune` measures again.", file.string(), why, aside.filename().string());
  }
  return {};
}

}  // namespace

void TuningTable::merge(const TuningTable& other) {
  for (const auto& [matmul, choice] : other.matmuls) matmuls[matmul] = choice;
  for (const auto& [kind, shapes] : other.demoted) demoted[kind].insert(shapes.begin(), shapes.end());
}

fs::path tuning_file() {
  const fs::path folder = cache_folder();
  return folder.empty() ? folder : folder / "tuning.json";
}

std::string tuning_key(const DeviceInfo& device) {
  std::string key = fmt::format("{} | {} | {}", device.name, device.driver, device.backend);
  if (device.features.f16) key += " | f16";
  if (device.features.subgroups) key += fmt::format(" | subgroups {}", device.limits.subgroup_max);
  if (!device.matrices.empty()) key += " | matrices";
  if (!device.features.trusted) key += " | checked";
  return key;
}

TuningTable load_tuning(const fs::path& file, const std::string& device) {
  if (file.empty()) return {};
  std::string why;
  Tables all = parsed(os::read_file(file), why);
  if (why.empty()) return std::move(all[device]);
  // Read again under the lock: another process may have set it aside and written a valid one.
  try {
    update_file(file, [&](const FileText& text) -> FileText {
      all = parsed_or_set_aside(file, text);
      return std::nullopt;
    });
  } catch (const std::exception&) {
    log_warn("{} {}; it is not used.", file.string(), why);
  }
  return std::move(all[device]);
}

TuningTable store_tuning(const fs::path& file, const std::string& device, const TuningTable& more) {
  if (file.empty()) return more;
  try {
    Tables all;
    update_file(file, [&](const FileText& text) {
      all = parsed_or_set_aside(file, text);
      all[device].merge(more);
      Json devices = Json::object();
      for (const auto& [name, table] : all) devices[name] = to_json(table);
      return Json{{"version", kTuningVersion}, {"devices", std::move(devices)}}.dump(1) + '\n';
    });
    return std::move(all[device]);
  } catch (const std::exception& e) {
    fail(ErrorKind::kIo, "{}: {}", file.string(), e.what());
  }
}

}  // namespace tessera::runtime
