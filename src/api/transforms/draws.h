// What a function asks of random generators: logged, so that a compiled function asks again at each call, and taped, so
// that a function that is called twice for one result draws the same numbers twice.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "graph/node.h"
#include "tessera/random.h"

namespace tessera::random {

/// What a function that is traced asks of generators, in order: draws, splits and seeds. Generators that the function
/// makes are its own and start anew at each call; the thread's generator is the one of the call.
class DrawLog {
 public:
  DrawLog();  // notes what its thread asks until stop()
  ~DrawLog() { stop(); }
  DrawLog(const DrawLog&) = delete;
  DrawLog& operator=(const DrawLog&) = delete;
  void stop();

  /// The positions that were drawn, in order.
  [[nodiscard]] const std::vector<RandomState>& drawn() const { return drawn_; }
  /// False where two draws met at one position, so that a graph cannot tell them apart.
  [[nodiscard]] bool distinct() const;
  /// How many generators there are: the room that again() needs.
  [[nodiscard]] std::size_t generators() const { return generators_.size(); }
  /// Asks the same again: the positions of a new call. Allocates nothing.
  void again(std::span<RandomState> drawn, std::span<RandomState> room) const;

  // For generators.
  static DrawLog* current();
  void note_draw(const std::shared_ptr<Generator::State>& from, const RandomState& position);
  void note_split(const std::shared_ptr<Generator::State>& from, const std::shared_ptr<Generator::State>& made);
  void note_seed(const std::shared_ptr<Generator::State>& of, std::uint64_t seed);
  void note_made(const std::shared_ptr<Generator::State>& made, std::uint64_t seed);

 private:
  struct Source {
    std::shared_ptr<Generator::State> state;  // null: the thread's
    bool own = false;                         // made by the function
    std::uint64_t seed = 0;                   // of an own one
  };
  enum class Kind : std::uint8_t { kDraw, kSplit, kSeed };
  struct Event {
    Kind kind;
    std::size_t from;
    std::size_t made = 0;    // kSplit
    std::uint64_t seed = 0;  // kSeed
  };
  std::size_t index_of(const std::shared_ptr<Generator::State>& state);

  std::shared_ptr<Generator::State> ambient_;  // the thread's while it was traced
  std::vector<Source> generators_;             // the first is the thread's
  std::vector<Event> events_;
  std::vector<RandomState> drawn_;
};

/// The positions that a function drew. While `Record` lives, its thread's draws are kept; while `Play` lives, they are
/// given again, in order, and generators stay as they are.
class DrawTape {
 public:
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

 private:
  friend struct Tapes;
  std::vector<RandomState> positions_;
};

}  // namespace tessera::random
