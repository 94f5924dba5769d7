// Generations on threads of their own, one token at a time.
#include <chrono>

#include "llm.h"

namespace tessera::python {

namespace {
constexpr std::chrono::milliseconds kPoll{50};  // between looks for signals
}

std::optional<KeptToken> GenerationThread::next() {
  for (bool asked = false;; asked = true) {
    {
      const Waiting waiting;  // declared first: no lock is held while it waits for the GIL
      std::unique_lock lock(mutex_);
      if (closed_) return std::nullopt;
      if (!asked) ++asked_;
      if (!started_) {
        thread_ = std::thread([this] { run(); });
        started_ = true;
      }
      changed_.notify_all();
      if (changed_.wait_for(lock, kPoll, [&] { return slot_.has_value() || done_ || closed_; })) {
        if (slot_.has_value()) {
          std::optional<KeptToken> out;
          slot_.swap(out);
          changed_.notify_all();
          return out;
        }
        if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
        return std::nullopt;
      }
    }
    if (PyErr_CheckSignals() != 0) {
      nb::python_error interrupted;
      close();
      throw interrupted;
    }
  }
}

void GenerationThread::close() {
  stop_.request_stop();
  std::thread ending;
  Work unused;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    slot_.reset();
    ending.swap(thread_);
    if (!started_) unused.swap(work_);
    changed_.notify_all();
  }
  if (!ending.joinable()) return;
  const nb::gil_scoped_release release;
  ending.join();
}

std::optional<std::vector<llm::Generation>> GenerationThread::result() {
  const std::lock_guard lock(mutex_);
  return result_;
}

void GenerationThread::run() {
  std::optional<std::vector<llm::Generation>> result;
  std::exception_ptr error;
  try {
    llm::OnToken on_token;
    if (deliver_) on_token = [this](const llm::GeneratedToken& token) { deliver(token); };
    result = work_(on_token, stop_.get_token());
  } catch (...) {
    error = std::current_exception();
  }
  work_ = nullptr;  // with the context, which others may use from here on
  const std::lock_guard lock(mutex_);
  result_ = std::move(result);
  error_ = error;
  done_ = true;
  changed_.notify_all();
}

void GenerationThread::deliver(const llm::GeneratedToken& token) {
  KeptToken own{token.sequence, token.id, std::string(token.text), token.logprob, {token.top.begin(), token.top.end()}};
  std::unique_lock lock(mutex_);
  if (closed_) return;
  slot_ = std::move(own);
  ++delivered_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return closed_ || (!slot_.has_value() && asked_ > delivered_); });
}

}  // namespace tessera::python
