// Sequences over the rows of a cache: who runs, chunks of prompts, steps, and the tokens that come of them.
#include "llm/generate/sequences.h"

#include <bit>
#include <numeric>
#include <random>

#include "tessera/index.h"
#include "tessera/ops.h"

namespace tessera::llm {

namespace {

using text::TokenId;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

template <class T>
std::span<const T> values_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

Tensor ints(const std::vector<std::int32_t>& values, const Shape& shape, const Device& device) {
  return {values, shape, device};
}

bool cancelled(const Sequence& s) { return s.options.cancel.stop_requested(); }

/// A few sizes serve all numbers of sequences.
std::int64_t padded(std::size_t count, std::int64_t most) {
  return std::min(static_cast<std::int64_t>(std::bit_ceil(count)), most);
}

/// Inserts in the order of add().
template <class Handles, class Handle>
void insert_by_id(Handles& to, const Handle& s) {
  to.insert(std::ranges::find_if(to, [&](const Handle& x) { return x->id > s->id; }), s);
}

}  // namespace

Sequence::Sequence(const LoadedModel& loaded, std::size_t number, std::vector<TokenId> prompt,
                   const GenerateOptions& given)
    : id(number),
      options(given),
      sampling(given.sampling.value_or(loaded.defaults.sampling)),
      end_tokens(given.end_tokens.value_or(loaded.defaults.end_tokens)),
      group(fmt::format("{} {}", given.logprobs.value_or(-1), key_of(sampling))),
      tokens(std::move(prompt)),
      stops(given.stop),
      start(Clock::now()) {
  if (loaded.tokenizer) {
    decoder.emplace(*loaded.tokenizer, text::DecodeOptions{.skip_special_tokens = given.skip_special_tokens});
  }
  result.seed = given.seed ? *given.seed : std::random_device()();
  result.prompt_tokens = count();
}

Sequences::Sequences(LoadedModel& loaded, Cache& cache, std::int64_t chunk)
    : loaded_(loaded), cache_(cache), chunk_(chunk), capacity_(cache.context()) {
  if (paged()) capacity_ = std::min(capacity_, cache.free_tokens());
  free_.resize(static_cast<std::size_t>(paged() ? cache.batch() - 1 : 1));
  std::iota(free_.rbegin(), free_.rend(), 0);
}

std::shared_ptr<Sequence> Sequences::add(std::size_t id, std::vector<TokenId> prompt, const GenerateOptions& options,
                                         std::int64_t cached) {
  auto s = std::make_shared<Sequence>(loaded_, id, std::move(prompt), options);
  (void)Sampler(s->sampling, 1, loaded_.model.config().vocabulary, 0, loaded_.device());  // checks the options
  s->position = cached;
  s->result.reused_tokens = cached;
  waiting_.push_back(s);
  return s;
}

BatchStep Sequences::step() {
  BatchStep out;
  const std::vector<Handle> running = running_;
  const std::deque<Handle> waiting = waiting_;
  const auto end_if_cancelled = [&](const Handle& s) {
    if (cancelled(*s)) finish(*s, FinishReason::kCancelled);
  };
  std::ranges::for_each(running, end_if_cancelled);
  std::ranges::for_each(waiting, end_if_cancelled);
  admit();
  prefill();
  if (!ahead_) ahead_ = submit();
  if (ahead_) {
    Step now = std::move(*ahead_);
    ahead_.reset();
    ahead_ = submit();
    take(now, out);
  }
  out.finished = std::exchange(finished_, {});
  return out;
}

// ---- Who runs ----

void Sequences::admit() {
  std::int64_t promised = 0;  // tokens of prompts that have no pages yet
  for (const Handle& s : running_) {
    if (!s->prefilled()) promised += s->count() - s->position;
  }
  while (!waiting_.empty() && !free_.empty()) {
    const Handle s = waiting_.front();
    if (s->unread > 0) return;  // its last token is not known yet
    const std::int64_t needed = std::min(s->count() + 1, capacity_);
    if (paged() && promised + needed > cache_.free_tokens()) return;
    promised += needed;
    waiting_.pop_front();
    s->row = free_.back();
    free_.pop_back();
    s->submitted = std::ssize(s->result.tokens);
    insert_by_id(running_, s);
    lengths_changed_ = true;
  }
}

void Sequences::leave(Sequence& s) {
  if (s.row < 0) return;
  if (paged()) cache_.release(s.row);
  free_.push_back(s.row);
  s.row = -1;
  std::erase_if(running_, [&](const Handle& x) { return x.get() == &s; });
  lengths_changed_ = true;
}

void Sequences::wait_again(Sequence& s) {
  const Handle own = *std::ranges::find(running_, &s, [](const Handle& x) { return x.get(); });
  leave(s);
  s.position = 0;
  insert_by_id(waiting_, own);
}

void Sequences::finish(Sequence& s, FinishReason reason) {
  if (s.done) return;
  s.done = true;
  s.result.finish = reason;
  if (s.result.prefill_seconds > 0) s.result.decode_seconds = seconds_since(s.start) - s.result.prefill_seconds;
  finished_.push_back(s.id);
  leave(s);
  std::erase_if(waiting_, [&](const Handle& x) { return x.get() == &s; });
}

void Sequences::cancel(Sequence& s) {
  finish(s, FinishReason::kCancelled);
  std::erase(finished_, s.id);
}

void Sequences::restart() {
  ahead_.reset();
  arranged_.clear();
  groups_.clear();
  for (const Handle& s : running_) {
    free_.push_back(s->row);
    s->row = -1;
    s->position = 0;
    insert_by_id(waiting_, s);
  }
  running_.clear();
  for (const Handle& s : waiting_) s->unread = 0;
  lengths_changed_ = true;
}

/// Takes pages for the next tokens of a sequence. Where there are too few, those that joined last wait again; false if
/// it is one of them.
bool Sequences::reserve(Sequence& s, std::int64_t tokens) {
  if (!paged()) return true;
  while (!cache_.can_reserve(s.row, s.position, s.position + tokens)) {
    Sequence& last = *running_.back();
    wait_again(last);
    if (&last == &s) return false;
  }
  cache_.reserve(s.row, s.position, s.position + tokens);
  return true;
}

void Sequences::write_lengths() {
  if (!lengths_changed_) return;
  std::vector<std::int32_t> lengths(static_cast<std::size_t>(cache_.batch()), 0);
  for (const Handle& s : running_) lengths[static_cast<std::size_t>(s->row)] = static_cast<std::int32_t>(s->position);
  set_lengths(cache_, lengths, loaded_.device());
  lengths_changed_ = false;
}

// ---- Prompts ----

/// A chunk of the prompts, of as many sequences as have room in it.
void Sequences::prefill() {
  std::vector<Handle> rows;
  std::int64_t size = 0;
  const std::vector<Handle> running = running_;
  for (const Handle& s : running) {
    if (s->row < 0 || s->prefilled()) continue;
    const std::int64_t room = cache_.context() - s->position;
    const auto fits = [&](std::int64_t n) {
      return !paged() || cache_.can_reserve(s->row, s->position, s->position + n);
    };
    if (rows.empty()) {
      const std::int64_t left = s->count() - 1 - s->position;
      size = chunk_of(left, room, chunk_);
      while (size > 1 && !fits(size)) size = chunk_of(left, size - 1, chunk_);
      if (!reserve(*s, size)) return;
    } else {
      if ((std::ssize(rows) + 1) * size > chunk_) break;
      if (room < size || !fits(size)) continue;
      (void)reserve(*s, size);
    }
    rows.push_back(s);
  }
  if (!rows.empty()) {
    rows.resize(std::bit_floor(rows.size()));
    std::vector<std::int32_t> ids;
    std::vector<std::int32_t> lengths;
    std::vector<std::int32_t> sequences;
    for (const Handle& s : rows) {
      const std::int64_t count = std::min(size, s->count() - 1 - s->position);
      const std::size_t end = ids.size() + static_cast<std::size_t>(size);
      const auto from = s->tokens.begin() + s->position;
      ids.insert(ids.end(), from, from + count);
      ids.resize(end, 0);
      lengths.push_back(static_cast<std::int32_t>(count));
      if (paged()) sequences.push_back(static_cast<std::int32_t>(s->row));
    }
    write_lengths();
    loaded_.prefill(ids, lengths, sequences, cache_);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i]->position += lengths[i];
  }
  for (const Handle& s : running) {
    if (s->row >= 0 && s->prefilled() && s->options.max_tokens == 0) finish(*s, FinishReason::kLength);
  }
}

