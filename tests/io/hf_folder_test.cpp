// Model folders of Hugging Face: texts, chat templates, weights in one file or in shards, and what is missing.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/os/system.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;
using io::HfFolder;

class HfFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    static const Device cpu = Device::create({.device = "cpu"});
    cpu.set_current();
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, std::string_view text) {
    fs::remove(folder_ / name);
    std::ofstream(folder_ / name, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  void write_model() {
    write("config.json",
          R"({"model_type": "llama", "rope_theta": 1e4, "eos_token_id": [1, -2], "x": null, "y": true})");
    io::save_safetensors(folder_ / "model.safetensors",
                         std::vector<Tree::Named>{{"b.10", ones({2})}, {"b.2", full({2}, 2, f32)}, {"a", ones({1})}});
  }
  void fails(ErrorKind kind, std::string_view part) {
    fails([&] { (void)HfFolder(folder_); }, kind, part);
  }
  template <class F>
  void fails(F f, ErrorKind kind, std::string_view part) {
    const Error e = error_of(f);
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
    EXPECT_TRUE(std::string_view(e.what()).ends_with('.')) << e.what();
  }

  fs::path folder_ = fs::temp_directory_path() / ("tessera_hf_test_" + std::to_string(os::process_id()));
};

TEST_F(HfFolderTest, ReadsAModel) {
  write_model();
  const HfFolder folder(folder_);
  EXPECT_TRUE(folder.config().starts_with(R"({"model_type": "llama")"));
  EXPECT_EQ(folder.generation_config(), std::nullopt);
  EXPECT_EQ(folder.tokenizer(), std::nullopt);
  EXPECT_EQ(folder.chat_template(), std::nullopt);
  EXPECT_EQ(folder.files(), (std::vector<fs::path>{folder_ / "model.safetensors"}));
  ASSERT_EQ(folder.entries().size(), 3U);
  EXPECT_EQ(folder.entries()[1].name, "b.2");
  EXPECT_EQ(folder.tensor("b.2").to_vector<float>(), (std::vector<float>{2, 2}));
  std::uint64_t loaded = 0;
  const auto all = folder.tensors({.progress = [&](const io::LoadProgress& p) {
    EXPECT_GT(p.loaded, loaded);
    EXPECT_EQ(p.total, 20U);
    loaded = p.loaded;
  }});
  EXPECT_EQ(loaded, 20U);
  EXPECT_EQ(all[2].first, "b.10");
  EXPECT_FALSE(folder.contains("c"));
  fails([&] { (void)folder.tensor("c"); }, ErrorKind::kValue, "has no tensor 'c'; it has 3 tensors");
  write("generation_config.json", R"({"temperature": 0.5})");
  write("tokenizer.json", "{}");
  write("tokenizer_config.json", R"({"bos_token": {"content": "<s>"}})");
  EXPECT_EQ(folder.generation_config(), R"({"temperature": 0.5})");
  EXPECT_EQ(folder.tokenizer(), "{}");
  EXPECT_TRUE(folder.tokenizer_config()->find("<s>") != std::string::npos);
  EXPECT_EQ(folder.chat_template(), std::nullopt);
}

TEST_F(HfFolderTest, ChatTemplates) {
  write_model();
  const HfFolder folder(folder_);
  write("chat_template.json", R"({"chat_template": "json"})");
  EXPECT_EQ(folder.chat_template(), "json");
  write("tokenizer_config.json", R"({"chat_template": "text"})");
  EXPECT_EQ(folder.chat_template(), "text");
  EXPECT_EQ(folder.chat_template("tool_use"), std::nullopt);
  write("tokenizer_config.json",
        R"({"chat_template": [{"name": "tool_use", "template": "t"}, {"name": "default", "template": "d"}]})");
  EXPECT_EQ(folder.chat_template(), "d");
  EXPECT_EQ(folder.chat_template("tool_use"), "t");
  EXPECT_EQ(folder.chat_template("rag"), std::nullopt);
  write("chat_template.jinja", "{{ jinja }}\n");
  EXPECT_EQ(folder.chat_template(), "{{ jinja }}\n");
  EXPECT_EQ(folder.chat_template("tool_use"), "t");
  write("chat_template.jinja", "\xff");
  fails([&] { (void)folder.chat_template(); }, ErrorKind::kParse, "chat_template.jinja' is not valid UTF-8");
  fs::remove(folder_ / "chat_template.jinja");
  for (const char* bad :
       {"1", "true", "{}", R"(["x"])", R"([{"name": "default"}])", R"([{"name": 1, "template": "x"}])"}) {
    write("tokenizer_config.json", R"({"chat_template": )" + std::string(bad) + "}");
    fails([&] { (void)folder.chat_template(); }, ErrorKind::kParse, "tokenizer_config.json' has a chat_template");
  }
}

TEST_F(HfFolderTest, MissingFilesAreNamed) {
  fails([&] { (void)HfFolder(folder_ / "no"); }, ErrorKind::kIo,
        "no' is missing; a folder with config.json is expected");
  fails(ErrorKind::kIo, "has no config.json");
  write("config.json", "{}");
  fails(ErrorKind::kIo, "has no weights; model.safetensors or model.safetensors.index.json is expected.");
  fails([&] { (void)HfFolder(folder_ / "config.json"); }, ErrorKind::kIo, "is a file; a folder");
  write("pytorch_model.bin", "x");
  fails(ErrorKind::kIo, "pytorch_model.bin is a pickled file, which is not read");
  io::save_safetensors(folder_ / "2.safetensors", {{"b", ones({1})}});
  write("model.safetensors.index.json",
        R"({"weight_map": {"a": "1.safetensors", "b": "2.safetensors", "c": "3.safetensors"}})");
  fails(ErrorKind::kIo, "has 3 shards, some of which are missing beside it: '1.safetensors', '3.safetensors'");
  io::save_safetensors(folder_ / "1.safetensors", {{"a", ones({1})}});
  io::save_safetensors(folder_ / "3.safetensors", {{"d", ones({1})}});
  fails(ErrorKind::kParse, "has a tensor 'c' in the file '3.safetensors', which does not have it");
  io::save_safetensors(folder_ / "3.safetensors", {{"c", full({1}, 7, f32)}});
  const HfFolder folder(folder_);
  EXPECT_EQ(folder.files().size(), 3U);
  EXPECT_EQ(folder.tensor("c").item<float>(), 7);
}

TEST_F(HfFolderTest, HostileTexts) {
  write_model();
  std::string deep = "{\"a\":";
  for (int i = 0; i < 100000; ++i) deep += '[';
  std::string nested = "{\"a\":" + std::string(63, '[') + std::string(63, ']') + "}";
  write("config.json", nested);
  EXPECT_EQ(HfFolder(folder_).config(), nested) << "64 levels";
  for (const std::string& bad :
       {std::string(), std::string("[]"), std::string("{"), std::string(R"({"a": 1, "a": 2})"),
        std::string("{\"\xff\": 1}"), deep, std::string("{}\0", 3), std::string("{\"a\": 1e999}")}) {
    write("config.json", bad);
    fails(ErrorKind::kParse, "config.json' has a text ");
  }
}

}  // namespace
}  // namespace tessera::test
