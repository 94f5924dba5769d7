// Runs the command line as a user would: output, exit codes and messages of its subcommands.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apps/support.h"

namespace {

using Json = nlohmann::json;
using tessera::test::Outcome;
using tessera::test::read_file;
using tessera::test::run;

std::vector<Json> json_lines(const std::string& text) {
  std::vector<Json> out;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) out.push_back(Json::parse(line));
  return out;
}

Json device_of(const Json& doctor, const std::string& id) {
  for (const Json& device : doctor["devices"]) {
    if (device["id"] == id) return device;
  }
  return {};
}

TEST(Doctor, PrintsOneObjectWithEveryField) {
  const Outcome doctor = run("doctor --json");
  ASSERT_EQ(doctor.code, 0) << doctor.out << doctor.err;
  const Json all = Json::parse(doctor.out);
  EXPECT_TRUE(all["provider"].is_object());
  EXPECT_EQ(all["text"]["found"].get<bool>(), !all["text"]["version"].get<std::string>().empty()) << all["text"];
  EXPECT_EQ(all["chosen"], "cpu");
  ASSERT_FALSE(all["devices"].empty());
  for (const Json& device : all["devices"]) {
    for (const char* field : {"id", "name", "type", "backend", "selftest"})
      EXPECT_TRUE(device[field].is_string()) << field << " of " << device;
    EXPECT_TRUE(device["features"].is_array());
    EXPECT_GT(device["limits"]["max_buffer_size"].get<std::uint64_t>(), 0U);
    const bool known = device["id"] == "cpu" || all["provider"]["name"] == "wgpu-rs";
    EXPECT_EQ(device["memory_size"].get<std::uint64_t>() > 0, known) << device["id"];
    EXPECT_EQ(device["selftest"], "pass") << device["id"];
  }
}

TEST(Doctor, ShowsDevicesAndTheChoice) {
  const Outcome doctor = run("doctor");
  EXPECT_EQ(doctor.code, 0) << doctor.err;
  for (const char* part : {"WebGPU provider", "Tokenizers and chat templates", "Devices", "\n    memory     ",
                           "self-test  pass", "cpu, since TESSERA_DEVICE is cpu"})
    EXPECT_NE(doctor.out.find(part), std::string::npos) << part << " in\n" << doctor.out;
}

TEST(Doctor, ABrokenProviderLeavesTheCpuAndSaysSo) {
  const std::string text_file = TESSERA_SOURCE_DIR "/CMakeLists.txt";
  for (const std::string& library : {std::string("/no/such/library.so"), text_file}) {
    const Outcome doctor = run("doctor --json", "TESSERA_WEBGPU_LIBRARY='" + library + "'");
    ASSERT_EQ(doctor.code, 0) << doctor.out << doctor.err;
    const Json all = Json::parse(doctor.out);
    EXPECT_EQ(all["provider"]["found"], false);
    EXPECT_NE(all["provider"]["error"].get<std::string>().find(library), std::string::npos) << all["provider"];
    EXPECT_EQ(all["devices"].size(), 1U);
    EXPECT_EQ(all["chosen"], "cpu");
    EXPECT_EQ(device_of(all, "cpu")["selftest"], "pass");
    EXPECT_FALSE(all["advice"].empty());
  }
}

TEST(Doctor, ADeviceThatIsNotThereIsAnErrorNotACrash) {
  const Outcome doctor = run("doctor --json", "TESSERA_DEVICE=webgpu:99");
  EXPECT_EQ(doctor.code, 1);
  const Json all = Json::parse(doctor.out);
  EXPECT_TRUE(all["chosen"].is_null());
  EXPECT_NE(all["why"].get<std::string>().find("webgpu:99"), std::string::npos);
}

TEST(Doctor, SaysThatThereAreNoTokenizers) {
  const Outcome doctor = run("doctor --json", "TESSERA_TEXT_LIBRARY=/no/such/library.so");
  ASSERT_EQ(doctor.code, 0) << doctor.out << doctor.err;
  const Json all = Json::parse(doctor.out);
  EXPECT_EQ(all["text"]["found"], false);
  EXPECT_NE(all["text"]["error"].get<std::string>().find("/no/such/library.so"), std::string::npos) << all["text"];
}

