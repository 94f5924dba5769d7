// The order of a group's collectives: one at a time, on the thread that calls one or on a thread of the group.
#pragma once

#include <exception>
#include <functional>
#include <memory>

namespace tessera::distributed {

/// Runs functions one at a time, in the order in which start() and run() were called. Its thread begins with the first
/// start(); it is never waited for, since it may wait for ranks that are gone.
class Queue {
 public:
  Queue();
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// A function that was started.
  class Ticket {
   public:
    /// Waits for its end, and throws what it threw.
    void wait();

   private:
    friend class Queue;
    struct State;
    std::shared_ptr<State> state_;
  };

  /// On the queue's thread, behind what was started before.
  Ticket start(std::function<void()> function);
  /// The same on this thread; throws what it throws.
  void run(const std::function<void()>& function);
  /// Whether this is the thread of a queue, beside which the program goes on.
  static bool beside();

 private:
  struct State;
  static void work(const std::shared_ptr<State>& state);
  std::shared_ptr<State> state_;  // shared with the thread
};

}  // namespace tessera::distributed