// ---- Steps ----

/// Sequences that have not ended, and for which it is not known that they will have; there are pages for their tokens.
std::vector<std::shared_ptr<Sequence>> Sequences::participants() {
  std::vector<Handle> out;
  const std::vector<Handle> running = running_;
  for (const Handle& s : running) {
    const bool wanted = !s->options.max_tokens || s->submitted < *s->options.max_tokens;
    if (s->row >= 0 && s->prefilled() && wanted && s->position < capacity_ && reserve(*s, 1)) out.push_back(s);
  }
  return out;
}

std::optional<Sequences::Step> Sequences::submit() {
  const std::vector<Handle> rows = participants();
  if (rows.empty()) return std::nullopt;
  arrange(rows);
  write_lengths();
  Step step;
  std::vector<Tensor> results;
  if (groups_.size() == 1) {
    Group& all = groups_[0];
    results = loaded_.decode(tokens_, rows_, cache_, all.sampler, all.logprobs);
    tokens_ = results[0];
    for (std::size_t i = 0; i < rows.size(); ++i) step.places.push_back({rows[i], 0, i});
  } else {
    const Tensor logits = loaded_.logits(tokens_, rows_, cache_);
    std::vector<Tensor> chosen;
    for (Group& group : groups_) {
      const std::vector<Tensor> part = loaded_.choose(logits, group.rows, group.sampler, group.logprobs);
      for (std::size_t i = 0; i < group.members.size(); ++i) {
        const auto at = std::ranges::find(rows, group.members[i], [](const Handle& x) { return x.get(); });
        step.places.push_back({*at, results.size(), i});
      }
      chosen.push_back(part[0]);
      results.insert(results.end(), part.begin(), part.end());
    }
    std::ranges::sort(step.places, {}, [](const Step::Place& p) { return p.sequence->id; });
    tokens_ = tessera::take(concat(chosen, 0), order_, 0);
  }
  step.values = read_all(results);
  for (const Handle& s : rows) {
    ++s->position;
    ++s->submitted;
    ++s->unread;
  }
  return step;
}

