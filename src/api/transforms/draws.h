// Draws of a function: logged, so that a compiled function draws again at each call, and taped, so that a second call
// for the same result draws the same numbers.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "graph/node.h"
#include "tessera/random.h"

namespace tessera::random {

using DrawPosition = tessera::RandomState;  // of a node; random::RandomState is the public one

/// The operations of a traced function on generators, in order: draws, splits and seeds. Generators that the function
/// creates are its own and restart at each call; the thread's generator is that of the call. A log inside of another
/// hides nothing from it.
class DrawLog {
 public:
  DrawLog();  // records its thread's operations until stop()
  ~DrawLog() { stop(); }
  DrawLog(const DrawLog&) = delete;
  DrawLog& operator=(const DrawLog&) = delete;
  void stop();

  /// The drawn positions, in order.
  [[nodiscard]] const std::vector<DrawPosition>& drawn() const { return drawn_; }
  /// False if two draws have the same position, so that a graph cannot distinguish them.
  [[nodiscard]] bool distinct() const;
  /// The number of generators: the size of the buffer for again().
  [[nodiscard]] std::size_t generators() const { return generators_.size(); }
  /// Repeats the operations as part of the function that the thread traces, whose log and tapes record them. Appends
  /// the positions of the draws.
  void repeat(std::vector<DrawPosition>& drawn) const;
  /// Repeats the operations: the positions of a new call. Allocates nothing.
  void again(std::span<DrawPosition> drawn, std::span<DrawPosition> room) const;

  // For generators.
  static DrawLog* current();
  void note_draw(const std::shared_ptr<Generator::State>& from, const DrawPosition& position);
  void note_split(const std::shared_ptr<Generator::State>& from, const std::shared_ptr<Generator::State>& made);
  void note_state(const std::shared_ptr<Generator::State>& of, const DrawPosition& position);
  void note_made(const std::shared_ptr<Generator::State>& made, std::uint64_t seed);

 private:
  struct Source {
    std::shared_ptr<Generator::State> state;  // null: the thread's
    bool own = false;                         // created by the function
    std::uint64_t seed = 0;                   // of an own one
  };
  enum class Kind : std::uint8_t { kDraw, kSplit, kState };
  struct Event {
    Kind kind;
    std::size_t from;
    std::size_t made = 0;    // kSplit
    DrawPosition next = {};  // kState
  };
  std::size_t index_of(const std::shared_ptr<Generator::State>& state);

  DrawLog* outer_;
  std::shared_ptr<Generator::State> ambient_;  // the thread's, during the trace
  std::vector<Source> generators_;             // the first is the thread's
  std::vector<Event> events_;
  std::vector<DrawPosition> drawn_;
};

/// The positions that a function drew. While `Record` lives, its thread's draws are recorded; while `Play` lives, they
/// are repeated in order, and generators do not advance.
class DrawTape {
 public:
  /// Whether some tape is repeated on this thread: then draws are not logged.
  static bool playing();
  [[nodiscard]] bool empty() const { return positions_.empty(); }
  class Record {
   public:
    explicit Record(DrawTape& tape);
    ~Record();
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;
  };
  class Play {
   public:
    explicit Play(const DrawTape& tape);
    ~Play();
    Play(const Play&) = delete;
    Play& operator=(const Play&) = delete;
  };
  /// Like Play, hidden from the tapes around it, and no generator advances past the end of the tape either: for calls
  /// whose results are not used.
  class Rehearse {
   public:
    explicit Rehearse(const DrawTape& tape);
    ~Rehearse();
    Rehearse(const Rehearse&) = delete;
    Rehearse& operator=(const Rehearse&) = delete;

   private:
    struct Hidden;
    std::unique_ptr<Hidden> hidden_;
  };

 private:
  friend struct Tapes;
  std::vector<DrawPosition> positions_;
};

}  // namespace tessera::random
