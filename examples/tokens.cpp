// Text and tokens: a tokenizer of a small vocabulary, a stream of its tokens, and a chat template.
#include <iostream>

#include <tessera/tessera.h>

using namespace tessera;

int main() {
  if (!text::library().error.empty()) {
    std::cout << text::library().error << "\n";
    return 0;
  }
  text::GgufVocabulary vocabulary{.model = "llama",
                                  .tokens = {"<unk>", "<s>", "</s>", "▁ab", "a", "b", "▁b", "▁", "▁a"},
                                  .scores = {0, 0, 0, -1, -4, -5, -2, -6, -3},
                                  .token_type = {2, 3, 3, 1, 1, 1, 1, 1, 1}};
  text::Tokenizer tokenizer = text::Tokenizer::from_json(text::tokenizer_json(vocabulary));
  std::vector<text::TokenId> ids = tokenizer.encode("ab b");  // 1, 3, 6: <s>, ▁ab, ▁b

  text::StreamDecoder stream(tokenizer);  // text as soon as its characters are complete
  for (text::TokenId id : ids) std::cout << stream.push(id);
  std::cout << stream.finish() << "\n";

  text::ChatTemplate chat("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>");
  std::cout << chat.apply(R"([{"role": "user", "content": "Hi"}])") << "\n";
  return 0;
}
