// What the bindings of language models share: options of sampling, and generations that run on a thread of their own.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>

#include <tessera/llm.h>

#include "call.h"

namespace tessera::python {

/// SamplingOptions of a dict with some of their members; the others are those of `base`.
llm::SamplingOptions sampling_from(const nb::dict& given, llm::SamplingOptions base, const char* what);
std::uint32_t seed_from(nb::handle h, const char* what);

/// Configs, models, caches and samplers.
void bind_llm_models(nb::module_& m);

/// A token that outlives the call of OnToken.
struct KeptToken {
  std::size_t sequence = 0;
  text::TokenId id = 0;
  std::string text;
  std::optional<float> logprob;
  std::vector<llm::TokenLogprob> top;
};

/// A generation on a thread of its own, which waits with each token until the next one is asked for. The threads that
/// ask release the GIL, and look for signals.
class GenerationThread {
 public:
  using Work = std::function<std::vector<llm::Generation>(const llm::OnToken&, const std::stop_token&)>;
  /// `deliver`: whether next() returns tokens, or only waits for the end.
  GenerationThread(Work work, bool deliver) : work_(std::move(work)), deliver_(deliver) {}
  ~GenerationThread() { close(); }
  GenerationThread(const GenerationThread&) = delete;
  GenerationThread& operator=(const GenerationThread&) = delete;

  /// The next token; none at the end. Throws what the generation threw. The exception of a signal cancels it.
  std::optional<KeptToken> next();
  /// Cancels the generation and waits until it has ended.
  void close();
  /// What was generated; none before the end, or if it failed.
  [[nodiscard]] std::optional<std::vector<llm::Generation>> result();

 private:
  void run();
  void deliver(const llm::GeneratedToken& token);

  Work work_;
  const bool deliver_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
  bool started_ = false, done_ = false, closed_ = false;
  std::size_t asked_ = 0, delivered_ = 0;  // tokens
  std::optional<KeptToken> slot_;
  std::optional<std::vector<llm::Generation>> result_;
  std::exception_ptr error_;
};

}  // namespace tessera::python
