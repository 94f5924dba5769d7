// Runs `tessera convert` and `tessera quantize`: the table, JSON, and files that stay as they are.
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apps/support.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using tessera::test::Outcome;
using tessera::test::read_file;
using tessera::test::run;

const std::string kFolder = TESSERA_SOURCE_DIR "/tests/llm/models/llama";

class ConvertCommand : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(root_); }
  void TearDown() override { fs::remove_all(root_); }
  [[nodiscard]] std::string file(const std::string& name) const { return (root_ / name).string(); }

 private:
  fs::path root_ = fs::temp_directory_path() / ("tessera_convert_command_" + std::to_string(::getpid()));
};

TEST_F(ConvertCommand, FolderThenQuantize) {
  const Outcome converted = run("convert '" + kFolder + "' '" + file("a.gguf") + "'");
  ASSERT_EQ(converted.code, 0) << converted.err;
  for (const char* part : {"type", "relative rmse", "F16", "F32", "all"}) {
    EXPECT_NE(converted.out.find(part), std::string::npos) << part << " in\n" << converted.out;
  }
  const Outcome quantized = run("quantize '" + file("a.gguf") + "' '" + file("b.gguf") + "' q8_0");
  ASSERT_EQ(quantized.code, 0) << quantized.err;
  EXPECT_NE(quantized.out.find("2 tensors have rows that are not whole blocks"), std::string::npos) << quantized.out;
  EXPECT_NE(quantized.out.find("blk.0.ffn_down.weight [32, 40] F16"), std::string::npos) << quantized.out;
  const Json all = Json::parse(run("inspect '" + file("b.gguf") + "' --json").out);
  EXPECT_EQ(all["metadata"]["general.architecture"]["value"], "llama");
  EXPECT_EQ(all["metadata"]["general.file_type"]["value"], 7);
  EXPECT_EQ(all["totals"]["Q8_0"]["tensors"], 13);

  const Json report =
      Json::parse(run("quantize '" + file("a.gguf") + "' '" + file("c.gguf") + "' q4_0 --pure --json").out);
  EXPECT_EQ(report["tensors"].size(), all["tensors"].size());
  EXPECT_LT(report["bytes_after"], report["bytes_before"]);
  EXPECT_GT(report["relative_rmse"], 0.05);
  EXPECT_LT(report["relative_rmse"], 0.2);
}

TEST_F(ConvertCommand, Errors) {
  ASSERT_EQ(run("convert '" + kFolder + "' '" + file("a.gguf") + "'").code, 0);
  const std::string before = read_file(file("a.gguf"));
  const Outcome same = run("quantize '" + file("a.gguf") + "' '" + file("a.gguf") + "' q4_0");
  EXPECT_EQ(same.code, 1);
  EXPECT_NE(same.err.find("would be overwritten"), std::string::npos) << same.err;
  EXPECT_EQ(read_file(file("a.gguf")), before);
  const Outcome type = run("quantize '" + file("a.gguf") + "' '" + file("b.gguf") + "' q9_0");
  EXPECT_EQ(type.code, 1);
  EXPECT_NE(type.err.find("q4_k_m"), std::string::npos) << type.err;
  EXPECT_EQ(run("convert /no/such/folder '" + file("b.gguf") + "'").code, 1);
  EXPECT_FALSE(fs::exists(file("b.gguf")));
}

}  // namespace
