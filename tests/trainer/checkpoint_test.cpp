// Checkpoints: what is written and kept, what is refused, and that nothing is ever half.
#include "tessera/train/checkpoint.h"

#include <cmath>
#include <optional>
#include <set>

#include "support/errors.h"
#include "trainer/hostile.h"
#include "trainer/support.h"
#include "trainer/syncs.h"

namespace tessera::test {
namespace {

using train::Checkpoints;
using train::RunState;
using train::Saved;

/// A model and its optimizer.
struct Pair {
  explicit Pair(std::uint64_t seed = 1) {
    random::set_seed(seed);
    model.emplace(nn::Linear(3, 4), nn::Tanh(), nn::Linear(4, 2));
    optimizer.emplace(*model, optim::AdamWOptions{.lr = 0.1});
  }
  [[nodiscard]] Saved saved() { return {{"model", &*model}, {"optimizer", &*optimizer}}; }
  void step() {
    auto [loss, gradients] = value_and_grad(*model, [&] { return mean(square((*model)(ones({2, 3}))-1.0)); })();
    optimizer->update(*model, gradients);
  }
  [[nodiscard]] auto bytes() const { return std::pair(hashes_of(*model), hashes_of(*optimizer)); }
  std::optional<nn::Sequential> model;
  std::optional<optim::AdamW> optimizer;
};

class CheckpointTest : public ::testing::Test {
 protected:
  void SetUp() override { Device::create({.device = "cpu"}).set_current(); }
  [[nodiscard]] fs::path at(std::int64_t step) const { return folder_.path() / fmt::format("step-{:06}", step); }
  RunFolder folder_;
};

TEST_F(CheckpointTest, GiveBackWhatWasSaved) {
  Pair a;
  a.step();
  const auto before = a.bytes();
  const fs::path folder = folder_.path() / "deep" / "er";
  Checkpoints checkpoints(folder);
  EXPECT_FALSE(checkpoints.latest().has_value());
  EXPECT_FALSE(checkpoints.best().has_value());
  EXPECT_TRUE(checkpoints.steps().empty());
  checkpoints.save(a.saved(), {.step = 7, .values = {{"random", "{\"seed\": 3}"}, {"\u00fc", ""}}});
  a.step();  // the save has the tensors of before
  checkpoints.wait();
  EXPECT_FALSE(checkpoints.saving());
  EXPECT_EQ(checkpoints.steps(), std::vector<std::int64_t>{7});
  EXPECT_EQ(checkpoints.latest(), 7);
  EXPECT_EQ(listed(folder / "step-000007"),
            (std::vector<std::string>{"model.safetensors", "optimizer.safetensors", "run.json"}));
  Pair b(2);
  EXPECT_NE(b.bytes(), before);
  const RunState run = checkpoints.load(7, b.saved());
  EXPECT_EQ(b.bytes(), before);
  EXPECT_EQ(run.step, 7);
  EXPECT_EQ(run.values.at("random"), "{\"seed\": 3}");
  EXPECT_EQ(run.values.at("\u00fc"), "");
  EXPECT_EQ(checkpoints.load(7, {}).step, 7);
  EXPECT_EQ(checkpoints.load(7, {{"model", &*a.model}}).values.size(), 2U) << "a part of it";
  EXPECT_NO_THROW(b.model->load(io::load_safetensors(folder / "step-000007" / "model.safetensors")));
}

TEST_F(CheckpointTest, TakeTheStateOfACompiledStepAtTheCall) {
  for (const char* name : {"cpu", "webgpu:llvmpipe"}) {
    try {
      Device::create({.device = name}).set_current();
    } catch (const Error&) {
      continue;  // there is no software adapter
    }
    const RunFolder folder;
    Pair a;
    const auto step = compile([&] { a.step(); }, *a.model, *a.optimizer);
    step();
    Checkpoints checkpoints(folder.path());
    std::vector<decltype(a.bytes())> expected;
    for (std::int64_t i = 1; i <= 3; ++i) {
      if (i < 3) expected.push_back(a.bytes());
      checkpoints.save(a.saved(), {.step = i});
      for (int k = 0; k < 5; ++k) step();  // in place, while it is written
      if (i == 2) {                        // what the third save has is only in the queue
        Pair same;
        checkpoints.wait();
        checkpoints.load(2, same.saved());
        const auto again = compile([&] { same.step(); }, *same.model, *same.optimizer);
        for (int k = 0; k < 5; ++k) again();
        expected.push_back(same.bytes());
      }
    }
    checkpoints.wait();
    for (std::int64_t i = 1; i <= 3; ++i) {
      Pair b(9);
      checkpoints.load(i, b.saved());
      EXPECT_EQ(b.bytes(), expected[static_cast<std::size_t>(i) - 1]) << name << " " << i;
    }
  }
}

TEST_F(CheckpointTest, KeepTheLastAndTheBest) {
  Pair a;
  Checkpoints checkpoints(folder_.path(), {.keep_last = 2});
  const std::vector<std::optional<double>> metrics{0.5, 0.2, 0.9, std::nullopt, std::nan(""), 0.3};
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    checkpoints.save(a.saved(), {.step = static_cast<std::int64_t>(i) * 10}, metrics[i]);
  }
  checkpoints.wait();
  EXPECT_EQ(checkpoints.steps(), (std::vector<std::int64_t>{10, 40, 50}));
  EXPECT_EQ(checkpoints.best(), 10);
  checkpoints.save(a.saved(), {.step = 60}, 0.1);
  checkpoints.wait();
  EXPECT_EQ(checkpoints.steps(), (std::vector<std::int64_t>{50, 60}));
  EXPECT_EQ(listed(folder_.path()).size(), 2U) << "nothing else is left";

