// `tessera runs`: the table, the plot, JSON and SVG, and folders without a good log.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/support.h"
#include "tessera/train/log.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using tessera::test::Outcome;
using tessera::test::read_file;
using tessera::test::run;
using tessera::train::RunLog;

class Runs : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "a folder without a log");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, double scale, std::int64_t steps) const {
    RunLog log(folder_ / name);
    for (std::int64_t i = 1; i <= steps; ++i) {
      const auto x = static_cast<double>(i);
      log.write(i, "train", {{"loss", scale / x}, {"rate", 1e-3}});
      if (i % 2 == 0) {
        log.write(i, "validation", {{"loss", i == 4 ? 0.1 * scale : scale}, {"accuracy", i == 6 ? 0.9 : 0.5}});
      }
    }
  }
  [[nodiscard]] Outcome runs(const std::string& arguments = "") const {
    return run("runs '" + folder_.string() + "' " + arguments);
  }

  fs::path folder_ = fs::temp_directory_path() / ("tessera-runs-" + std::to_string(getpid()));
};

TEST_F(Runs, ATableAndAPlot) {
  write("Lauf é", 2, 10);
  write("deep/er/second", 1, 8);
  const Outcome out = runs();
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(out.err, "");
  const std::string head =
      "run             steps  time  train loss  best loss  at step  last loss  best accuracy  at step  last accuracy\n";
  EXPECT_EQ(out.out.substr(0, head.size()), head);
  for (const char* part : {"\nLauf é             10  0:00      0.2000     0.2000        4     2.0000         0.9000    "
                           "    6         0.5000\n",
                           "\ndeep/er/second      8  0:00      0.1250     0.1000        4     1.0000         0.9000    "
                           "    6         0.5000\n",
                           "validation loss\n", " ┤", "└", "a Lauf é   b deep/er/second\n"})
    EXPECT_NE(out.out.find(part), std::string::npos) << part << " in\n" << out.out;
  EXPECT_EQ(out.out.find('\033'), std::string::npos) << "no colors without a terminal";
}

TEST_F(Runs, OneMetric) {
  write("one", 2, 10);
  const Outcome rate = runs("--metric rate --log");
  ASSERT_EQ(rate.code, 0) << rate.err;
  EXPECT_TRUE(rate.out.starts_with("run  steps  time  train loss  best rate  at step  last rate\n")) << rate.out;
  const Outcome train = runs("--metric train/loss");
  EXPECT_NE(train.out.find("0.2000     0.2000       10     0.2000"), std::string::npos) << train.out;
  const Outcome both = run("runs '" + (folder_ / "one").string() + "'");
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_NE(both.out.find("a validation   b train"), std::string::npos) << both.out;
  const Outcome none = runs("--metric nonsense");
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.err.find("no run has a value 'nonsense'; the values are train/loss, train/rate, validation/loss, "
                          "validation/accuracy."),
            std::string::npos)
      << none.err;
}

TEST_F(Runs, JsonAndSvg) {
  write("one", 2, 10);
  {
    RunLog(folder_ / "two").write(3, "train", {{"loss", NAN}, {"rate", INFINITY}});
  }
  const fs::path svg = folder_ / "plot.svg";
  const Outcome out = runs("--json - --svg '" + svg.string() + "'");
  ASSERT_EQ(out.code, 0) << out.err;
  std::istringstream lines(out.out);
  std::string line;
  std::getline(lines, line);
  const Json one = Json::parse(line);
  EXPECT_EQ(one["run"], "one");
  EXPECT_EQ(one["steps"], 10);
  EXPECT_GE(one["seconds"].get<double>(), 0);
  EXPECT_EQ(one["values"]["validation"]["loss"], Json::parse(R"({"last": 2.0, "best": 0.2, "best_step": 4})"));
  EXPECT_EQ(one["values"]["validation"]["accuracy"]["best"], 0.9) << "larger is better";
  std::getline(lines, line);
  EXPECT_EQ(Json::parse(line)["values"]["train"]["loss"], Json::parse(R"({"last": "NaN"})"));
  EXPECT_EQ(Json::parse(line)["values"]["train"]["rate"]["last"], "Infinity");
  EXPECT_FALSE(std::getline(lines, line)) << line;
  EXPECT_TRUE(read_file(svg).starts_with("<svg ")) << read_file(svg);
  const Outcome file = runs("--json '" + (folder_ / "all.jsonl").string() + "'");
  EXPECT_EQ(file.code, 0) << file.err;
  EXPECT_EQ(read_file(folder_ / "all.jsonl"), out.out);
  EXPECT_TRUE(file.out.starts_with("run  steps")) << file.out;
  EXPECT_EQ(runs("--svg /no/such/folder/plot.svg").code, 1);
}

TEST_F(Runs, BadFoldersAndLogs) {
  const Outcome empty = runs();
  EXPECT_EQ(empty.code, 1);
  EXPECT_NE(empty.err.find("has no run; a folder with a log.jsonl is expected"), std::string::npos) << empty.err;
  const Outcome missing = run("runs /no/such/folder");
  EXPECT_EQ(missing.code, 1);
  EXPECT_NE(missing.err.find("there is no folder '/no/such/folder'"), std::string::npos) << missing.err;
  write("good", 1, 4);
  fs::create_directories(folder_ / "bad");
  std::ofstream(folder_ / "bad/log.jsonl") << "nonsense\n";
  fs::create_directories(folder_ / "new");
  std::ofstream(folder_ / "new/log.jsonl") << "";
  std::ofstream(folder_ / "good/log.jsonl", std::ios::app) << R"({"step": 5, "ki)";
  const Outcome out = runs();
  EXPECT_EQ(out.code, 0) << out.err;
  EXPECT_NE(out.err.find("log.jsonl' has line 1 that is not a JSON object"), std::string::npos) << out.err;
  EXPECT_NE(out.out.find("\ngood      4"), std::string::npos) << out.out;
  EXPECT_NE(out.out.find("\nnew       0  0:00           -"), std::string::npos) << out.out;
}

}  // namespace
