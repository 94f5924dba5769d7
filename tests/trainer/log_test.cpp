// Logs of runs: lines that come back, killed processes, and event files record by record.
#include "tessera/train/log.h"

#include <bit>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/files.h"
#include "base/os/system.h"
#include "support/errors.h"
#include "tessera/tessera.h"
#include "train/log/event_file.h"
#include "train/log/text.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;
using train::LogLine;
using train::RunLog;
using train::Values;

constexpr double kInf = std::numeric_limits<double>::infinity();

class LogTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string text() const { return os::read_file(folder_ / "log.jsonl").value_or("none"); }
  void append(const std::string& bytes) const { std::ofstream(folder_ / "log.jsonl", std::ios::app) << bytes; }
  [[nodiscard]] std::vector<std::int64_t> steps() const {
    std::vector<std::int64_t> out;
    for (const LogLine& line : train::read_log(folder_)) out.push_back(line.step);
    return out;
  }
  [[nodiscard]] std::vector<fs::path> event_files() const {
    std::set<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().filename().string().find("tfevents") != std::string::npos) found.insert(entry.path());
    }
    return {found.begin(), found.end()};
  }

  fs::path folder_ = fs::temp_directory_path() / ("tessera_log_test_" + std::to_string(os::process_id())) / "Lauf é";
};

// ---- A reader of event files, from the specifications of TFRecord and protocol buffers ----

struct Event {
  double time = 0;
  std::int64_t step = 0;
  std::string version;
  int session = 0;
  std::vector<std::pair<std::string, float>> values;
};

std::uint64_t varint(std::string_view& text) {
  std::uint64_t v = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(text.at(0));
    text.remove_prefix(1);
    v |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return v;
  }
}

template <class V>
V fixed(std::string_view& text) {
  V v;
  std::memcpy(&v, text.substr(0, sizeof(V)).data(), sizeof(V));
  text.remove_prefix(sizeof(V));
  return v;
}

/// Calls f(field, wire type, bytes or number).
template <class F>
void message(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::uint64_t key = varint(text);
    std::uint64_t number = 0;
    std::string_view bytes;
    switch (key & 7U) {
      case 0:
        number = varint(text);
        break;
      case 1:
        number = fixed<std::uint64_t>(text);
        break;
      case 5:
        number = fixed<std::uint32_t>(text);
        break;
      case 2: {
        const std::uint64_t size = varint(text);
        ASSERT_LE(size, text.size());
        bytes = text.substr(0, size);
        text.remove_prefix(size);
        break;
      }
      default:
        FAIL() << "wire type " << (key & 7U);
    }
    f(key >> 3U, number, bytes);
  }
}

std::uint32_t slow_crc(std::string_view bytes) {  // bit by bit
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = (crc >> 1U) ^ (0x82F63B78U & (0U - (crc & 1U)));
  }
  return ~crc;
}

std::uint32_t masked(std::string_view bytes) {
  const std::uint32_t crc = slow_crc(bytes);
  return std::rotr(crc, 15) + 0xA282EAD8U;
}

std::vector<Event> events_of(const fs::path& file) {
  const std::string all = os::read_file(file).value();
  std::string_view text = all;
  std::vector<Event> out;
  while (!text.empty()) {
    const std::string_view head = text.substr(0, 8);
    const auto size = fixed<std::uint64_t>(text);
    EXPECT_EQ(fixed<std::uint32_t>(text), masked(head));
    const std::string_view data = text.substr(0, size);
    text.remove_prefix(size);
    EXPECT_EQ(fixed<std::uint32_t>(text), masked(data));
    Event e;
    message(data, [&](std::uint64_t field, std::uint64_t number, std::string_view bytes) {
      if (field == 1) e.time = std::bit_cast<double>(number);
      if (field == 2) e.step = static_cast<std::int64_t>(number);
      if (field == 3) e.version = bytes;
      if (field == 7) message(bytes, [&](std::uint64_t, std::uint64_t n, std::string_view) { e.session = int(n); });
      if (field != 5) return;
      message(bytes, [&](std::uint64_t, std::uint64_t, std::string_view value) {
        std::pair<std::string, float> found;
        message(value, [&](std::uint64_t f, std::uint64_t n, std::string_view b) {
          if (f == 1) found.first = b;
          if (f == 2) found.second = std::bit_cast<float>(static_cast<std::uint32_t>(n));
        });
        e.values.push_back(found);
      });
    });
    out.push_back(e);
  }
  return out;
}

