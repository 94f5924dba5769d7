// The compiled steps of generation: a chunk of a prompt, the next token, and scores of tokens.
#include <array>

#include <fmt/format.h>

#include "llm/generate/loaded_model.h"
#include "tessera/activations.h"
#include "tessera/index.h"
#include "tessera/ops.h"
#include "tessera/sort.h"

namespace tessera::llm {

namespace {

constexpr std::array<std::int64_t, 4> kChunks{8, 32, 128, 512};

/// The tensors of a cache or a sampler, in the order of its fields.
void append_fields(nn::Stateful& object, std::vector<Tensor>& out) {
  nn::visit(object, [&](const nn::Field& f) { out.push_back(f.tensor); });
}
void replace_fields(nn::Stateful& object, std::span<const Tensor>& rest) {
  nn::visit(object, [&](const nn::Field& f) {
    f.tensor = rest.front();
    rest = rest.subspan(1);
  });
}

/// What a step is compiled for besides its arguments.
std::string key_of(std::string_view step, const Cache& cache) {
  const PageOptions& p = cache.pages();
  return fmt::format("{} {} {} {} {} {} {}", step, cache.batch(), cache.context(), name(cache.k[0].dtype()), p.size,
                     p.count, p.chunk);
}

std::string key_of(const Sampler& sampler, std::optional<std::int64_t> logprobs) {
  return fmt::format("{} {}", logprobs.value_or(-1), key_of(sampler.options()));
}

/// Arguments that a step does not donate, and the state that it does. Results are those in front of the state.
std::vector<Tensor> run(const Compiled& step, std::vector<Tensor> arguments,
                        std::initializer_list<nn::Stateful*> state) {
  const std::size_t own = arguments.size();
  for (nn::Stateful* s : state) append_fields(*s, arguments);
  const std::size_t count = arguments.size() - own;
  std::vector<Tensor> results = step(arguments);
  arguments.clear();
  std::span<const Tensor> rest = std::span<const Tensor>(results).last(count);
  for (nn::Stateful* s : state) replace_fields(*s, rest);
  results.resize(results.size() - count);
  return results;
}

CompileOptions donating(std::size_t first, std::size_t count) {
  CompileOptions options;
  for (std::size_t i = 0; i < count; ++i) options.donate.push_back(static_cast<int>(first + i));
  return options;
}

std::size_t count_of(nn::Stateful& object) {
  std::size_t count = 0;
  nn::visit(object, [&](const nn::Field&) { ++count; });
  return count;
}

Tensor ints(const std::vector<std::int32_t>& values, const Shape& shape, const Device& device) {
  return {values, shape, device};
}

}  // namespace

std::string key_of(const SamplingOptions& o) {
  std::string key = fmt::format("{} {} {} {} {} {} {} {}", o.temperature, o.top_k, o.top_p, o.min_p, o.typical_p,
                                o.repetition_penalty, o.frequency_penalty, o.presence_penalty);
  for (const auto& [token, bias] : o.logit_bias) key += fmt::format(" {}:{}", token, bias);
  return key;
}

std::int64_t chunk_of(std::int64_t left, std::int64_t room, std::int64_t most) {
  std::int64_t whole = 1;  // the largest size that is not padded
  for (const std::int64_t size : kChunks) {
    if (size > room || size > most) break;
    // Padding of more than a half is worse than a second chunk.
    if (size >= left) return left > size / 2 || whole == 1 ? size : whole;
    whole = size;
  }
  return whole;
}

void set_lengths(Cache& cache, const std::vector<std::int32_t>& lengths, const Device& device) {
  cache.lengths = ints(lengths, {static_cast<std::int64_t>(lengths.size())}, device);
}

void LoadedModel::prefill(const std::vector<std::int32_t>& ids, const std::vector<std::int32_t>& lengths,
                          const std::vector<std::int32_t>& sequences, Cache& cache) {
  const auto batch = static_cast<std::int64_t>(lengths.size());
  const auto tokens = static_cast<std::int64_t>(ids.size()) / batch;
  std::vector<Tensor> arguments{ints(ids, {batch, tokens}, device()), ints(lengths, {batch}, device())};
  if (!sequences.empty()) arguments.push_back(ints(sequences, {batch}, device()));
  const std::size_t own_arguments = arguments.size();
  const Compiled step = compiled.at(key_of("prefill", cache), [&] {
    const auto function = [this, own_arguments, like = like(cache)](const std::vector<Tensor>& in) {
      Cache own = like();
      std::span<const Tensor> rest = std::span<const Tensor>(in).subspan(own_arguments);
      replace_fields(own, rest);
      const Tensor which = own_arguments > 2 ? in[2] : Tensor();
      // Logits are not computed.
      (void)model.forward(in[0], own, {.lengths = in[1], .last = true, .sequences = which});
      std::vector<Tensor> out;
      append_fields(own, out);
      return out;
    };
    return Compiled(Compiled::Function(function), donating(own_arguments, count_of(cache)));
  });
  (void)run(step, std::move(arguments), {&cache});
}

/// Makes an empty cache like this one, in a trace.
std::function<Cache()> LoadedModel::like(const Cache& cache) const {
  return [this, batch = cache.batch(), context = cache.context(), pages = cache.pages()] {
    return this->cache(batch, context, pages);
  };
}

Tensor LoadedModel::next_logits(const Tensor& tokens, const Rows& rows, Cache& cache) {
  const Tensor before = cache.lengths;
  const Tensor y = model.forward(tokens, cache, {.last = true, .sequences = rows.sequences});
  if (rows.counted.defined()) cache.lengths = index_add(before, {rows.sequences}, rows.counted);
  return y;
}

namespace {

/// The results of a choice: see LoadedModel::decode.
std::vector<Tensor> chosen_of(const Tensor& logits, Sampler& sampler, std::optional<std::int64_t> logprobs) {
  const Tensor chosen = sampler(logits);
  std::vector<Tensor> out{chosen};
  if (!logprobs) return out;
  const Tensor all = logits - logsumexp(logits, {-1}, true);
  out.push_back(take_along_axis(all, chosen, 1));
  if (*logprobs > 0) {
    const Indexed top = topk(all, *logprobs, -1);
    out.push_back(top.values);
    out.push_back(cast(top.indices, i32));
  }
  return out;
}

}  // namespace

std::vector<Tensor> LoadedModel::decode(const Tensor& tokens, const Rows& rows, Cache& cache, Sampler& sampler,
                                        std::optional<std::int64_t> logprobs) {
  std::vector<Tensor> arguments{tokens};
  if (rows.sequences.defined()) arguments.insert(arguments.end(), {rows.sequences, rows.counted});
  const std::size_t own_arguments = arguments.size();
  const std::string key = fmt::format("{} {} {}", key_of("decode", cache), tokens.size(0), key_of(sampler, logprobs));
  const Compiled step = compiled.at(key, [&] {
    const auto function = [this, own_arguments, logprobs, like = like(cache), batch = tokens.size(0),
                           options = sampler.options()](const std::vector<Tensor>& in) {
      Cache own = like();
      Sampler chooser(options, batch, model.config().vocabulary, 0, device());
      std::span<const Tensor> rest = std::span<const Tensor>(in).subspan(own_arguments);
      replace_fields(own, rest);
      replace_fields(chooser, rest);
      const Rows at = own_arguments > 1 ? Rows{in[1], in[2]} : Rows{};
      std::vector<Tensor> out = chosen_of(next_logits(in[0], at, own), chooser, logprobs);
      append_fields(own, out);
      append_fields(chooser, out);
      return out;
    };
    return Compiled(Compiled::Function(function), donating(own_arguments, count_of(cache) + count_of(sampler)));
  });
  return run(step, std::move(arguments), {&cache, &sampler});
}

Tensor LoadedModel::logits(const Tensor& tokens, const Rows& rows, Cache& cache) {
  const Compiled step = compiled.at(key_of("logits", cache), [&] {
    const auto function = [this, like = like(cache)](const std::vector<Tensor>& in) {
      Cache own = like();
      std::span<const Tensor> rest = std::span<const Tensor>(in).subspan(3);
      replace_fields(own, rest);
      std::vector<Tensor> out{next_logits(in[0], {in[1], in[2]}, own)};
      append_fields(own, out);
      return out;
    };
    return Compiled(Compiled::Function(function), donating(3, count_of(cache)));
  });
  return run(step, {tokens, rows.sequences, rows.counted}, {&cache})[0];
}

std::vector<Tensor> LoadedModel::choose(const Tensor& logits, const Tensor& rows, Sampler& sampler,
                                        std::optional<std::int64_t> logprobs) {
  const std::string key = fmt::format("choose {} {}", rows.size(0), key_of(sampler, logprobs));
  const Compiled step = compiled.at(key, [&] {
    const auto function = [this, logprobs, batch = rows.size(0),
                           options = sampler.options()](const std::vector<Tensor>& in) {
      Sampler chooser(options, batch, model.config().vocabulary, 0, device());
      std::span<const Tensor> rest = std::span<const Tensor>(in).subspan(2);
      replace_fields(chooser, rest);
      std::vector<Tensor> out = chosen_of(take(in[0], in[1], 0), chooser, logprobs);
      append_fields(chooser, out);
      return out;
    };
    return Compiled(Compiled::Function(function), donating(2, count_of(sampler)));
  });
  return run(step, {logits, rows}, {&sampler});
}

Tensor LoadedModel::score(const std::vector<std::int32_t>& ids, const std::vector<std::int32_t>& targets,
                          std::int32_t length, Cache& cache) {
  const auto tokens = static_cast<std::int64_t>(ids.size());
  const Compiled step = compiled.at(key_of("score", cache), [&] {
    const auto function = [this, like = like(cache)](const std::vector<Tensor>& in) {
      Cache own = like();
      std::span<const Tensor> rest = std::span<const Tensor>(in).subspan(3);
      replace_fields(own, rest);
      const Tensor logits = model.forward(in[0], own, {.lengths = in[2]});
      const Tensor chosen = take_along_axis(logits, expand_dims(in[1], -1), 2);
      std::vector<Tensor> out{reshape(chosen - logsumexp(logits, {-1}, true), {in[0].size(1)})};
      append_fields(own, out);
      return out;
    };
    return Compiled(Compiled::Function(function), donating(3, count_of(cache)));
  });
  const Device on = device();
  return run(step, {ints(ids, {1, tokens}, on), ints(targets, {1, tokens}, on), ints({length}, {1}, on)}, {&cache})[0];
}

}  // namespace tessera::llm