/// Tokens, rows of the cache and samplers for these sequences. What is not known on the host yet comes from the latest
/// step, of which they were part.
void Sequences::arrange(const std::vector<Handle>& rows) {
  if (rows == arranged_) return;
  const Device device = loaded_.device();
  const std::int64_t padding = cache_.batch() - 1;  // its row
  const std::int64_t size = paged() ? padded(rows.size(), padding) : 1;
  const auto count = static_cast<std::size_t>(size);
  std::vector<std::int32_t> tokens(count, 0);
  std::vector<std::int32_t> from(count, -1);
  std::vector<std::int32_t> sequences(count, static_cast<std::int32_t>(padding));
  std::vector<std::int32_t> counted(count, 0);
  bool carried = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Sequence& s = *rows[i];
    sequences[i] = static_cast<std::int32_t>(s.row);
    counted[i] = 1;
    tokens[i] = static_cast<std::int32_t>(s.tokens.back());
    if (s.unread == 0) continue;
    from[i] = static_cast<std::int32_t>(std::ranges::find(arranged_, rows[i]) - arranged_.begin());
    carried = true;
  }
  const Tensor known = ints(tokens, {size, 1}, device);
  if (carried) {
    const Tensor at = ints(from, {size, 1}, device);
    const Tensor before = tessera::take(tokens_, reshape(maximum(at, 0), {size}), 0);
    tokens_ = where(greater_equal(at, 0), before, known);
  } else {
    tokens_ = known;
  }
  if (paged()) rows_ = {ints(sequences, {size}, device), ints(counted, {size}, device)};

  std::vector<std::vector<Sequence*>> members;
  for (const Handle& s : rows) {
    const auto same = [&](const std::vector<Sequence*>& x) { return x.front()->group == s->group; };
    const auto at = std::ranges::find_if(members, same);
    (at != members.end() ? *at : members.emplace_back()).push_back(s.get());
  }
  std::vector<Group> groups;
  std::vector<std::int32_t> order(count, 0);  // rows of all groups
  std::int32_t first = 0;
  for (std::vector<Sequence*>& each : members) {
    const std::int64_t of_group = members.size() == 1 ? size : padded(each.size(), size);
    std::vector<std::int32_t> at(static_cast<std::size_t>(of_group), 0);
    for (std::size_t i = 0; i < each.size(); ++i) {
      const auto row = std::ranges::find(rows, each[i], [](const Handle& x) { return x.get(); }) - rows.begin();
      at[i] = static_cast<std::int32_t>(row);
      order[static_cast<std::size_t>(row)] = first + static_cast<std::int32_t>(i);
    }
    first += static_cast<std::int32_t>(of_group);
    groups.push_back(group_of(std::move(each), of_group));
    groups.back().rows = ints(at, {of_group}, device);
  }
  order_ = ints(order, {size}, device);
  groups_ = std::move(groups);
  arranged_ = rows;
}

