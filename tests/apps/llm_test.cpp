// The commands that run language models: output, pipes, files, and a chat on a terminal that Ctrl-C interrupts.
#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <pty.h>

#include "apps/support.h"
#include "llm/tiny_gguf.h"
#include "tessera/text.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using tessera::test::Outcome;
using tessera::test::run;

class Llm : public testing::Test {
 protected:
  void SetUp() override {
    if (tessera::text::library().path.empty()) GTEST_SKIP() << tessera::text::library().error;
    fs::create_directories(root_);
    tessera::test::save_tiny_gguf(model_);
  }
  void TearDown() override { fs::remove_all(root_); }
  [[nodiscard]] std::string model() const { return "'" + model_.string() + "' "; }
  [[nodiscard]] std::string input(const std::string& text) const {
    std::ofstream(root_ / "input") << text;
    return " <'" + (root_ / "input").string() + "'";
  }

  fs::path root_ = fs::temp_directory_path() / ("tessera-llm-" + std::to_string(getpid()));
  fs::path model_ = root_ / "tiny.gguf";
};

/// A program on a pseudo-terminal.
class Terminal {
 public:
  explicit Terminal(const std::vector<std::string>& arguments) {
    const auto binary = fs::read_symlink("/proc/self/exe").parent_path() / "tessera";
    pid_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (pid_ != 0) return;
    setenv("TESSERA_DEVICE", "cpu", 1);
    setenv("NO_COLOR", "1", 1);
    std::vector<char*> list;
    std::string name = binary.string();
    std::vector<std::string> copies = arguments;
    list.push_back(name.data());
    for (std::string& a : copies) list.push_back(a.data());
    list.push_back(nullptr);
    execv(name.c_str(), list.data());
    _exit(127);
  }
  ~Terminal() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(terminal_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void type(const std::string& text) const { ASSERT_EQ(write(terminal_, text.data(), text.size()), std::ssize(text)); }
  /// Whether this text comes within 20 seconds, behind what was waited for before.
  bool wait_for(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (;;) {
      if (const std::size_t at = seen_.find(text, from_); at != std::string::npos) {
        from_ = at + text.size();
        return true;
      }
      if (std::chrono::steady_clock::now() > end || !receive()) return false;
    }
  }
  /// Whether so many more bytes come within 20 seconds.
  bool wait_for(std::size_t bytes) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (seen_.size() < from_ + bytes) {
      if (std::chrono::steady_clock::now() > end || !receive()) return false;
    }
    return true;
  }
  int exit_code() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] const std::string& seen() const { return seen_; }

 private:
  /// Reads what is there, or waits a tenth of a second; false at the end.
  bool receive() {
    pollfd p{terminal_, POLLIN, 0};
    if (poll(&p, 1, 100) <= 0) return true;
    char bytes[4096];
    const ssize_t n = read(terminal_, bytes, sizeof bytes);
    if (n > 0) seen_.append(bytes, static_cast<std::size_t>(n));
    return n > 0;
  }

  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string seen_;
  std::size_t from_ = 0;
};