  const RunFolder other;
  Checkpoints largest(other.path(), {.keep_last = 1});
  for (std::int64_t i = 0; i < 4; ++i) largest.save(a.saved(), {.step = i}, i == 1 ? 5.0 : 1.0, true);
  largest.wait();
  EXPECT_EQ(largest.steps(), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(largest.best(), 1);

  const RunFolder third;
  Checkpoints all(third.path(), {.keep_last = 0});
  for (std::int64_t i = 0; i < 5; ++i) all.save(a.saved(), {.step = i});
  all.wait();
  EXPECT_EQ(all.steps().size(), 5U);
}

TEST_F(CheckpointTest, ASecondSaveOfAStepReplacesTheFirst) {
  Pair a;
  Checkpoints checkpoints(folder_.path());
  checkpoints.save(a.saved(), {.step = 5, .values = {{"which", "first"}}});
  a.step();
  checkpoints.save(a.saved(), {.step = 5, .values = {{"which", "second"}}});
  checkpoints.wait();
  Pair b(2);
  EXPECT_EQ(checkpoints.load(5, b.saved()).values.at("which"), "second");
  EXPECT_EQ(b.bytes(), a.bytes());
  EXPECT_EQ(listed(folder_.path()), std::vector<std::string>{"step-000005"});
}

TEST_F(CheckpointTest, WhatAKilledProcessLeftIsNotReadAndRemoved) {
  Pair a;
  {
    Checkpoints checkpoints(folder_.path());
    checkpoints.save(a.saved(), {.step = 1});
  }
  fs::create_directories(folder_.path() / ".step-000002.tmp");  // in the middle of a save
  write_text(folder_.path() / ".step-000002.tmp" / "model.safetensors", "half");
  fs::create_directories(folder_.path() / ".step-000000.tmp");  // in the middle of a removal
  fs::rename(at(1), folder_.path() / "step-000001.old");        // between the two renames of a replacement
  fs::create_directories(folder_.path() / "step-000009");       // not ours: no run.json
  write_text(folder_.path() / "step-0000x1", "");
  Checkpoints checkpoints(folder_.path());
  EXPECT_EQ(checkpoints.steps(), std::vector<std::int64_t>{1});
  Pair b(2);
  checkpoints.load(1, b.saved());
  EXPECT_EQ(b.bytes(), a.bytes());
  checkpoints.save(a.saved(), {.step = 3});
  checkpoints.wait();
  EXPECT_EQ(listed(folder_.path()),
            (std::vector<std::string>{"step-000001", "step-000003", "step-000009", "step-0000x1"}));
}

/// What load() says after a change, and that nothing was loaded.
void expect_refused(Checkpoints& from, std::int64_t step, ErrorKind kind, const std::vector<std::string>& words) {
  Pair b(2);
  const auto before = b.bytes();
  const Error e = error_of([&] { from.load(step, b.saved()); });
  EXPECT_EQ(e.kind(), kind) << e.what();
  for (const std::string& word : words) EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
  EXPECT_EQ(b.bytes(), before);
}

TEST_F(CheckpointTest, EveryTruncationIsRefused) {
  Pair a;
  Checkpoints checkpoints(folder_.path());
  checkpoints.save(a.saved(), {.step = 1, .values = {{"loader", "x"}}});
  checkpoints.wait();
  for (const std::string& name : listed(at(1))) {
    const std::string whole = text_of(at(1) / name);
    for (std::size_t length = 0; length < whole.size(); length += std::max<std::size_t>(whole.size() / 23, 1)) {
      if (name == "run.json" && length + 2 > whole.size()) continue;  // only the last line break is missing
      write_text(at(1) / name, whole.substr(0, length));
      expect_refused(checkpoints, 1, ErrorKind::kParse, {name});
    }
    write_text(at(1) / name, whole + "x");
    expect_refused(checkpoints, 1, ErrorKind::kParse, {name});
    write_text(at(1) / name, whole);
    if (name != "run.json") {
      fs::remove(at(1) / name);
      expect_refused(checkpoints, 1, ErrorKind::kParse, {name});
      write_text(at(1) / name, whole);
    }
  }
  Pair b(2);
  EXPECT_NO_THROW(checkpoints.load(1, b.saved()));
}

TEST_F(CheckpointTest, ChangedAndForeignFilesAreRefused) {
  Pair a;
  Checkpoints checkpoints(folder_.path());
  checkpoints.save(a.saved(), {.step = 1});
  a.step();
  checkpoints.save(a.saved(), {.step = 2});
  checkpoints.wait();
  const fs::path model = at(1) / "model.safetensors";
  const std::string whole = text_of(model);
  std::string changed = whole;
  changed.back() = static_cast<char>(changed.back() ^ 1);  // one bit of an element
  write_text(model, changed);
  expect_refused(checkpoints, 1, ErrorKind::kParse, {"model.safetensors", "the file was changed"});
  write_text(model, text_of(at(2) / "model.safetensors"));  // of another checkpoint, as long
  expect_refused(checkpoints, 1, ErrorKind::kParse, {"model.safetensors"});
  write_text(model, whole);
  fs::copy(at(1), at(8), fs::copy_options::recursive);  // under a wrong name
  expect_refused(checkpoints, 8, ErrorKind::kParse, {"run.json", "of step 1; 8"});
  expect_refused(checkpoints, 77, ErrorKind::kValue, {"no checkpoint of step 77", "1, 2, 8"});
  const std::string run = text_of(at(1) / "run.json");
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"tessera-checkpoint", "other"},
           {"\"version\": 1", "\"version\": 2"},
           {"\"version\": 1", "\"version\": \"1\""},
           {"\"step\": 1", "\"step\": -1"},
           {"\"step\": 1", "\"step\": 18446744073709551615"},
           {"\"step\": 1", "\"other\": 1"},
           {"\"files\"", "\"no\""},
           {"\"values\": {}", "\"values\": []"},
           {"\"values\": {}", "\"values\": {\"a\": 1}"},
           {"\"bytes\":", "\"bytes\": 1, \"x\":"},
           {"{", "[{"},
       }) {
    std::string text = run;
    const std::size_t found = text.find(from);
    ASSERT_NE(found, std::string::npos) << from;
    write_text(at(1) / "run.json", text.replace(found, from.size(), to));
    expect_refused(checkpoints, 1, ErrorKind::kParse, {""});
  }
}

