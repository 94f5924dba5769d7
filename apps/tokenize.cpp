// `tessera tokenize`: the tokens of a text, with their ids.
#include <iostream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "tessera/text.h"

namespace tessera::app {

int tokenize(const TokenizeOptions& options) {
  using Json = nlohmann::ordered_json;
  const text::Tokenizer tokenizer(options.tokenizer);
  std::string input = options.text;
  if (input == "-") input.assign(std::istreambuf_iterator<char>(std::cin), {});
  const text::Encoding encoding = tokenizer.encode_with_offsets(input, {.add_special_tokens = options.special_tokens});
  Json tokens = Json::array();
  for (const text::TokenId id : encoding.ids) tokens.push_back(tokenizer.id_to_token(id).value_or(""));
  if (options.json) {
    fmt::print("{}\n", Json{{"ids", encoding.ids}, {"tokens", tokens}, {"offsets", encoding.offsets}}.dump());
    return 0;
  }
  for (std::size_t i = 0; i < encoding.ids.size(); ++i) fmt::print("{:6}  {}\n", encoding.ids[i], tokens[i].dump());
  return 0;
}

}  // namespace tessera::app
