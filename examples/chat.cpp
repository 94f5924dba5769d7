// A chat with a language model: example_chat MODEL, a Hugging Face folder or a GGUF file; each line of the input is a
// message.
#include <iostream>

#include <tessera/tessera.h>

using namespace tessera;

namespace {

void chat(const std::string& path) {
  llm::LanguageModel model = llm::LanguageModel::load(path);  // "Qwen3-0.6B-Q8_0.gguf", or a folder
  llm::Context context = model.context();                     // tokens, keys and values of this chat
  std::vector<text::Message> messages{{"system", "Answer in one sentence."}};
  for (std::string line; std::getline(std::cin, line);) {
    messages.push_back({"user", line});
    llm::Generation answer = model.chat(context, messages, {.max_tokens = 200}, [](const llm::GeneratedToken& token) {
      std::cout << token.text << std::flush;  // whole characters, as soon as they are known
    });
    std::cout << "\n" << answer.tokens.size() << " tokens, " << answer.decode_rate() << " tokens/s\n";
    messages.push_back({"assistant", answer.text});
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cout << "usage: example_chat MODEL\n";
    return argc == 1 ? 0 : 1;
  }
  try {
    chat(argv[1]);
  } catch (const Error& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
  return 0;
}
