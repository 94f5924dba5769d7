// Runs `tessera inspect` on safetensors, GGUF and model folders, for people and as JSON.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apps/support.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using tessera::test::Outcome;
using tessera::test::run;

const std::string kGguf = TESSERA_SOURCE_DIR "/tests/io/every_type.gguf";
const std::string kSafetensors = TESSERA_SOURCE_DIR "/tests/io/every_dtype.safetensors";

Json inspected(const std::string& path) {
  const Outcome out = run("inspect '" + path + "' --json");
  EXPECT_EQ(out.code, 0) << out.err;
  return Json::parse(out.out);
}

TEST(Inspect, GgufAsJson) {
  const Json all = inspected(kGguf);
  EXPECT_EQ(all["format"], "gguf");
  EXPECT_EQ(all["version"], 3);
  EXPECT_EQ(all["alignment"], 32);
  EXPECT_EQ(all["files"], Json::array({kGguf}));
  EXPECT_EQ(all["metadata"].size(), 25U);
  EXPECT_EQ(all["metadata"]["test.UINT64"], (Json{{"type", "u64"}, {"value", 9223372036854775809U}}));
  EXPECT_EQ(all["metadata"]["test.array.STRING"]["type"], "string[3]");
  EXPECT_EQ(all["metadata"]["test.array.BOOL"]["value"], Json::array({true, true, true}));
  ASSERT_EQ(all["tensors"].size(), 35U);
  const Json& last = all["tensors"].back();
  EXPECT_EQ(last["name"], "blocks.Q1_0");
  EXPECT_EQ(last["type"], "Q1_0");
  EXPECT_EQ(last["shape"], Json::array({2, 256}));
  EXPECT_EQ(last["bytes"], 72);
  EXPECT_EQ(all["totals"]["F32"], (Json{{"tensors", 3}, {"elements", 7}, {"bytes", 28}}));
  EXPECT_EQ(all["total"]["tensors"], 35);
}

TEST(Inspect, GgufForPeople) {
  const Outcome out = run("inspect '" + kGguf + "'");
  ASSERT_EQ(out.code, 0) << out.err;
  for (const char* part :
       {"gguf: version 3, alignment 32\n", "Metadata (25)\n", "general.architecture", "llama\n",
        R"(["t\u00e4xt \ud83d\ude00", )", "Tensors (35)\n", "blocks.IQ2_XXS", "[2, 512]", "Totals\n", "35 tensors"}) {
    EXPECT_NE(out.out.find(part), std::string::npos) << part << " in\n" << out.out;
  }
}

TEST(Inspect, Safetensors) {
  const Json all = inspected(kSafetensors);
  EXPECT_EQ(all["format"], "safetensors");
  EXPECT_EQ(all["metadata"]["format"]["value"], "np");
  EXPECT_EQ(all["tensors"].size(), 17U);
  EXPECT_EQ(all["totals"]["bf16"], (Json{{"tensors", 1}, {"elements", 6}, {"bytes", 12}}));
  const Outcome out = run("inspect '" + kSafetensors + "'");
  EXPECT_NE(out.out.find("layers.bf16.weight"), std::string::npos) << out.out;
}

TEST(Inspect, Folders) {
  const fs::path folder = fs::temp_directory_path() / ("tessera-inspect-" + std::to_string(getpid()));
  fs::create_directories(folder);
  EXPECT_NE(run("inspect '" + folder.string() + "'").err.find("has no config.json"), std::string::npos);
  std::ofstream(folder / "config.json") << R"({"model_type": "llama", "ids": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]})";
  fs::copy_file(kSafetensors, folder / "model.safetensors");
  std::ofstream(folder / "tokenizer.json") << "{}";
  const Json all = inspected(folder.string());
  EXPECT_EQ(all["format"], "huggingface");
  EXPECT_EQ(all["tokenizer"], true);
  EXPECT_EQ(all["chat_template"], false);
  EXPECT_EQ(all["metadata"]["model_type"]["value"], "llama");
  EXPECT_EQ(all["metadata"]["ids"]["size"], 10);
  EXPECT_EQ(all["metadata"]["ids"]["value"], Json::array({1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(all["tensors"].size(), 17U);
  const Outcome text = run("inspect '" + folder.string() + "'");
  EXPECT_NE(text.out.find("[1, 2, 3, 4, 5, 6, 7, 8, ...]"), std::string::npos) << text.out;
  fs::remove_all(folder);
}

TEST(Inspect, ErrorsAreSentences) {
  const Outcome missing = run("inspect /no/such/file");
  EXPECT_EQ(missing.code, 1);
  EXPECT_EQ(missing.err, "tessera: '/no/such/file' cannot be opened: No such file or directory.\n");
  const Outcome other = run("inspect '" TESSERA_SOURCE_DIR "/CMakeLists.txt'");
  EXPECT_EQ(other.code, 1);
  EXPECT_NE(other.err.find("has a header of"), std::string::npos) << other.err;
  EXPECT_NE(run("inspect").code, 0);
}

}  // namespace
