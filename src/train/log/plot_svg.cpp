// Plots as SVG images.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/fail.h"
#include "train/log/plot_axis.h"
#include "train/log/text.h"

namespace tessera::train {

namespace {

constexpr int kDefaultWidth = 760;
constexpr int kDefaultHeight = 420;
constexpr int kLeastWidth = 160;
constexpr int kLeastHeight = 120;
constexpr int kMost = 10000;
constexpr double kLetter = 6.6;  // the mean width of a character of 12 px
constexpr std::size_t kColors = 8;

// Colors of curves on white and on black, in an order in which neighbors differ for color-blind readers too.
constexpr std::array<const char*, kColors> kLight{"#2563c9", "#d9541e", "#1a8f5a", "#9145c4",
                                                  "#b8860b", "#0d8aa5", "#c92a5e", "#5f6b7a"};
constexpr std::array<const char*, kColors> kDark{"#6ea8ff", "#ff9466", "#5ad19a", "#c99af0",
                                                 "#e3bd4f", "#5cc8de", "#ff86ac", "#a9b4c2"};

std::string escaped(std::string_view given) {
  std::string out;
  for (const char c : printable(given)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string style() {
  std::string light;
  std::string dark;
  for (std::size_t i = 0; i < kColors; ++i) {
    light += fmt::format(".c{}{{stroke:{};fill:{}}}", i, kLight[i], kLight[i]);
    dark += fmt::format(".c{}{{stroke:{};fill:{}}}", i, kDark[i], kDark[i]);
  }
  return "<style>\n"
         "text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;fill:#4b5563}\n"
         ".title{font-size:15px;font-weight:600;fill:#111827}\n"
         ".back{fill:#ffffff}.grid{stroke:#e5e7eb}.axis{stroke:#9ca3af}\n"
         "path{fill:none!important;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}\n" +
         light +
         "\n@media (prefers-color-scheme:dark){\n"
         "text{fill:#a3acb9}.title{fill:#f3f4f6}.back{fill:#11151c}.grid{stroke:#262d38}.axis{stroke:#5b6574}\n" +
         dark + "\n}\n</style>\n";
}

/// The tenth curve looks like the second one, with dashes.
std::string dashes(std::size_t number) {
  const std::size_t round = number / kColors;
  if (round == 0) return "";
  return fmt::format(" stroke-dasharray=\"{} {}\"", round % 2 == 1 ? 6 : 2, 4 + 2 * (round / 2));
}

struct Area {
  double left, top, width, height;
};

/// At most the first, the lowest, the highest and the last point of each half pixel: files stay small.
std::vector<Positions::Point> thinned(const std::vector<Positions::Point>& points, double width) {
  const auto limit = static_cast<std::size_t>(8 * width);
  if (points.size() <= limit) return points;
  std::vector<Positions::Point> out;
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin;
    const double column = std::floor(points[begin].x * width * 2);
    while (end < points.size() && std::floor(points[end].x * width * 2) == column) ++end;
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = points.begin() + static_cast<std::ptrdiff_t>(end);
    const auto [low, high] = std::minmax_element(first, last, [](const auto& a, const auto& b) { return a.y < b.y; });
    std::array<std::ptrdiff_t, 4> kept{0, low - first, high - first, last - first - 1};
    std::ranges::sort(kept);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (i == 0 || kept[i] != kept[i - 1]) out.push_back(first[kept[i]]);
    }
    begin = end;
  }
  return out;
}

std::string curve_of(const Positions& positions, const Area& area, std::size_t number) {
  std::string path;
  std::string dots;
  const auto x_of = [&](const Positions::Point& p) { return area.left + p.x * area.width; };
  const auto y_of = [&](const Positions::Point& p) { return area.top + (1 - p.y) * area.height; };
  for (const auto& part : positions.parts) {
    if (part.size() == 1) {
      dots += fmt::format("<circle class=\"c{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>\n", number % kColors,
                          x_of(part[0]), y_of(part[0]));
      continue;
    }
    char command = 'M';
    for (const Positions::Point& p : thinned(part, area.width)) {
      path += fmt::format("{}{:.1f} {:.1f}", command, x_of(p), y_of(p));
      command = 'L';
    }
  }
  if (!path.empty()) path = fmt::format("<path class=\"c{}\"{} d=\"{}\"/>\n", number % kColors, dashes(number), path);
  return path + dots;
}

/// Names in lines of at most this width; the number of lines is known before the area.
struct Legend {
  struct Entry {
    std::size_t number;
    double x;
    int line;
    std::string name;
  };
  std::vector<Entry> entries;
  int lines = 0;
};

Legend legend_of(const std::vector<Curve>& curves, double width) {
  constexpr double kMark = 24;
  constexpr double kGap = 18;
  Legend out;
  double x = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (curves[i].name.empty()) continue;
    const std::string whole = printable(curves[i].name);
    const auto most = static_cast<std::size_t>(std::max((width - kMark) / kLetter, 4.0));
    std::string name(first_of(whole, most));
    if (name.size() < whole.size()) name = fmt::format("{}…", first_of(whole, most - 1));
    const double needed = kMark + kLetter * static_cast<double>(length_of(name));
    if (out.lines == 0 || x + needed > width) {
      ++out.lines;
      x = 0;
    }
    out.entries.push_back({i, x, out.lines - 1, std::move(name)});
    x += needed + kGap;
  }
  return out;
}

}  // namespace