TEST_F(CheckpointTest, EveryMemberOfRunJsonIsChecked) {
  Pair a;
  Checkpoints checkpoints(folder_.path());
  checkpoints.save(a.saved(), {.step = 1, .values = {{"loader", "x"}}}, 0.5);
  checkpoints.wait();
  const TestJson run = TestJson::parse(text_of(at(1) / "run.json"));
  int count = 0;
  for (const std::string member :
       {"/format", "/version", "/step", "/metric", "/maximize", "/values", "/values/loader", "/files",
        "/files/model.safetensors", "/files/model.safetensors/bytes", "/files/model.safetensors/hash"}) {
    const TestJson::json_pointer pointer(member);
    ASSERT_TRUE(run.contains(pointer)) << member;
    for (const TestJson& hostile : hostile_values()) {
      if (member == "/metric" && hostile.is_number()) continue;
      if (member == "/values/loader" && hostile.is_string()) continue;
      if (member == "/values" && hostile.is_object() && hostile.empty()) continue;
      if (member == "/maximize" && hostile.is_boolean()) continue;
      TestJson changed = run;
      changed[pointer] = hostile;
      SCOPED_TRACE(member + " " + hostile.dump().substr(0, 100));
      write_text(at(1) / "run.json", changed.dump());
      expect_refused(checkpoints, 1, ErrorKind::kParse, {at(1).filename().string()});
      ++count;
    }
  }
  EXPECT_GT(count, 100);
  write_text(at(1) / "run.json", run.dump());
  EXPECT_EQ(checkpoints.load(1, a.saved()).step, 1);
}

