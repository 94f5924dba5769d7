// Finds and makes the devices that tests run on.
#include "support/devices.h"

#include <cctype>
#include <cstdlib>
#include <map>

#include "runtime/registry.h"
#include "tessera/error.h"

namespace tessera::test {
namespace {

std::string identifier(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

bool has_device(const std::string& part) {
  for (const DeviceInfo& info : runtime::list_devices()) {
    if (info.name.find(part) != std::string::npos || info.id == part) return true;
  }
  return false;
}

}  // namespace

std::vector<TestDevice> devices() {
  // The optimiser of Mesa 22.3's llvmpipe spoils values that live across barriers (tanh(x) stored after a row's sum
  // comes out as NaN); without it kernels also compile faster.
  setenv("GALLIVM_PERF", "nopt", 0);
  std::vector<TestDevice> result;
  if (const char* named = std::getenv("TESSERA_TEST_DEVICE")) {
    const std::string list = named;
    for (std::size_t at = 0; at < list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      const std::string device = list.substr(at, end - at);
      result.push_back({identifier(device), device, {}, 0});
      at = end + 1;
    }
    return result;
  }
  if (has_device("llvmpipe")) result.push_back({"llvmpipe", "webgpu:llvmpipe", {}, 0});
  if (has_device("cpu")) result.push_back({"cpu", "cpu", {}, 0});
  return result;
}

std::vector<TestDevice> reduced_devices() {
  std::vector<TestDevice> result;
  for (const TestDevice& d : devices()) {
    if (d.device.starts_with("webgpu")) result.push_back({d.name + "_reduced", d.device, "f16,subgroups", 0});
  }
  return result;
}

std::vector<TestDevice> chunked_devices() {
  std::vector<TestDevice> result;
  for (const TestDevice& d : devices()) {
    if (!d.device.starts_with("webgpu")) continue;
    result.push_back({d.name + "_4k", d.device, {}, 4096});
    result.push_back({d.name + "_reduced_4k", d.device, "f16,subgroups", 4096});
    if (full()) result.push_back({d.name + "_1k", d.device, {}, 1024});
  }
  return result;
}

Device open(const TestDevice& which) {
  // Never destroyed: tensors of static storage may outlive it.
  static auto& made = *new std::map<std::string, Device>;
  Device& device = made[which.name];
  if (device.impl() == nullptr) {
    if (!which.disabled.empty()) setenv("TESSERA_DISABLE", which.disabled.c_str(), 1);
    DeviceConfig config;
    config.device = which.device;
    config.max_binding_size = which.max_binding_size;
    device = Device::create(config);
    if (!which.disabled.empty()) unsetenv("TESSERA_DISABLE");
  }
  device.set_current();
  return device;
}

bool full() {
  const char* text = std::getenv("TESSERA_TEST_FULL");
  return text != nullptr && *text != '\0' && *text != '0';
}

bool in_turn(std::size_t i) {
  const char* quarter = std::getenv("TESSERA_TEST_QUARTER");
  return full() || i % 4 == (quarter != nullptr ? std::strtoul(quarter, nullptr, 10) : 0) % 4;
}

}  // namespace tessera::test
