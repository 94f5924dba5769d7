// The training jobs of the command line: options reach them, exit codes, messages, and a folder that is loaded again.
#include <map>

#include <gtest/gtest.h>

#include "apps/support.h"

namespace {

using tessera::test::Outcome;
using tessera::test::run;

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  return end == std::string::npos ? "" : text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

TEST(Train, SumsSaveAndLoad) {
  const auto folder = std::filesystem::temp_directory_path() / ("tessera-train-" + std::to_string(getpid()));
  const Outcome train =
      run("train gpt --steps 8 --layers 1 --width 16 --heads 2 --kv-heads 1 --hidden 24 --batch 16 "
          "--lr 1e-2 --min-lr 1e-3 --warmup 2 --beta1 0.8 --beta2 0.95 --weight-decay 0.05 --clip 0.5 "
          "--dropout 0.1 --eval-every 4 --seed 5 --untied --digits 1 --prompt 3+4 --out '" +
          folder.string() + "'");
  EXPECT_EQ(train.code, 0) << train.out << train.err;
  for (const char* part :
       {"1 layers, 2 heads, width 16", "step 4: train loss ", "step 8: train loss ", "\n3+4=", "saved: "})
    EXPECT_NE(train.out.find(part), std::string::npos) << part << " in\n" << train.out;
  EXPECT_TRUE(last_line(train.out).starts_with("held-out exact match: ")) << train.out;
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"})
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
  const Outcome log = run("runs '" + folder.string() + "' --json -");
  EXPECT_NE(log.out.find("\"steps\":8"), std::string::npos) << log.out << log.err;
  EXPECT_NE(log.out.find("\"validation\":{\"loss\":{\"last\":"), std::string::npos) << log.out;
  const Outcome again = run("train gpt --steps 0 --digits 1 --seed 5 --load '" + folder.string() + "'");
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  EXPECT_EQ(last_line(again.out), last_line(train.out));
  std::filesystem::remove_all(folder);
}

TEST(Train, DigitsInTheFormOfMnist) {
  const Outcome train = run("train mnist --data '" TESSERA_SOURCE_DIR
                            "/tests/train/digits' --epochs 1 --batch 100 "
                            "--lr 1e-2 --weight-decay 0 --seed 3");
  EXPECT_EQ(train.code, 0) << train.out << train.err;
  EXPECT_TRUE(last_line(train.out).starts_with("test accuracy: 0.")) << train.out;
}

TEST(Train, ErrorsAreSentences) {
  for (const auto& [arguments, part] : std::map<std::string, std::string>{
           {"mnist --data /no/such/folder", "tools/fetch_data.sh mnist"},
           {"mnist --data '" TESSERA_SOURCE_DIR "/tests/train/digits' --epochs 0", "at least one epoch"},
           {"gpt --text /no/such/file", "The file '/no/such/file' cannot be read."},
           {"gpt --layers 0", "0 was given for layers; at least 1 is expected."},
           {"gpt --prompt 1-2", "'1-2' is not a sum"},
           {"gpt --out /dev/null/folder", "'/dev/null/folder' cannot be made"},
           {"mnist --out /dev/null/folder", "'/dev/null/folder' cannot be made"},
           {"gpt --load /no/such/folder", "'/no/such/folder/config.json' cannot be read."}}) {
    const Outcome train = run("train " + arguments);
    EXPECT_EQ(train.code, 1) << arguments << train.out;
    EXPECT_TRUE(train.err.starts_with("tessera: ")) << train.err;
    EXPECT_NE(train.err.find(part), std::string::npos) << train.err;
  }
  for (const char* arguments : {"", "nonsense", "gpt --layers many", "gpt --no-such-option"})
    EXPECT_NE(run(std::string("train ") + arguments).code, 0) << arguments;
}

}  // namespace