/// A layer whose weight is quantized.
struct Quantized : nn::Module {
  explicit Quantized(DType dtype, float scale = 1)
      : weight(quantize(random_like_points(scale), dtype)), bytes(zeros({8}, u8)) {}
  void fields(nn::Fields& f) override {
    f("weight", weight);
    f("bytes", bytes);
  }
  static Tensor random_like_points(float scale) {
    std::vector<float> values;
    for (int i = 0; i < 3 * 512; ++i) values.push_back(scale * std::sin(static_cast<float>(i)));
    return Tensor(values, {3, 512});
  }
  Tensor weight, bytes;
};

TEST_F(CheckpointTest, BlocksComeBackBitForBit) {
  for (const DType dtype : {q4_0, q8_0, q4_k, q6_k, mxfp4}) {
    const RunFolder folder;
    Quantized model(dtype);
    Quantized other(dtype, 3);
    const std::vector<std::byte> before = to_blocks(model.weight);
    Checkpoints checkpoints(folder.path());
    checkpoints.save({{"model", &model}}, {.step = 1});
    model.weight = other.weight;
    checkpoints.wait();
    checkpoints.load(1, {{"model", &model}});
    EXPECT_EQ(model.weight.dtype(), dtype);
    EXPECT_EQ(model.weight.shape(), Shape({3, 512}));
    EXPECT_EQ(to_blocks(model.weight), before) << name(dtype);
  }
}

