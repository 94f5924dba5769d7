// Sums of numbers as a language.
#include "train/sums.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "train/files.h"

namespace tessera::app {

namespace {

std::string question(const Sum& sum) { return fmt::format("{}+{}=", sum.a, sum.b); }

/// The digits of a number from the last to the first, as subscripts.
std::string scratch(std::int64_t number) {
  std::string out;
  for (const char c : std::to_string(number))
    out.insert(0, std::string("\xE2\x82") + static_cast<char>(0x80 + (c - '0')));
  return out;
}

/// What of a line is no scratch digit.
std::string visible(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x80) out += c;
  }
  return out;
}

}  // namespace

Sums::Sums(int digits, std::uint64_t seed)
    : digits_(digits), limit_(1), characters_("\n+0123456789=" + scratch(9876543210)) {
  if (digits < 1 || digits > 4) {
    throw Error(ErrorKind::kValue, fmt::format("Sums of {} digits were asked for; 1 to 4 are expected.", digits));
  }
  for (int i = 0; i < digits; ++i) limit_ *= 10;
  const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(limit_ * limit_ / 10, 1000));
  std::mt19937_64 random(seed ^ 0x53756d73U);
  const auto number = [&] { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit_)); };
  while (held_out_.size() < wanted) {
    const Sum sum{number(), number()};
    if (held_out_keys_.insert(key(sum)).second) held_out_.push_back(sum);
  }
}

Batch Sums::batch_of(const std::vector<Sum>& sums) const {
  const auto width = static_cast<std::size_t>(context() - 1);
  Tokens tokens;
  Tokens targets;
  for (const Sum& sum : sums) {
    const std::string asked = question(sum);
    const Tokens line = characters_.encode(fmt::format("{}{}{}\n", asked, scratch(sum.a + sum.b), sum.a + sum.b));
    const std::size_t end = tokens.size() + width;
    tokens.insert(tokens.end(), line.begin(), line.end() - 1);
    targets.insert(targets.end(), asked.size() - 1, kIgnored);
    targets.insert(targets.end(), line.begin() + static_cast<std::ptrdiff_t>(asked.size()), line.end());
    tokens.resize(end, 0);  // what follows the line has no loss
    targets.resize(end, kIgnored);
  }
  const Shape shape{static_cast<std::int64_t>(sums.size()), static_cast<std::int64_t>(width)};
  return {Tensor(tokens, shape), Tensor(targets, shape)};
}

Batch Sums::draw(std::int64_t batch, std::mt19937_64& random) const {
  const auto number = [&] { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit_)); };
  std::vector<Sum> sums;
  while (static_cast<std::int64_t>(sums.size()) < batch) {
    const Sum sum{number(), number()};
    if (!held_out_keys_.contains(key(sum))) sums.push_back(sum);
  }
  return batch_of(sums);
}

std::vector<std::string> Sums::answers(Llama& model, const std::vector<Sum>& sums) const {
  std::map<std::size_t, std::vector<std::size_t>> by_length;  // positions of the questions of each length
  for (std::size_t i = 0; i < sums.size(); ++i) by_length[question(sums[i]).size()].push_back(i);
  std::vector<std::string> out(sums.size());
  for (const auto& [length, positions] : by_length) {
    std::vector<Tokens> rows;
    for (const std::size_t i : positions) rows.push_back(characters_.encode(question(sums[i])));
    const std::vector<Tokens> written = generate(model, rows, {.count = 2 * digits_ + 3});
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::string text = characters_.decode(written[i]);
      out[positions[i]] = visible(text.substr(0, text.find('\n')));
    }
  }
  return out;
}

double Sums::exact_match(Llama& model, const std::vector<Sum>& sums) const {
  const std::vector<std::string> all = answers(model, sums);
  std::size_t right = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) right += all[i] == std::to_string(sums[i].a + sums[i].b) ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(sums.size());
}

void Sums::hide_scratch(const std::filesystem::path& folder) const {
  const std::filesystem::path file = folder / "tokenizer.json";
  Json all = read_json(file);
  for (int digit = 0; digit < 10; ++digit) {
    const std::string text = scratch(digit);
    all["added_tokens"].push_back({{"id", characters_.encode(text)[0]},
                                   {"content", text},
                                   {"single_word", false},
                                   {"lstrip", false},
                                   {"rstrip", false},
                                   {"normalized", false},
                                   {"special", true}});
  }
  write_json(file, all);
}

Sum Sums::parse(std::string_view text) const {
  std::string plain;
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\r') plain += c;
  }
  if (plain.ends_with('=')) plain.pop_back();
  const std::size_t plus = plain.find('+');
  const auto number = [&](const std::string& part) -> std::int64_t {
    if (part.empty() || part.size() > 9 || part.find_first_not_of("0123456789") != std::string::npos) {
      throw Error(ErrorKind::kValue, fmt::format("{} is not a sum; one such as 27+58 is expected.", in_quotes(text)));
    }
    const std::int64_t value = std::stoll(part);
    if (value >= limit_) {
      throw Error(ErrorKind::kValue,
                  fmt::format("The model learned numbers up to {}; {} was given.", limit_ - 1, value));
    }
    return value;
  };
  return {number(plain.substr(0, plus)), number(plus == std::string::npos ? "" : plain.substr(plus + 1))};
}

}  // namespace tessera::app
