// metrics(): every counter moves with what it counts, and both texts are well-formed.
#include "tessera/metrics.h"

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "support.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

struct Family {
  std::string type;
  std::map<std::string, double> samples;  // by labels
};

/// The text format, strictly: HELP, TYPE, then that family's samples, each with other labels; the last line ends.
std::map<std::string, Family> parse_prometheus(const std::string& text) {
  std::map<std::string, Family> families;
  EXPECT_TRUE(text.empty() || text.back() == '\n');
  static const std::regex kHelp(R"(# HELP ([a-z][a-z0-9_]*) (.+))");
  static const std::regex kType(R"(# TYPE ([a-z][a-z0-9_]*) (counter|gauge))");
  static const std::regex kSample(
      R"re(([a-z][a-z0-9_]*)\{([a-z]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z]+="(?:[^"\\\n]|\\[\\"n])*")*)\} ([0-9.e+-]+))re");
  std::istringstream lines(text);
  std::string helped;
  std::string current;
  for (std::string line; std::getline(lines, line);) {
    std::smatch m;
    if (std::regex_match(line, m, kHelp)) {
      helped = m[1];
      EXPECT_FALSE(families.contains(helped)) << "twice: " << line;
    } else if (std::regex_match(line, m, kType)) {
      EXPECT_EQ(m[1], helped) << line;
      current = m[1];
      families[current].type = m[2];
      EXPECT_EQ(current.ends_with("_total"), m[2] == "counter") << line;
      EXPECT_TRUE(current.starts_with("tessera_")) << line;
    } else if (std::regex_match(line, m, kSample)) {
      EXPECT_EQ(m[1], current) << line;
      EXPECT_TRUE(families[current].samples.emplace(m[2], std::stod(m[3])).second) << "twice: " << line;
    } else {
      ADD_FAILURE() << "not a line of the format: " << line;
    }
  }
  for (const auto& [name, family] : families) EXPECT_FALSE(family.samples.empty()) << name;
  return families;
}

const DeviceMetrics& of(const Metrics& all, const Device& device) {
  for (const DeviceMetrics& d : all.devices) {
    if (d.serial == device.impl()->serial()) return d;
  }
  throw std::runtime_error("the device is not listed");
}

class MetricsOn : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(MetricsOn);

TEST_P(MetricsOn, CountersMoveWithWhatTheyCount) {
  const Statistics before = of(metrics(), device_).statistics;
  const Tensor x(std::vector<float>(1000, 1.0F), {1000}, device_);
  EXPECT_EQ((x * 2.0 + 1.0).to_vector<float>()[0], 3.0F);
  device_.synchronize();
  const Statistics after = of(metrics(), device_).statistics;
  EXPECT_GE(after.uploads, before.uploads + 1);
  EXPECT_GE(after.uploaded_bytes, before.uploaded_bytes + 4000);
  EXPECT_EQ(after.downloads, before.downloads + 1);
  EXPECT_EQ(after.downloaded_bytes, before.downloaded_bytes + 4000);
  EXPECT_GT(after.waits, before.waits);
  EXPECT_GT(after.submissions, before.submissions);
  EXPECT_GT(after.dispatches, before.dispatches);
  EXPECT_GT(after.plan_hits + after.plan_misses, before.plan_hits + before.plan_misses);
  EXPECT_GT(after.memory.hits + after.memory.misses, before.memory.hits + before.memory.misses);
  EXPECT_EQ(after.in_flight, 0U);
}

TEST_P(MetricsOn, ADeviceIsListedOnce) {
  const auto before = metrics().devices.size();
  const Device another = Device::create({.device = GetParam().device});
  EXPECT_EQ(metrics().devices.size(), before + 1);
}

