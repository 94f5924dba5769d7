// Plots of braille characters: each has 2 x 4 dots.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/fail.h"
#include "base/os/terminal.h"
#include "train/log/plot_axis.h"
#include "train/log/text.h"

namespace tessera::train {

namespace {

constexpr int kDefaultWidth = 80;
constexpr int kDefaultHeight = 20;
constexpr int kLeastWidth = 24;
constexpr int kLeastHeight = 6;
constexpr int kMost = 1000;  // characters, either way
constexpr int kLeastColumns = 8;
constexpr std::array kColors{36, 33, 32, 35, 34, 31};

std::string braille(std::uint32_t dots) {  // U+2800 to U+28FF
  return {static_cast<char>(0xE2), static_cast<char>(0xA0U | dots >> 6U), static_cast<char>(0x80U | (dots & 0x3FU))};
}

/// The area of the curves.
class Canvas {
 public:
  Canvas(int columns, int rows)
      : columns_(columns), rows_(rows), cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

  void curve(const Positions& positions, int number) {
    for (const auto& part : positions.parts) {
      for (std::size_t i = 0; i < part.size(); ++i) line(part[i == 0 ? 0 : i - 1], part[i], number);
    }
  }

  /// Letters along a curve, that tell it from `count` others, and one at its end.
  void letters(const Positions& positions, int number, int count) {
    if (positions.parts.empty()) return;
    const int period = std::max(columns_ / 4, 6);
    const int first = period / 2 + number * period / count;
    const Positions::Point end = positions.parts.back().back();
    const int last = dot_x(end.x) / 2;
    for (int c = first % period; c < columns_; c += period) {
      if (std::abs(c - last) < period / 2) continue;
      for (int r = 0; r < rows_; ++r) {
        Cell& cell = at(c, r);
        if (cell.dots == 0 || cell.curve != number || cell.letter != 0) continue;
        cell.letter = letter_of(number);
        break;
      }
    }
    at(last, dot_y(end.y) / 4).letter = letter_of(number);
  }
  static char letter_of(int number) { return static_cast<char>('a' + number % 26); }

  void text(int column, int row, std::string_view text) {
    for (const char c : text) at(column++, row).letter = c;
  }

  [[nodiscard]] std::string row(int r, bool color) const {
    std::string out;
    int on = 0;
    for (int c = 0; c < columns_; ++c) {
      const Cell& cell = cells_[index(c, r)];
      const bool empty = cell.dots == 0 && cell.letter == 0;
      const int wanted = color && !empty ? color_of(cell.curve) : 0;
      if (wanted != on) out += wanted == 0 ? "\033[0m" : fmt::format("\033[{}m", wanted);
      on = wanted;
      out += empty ? " " : cell.letter != 0 ? std::string(1, cell.letter) : braille(cell.dots);
    }
    return on != 0 ? out + "\033[0m" : out;
  }
  static int color_of(int number) { return kColors[static_cast<std::size_t>(number) % kColors.size()]; }

 private:
  struct Cell {
    std::uint32_t dots = 0;
    int curve = 0;  // the last one that was drawn here
    char letter = 0;
  };

  [[nodiscard]] std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  }
  Cell& at(int column, int row) { return cells_[index(column, row)]; }
  [[nodiscard]] int dot_x(double x) const { return dot(x, 2 * columns_); }
  [[nodiscard]] int dot_y(double y) const { return dot(1 - y, 4 * rows_); }
  static int dot(double position, int dots) {
    return static_cast<int>(std::lround(std::clamp(position, 0.0, 1.0) * (dots - 1)));
  }

  void line(const Positions::Point& from, const Positions::Point& to, int number) {
    const int x0 = dot_x(from.x);
    const int y0 = dot_y(from.y);
    const int dx = dot_x(to.x) - x0;
    const int dy = dot_y(to.y) - y0;
    const int steps = std::max({std::abs(dx), std::abs(dy), 1});
    for (int i = 0; i <= steps; ++i) {
      const double part = static_cast<double>(i) / steps;
      put(x0 + static_cast<int>(std::lround(part * dx)), y0 + static_cast<int>(std::lround(part * dy)), number);
    }
  }

