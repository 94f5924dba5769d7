// The progress of a run: one line of a terminal that is rewritten, or plain lines.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tessera/export.h"
#include "tessera/train/log.h"

namespace TESSERA_API tessera {
namespace train {

struct ProgressOptions {
  std::int64_t steps = 0;        // of the whole run; 0: not known
  std::string unit = "samples";  // of the speed
  int terminal = -1;             // 1: rewrites its line, 0: plain lines, -1: by what standard output is
  std::int64_t plain_every = 0;  // steps between plain lines; 0: about 20 of the whole run, or 100 if it is not known
  std::function<void(std::string_view)> print = {};  // takes the text instead of standard output
};

/// "step  120/1500  loss 0.3012  rate 1.00e-03  12.3k tokens/s  1 min 10 s left"
class Progress {
 public:
  explicit Progress(ProgressOptions options);
  ~Progress();
  Progress(Progress&&) noexcept;
  Progress& operator=(Progress&&) noexcept;
  /// Whether a call of show() would print: values need not be read for a step that is not shown.
  [[nodiscard]] bool due(std::int64_t step) const;
  /// `done`: units so far in this process. Prints at each call; the speed is that since the first one, which is after
  /// tracing and compiling.
  void show(std::int64_t step, double done, const Values& values);
  /// A line that stays.
  void line(const std::string& text);
  /// Since the construction.
  [[nodiscard]] double seconds() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace train
}  // namespace tessera