TEST(Doctor, SaysThatThereAreNoImageFiles) {
  const Outcome doctor = run("doctor --json", "TESSERA_IMAGE_LIBRARY=/no/such/library.so");
  ASSERT_EQ(doctor.code, 0) << doctor.out << doctor.err;
  const Json all = Json::parse(doctor.out);
  EXPECT_EQ(all["image"]["found"], false);
  EXPECT_NE(all["image"]["error"].get<std::string>().find("/no/such/library.so"), std::string::npos) << all["image"];
}

TEST(Tokenize, PrintsIdsTokensAndOffsets) {
  const std::string tokenizer = TESSERA_SOURCE_DIR "/tests/text/words.json";
  const Outcome missing = run("tokenize " + tokenizer + " hello", "TESSERA_TEXT_LIBRARY=/no/such/library.so");
  EXPECT_EQ(missing.code, 1);
  EXPECT_NE(missing.err.find("/no/such/library.so"), std::string::npos) << missing.err;
  if (!Json::parse(run("doctor --json").out)["text"]["found"].get<bool>()) GTEST_SKIP() << "there is no text library";
  const Outcome json = run("tokenize --json " + tokenizer + " 'hello world'");
  ASSERT_EQ(json.code, 0) << json.err;
  EXPECT_EQ(Json::parse(json.out),
            Json::parse(R"({"ids":[1,2,3],"tokens":["<s>","hello","world"],"offsets":[[0,0],[0,5],[6,11]]})"));
  const Outcome plain = run("tokenize --no-special-tokens " + tokenizer + " 'hello world'");
  EXPECT_EQ(plain.out, "     2  \"hello\"\n     3  \"world\"\n") << plain.err;
  const Outcome absent = run("tokenize /no/such/tokenizer.json hello");
  EXPECT_EQ(absent.code, 1);
  EXPECT_NE(absent.err.find("'/no/such/tokenizer.json' cannot be read"), std::string::npos) << absent.err;
}

TEST(Train, ATokenizerNeedsTheTextLibrary) {
  const std::string files = TESSERA_SOURCE_DIR "/tests/text/";
  const Outcome missing = run("train gpt --text " + files + "make_points.py --tokenizer " + files + "words.json",
                              "TESSERA_TEXT_LIBRARY=/no/such/library.so");
  EXPECT_EQ(missing.code, 1);
  EXPECT_NE(missing.err.find("/no/such/library.so"), std::string::npos) << missing.err;
}

// A tiny model of every dtype of weights, on the CPU.
TEST(Bench, LanguageModels) {
  for (const std::string type : {"f16", "q8_0", "q4_0", "q4_k", "mxfp4"}) {
    const Outcome bench = run("bench llm --quick --params tiny --type " + type + " --batch 2 --context 32 --json -");
    ASSERT_EQ(bench.code, 0) << bench.out << bench.err;
    const std::vector<Json> lines = json_lines(bench.out);
    ASSERT_EQ(lines.size(), 2U) << bench.out;
    EXPECT_EQ(lines[0]["bench"], "llm_prefill");
    EXPECT_EQ(lines[0]["prompt"], 32);
    EXPECT_EQ(lines[1]["bench"], "llm_decode");
    EXPECT_EQ(lines[1]["type"], type);
    EXPECT_EQ(lines[1]["batch"], 2);
    EXPECT_GT(lines[1]["dispatches_per_layer"].get<double>(), 1);
    // Two layers: 2 * (2 * 256 * 256 + 2 * 128 * 256 + 3 * 512 * 256) weights, and 512 * 256 of the embedding.
    EXPECT_GT(lines[1]["bytes_per_token"].get<double>(), 1310720 * (type == "f16" ? 2 : 0.5) / 2);
    EXPECT_GT(lines[1]["roofline"].get<double>(), 0);
    for (const Json& line : lines) EXPECT_GT(line["tok_s"].get<double>(), 0) << line;
  }
}

