// Reads the file whole, and changes it under a lock: read again, add, put in place by a rename.
#include "runtime/tuning_store.h"

#include <cmath>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/log.h"
#include "runtime/cache_folder.h"

namespace tessera::runtime {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Keeps other processes and threads out while it lives. The file beside stays, since a lock goes with its file.
class FileLock {
 public:
  explicit FileLock(const fs::path& file)
      : handle_(::open((file.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (handle_ < 0) fail(ErrorKind::kIo, "the folder cannot be written");
    ::flock(handle_, LOCK_EX);
  }
  ~FileLock() { ::close(handle_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int handle_;
};

TuningTable table_of(const Json& json) {
  TuningTable table;
  for (const auto& [product, choice] : json.at("products").items()) {
    table.products[product] = {.tile = choice.at("tile").get<std::string>(),
                               .us = choice.at("us").get<double>(),
                               .suggested_us = choice.at("suggested_us").get<double>()};
  }
  for (const auto& [kind, shapes] : json.at("demoted").items()) {
    table.demoted[kind] = shapes.get<std::set<std::string>>();
  }
  return table;
}

Json to_json(const TuningTable& table) {
  Json products = Json::object();
  for (const auto& [product, choice] : table.products) {
    const auto rounded = [](double us) { return std::round(us * 1e3) / 1e3; };
    products[product] = {
        {"tile", choice.tile}, {"us", rounded(choice.us)}, {"suggested_us", rounded(choice.suggested_us)}};
  }
  Json demoted = Json::object();
  for (const auto& [kind, shapes] : table.demoted) demoted[kind] = shapes;
  return {{"products", std::move(products)}, {"demoted", std::move(demoted)}};
}

using Tables = std::map<std::string, TuningTable>;

/// Empty where there is nothing to read; what cannot be understood is renamed.
Tables read_all(const fs::path& file) {
  std::ifstream in(file);
  if (!in) return {};
  std::string why;
  try {
    const Json json = Json::parse(in);
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
  const fs::path aside = file.string() + ".aside";
  std::error_code error;
  fs::rename(file, aside, error);
  if (error) {
    log_warn("{} {}; it is not used.", file.string(), why);
  } else {
    log_warn("{} {}; it is now {}. `tessera tune` measures anew.", file.string(), why, aside.filename().string());
  }
  return {};
}

}  // namespace

void TuningTable::merge(const TuningTable& other) {
  for (const auto& [product, choice] : other.products) products[product] = choice;
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
  Tables all = read_all(file);
  return std::move(all[device]);
}

TuningTable store_tuning(const fs::path& file, const std::string& device, const TuningTable& more) {
  if (file.empty()) return more;
  try {
    fs::create_directories(file.parent_path());
    const FileLock lock(file);
    Tables all = read_all(file);
    all[device].merge(more);
    Json devices = Json::object();
    for (const auto& [name, table] : all) devices[name] = to_json(table);
    replace_file(file, Json{{"version", kTuningVersion}, {"devices", std::move(devices)}}.dump(1) + '\n');
    return std::move(all[device]);
  } catch (const std::exception& e) {
    fail(ErrorKind::kIo, "{}: {}", file.string(), e.what());
  }
}

}  // namespace tessera::runtime