Sequences::Group Sequences::group_of(std::vector<Sequence*> members, std::int64_t rows) const {
  const Device device = loaded_.device();
  const Sequence& one = *members.front();
  Group group{.members = std::move(members),
              .logprobs = one.options.logprobs,
              .sampler = Sampler(one.sampling, rows, loaded_.model.config().vocabulary, 0, device),
              .rows = {}};
  const auto count = static_cast<std::size_t>(rows);
  std::vector<std::uint32_t> seeds(count, 0);
  std::vector<std::int32_t> steps(count, 0);
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    seeds[i] = group.members[i]->result.seed;
    steps[i] = static_cast<std::int32_t>(group.members[i]->submitted);
  }
  group.sampler.seeds = Tensor(seeds, {rows}, device);
  group.sampler.steps = ints(steps, {rows}, device);
  count_tokens(group);
  return group;
}

/// What penalties see: the tokens of prompts and answers.
void Sequences::count_tokens(Group& group) const {
  Sampler& sampler = group.sampler;
  const Device device = loaded_.device();
  const std::int64_t rows = sampler.steps.size(0);
  if (sampler.seen.defined()) {
    std::int64_t longest = 0;
    for (const Sequence* s : group.members) longest = std::max(longest, s->result.prompt_tokens);
    std::vector<std::int32_t> ids;
    std::vector<std::int32_t> lengths(static_cast<std::size_t>(rows), 0);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const Sequence& s = *group.members[i];
      ids.insert(ids.end(), s.tokens.begin(), s.tokens.begin() + s.result.prompt_tokens);
      ids.resize((i + 1) * static_cast<std::size_t>(longest), 0);
      lengths[i] = static_cast<std::int32_t>(s.result.prompt_tokens);
    }
    ids.resize(static_cast<std::size_t>(rows * longest), 0);
    sampler.prompt(ints(ids, {rows, longest}, device), ints(lengths, {rows}, device));
    eval({sampler.seen});
  }
  if (!sampler.counts.defined()) return;
  const std::int64_t vocabulary = sampler.counts.size(1);
  std::vector<std::int32_t> counts(static_cast<std::size_t>(rows * vocabulary), 0);
  std::vector<std::int32_t> from(static_cast<std::size_t>(rows), -1);
  const Group* before = nullptr;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const Sequence* s = group.members[i];
    for (const TokenId id : s->result.tokens) ++counts[i * static_cast<std::size_t>(vocabulary) + id];
    if (s->unread == 0) continue;
    before = &*std::ranges::find_if(groups_, [&](const Group& g) { return g.members.front()->group == s->group; });
    from[i] = static_cast<std::int32_t>(std::ranges::find(before->members, s) - before->members.begin());
  }
  sampler.counts = ints(counts, {rows, vocabulary}, device);
  if (before == nullptr) return;
  const Tensor at = ints(from, {rows, 1}, device);
  const Tensor carried = tessera::take(before->sampler.counts, reshape(maximum(at, 0), {rows}), 0);
  sampler.counts = where(greater_equal(at, 0), carried, sampler.counts);
}