TEST_F(Llm, GenerateContinuesAPrompt) {
  const std::string options = "--max-tokens 12 --temperature 0.9 --top-k 50 --top-p 0.95 --min-p 0.01 --seed 4 ";
  const Outcome plain = run("generate " + model() + options + "'hello world'");
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_EQ(plain.err, "");
  const Outcome json = run("generate " + model() + options + "--logprobs 2 --json 'hello world'");
  ASSERT_EQ(json.code, 0) << json.err;
  const Json all = Json::parse(json.out);
  EXPECT_EQ(all["text"].get<std::string>() + "\n", plain.out);
  EXPECT_EQ(all["prompt"], "hello world");
  EXPECT_EQ(all["seed"], 4);
  EXPECT_EQ(all["finish"], "length");
  EXPECT_EQ(all["tokens"].size(), 12U);
  EXPECT_EQ(all["logprobs"].size(), 12U);
  EXPECT_EQ(all["logprobs"][0]["top"].size(), 2U);
  EXPECT_GT(all["decode_tok_s"].get<double>(), 0);
  // Standard input, a message, and a batch.
  EXPECT_EQ(run("generate " + model() + options + "-" + input("hello world\n")).out, plain.out);
  const Outcome chat = run("generate " + model() + options + "--chat --system brief --json hello");
  EXPECT_GT(Json::parse(chat.out)["prompt_tokens"].get<int>(), 12) << chat.err;
  const Outcome batch = run("generate " + model() + "--max-tokens 3 --ignore-eos --json hello world");
  std::istringstream lines(batch.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_EQ(Json::parse(line)["tokens"].size(), 3U);
  EXPECT_EQ(count, 2) << batch.err;
}

TEST_F(Llm, ErrorsAreSentences) {
  const auto refused = [&](const std::string& arguments, const std::string& part) {
    const Outcome o = run(arguments);
    EXPECT_EQ(o.code, 1) << arguments;
    EXPECT_TRUE(o.err.starts_with("tessera: ")) << o.err;
    EXPECT_NE(o.err.find(part), std::string::npos) << o.err;
  };
  refused("generate /no/such/model hello", "/no/such/model");
  refused("generate " + model() + "--context 3 'hello hello hello'", "room for 3");
  refused("generate " + model() + "--context 5000 hello", "5000");
  refused("generate " + model() + "--dtype f8 hello", "'f8'");
  refused("generate " + model() + "--temperature -1 hello", "temperature");
  refused("perplexity " + model() + "/no/such/file", "/no/such/file");
  tessera::test::save_tiny_gguf(root_ / "bare.gguf", {.vocabulary = false, .chat = false});
  refused("generate '" + (root_ / "bare.gguf").string() + "' hello", "has no tokenizer");
  refused("chat '" + (root_ / "bare.gguf").string() + "' </dev/null", "has no tokenizer");
  refused("generate '" TESSERA_SOURCE_DIR "/tests/llm/models/bert' hello", "tokenizer");
}

TEST_F(Llm, TokenizeEmbedPerplexity) {
  const Outcome tokens = run("tokenize --json " + model() + "'hello world'");
  ASSERT_EQ(tokens.code, 0) << tokens.err;
  EXPECT_EQ(Json::parse(tokens.out)["ids"][0], 1);
  const Outcome embeddings = run("embed --json " + model() + "hello 'world hello' -" + input("a\nb c\n"));
  ASSERT_EQ(embeddings.code, 0) << embeddings.err;
  std::istringstream lines(embeddings.out);
  std::vector<std::string> texts;
  for (std::string line; std::getline(lines, line);) {
    const Json row = Json::parse(line);
    texts.push_back(row["text"]);
    EXPECT_EQ(row["embedding"].size(), 32U);
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"hello", "world hello", "a", "b c"}));
  std::ofstream(root_ / "text") << std::string(300, 'a') + " hello world";
  const Outcome perplexity = run("perplexity --json --context 64 " + model() + "'" + (root_ / "text").string() + "'");
  ASSERT_EQ(perplexity.code, 0) << perplexity.err;
  const Json all = Json::parse(perplexity.out);
  EXPECT_GT(all["windows"].get<int>(), 5);
  EXPECT_GT(all["tokens"].get<int>(), 300);
  EXPECT_NEAR(all["perplexity"].get<double>(), std::exp(all["nll"].get<double>() / all["tokens"].get<double>()), 1e-6);
}