TEST_P(MetricsOn, BothTextsSayTheSame) {
  const Metrics now = metrics();
  const auto json = nlohmann::json::parse(now.json());
  const auto families = parse_prometheus(now.prometheus());
  ASSERT_EQ(json["devices"].size(), now.devices.size());
  for (const auto& device : json["devices"]) {
    const std::string labels = "device=\"" + device["device"].get<std::string>() + "\",serial=\"" +
                               std::to_string(device["serial"].get<int>()) + "\"";
    int counters = 0;
    for (const auto& [key, value] : device.items()) {
      if (!value.is_number() || key == "serial") continue;
      ++counters;
      const auto gauge = families.find("tessera_" + key);
      const auto counter = families.find("tessera_" + key + "_total");
      ASSERT_NE(gauge == families.end(), counter == families.end()) << key;
      const Family& family = (gauge != families.end() ? gauge : counter)->second;
      ASSERT_TRUE(family.samples.contains(labels)) << key << " " << labels;
      EXPECT_DOUBLE_EQ(family.samples.at(labels), value.get<double>()) << key;
    }
    EXPECT_EQ(counters + 2, static_cast<int>(families.size())) << "all but the info and the errors";
    EXPECT_EQ(device["errors"].size(), kErrorKinds);
    for (const auto& [kind, count] : device["errors"].items()) {
      EXPECT_EQ(families.at("tessera_errors_total").samples.at(labels + ",kind=\"" + kind + "\""), count.get<double>());
    }
  }
  const Statistics& own = of(now, device_).statistics;
  EXPECT_EQ(families.at("tessera_submissions_total").samples.size(), now.devices.size());
  for (const auto& device : json["devices"]) {
    if (device["serial"] == device_.impl()->serial()) {
      EXPECT_EQ(device["submissions"], own.submissions);
      EXPECT_EQ(device["memory_in_use_bytes"], own.memory.in_use);
    }
  }
}

TEST(Metrics, ErrorsAreCountedByKind) {
  const Device device = Device::create({.device = "cpu", .memory_budget = 1 << 20});
  EXPECT_THROW(zeros({1 << 22}, f32, device).eval(), Error);
  EXPECT_THROW((zeros({1 << 22}, f32, device) + 1.0).eval(), Error);
  const Statistics s = of(metrics(), device).statistics;
  EXPECT_EQ(s.errors_of(ErrorKind::kOutOfMemory), 2U);
  EXPECT_EQ(s.errors_of(ErrorKind::kDeviceLost), 0U);
}

TEST(Metrics, OnlyLiveDevicesEachOnce) {
  const auto serials = [] {
    std::set<std::uint64_t> out;
    for (const DeviceMetrics& d : metrics().devices) EXPECT_TRUE(out.insert(d.serial).second);
    return out;
  };
  std::uint64_t gone = 0;
  {
    const Device a = Device::create({.device = "cpu"});
    const Device b = Device::create({.device = "cpu"});
    gone = a.impl()->serial();
    EXPECT_TRUE(serials().contains(gone));
    EXPECT_TRUE(serials().contains(b.impl()->serial()));
    parse_prometheus(metrics().prometheus());  // two devices of one name: no sample twice
  }
  EXPECT_FALSE(serials().contains(gone));
}

TEST(Metrics, StrangeNamesAreEscaped) {
  Metrics odd;
  odd.devices.resize(1);
  odd.devices[0].info.id = "a\"b\\c\nd";
  odd.devices[0].info.name = "tab\tand \xff";
  const auto json = nlohmann::json::parse(odd.json());
  EXPECT_EQ(json["devices"][0]["device"], odd.devices[0].info.id);
  const auto families = parse_prometheus(odd.prometheus());
  EXPECT_TRUE(families.at("tessera_waits_total").samples.contains(R"(device="a\"b\\c\nd",serial="0")"));
  EXPECT_EQ(Metrics().prometheus(), "");
  EXPECT_TRUE(nlohmann::json::parse(Metrics().json())["devices"].empty());
}

TEST(Metrics, MayBeAskedWhileDevicesComeAndGo) {
  std::atomic<bool> stop = false;
  std::thread asking([&] {
    while (!stop) static_cast<void>(metrics().prometheus());
  });
  for (int i = 0; i < 200; ++i) {
    const Device device = Device::create({.device = "cpu"});
    EXPECT_EQ((ones({4}, f32, device) * 2.0).to_vector<float>()[0], 2.0F);
  }
  stop = true;
  asking.join();
}

}  // namespace
}  // namespace tessera::test