  void put(int x, int y, int number) {
    static constexpr std::uint32_t kDots[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    Cell& cell = at(x / 2, y / 4);
    cell.dots |= kDots[y % 4][x % 2];
    cell.curve = number;
  }

  int columns_, rows_;
  std::vector<Cell> cells_;
};

std::string spaces(int count) { return std::string(static_cast<std::size_t>(std::max(count, 0)), ' '); }
int width_of(std::string_view text) { return static_cast<int>(length_of(text)); }

void add_line(std::string& out, const std::string& text) {
  const std::size_t end = text.find_last_not_of(' ');
  out += text.substr(0, end == std::string::npos ? 0 : end + 1) + "\n";
}

/// The line of the x axis, and the one of its texts.
std::pair<std::string, std::string> x_axis(const Axis& axis, int columns, int margin) {
  std::vector<std::string> line(static_cast<std::size_t>(columns), "─");
  std::string texts;
  int end = -columns - margin;  // the column behind the last text
  for (const Tick& tick : axis.ticks(std::max(columns / 10, 2))) {
    const int column = std::clamp(static_cast<int>(std::lround(tick.at * (2 * columns - 1))) / 2, 0, columns - 1);
    line[static_cast<std::size_t>(column)] = "┬";
    const int width = width_of(tick.text);
    const int begin = std::max(std::min(column - width / 2, columns - width), -margin);
    if (begin < end + 2) continue;
    texts += spaces(margin + 1 + begin - static_cast<int>(texts.size())) + tick.text;
    end = begin + width;
  }
  std::string joined = spaces(margin) + "└";
  for (const std::string& part : line) joined += part;
  return {joined, texts};
}

/// "a train   b validation", in lines of at most this width.
std::vector<std::string> legend_of(const std::vector<Curve>& curves, bool color, int width) {
  std::vector<std::string> lines;
  int used = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::string name(first_of(printable(curves[i].name), static_cast<std::size_t>(width - 4)));
    const int number = static_cast<int>(i);
    std::string mark = curves.size() == 1 ? "⠤⠤" : std::string(1, Canvas::letter_of(number));
    if (color) mark = fmt::format("\033[{}m━━\033[0m", Canvas::color_of(number));
    const int needed = width_of(name) + (color || curves.size() == 1 ? 3 : 2);
    if (lines.empty() || used + 3 + needed > width) {
      lines.emplace_back();
      used = 0;
    } else {
      lines.back() += "   ";
      used += 3;
    }
    lines.back() += fmt::format("{} {}", mark, name);
    used += needed;
  }
  return lines;
}

}  // namespace

std::string plot_text(const std::vector<Curve>& curves, const PlotOptions& options) {
  int width = options.width;
  if (width == 0) {
    const int columns = os::terminal_columns();
    width = columns >= kLeastWidth ? std::min(columns, kDefaultWidth) : kDefaultWidth;
  }
  const int height = options.height == 0 ? kDefaultHeight : options.height;
  if (width < kLeastWidth || height < kLeastHeight || width > kMost || height > kMost) {
    fail(ErrorKind::kValue, "plot_text: {} characters by {} lines were given; {} by {} to {} by {} are expected.",
         width, height, kLeastWidth, kLeastHeight, kMost, kMost);
  }
  const Axes2 axes = axes_of(curves, options);
  const std::string title(first_of(printable(options.title), static_cast<std::size_t>(width)));
  const std::string y_label(first_of(printable(options.y_label), static_cast<std::size_t>(width)));
  const std::string x_label(first_of(printable(options.x_label), static_cast<std::size_t>(width)));
  const bool named = std::ranges::any_of(curves, [](const Curve& c) { return !c.name.empty(); });
  const std::vector<std::string> legend = named ? legend_of(curves, options.color, width) : std::vector<std::string>{};
  const int around = (title.empty() ? 0 : 1) + (y_label.empty() ? 0 : 1) + 2 + (x_label.empty() ? 0 : 1) +
                     static_cast<int>(legend.size());
  const int rows = std::max(height - around, 2);
  const std::vector<Tick> y_ticks = axes.y.ticks(std::max(rows / 3, 2));
  int margin = 0;
  for (const Tick& tick : y_ticks) margin = std::max(margin, width_of(tick.text) + 1);
  const int columns = std::max(width - margin - 1, kLeastColumns);

  Canvas canvas(columns, rows);
  const std::vector<Positions> positions = positions_of(curves, axes.x, axes.y);
  for (std::size_t i = 0; i < positions.size(); ++i) canvas.curve(positions[i], static_cast<int>(i));
  if (!options.color && curves.size() > 1) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      canvas.letters(positions[i], static_cast<int>(i), static_cast<int>(curves.size()));
    }
  }
  if (std::ranges::all_of(positions, [](const Positions& p) { return p.parts.empty(); })) {
    constexpr std::string_view kNone = "no points";
    canvas.text(std::max((columns - static_cast<int>(kNone.size())) / 2, 0), rows / 2,
                kNone.substr(0, static_cast<std::size_t>(columns)));
  }

  std::string out;
  if (!title.empty()) add_line(out, spaces(margin + 1 + (columns - width_of(title)) / 2) + title);
  if (!y_label.empty()) add_line(out, spaces(std::max(margin - width_of(y_label), 0)) + y_label);
  std::vector<std::string> labels(static_cast<std::size_t>(rows));
  for (const Tick& tick : y_ticks) {
    const int dot = static_cast<int>(std::lround((1 - tick.at) * (4 * rows - 1)));
    labels[static_cast<std::size_t>(std::clamp(dot / 4, 0, rows - 1))] = tick.text;
  }
  for (int r = 0; r < rows; ++r) {
    const std::string& label = labels[static_cast<std::size_t>(r)];
    add_line(out, spaces(margin - 1 - width_of(label)) + label + (label.empty() ? " │" : " ┤") +
                      canvas.row(r, options.color));
  }
  const auto [line, texts] = x_axis(axes.x, columns, margin);
  add_line(out, line);
  add_line(out, texts);
  if (!x_label.empty()) add_line(out, spaces(margin + 1 + columns - width_of(x_label)) + x_label);
  for (const std::string& text : legend) add_line(out, spaces(std::min(margin + 1, 2)) + text);
  return out;
}

}  // namespace tessera::train