TEST_F(Llm, ChatOverAPipe) {
  const std::string saved = (root_ / "chat.safetensors").string();
  const std::string options = "--max-tokens 6 --seed 2 --temperature 0 --ignore-eos ";
  const Outcome chat = run("chat " + model() + options +
                           input("hello\n\"\"\"\na message\nof lines\"\"\"\nand \\\nmore\n/stats\n/history\n/save " +
                                 saved + "\n/exit\nnever\n"));
  ASSERT_EQ(chat.code, 0) << chat.err;
  EXPECT_EQ(chat.err, "");
  EXPECT_NE(chat.out.find("6 messages"), std::string::npos) << chat.out;
  EXPECT_NE(chat.out.find("user: a message\nof lines\n"), std::string::npos) << chat.out;
  EXPECT_NE(chat.out.find("user: and \nmore\n"), std::string::npos) << chat.out;
  EXPECT_NE(chat.out.find("saved: " + saved), std::string::npos) << chat.out;
  EXPECT_EQ(chat.out.find(">>>"), std::string::npos) << chat.out;
  EXPECT_EQ(chat.out.find('\033'), std::string::npos);
  // Continued from the file, the next answer is that of one long chat.
  const std::string before = "hello\n\"\"\"\na message\nof lines\"\"\"\nand \\\nmore\n";
  const Outcome whole = run("chat " + model() + options + input(before + "next\n"));
  const Outcome rest = run("chat " + model() + options + "--load '" + saved + "'" + input("next\n"));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_FALSE(rest.out.empty());
  EXPECT_TRUE(whole.out.ends_with(rest.out)) << whole.out << "|" << rest.out;
  // Errors are on the other stream, and the chat goes on.
  const Outcome bad = run("chat " + model() + options + input("/nonsense\n/load /no/such/file\n/retry\nhello\n"));
  EXPECT_EQ(bad.code, 1);
  EXPECT_NE(bad.err.find("no command /nonsense"), std::string::npos) << bad.err;
  EXPECT_NE(bad.err.find("/no/such/file"), std::string::npos) << bad.err;
  EXPECT_TRUE(whole.out.starts_with(bad.out)) << bad.out;
}

TEST_F(Llm, CtrlCStopsTheAnswerNotTheChat) {
  tessera::test::save_tiny_gguf(model_, {.width = 128, .layers = 4, .hidden = 512, .context = 32768});
  Terminal terminal({"chat", model_.string(), "--context", "32768", "--ignore-eos", "--seed", "1"});
  ASSERT_TRUE(terminal.wait_for("/help lists the commands")) << terminal.seen();
  ASSERT_TRUE(terminal.wait_for(">>> ")) << terminal.seen();
  terminal.type("hello\n");
  ASSERT_TRUE(terminal.wait_for("hello\r\n")) << terminal.seen();
  ASSERT_TRUE(terminal.wait_for(std::size_t{20})) << terminal.seen();  // of the answer
  terminal.type("\x03");
  ASSERT_TRUE(terminal.wait_for("; stopped]")) << terminal.seen();
  ASSERT_TRUE(terminal.wait_for(">>> ")) << terminal.seen();
  // At the prompt it does not end the chat either.
  terminal.type("\x03");
  ASSERT_TRUE(terminal.wait_for("ends the chat)")) << terminal.seen();
  terminal.type("/stats\n");
  ASSERT_TRUE(terminal.wait_for("2 messages")) << terminal.seen();
  terminal.type("/exit\n");
  EXPECT_EQ(terminal.exit_code(), 0);
}

TEST_F(Llm, TheExampleOfThePage) {
  const fs::path binary = fs::read_symlink("/proc/self/exe").parent_path() / "example_chat";
  if (!fs::exists(binary)) GTEST_SKIP() << "the examples are not built";
  const std::string command = "TESSERA_DEVICE=cpu '" + binary.string() + "' " + model() + input("hello\nand now\n") +
                              " >'" + (root_ / "output").string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const std::string out = tessera::test::read_file(root_ / "output");
  EXPECT_GE(out.find(" tokens/s\n"), 10U) << out;
  EXPECT_TRUE(out.ends_with(" tokens/s\n")) << out;
}

TEST_F(Llm, TrainAndGenerateWorkTogether) {
  const fs::path folder = root_ / "sums";
  const Outcome train =
      run("train gpt --steps 300 --layers 2 --width 32 --heads 2 --digits 1 --batch 64 --lr 1e-2 --seed 5 --out '" +
          folder.string() + "'");
  ASSERT_EQ(train.code, 0) << train.out << train.err;
  const Outcome sum = run("generate '" + folder.string() + "' '9+8='");
  EXPECT_EQ(sum.out, "17\n") << sum.err << train.out;
  const Outcome json = run("generate '" + folder.string() + "' --json '3+4='");
  EXPECT_EQ(Json::parse(json.out)["finish"], "stop") << json.err;
  EXPECT_EQ(Json::parse(json.out)["tokens"].size(), 3U) << "a scratch digit, 7, and the end of the line";
  const Outcome chat = run("chat '" + folder.string() + "'" + input("3+4=\n9+8=\n"));
  EXPECT_EQ(chat.out, "7\n17\n") << chat.err;
}

}  // namespace