TEST_F(LogTest, LinesComeBackExactly) {
  {
    RunLog log(folder_);
    EXPECT_EQ(steps(), std::vector<std::int64_t>{}) << "an empty log";
    log.write(0, "train", {{"loss", 0.1}, {"Größe \"α\"\n", 1e-300}});
    log.write(5, "validation", {{"nan", NAN}, {"up", kInf}, {"down", -kInf}, {"loss", -0.0}});
    log.note(7, "the device was lost\nand restored: \x80");
    log.write(INT64_MAX, "train", {});
    log.flush();
  }
  const std::vector<LogLine> lines = train::read_log(folder_);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].kind, "train");
  EXPECT_EQ(lines[0].values, (Values{{"loss", 0.1}, {"Größe \"α\"\n", 1e-300}}));
  EXPECT_GT(lines[0].time, 1.7e9);
  EXPECT_TRUE(std::isnan(lines[1].values[0].second));
  EXPECT_EQ(lines[1].values[1].second, kInf);
  EXPECT_EQ(lines[1].values[2].second, -kInf);
  EXPECT_TRUE(std::signbit(lines[1].values[3].second));
  EXPECT_EQ(lines[2].kind, "note");
  EXPECT_EQ(lines[2].text, "the device was lost\nand restored: \xEF\xBF\xBD");
  EXPECT_EQ(lines[3].step, INT64_MAX);
  EXPECT_NE(text().find("{\"step\": 0, \"kind\": \"train\", \"time\": "), std::string::npos) << text();
  EXPECT_NE(text().find("\"nan\": \"NaN\", \"up\": \"Infinity\", \"down\": \"-Infinity\""), std::string::npos)
      << text();
}

TEST_F(LogTest, AKilledProcessLeavesAPartOfALine) {
  {
    RunLog(folder_).write(1, "train", {{"loss", 2}});
  }
  append(R"({"step": 2, "kind": "tr)");
  EXPECT_EQ(steps(), std::vector<std::int64_t>{1});
  {
    RunLog log(folder_);
    log.write(2, "train", {{"loss", 1}});
  }
  EXPECT_EQ(steps(), (std::vector<std::int64_t>{1, 2}));
  fs::resize_file(folder_ / "log.jsonl", 3);
  {
    RunLog(folder_).write(9, "train", {{"loss", 1}});
  }
  EXPECT_EQ(steps(), std::vector<std::int64_t>{9}) << "nothing but a part";
}

// A process that only writes is killed after random times; each next one goes on where the lines end.
TEST_F(LogTest, KilledAtRandomMoments) {
  std::int64_t last = 0;
  std::mt19937 random(1);
  for (int i = 0; i < 10; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        RunLog log(folder_);
        for (std::int64_t step = last + 1;; ++step) log.write(step, "train", {{"loss", 0.5}});
      } catch (...) {
        _exit(1);
      }
    }
    // Not before it has written something.
    const std::uintmax_t before = last == 0 ? 0 : fs::file_size(folder_ / "log.jsonl");
    const auto written = [&] {
      std::error_code error;
      const std::uintmax_t size = fs::file_size(folder_ / "log.jsonl", error);
      return !error && size > before + 100;
    };
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!written() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    const std::vector<std::int64_t> all = steps();
    ASSERT_GT(std::ssize(all), last);
    for (std::size_t k = 0; k < all.size(); ++k) ASSERT_EQ(all[k], static_cast<std::int64_t>(k) + 1);
    last = all.back();
  }
}

/// What TensorBoard has of all files: a session that starts removes the values of its step and of later ones.
std::vector<std::pair<std::int64_t, std::string>> on_tensorboard(const std::vector<fs::path>& files) {
  std::vector<std::pair<std::int64_t, std::string>> shown;
  for (const fs::path& file : files) {
    for (const Event& e : events_of(file)) {
      if (e.session == 1) std::erase_if(shown, [&](const auto& s) { return s.first >= e.step; });
      for (const auto& [tag, value] : e.values) shown.emplace_back(e.step, fmt::format("{} {}", tag, value));
    }
  }
  return shown;
}

TEST_F(LogTest, ARunContinues) {
  RunLog log(folder_);
  log.continue_from(0);  // nothing is there
  for (std::int64_t i = 1; i <= 10; ++i) log.write(i, "train", {{"loss", 1.0 / static_cast<double>(i)}});
  log.note(10, "end");
  const std::string before = text();
  log.continue_from(10);
  EXPECT_EQ(text(), before);
  log.continue_from(4);
  EXPECT_EQ(steps(), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_TRUE(before.starts_with(text())) << "bytes of kept lines stay";
  log.write(5, "train", {{"loss", 7}});
  EXPECT_EQ(steps(), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
  const std::vector<fs::path> files = event_files();
  ASSERT_EQ(files.size(), 2U) << "a new file where the run continues";
  EXPECT_EQ(events_of(files[0]).size(), 11U);
  const std::vector<Event> events = events_of(files[1]);
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0].version, "brain.Event:2");
  EXPECT_EQ(events[1].session, 1) << "SessionLog.START";
  EXPECT_EQ(events[1].step, 4) << "TensorBoard forgets from here on";
  EXPECT_EQ(events[2].values, (std::vector<std::pair<std::string, float>>{{"train/loss", 0.25F}})) << "it stays";
  EXPECT_EQ(events[2].time, train::read_log(folder_)[3].time);
  EXPECT_EQ(events[3].values, (std::vector<std::pair<std::string, float>>{{"train/loss", 7.0F}}));
  for (const auto& entry : fs::directory_iterator(folder_)) {
    EXPECT_EQ(entry.path().filename().string().find(".tmp"), std::string::npos);
  }
}

