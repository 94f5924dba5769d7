// Queue: a thread that takes what was started, and callers that wait until it is idle.
#include "api/distributed/queue.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace tessera::distributed {

struct Queue::Ticket::State {
  std::function<void()> function;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr error;
};

struct Queue::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Ticket::State>> waiting;
  bool running = false;
  bool has_thread = false;
  bool over = false;  // the queue is gone

  void idle() {
    {
      const std::lock_guard lock(mutex);
      running = false;
    }
    changed.notify_all();
  }
};

Queue::Queue() : state_(std::make_shared<State>()) {}

// Whatever was started keeps its group, and so the queue, until it has ended.
Queue::~Queue() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->over = true;
  }
  state_->changed.notify_all();
}

void Queue::Ticket::wait() {
  std::unique_lock lock(state_->mutex);
  state_->ended.wait(lock, [this] { return state_->done; });
  if (state_->error != nullptr) std::rethrow_exception(state_->error);
}

Queue::Ticket Queue::start(std::function<void()> function) {
  Ticket ticket;
  ticket.state_ = std::make_shared<Ticket::State>();
  ticket.state_->function = std::move(function);
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->has_thread) std::thread([state = state_] { work(state); }).detach();
    state_->has_thread = true;
    state_->waiting.push_back(ticket.state_);
  }
  state_->changed.notify_all();
  return ticket;
}

void Queue::run(const std::function<void()>& function) {
  const std::shared_ptr<State> state = state_;
  {
    std::unique_lock lock(state->mutex);
    state->changed.wait(lock, [&] { return !state->running && state->waiting.empty(); });
    state->running = true;
  }
  struct End {
    State& of;
    ~End() { of.idle(); }
  } const end{*state};
  function();
}

namespace {

thread_local bool is_beside = false;

}  // namespace

bool Queue::beside() { return is_beside; }

void Queue::work(const std::shared_ptr<State>& state) {
  is_beside = true;
  for (;;) {
    std::shared_ptr<Ticket::State> ticket;
    {
      std::unique_lock lock(state->mutex);
      state->changed.wait(lock, [&] { return state->over || (!state->running && !state->waiting.empty()); });
      if (state->waiting.empty()) return;
      ticket = std::move(state->waiting.front());
      state->waiting.pop_front();
      state->running = true;
    }
    std::exception_ptr error;
    try {
      ticket->function();
    } catch (...) {
      error = std::current_exception();
    }
    ticket->function = nullptr;  // what it holds is freed before anyone goes on
    state->idle();
    {
      const std::lock_guard lock(ticket->mutex);
      ticket->error = std::move(error);
      ticket->done = true;
    }
    ticket->ended.notify_all();
  }
}

}  // namespace tessera::distributed