TEST_F(CheckpointTest, BlocksOfAnotherKindAreRefused) {
  struct Bytes : nn::Module {
    explicit Bytes(Tensor w) : weight(std::move(w)), bytes(zeros({8}, u8)) {}
    void fields(nn::Fields& f) override {
      f("weight", weight);
      f("bytes", bytes);
    }
    Tensor weight, bytes;
  };
  Quantized quantized(q8_0);
  Checkpoints checkpoints(folder_.path());
  checkpoints.save({{"model", &quantized}}, {.step = 1});
  const std::int64_t size = 3 * 16 * 34;
  Bytes u8_weight(zeros({size}, u8));
  checkpoints.save({{"model", &u8_weight}}, {.step = 2});
  Bytes f32_weight(zeros({3, 512}));
  checkpoints.save({{"model", &f32_weight}}, {.step = 3});
  checkpoints.wait();
  Quantized q4(q4_0);
  Quantized wider(q8_0);
  wider.weight = quantize(zeros({6, 256}), q8_0);  // as many bytes
  const auto refused = [&](std::int64_t step, nn::Module& model, const std::string& word) {
    const Error e = error_of([&] { checkpoints.load(step, {{"model", &model}}); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
    EXPECT_NE(std::string(e.what()).find("the tensor 'weight' of"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
  };
  refused(1, q4, "has the blocks q8_0 [3, 512]; q4_0 [3, 512] is expected");
  refused(1, wider, "has the blocks q8_0 [3, 512]; q8_0 [6, 256] is expected");
  refused(1, u8_weight, "has the dtype q8_0 [3, 512]; u8 is expected");
  refused(1, f32_weight, "has the dtype q8_0 [3, 512]; f32 is expected");
  refused(2, quantized, "has the dtype u8; q8_0 [3, 512] is expected");
  refused(3, quantized, "has the dtype f32; q8_0 [3, 512] is expected");
}

// After a power failure the folders of a checkpoint are there too.
TEST_F(CheckpointTest, EveryFolderIsSynced) {
  std::set<fs::path> synced;
  const fs::path folder = folder_.path() / "deep" / "er" / "checkpoints";
  Pair a;
  {
    const OnSync watch([&](const fs::path& path) { synced.insert(path); });
    Checkpoints checkpoints(folder);
    checkpoints.save(a.saved(), {.step = 1});
    checkpoints.wait();
  }
  const fs::path root = fs::canonical(folder_.path());
  for (const char* path : {"", "deep", "deep/er", "deep/er/checkpoints", "deep/er/checkpoints/.step-000001.tmp"}) {
    EXPECT_TRUE(synced.contains(*path == 0 ? root : root / path)) << path;
  }
  synced.clear();
  {
    const OnSync watch([&](const fs::path& path) { synced.insert(path); });
    train::RunLog log(folder_.path() / "run" / "s");
    log.write(1, "train", {{"loss", 1}});
    log.flush();
  }
  for (const char* path : {"", "run", "run/s", "run/s/log.jsonl"}) {
    EXPECT_TRUE(synced.contains(*path == 0 ? root : root / path)) << path;
  }
}

TEST_F(CheckpointTest, ObjectsThatDoNotFitAreRefused) {
  Pair a;
  Checkpoints checkpoints(folder_.path());
  checkpoints.save({{"model", &*a.model}}, {.step = 1});
  nn::Sequential wider(nn::Linear(3, 4), nn::Tanh(), nn::Linear(4, 3));
  nn::Sequential longer(nn::Linear(3, 4), nn::Tanh(), nn::Linear(4, 2), nn::Linear(2, 2));
  nn::Sequential shorter(nn::Linear(3, 4));
  nn::Sequential half(nn::Linear(3, 4), nn::Tanh(), nn::Linear(4, 2));
  half.to(f16);
  const auto refused = [&](nn::Module& model, const std::string& word) {
    const auto before = hashes_of(model);
    const Error e = error_of([&] { checkpoints.load(1, {{"model", &model}}); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
    EXPECT_NE(std::string(e.what()).find("model.safetensors"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    EXPECT_EQ(hashes_of(model), before);
  };
  refused(wider, "has the shape [2, 4]; [3, 4] is expected");
  refused(wider, "'2.weight'");
  refused(longer, "no tensor '3.weight'");
  refused(shorter, "has a tensor '2.");
  refused(half, "has the dtype f32; f16 is expected");
  EXPECT_EQ(error_of([&] { checkpoints.load(1, a.saved()); }).kind(), ErrorKind::kParse);  // no optimizer
  for (const char* bad : {"", "a/b", ".hidden", "a\\b"}) {
    EXPECT_EQ(error_of([&] { checkpoints.save({{bad, &*a.model}}, {.step = 1}); }).kind(), ErrorKind::kValue);
  }
  EXPECT_EQ(error_of([&] { checkpoints.save({{"m", &*a.model}, {"m", &*a.model}}, {.step = 1}); }).kind(),
            ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { checkpoints.save({{"m", nullptr}}, {.step = 1}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { checkpoints.save(a.saved(), {.step = -1}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { checkpoints.save(a.saved(), {.step = 1, .values = {{"a", "\xff"}}}); }).kind(),
            ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { const Checkpoints none("", {}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { const Checkpoints none("x", {.keep_last = -1}); }).kind(), ErrorKind::kValue);
}

TEST_F(CheckpointTest, AFullDiskLosesNoEarlierCheckpoint) {
  Pair a;
  Checkpoints checkpoints(folder_.path(), {.keep_last = 1});
  checkpoints.save(a.saved(), {.step = 1});
  checkpoints.wait();
  const auto before = a.bytes();
  a.step();
  for (const rlim_t bytes : {0, 100, 500}) {  // in the first file, in the second one
    const FullDisk full(bytes);
    checkpoints.save(a.saved(), {.step = 2});
    EXPECT_EQ(error_of([&] { checkpoints.wait(); }).kind(), ErrorKind::kIo);
    EXPECT_NO_THROW(checkpoints.wait()) << "it is thrown once";
    checkpoints.save(a.saved(), {.step = 1});  // not even its own
    EXPECT_EQ(error_of([&] { checkpoints.save(a.saved(), {.step = 3}); }).kind(), ErrorKind::kIo);
    EXPECT_EQ(listed(folder_.path()), std::vector<std::string>{"step-000001"});
  }
  Pair b(2);
  checkpoints.load(1, b.saved());
  EXPECT_EQ(b.bytes(), before);
  checkpoints.save(a.saved(), {.step = 4});
  checkpoints.wait();
  EXPECT_EQ(checkpoints.steps(), std::vector<std::int64_t>{4});
}

TEST_F(CheckpointTest, AFileWhereTheFolderShouldBe) {
  Pair a;
  write_text(folder_.path() / "file", "text");
  Checkpoints checkpoints(folder_.path() / "file");
  checkpoints.save(a.saved(), {.step = 1});
  EXPECT_EQ(error_of([&] { checkpoints.wait(); }).kind(), ErrorKind::kIo);
  Checkpoints below(folder_.path() / "file" / "below");
  below.save(a.saved(), {.step = 1});
  EXPECT_EQ(error_of([&] { below.wait(); }).kind(), ErrorKind::kIo);
  EXPECT_EQ(text_of(folder_.path() / "file"), "text");
  below.save(a.saved(), {.step = 1});  // a failure that nobody asks for is no crash
}

TEST_F(CheckpointTest, AreMoved) {
  Pair a;
  Checkpoints first(folder_.path());
  first.save(a.saved(), {.step = 1});
  Checkpoints second(std::move(first));
  second.save(a.saved(), {.step = 2});
  const RunFolder other;
  Checkpoints third(other.path());
  third.save(a.saved(), {.step = 3});
  third = std::move(second);
  third.wait();
  EXPECT_EQ(third.steps(), (std::vector<std::int64_t>{1, 2}));
}

}  // namespace
}  // namespace tessera::test