std::string plot_svg(const std::vector<Curve>& curves, const PlotOptions& options) {
  const int width = options.width == 0 ? kDefaultWidth : options.width;
  const int height = options.height == 0 ? kDefaultHeight : options.height;
  if (width < kLeastWidth || height < kLeastHeight || width > kMost || height > kMost) {
    fail(ErrorKind::kValue, "plot_svg: {} by {} pixels were given; {} by {} to {} by {} are expected.", width, height,
         kLeastWidth, kLeastHeight, kMost, kMost);
  }
  Axes2 axes = axes_of(curves, options);
  constexpr double kLine = 18;
  const Legend legend = legend_of(curves, width - 32);
  double top = options.title.empty() ? 14 : 38;
  const double legend_top = top;
  top += legend.lines * kLine + (legend.lines > 0 ? 4 : 0);
  const double label_top = top;
  top += options.y_label.empty() ? 2 : kLine + 5;
  const double bottom = options.x_label.empty() ? 30 : 48;
  const double rows = std::max(height - top - bottom, 20.0);
  const int y_count = std::max(static_cast<int>(rows / 48), 2);
  axes.y.round(y_count);
  const std::vector<Tick> y_ticks = axes.y.ticks(y_count);
  std::size_t longest = 0;
  for (const Tick& tick : y_ticks) longest = std::max(longest, tick.text.size());
  const double left = 24 + kLetter * static_cast<double>(longest);
  const Area area{left, top, std::max(width - left - 22, 20.0), rows};

  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n",
      width, height);
  if (!options.title.empty()) out += fmt::format("<title>{}</title>\n", escaped(options.title));
  out += style();
  out += fmt::format("<rect class=\"back\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n", width, height);
  if (!options.title.empty()) {
    out += fmt::format("<text class=\"title\" x=\"16\" y=\"25\">{}</text>\n", escaped(options.title));
  }
  if (!options.y_label.empty()) {
    out += fmt::format("<text x=\"16\" y=\"{:.1f}\">{}</text>\n", label_top + 7, escaped(options.y_label));
  }
  for (const Tick& tick : y_ticks) {
    const double y = area.top + (1 - tick.at) * area.height;
    out += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>", area.left,
                       area.left + area.width, y);
    out +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", area.left - 8, y + 4, tick.text);
  }
  const double base = area.top + area.height;
  out += fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>\n", area.left,
                     area.left + area.width, base);
  double end = -1e9;
  for (const Tick& tick : axes.x.ticks(std::max(static_cast<int>(area.width / 90), 2))) {
    const double x = area.left + tick.at * area.width;
    out += fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>", x, base,
                       base + 5);
    const double half = kLetter * static_cast<double>(tick.text.size()) / 2;
    const double middle = std::min(x, width - 6 - half);
    if (middle - half < end + 8) continue;
    end = middle + half;
    out +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", middle, base + 20, tick.text);
  }
  if (!options.x_label.empty()) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", area.left + area.width / 2,
                       base + 39, escaped(options.x_label));
  }
  const std::vector<Positions> positions = positions_of(curves, axes.x, axes.y);
  for (std::size_t i = positions.size(); i-- > 0;) out += curve_of(positions[i], area, i);  // the first one is on top
  if (std::ranges::all_of(positions, [](const Positions& p) { return p.parts.empty(); })) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">no points</text>\n",
                       area.left + area.width / 2, area.top + area.height / 2);
  }
  for (const Legend::Entry& e : legend.entries) {
    const double y = legend_top + 8 + e.line * kLine;
    out += fmt::format("<path class=\"c{}\"{} d=\"M{:.1f} {:.1f}h16\"/>", e.number % kColors, dashes(e.number),
                       16 + e.x, y - 4);
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", 16 + e.x + 22, y, escaped(e.name));
  }
  return out + "</svg>\n";
}

}  // namespace tessera::train