// ---- Tokens ----

void Sequences::take(Step& step, BatchStep& out) {
  const std::vector<std::vector<std::byte>> values = step.values.get();
  for (const Step::Place& place : step.places) {
    Sequence& s = *place.sequence;
    --s.unread;
    if (s.done) continue;
    if (cancelled(s)) {
      finish(s, FinishReason::kCancelled);
    } else {
      accept(place, values, out);
    }
  }
}

void Sequences::accept(const Step::Place& place, const std::vector<std::vector<std::byte>>& values, BatchStep& out) {
  Sequence& s = *place.sequence;
  Generation& result = s.result;
  GeneratedToken token;
  token.sequence = s.id;
  token.id = static_cast<TokenId>(values_of<std::int32_t>(values[place.first])[place.row]);
  s.tokens.push_back(token.id);
  result.tokens.push_back(token.id);
  if (result.tokens.size() == 1) result.prefill_seconds = seconds_since(s.start);
  result.decode_seconds = seconds_since(s.start) - result.prefill_seconds;
  if (s.options.logprobs) {
    token.logprob = values_of<float>(values[place.first + 1])[place.row];
    result.logprobs.push_back(*token.logprob);
    const auto count = static_cast<std::size_t>(*s.options.logprobs);
    std::vector<TokenLogprob>& top = result.top_logprobs.emplace_back();
    for (std::size_t k = place.row * count; k < (place.row + 1) * count; ++k) {
      top.push_back({static_cast<TokenId>(values_of<std::int32_t>(values[place.first + 3])[k]),
                     values_of<float>(values[place.first + 2])[k]});
    }
    token.top = top;
  }
  s.text = advance(s, token.id);
  result.text += s.text;
  token.text = s.text;
  out.tokens.push_back(token);
}

/// The text that is new with a token; decides whether it is the last.
std::string Sequences::advance(Sequence& s, TokenId id) {
  const bool ends = std::ranges::find(s.end_tokens, id) != s.end_tokens.end();
  std::string text;
  if (!ends && s.decoder) text = s.stops.push(s.decoder->push(id));
  const std::int64_t count = std::ssize(s.result.tokens);
  const bool full = (s.options.max_tokens && count >= *s.options.max_tokens) || s.count() > capacity_;
  if (!ends && !s.stops.done() && !full) return text;
  if (s.decoder && !s.stops.done()) text += s.stops.push(s.decoder->finish());
  if (!s.stops.done()) text += s.stops.finish();
  s.result.stop = s.stops.found();
  finish(s, ends || s.stops.done() ? FinishReason::kStop : FinishReason::kLength);
  return text;
}

}  // namespace tessera::llm