TEST_F(LogTest, KindsOfTheStepThatAreWrittenAgain) {
  RunLog log(folder_);
  for (std::int64_t i = 5; i <= 7; ++i) {
    log.write(i, "train", {{"loss", static_cast<double>(i)}});
    log.write(i, "validation", {{"loss", 10.0 * static_cast<double>(i)}});
    log.write(i, "epoch", {{"loss", 100.0 * static_cast<double>(i)}});
    log.note(i, "note");
  }
  for (int round = 0; round < 2; ++round) {  // a second one finds what the first one left
    log.continue_from(6, {"validation", "epoch"});
    std::vector<std::string> lines;
    for (const LogLine& line : train::read_log(folder_)) lines.push_back(fmt::format("{} {}", line.step, line.kind));
    EXPECT_EQ(lines, (std::vector<std::string>{"5 train", "5 validation", "5 epoch", "5 note", "6 train", "6 note"}));
    log.write(6, "validation", {{"loss", 1.0 + round}});
  }
  EXPECT_EQ(on_tensorboard(event_files()),
            (std::vector<std::pair<std::int64_t, std::string>>{{5, "train/loss 5"},
                                                               {5, "validation/loss 50"},
                                                               {5, "epoch/loss 500"},
                                                               {6, "train/loss 6"},
                                                               {6, "validation/loss 2"}}));
}

TEST_F(LogTest, EventFiles) {
  EXPECT_EQ(train::crc32c("123456789"), 0xE3069283U);  // the check value of CRC-32C
  EXPECT_EQ(train::crc32c(""), 0U);
  {
    RunLog log(folder_);
    EXPECT_TRUE(event_files().empty()) << "without values there is no file";
    log.write(300, "train", {{"loss", 0.5}, {"größe", 1e300}});
    log.write(-1, "validation", {{"accuracy", NAN}});
  }
  ASSERT_EQ(event_files().size(), 1U);
  const std::vector<Event> events = events_of(event_files()[0]);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].version, "brain.Event:2");
  EXPECT_EQ(events[1].step, 300);
  EXPECT_EQ(events[1].time, train::read_log(folder_)[0].time);
  EXPECT_EQ(events[1].values,
            (std::vector<std::pair<std::string, float>>{{"train/loss", 0.5F}, {"train/größe", INFINITY}}));
  EXPECT_EQ(events[2].step, -1);
  EXPECT_TRUE(std::isnan(events[2].values.at(0).second));
  {
    RunLog(folder_).write(301, "train", {{"loss", 1}});
  }
  EXPECT_EQ(event_files().size(), 2U) << "within one second too";
  EXPECT_EQ(events_of(event_files()[1]).back().step, 301);
}