TEST(Bench, EveryGroupGivesJsonLines) {
  const Outcome bench = run("bench --quick --json -");
  ASSERT_EQ(bench.code, 0) << bench.out << bench.err;
  std::set<std::string> names;
  for (const Json& line : json_lines(bench.out)) {
    names.insert(line["bench"].get<std::string>());
    EXPECT_TRUE(line["device"].is_string());
    int numbers = 0;
    for (const char* unit : {"gbs", "tflops", "us", "ms", "ms_per_1000_nodes", "percent", "tokens_per_s", "tok_s",
                             "kernels_per_layer", "bytes_written"}) {
      if (!line.contains(unit)) continue;
      ++numbers;
      EXPECT_TRUE(line[unit].is_number());
      EXPECT_GE(line[unit].get<double>(), 0) << line;
    }
    EXPECT_EQ(numbers, 1) << line;
  }
  for (const char* name : {"pool_hit_us",    "fresh_buffer_us", "pool_hit_rate",  "replay_host_us_per_kernel",
                           "submit_wait_us", "read_4_bytes_us", "scale_f32",      "chain6_f32",
                           "chain6_unfused", "row_sum_f32",     "col_sum_f32",    "full_sum_f32",
                           "softmax_f32",    "softmax_f16",     "layer_norm_f32", "transpose_f32",
                           "gemm_f32",       "gemm_f16",        "gemv_f32",       "gemv_f16",
                           "qkv_f16",        "gate_up_f16",     "prologue_f16",   "first_result_ms"})
    EXPECT_EQ(names.count(name), 1U) << name;
}

TEST(Bench, RunsOneGroupAndPrintsATable) {
  const Outcome bench = run("bench --quick transpose");
  EXPECT_EQ(bench.code, 0) << bench.err;
  EXPECT_NE(bench.out.find("transpose_f32"), std::string::npos) << bench.out;
  EXPECT_EQ(bench.out.find("softmax"), std::string::npos) << bench.out;
}

TEST(Bench, LimitsChecksItsResults) {
  const Outcome bench = run("bench --quick --json - limits");
  ASSERT_EQ(bench.code, 0) << bench.out << bench.err;
  std::map<std::string, int> times;
  for (const Json& line : json_lines(bench.out)) ++times[line["bench"].get<std::string>()];
  EXPECT_EQ(times.size(), 7U) << bench.out;
  for (const auto& [name, count] : times) EXPECT_EQ(count, 2) << name;
}

TEST(Bench, AnUnknownGroupNamesTheGroups) {
  const Outcome bench = run("bench nonsense");
  EXPECT_NE(bench.code, 0);
  EXPECT_NE(bench.err.find("'nonsense'; the groups are alloc, dispatch,"), std::string::npos) << bench.err;
}

TEST(Bench, AFileThatCannotBeWrittenIsAnError) {
  const Outcome bench = run("bench --quick --json /no/such/folder/file transpose");
  EXPECT_NE(bench.code, 0);
  EXPECT_NE(bench.err.find("/no/such/folder/file"), std::string::npos) << bench.err;
}

/// The software adapter, with an empty cache folder of its own.
class Tune : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    const Json doctor = Json::parse(run("doctor --json", environment_).out);
    if (doctor["chosen"].is_null()) GTEST_SKIP() << doctor["why"];
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("tessera-tune-" + std::to_string(getpid()));
  std::string environment_ = "TESSERA_DEVICE=webgpu:llvmpipe TESSERA_CACHE='" + folder_.string() + "'";
};

