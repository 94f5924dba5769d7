// Logs of a run: JSON lines, TensorBoard event files, and what reads them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/export.h"

namespace TESSERA_API tessera {
namespace train {

/// Numbers by name, in order: {{"loss", 0.31}, {"rate", 1e-3}}.
using Values = std::vector<std::pair<std::string, double>>;

/// Writes log.jsonl and a TensorBoard event file into a folder. Lines of an earlier run of the same folder are kept,
/// unless continue_from() removes them.
class RunLog {
 public:
  explicit RunLog(std::filesystem::path folder);
  ~RunLog();
  RunLog(RunLog&&) noexcept;
  RunLog& operator=(RunLog&&) noexcept;
  /// {"step": 100, "kind": "train", "time": 1763490000.25, "loss": 0.31, ..}; in TensorBoard train/loss, ... NaN and
  /// infinities are strings in JSON. Error of kind value for a name twice or step, kind, time or text; of kind io for a
  /// full disk, after which the log is as it was.
  void write(std::int64_t step, std::string_view kind, const Values& values);
  /// A line of text: {"step": .., "kind": "note", "text": ".."}.
  void note(std::int64_t step, std::string_view text);
  /// Removes what was written for later steps than this one, and of this step the lines of the kinds `again`, which the
  /// run writes again: a validation that came after the checkpoint. Lines that cannot be read are left out with a
  /// warning, and log.jsonl.damaged is the log as it was.
  void continue_from(std::int64_t step, const std::vector<std::string>& again = {});
  /// Waits until all lines are on the disk. A process that is killed loses none: each is handed to the system at once.
  void flush();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct LogLine {
  std::int64_t step = 0;
  std::string kind;
  double time = 0;  // seconds since 1970
  Values values;
  std::string text;
};
/// The lines of a run's log.jsonl; a last line that is not complete (a killed run) is left out. Error of kind io, or of
/// kind parse with the line's number.
std::vector<LogLine> read_log(const std::filesystem::path& folder);

}  // namespace train
}  // namespace tessera