TEST_F(LogTest, DamagedLogsAreErrors) {
  EXPECT_EQ(error_of([&] { (void)train::read_log(folder_); }).kind(), ErrorKind::kIo);
  {
    RunLog(folder_).write(1, "train", {{"loss", 2}});
  }
  const std::string good = text();
  const std::string deep(1000000, '[');  // a parser or a printer that recurses has no stack for it
  for (const auto& [line, part] : std::vector<std::pair<std::string, std::string>>{
           {"nonsense", "that is not a JSON object"},
           {"[1]", "that is not a JSON object"},
           {deep, "that is not a JSON object"},
           {R"({"step": 1, "kind": "x", "a": )" + deep + std::string(deep.size(), ']') + "}",
            "the value a list for 'a'"},
           {R"({"step": 1, "kind": "x", "a": {"b": 1}})", "the value an object for 'a'"},
           {R"({"step": )" + deep, "with the step a list"},
           {R"({"step": 1})", "without a step or a kind"},
           {R"({"kind": "train"})", "without a step or a kind"},
           {R"({"step": 1.5, "kind": "train"})", "with the step 1.5"},
           {R"({"step": 1e300, "kind": "train"})", "with the step 1e300"},
           {R"({"step": "1", "kind": "train"})", "with the step '1'"},
           {R"({"step": 9223372036854775808, "kind": "train"})", "with the step 9223372036854775808"},
           {R"({"step": 1, "step": 2, "kind": "train"})", "the key 'step' twice"},
           {R"({"step": 1, "kind": 5})", "with the kind 5"},
           {R"({"step": 1, "kind": null})", "with the kind null"},
           {R"({"step": 1, "kind": "train", "loss": "low"})", "the value 'low' for 'loss'"},
           {R"({"step": 1, "kind": "train", "loss": true})", "the value true for 'loss'"},
           {R"({"step": 1, "kind": "train", "loss": [1]})", "the value a list for 'loss'"},
           {R"({"step": 1, "kind": "train", "loss": 1e999})", "that is not valid JSON"},
           {R"({"step": 1, "kind": "train"} {})", "that is not valid JSON"},
           {std::string("{\"step\": 1, \0\"kind\": \"train\"}", 29), "a zero byte"},
           {"{\"step\": 1, \"kind\": \"\x80\"}", "that is not valid JSON"}}) {
    const std::string damaged = good + "\n" + line + "\n" + good;
    std::ofstream(folder_ / "log.jsonl", std::ios::binary) << damaged;
    const Error e = error_of([&] { (void)train::read_log(folder_); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse);
    EXPECT_NE(std::string(e.what()).find("log.jsonl' has line 3 "), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    EXPECT_LT(std::string(e.what()).size(), 600U);
    // A run that continues keeps what can be read.
    RunLog log(folder_);
    log.continue_from(1);
    EXPECT_EQ(steps(), (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(os::read_file(folder_ / "log.jsonl.damaged"), damaged);
    log.write(2, "train", {{"loss", 1}});
    EXPECT_EQ(steps(), (std::vector<std::int64_t>{1, 1, 2}));
    fs::remove(folder_ / "log.jsonl.damaged");
    log.continue_from(1);
    EXPECT_FALSE(fs::exists(folder_ / "log.jsonl.damaged")) << "nothing is damaged any more";
  }
}

TEST_F(LogTest, ALineWithManyValues) {
  constexpr std::size_t kCount = 100000;
  std::string line = R"({"step": 1, "kind": "train")";
  for (std::size_t i = 0; i < kCount; ++i) line += fmt::format(", \"value {}\": {}", i, i);
  fs::create_directories(folder_);
  append(line + "}\n");
  const std::vector<LogLine> lines = train::read_log(folder_);
  ASSERT_EQ(lines.size(), 1U);
  ASSERT_EQ(lines[0].values.size(), kCount);
  EXPECT_EQ(lines[0].values.back(), (std::pair<std::string, double>("value 99999", 99999.0))) << "in their order";
}

TEST_F(LogTest, BadNamesAndFoldersAreErrors) {
  RunLog log(folder_);
  for (const Values& values : {Values{{"", 1}}, Values{{"step", 1}}, Values{{"text", 1}}, Values{{"time", 1}},
                               Values{{"loss", 1}, {"loss", 2}}}) {
    EXPECT_EQ(error_of([&] { log.write(1, "train", values); }).kind(), ErrorKind::kValue);
  }
  EXPECT_EQ(error_of([&] { log.write(1, "", {{"loss", 1}}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(text(), "") << "a bad call writes nothing";
  const Error e = error_of([] { const RunLog none("/dev/null/folder"); });
  EXPECT_EQ(e.kind(), ErrorKind::kIo);
  EXPECT_NE(std::string(e.what()).find("/dev/null/folder"), std::string::npos) << e.what();
}

TEST_F(LogTest, AFullDiskLeavesWholeLines) {
  RunLog log(folder_);
  log.write(1, "train", {{"loss", 1}});
  struct rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small{.rlim_cur = text().size() + 20, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string what;
  try {
    log.write(2, "train", {{"loss", 2}});
  } catch (const Error& e) {
    what = e.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(what.find("log.jsonl' cannot be written: File too large."), std::string::npos) << what;
  EXPECT_TRUE(text().ends_with("}\n")) << text();
  EXPECT_EQ(steps(), std::vector<std::int64_t>{1});
  log.write(3, "train", {{"loss", 3}});
  EXPECT_EQ(steps(), (std::vector<std::int64_t>{1, 3})) << "the log goes on";
}

TEST(LogText, BecomesPrintable) {
  EXPECT_EQ(train::well_formed("a\xC3(\xFF"), "a\xEF\xBF\xBD(\xEF\xBF\xBD");
  EXPECT_EQ(train::printable("ä\n\033[2J\xC2\x9B\x7F"), "ä??[2J??");
  EXPECT_EQ(train::length_of("größe €"), 7U);
  EXPECT_EQ(train::first_of("größe", 3), "grö");
  EXPECT_EQ(train::first_of("ab", 3), "ab");
  EXPECT_EQ(train::first_of("€", 0), "");
}

}  // namespace
}  // namespace tessera::test