TEST_F(Tune, MeasuresKeepsAndShows) {
  const Outcome tune = run("tune --quick --json", environment_);
  ASSERT_EQ(tune.code, 0) << tune.out << tune.err;
  const auto lines = json_lines(tune.out);
  ASSERT_EQ(lines.size(), 3U) << tune.out;
  for (const Json& line : lines) {
    EXPECT_GT(line["winner_us"].get<double>(), 0) << line;
    EXPECT_GE(line["suggested_us"].get<double>(), line["winner_us"].get<double>()) << line;
    EXPECT_TRUE(line["winner"].is_string());
    EXPECT_TRUE(line["demoted"].empty()) << line;
  }
  EXPECT_NE(tune.err.find("winner's tile"), std::string::npos) << tune.err;
  const Outcome one = run("tune f32:2x24x20x28:nt", environment_);
  EXPECT_EQ(one.code, 0) << one.out << one.err;
  EXPECT_NE(one.out.find("f32:2x24x20x28:nt"), std::string::npos) << one.out;
  const Outcome conv = run("tune f32:conv:2x16x7x7:12x3x3:p1:g2", environment_);
  EXPECT_EQ(conv.code, 0) << conv.out << conv.err;
  EXPECT_NE(conv.out.find("f32:conv:2x16x7x7:12x3x3:p1:g2"), std::string::npos) << conv.out;
  const Json file = Json::parse(read_file(folder_ / "tuning.json"));
  ASSERT_EQ(file["devices"].size(), 1U);
  EXPECT_TRUE(file["devices"].begin().value()["matmuls"].contains("matmul f32 24x20x28 batch 2 a:n1 b:1n")) << file;
  const Outcome doctor = run("doctor", environment_);
  EXPECT_NE(doctor.out.find("5 matmuls in " + (folder_ / "tuning.json").string()), std::string::npos) << doctor.out;
}

TEST(TuneErrors, AreSentences) {
  for (const char* product : {"4096x4096x4096", "i8:8x8x8", "f32:8x8", "f32:8x8x0", "f32:8x8xn", "f32:8*8*8",
                              "f32:8x8x8x8x8", "f32:8x8x8:tt", "f32:", "f32:conv:1x8x8x8", "f32:conv:1x8x8:8x3x3",
                              "f32:conv:1x8x8x8:8x3", "f32:conv:1x8x8x8:8x3x3:q2", "f32:conv:1x8x8x8:8x3x3:s0"}) {
    const Outcome tune = run(std::string("tune '") + product + "'");
    EXPECT_EQ(tune.code, 1) << product;
    EXPECT_NE(tune.err.find(std::string("'") + product + "' is not a matmul or a convolution: "), std::string::npos)
        << tune.err;
  }
  const Outcome cpu = run("tune --quick");
  EXPECT_EQ(cpu.code, 1);
  EXPECT_NE(cpu.err.find("There is nothing to tune on the device cpu"), std::string::npos) << cpu.err;
}

TEST(Demo, ShowsDevicesAGraphSpeedsAndTrains) {
  const Outcome demo = run("demo --steps 20 </dev/null");
  EXPECT_EQ(demo.code, 0) << demo.out << demo.err;
  for (const char* part : {"Devices", "A graph", "kernels", "fn map0", "Speed", "matmul, f32", "Do they agree?", "ok",
                           "Training", "step 20: train loss ", "held-out exact match: ", "\n  27+58=", "\n  99+1=",
                           "\n  64+36=", "Next: tessera train gpt"})
    EXPECT_NE(demo.out.find(part), std::string::npos) << part << " in\n" << demo.out;
  EXPECT_EQ(demo.out.find('\033'), std::string::npos) << "colours without a terminal";
  EXPECT_LE(std::count(demo.out.begin(), demo.out.end(), '\n'), 80);
}

TEST(CommandLine, AnUnknownSubcommandIsAnError) {
  const Outcome unknown = run("nonsense");
  EXPECT_NE(unknown.code, 0);
  EXPECT_NE(unknown.err.find("no command 'nonsense'"), std::string::npos) << unknown.err;
}

TEST(CommandLine, HelpListsTheSubcommands) {
  const Outcome help = run("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* name : {"doctor", "demo", "train", "bench", "tune"})
    EXPECT_NE(help.out.find(name), std::string::npos) << name;
}

}  // namespace
