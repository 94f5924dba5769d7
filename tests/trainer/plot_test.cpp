// Plots in braille and as SVG: known pictures, gaps, ranges of any size, and hostile names.
#include "tessera/train/plot.h"

#include <cmath>
#include <limits>

#include "support/errors.h"
#include "tessera/tessera.h"
#include "train/log/plot_axis.h"
#include "train/log/text.h"

namespace tessera::test {
namespace {

using train::Axis;
using train::Curve;
using train::plot_svg;
using train::plot_text;

constexpr double kPlotNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPlotInf = std::numeric_limits<double>::infinity();

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::size_t count_in(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

std::vector<std::string> ticks_of(const std::vector<double>& values, bool log = false, int most = 5) {
  std::vector<std::string> out;
  for (const train::Tick& tick : Axis(values, log).ticks(most)) out.push_back(tick.text);
  return out;
}

using Texts = std::vector<std::string>;

TEST(PlotAxis, TicksAreRoundNumbers) {
  EXPECT_EQ(ticks_of({0, 1}), (Texts{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(ticks_of({0, 1000}), (Texts{"0", "200", "400", "600", "800", "1000"}));
  EXPECT_EQ(ticks_of({0, 10000}, false, 4), (Texts{"0", "2500", "5000", "7500", "10000"}));
  EXPECT_EQ(ticks_of({-1, 0.5}, false, 3), (Texts{"-1.0", "-0.5", "0.0", "0.5"}));
  EXPECT_EQ(ticks_of({0, 1}, false, 4), (Texts{"0.00", "0.25", "0.50", "0.75", "1.00"}));
  EXPECT_EQ(ticks_of({0, 3e6}, false, 3), (Texts{"0", "1M", "2M", "3M"}));
  EXPECT_EQ(ticks_of({0, 1e-30}, false, 2), (Texts{"0", "5e-31", "1e-30"}));
  EXPECT_EQ(ticks_of({1e-30, 1e30}, false, 2), (Texts{"0", "5e+29", "1e+30"}));
  EXPECT_EQ(ticks_of({0.1, 100}, true), (Texts{"0.1", "1", "10", "100"}));
  EXPECT_EQ(ticks_of({1, 10}, true), (Texts{"1", "2", "5", "10"}));
  EXPECT_EQ(ticks_of({1e-30, 1e30}, true), (Texts{"1e-30", "1e-15", "1", "1e+15", "1e+30"}));
  EXPECT_EQ(ticks_of({0, -5, kPlotNan}, true).size(), 1U + 3U) << "nothing positive: the range of 1 to 10";
}

TEST(PlotAxis, StepsBeginAtZero) {
  Axis steps({1, 600}, false);
  steps.from_zero();
  EXPECT_EQ(steps.ticks(3)[0].text, "0");
  Axis late({500, 600}, false);
  late.from_zero();
  EXPECT_EQ(late.at(500), 0);
}

TEST(PlotAxis, EveryRangeHasTicksInside) {
  for (const bool log : {false, true}) {
    for (const std::vector<double>& values :
         {std::vector<double>{},
          {0},
          {5},
          {-5, -5},
          {1e-30},
          {1e30, 1e30},
          {1e-320},
          {1e308, -1e308},
          {1e-30, 1e30},
          {1e9, 1e9 + 1e-6},
          {1e9, 1e9 + 10},
          {0.31, 0.32},
          {3, 4},
          {kPlotNan, kPlotInf, 2, -kPlotInf},
          {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()}}) {
      for (const int most : {1, 2, 5, 12}) {
        Axis axis(values, log);
        if (most % 2 == 0) axis.round(most);
        const std::vector<train::Tick> ticks = axis.ticks(most);
        ASSERT_FALSE(ticks.empty());
        EXPECT_LE(ticks.size(), 20U);
        double before = -1;
        for (const train::Tick& tick : ticks) {
          EXPECT_GT(tick.at, before);
          EXPECT_GE(tick.at, -1e-6);
          EXPECT_LE(tick.at, 1 + 1e-6);
          EXPECT_FALSE(tick.text.empty());
          EXPECT_EQ(tick.text.find("nan"), std::string::npos);
          before = tick.at;
        }
        for (const double v : values) {
          const double at = axis.at(v);
          if (std::isfinite(v) && (!log || v > 0)) {
            EXPECT_TRUE(at >= -1e-9 && at <= 1 + 1e-9) << v << " is at " << at;
          } else {
            EXPECT_TRUE(std::isnan(at));
          }
        }
      }
    }
  }
}

TEST(PlotText, ADiagonal) {
  const std::string text = plot_text({{"", {0, 1}, {0, 1}}}, {.x_label = "", .width = 24, .height = 8});
  EXPECT_EQ(text,
            "1.0 ┤                ⡠⠔⠊\n"
            "    │            ⢀⡠⠔⠉\n"
            "    │         ⢀⡠⠒⠁\n"
            "0.5 ┤      ⢀⠤⠊⠁\n"
            "    │   ⣀⠔⠊⠁\n"
            "0.0 ┤⡠⠔⠊\n"
            "    └┬────────┬────────┬\n"
            "    0.0      0.5     1.0\n")
      << text;
}

TEST(PlotText, SizesAndLegend) {
  std::vector<double> x(100);
  std::vector<double> a(100);
  std::vector<double> b(100);
  for (std::size_t i = 0; i < 100; ++i) {
    x[i] = static_cast<double>(i) * 10;
    a[i] = 2 * std::exp(-0.05 * static_cast<double>(i));
    b[i] = 0.3 + 1.8 * std::exp(-0.04 * static_cast<double>(i));
  }
  const std::vector<Curve> curves{{"train", x, a}, {"validation", x, b}};
  const std::string text = plot_text(curves, {.title = "runs/größe", .y_label = "loss"});
  const std::vector<std::string> lines = lines_of(text);
  EXPECT_EQ(lines.size(), 20U);
  for (const std::string& line : lines) EXPECT_LE(train::length_of(line), 80U) << line;
  EXPECT_NE(lines[0].find("runs/größe"), std::string::npos);
  EXPECT_NE(lines[1].find("loss"), std::string::npos);
  EXPECT_NE(lines[19].find("a train   b validation"), std::string::npos) << text;
  EXPECT_NE(lines[18].find("step"), std::string::npos) << text;
  EXPECT_GE(count_in(text, "a"), 5U) << "letters along the curve\n" << text;
  EXPECT_EQ(text.find('\033'), std::string::npos);
  const std::string colored = plot_text(curves, {.color = true});
  EXPECT_NE(colored.find("\033[36m━━\033[0m train   \033[33m━━\033[0m validation"), std::string::npos) << colored;
  for (const std::string& line : lines_of(colored)) {
    const std::size_t last = line.rfind('\033');
    EXPECT_TRUE(last == std::string::npos || line.substr(last, 4) == "\033[0m") << line;
  }
}

TEST(PlotText, GapsPointsAndNothing) {
  const std::string none = plot_text({}, {.width = 40, .height = 8});
  EXPECT_NE(none.find("no points"), std::string::npos) << none;
  EXPECT_NE(plot_text({{"a", {1, 2}, {kPlotNan, kPlotInf}}}).find("no points"), std::string::npos);
  EXPECT_NE(plot_text({{"a", {1, 2}, {0, -1}}}, {.log_y = true}).find("no points"), std::string::npos);
  const auto dots = [](const std::string& text) {  // characters of braille
    std::size_t n = 0;
    for (std::size_t i = 0; i + 2 < text.size(); ++i) n += text[i] == '\xE2' && (text[i + 1] & 0xFC) == (0xA0 & 0xFC);
    return n;
  };
  EXPECT_EQ(dots(plot_text({{"", {3}, {7}}})), 1U) << "one point";
  const std::size_t whole = dots(plot_text({{"", {0, 1, 2, 3}, {1, 1, 1, 1}}}));
  const std::size_t broken = dots(plot_text({{"", {0, 1, 2, 3}, {1, kPlotNan, 1, 1}}}));
  EXPECT_GT(whole, 70U);
  EXPECT_LT(broken, whole / 2) << "a line from the third to the fourth point, and the first point";
  EXPECT_GT(broken, whole / 4);
  EXPECT_GT(dots(plot_text({{"", {1e-30, 1e30}, {1e-30, 1e30}}}, {.log_x = true, .log_y = true})), 50U);
  EXPECT_GT(dots(plot_text({{"", {0, 1e300}, {-1e308, 1e308}}})), 50U);
}

TEST(PlotText, BadArgumentsAreErrors) {
  EXPECT_EQ(error_of([] { (void)plot_text({{"a", {1, 2}, {1}}}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)plot_text({}, {.width = 10}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)plot_text({}, {.height = 5}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)plot_text({}, {.width = 1 << 30, .height = 1 << 30}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)plot_svg({{"a", {1, 2}, {1}}}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)plot_svg({}, {.width = 100}); }).kind(), ErrorKind::kValue);
  const std::string tiny = plot_text({{std::string(500, 'n'), {1e9, 1e9 + 10}, {1e9, 1e9 + 10}}, {"b", {}, {}}},
                                     {.title = std::string(500, 't'), .width = 24, .height = 6});
  EXPECT_LE(lines_of(tiny).size(), 10U) << tiny;
}

TEST(PlotSvg, HasItsParts) {
  const std::string svg = plot_svg({{"train <a&b>\n\x80", {0, 50, 100}, {2, 1, 0.5}}, {"one", {30}, {1.5}}},
                                   {.title = "Loss \"x\"", .y_label = "loss"});
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"420\"")) << svg;
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (const char* part : {"prefers-color-scheme:dark", "<title>Loss &quot;x&quot;</title>",
                           "train &lt;a&amp;b&gt;?\xEF\xBF\xBD", ">loss</text>", ">step</text>", ">100</text>",
                           ">0.50</text>", "<circle class=\"c1\"", "<path class=\"c0\" d=\"M"})
    EXPECT_NE(svg.find(part), std::string::npos) << part << " in\n" << svg;
  EXPECT_EQ(count_in(svg, "<svg"), 1U);
  EXPECT_EQ(count_in(svg, "<text"), count_in(svg, "</text>"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(PlotSvg, LongRunsGiveSmallFiles) {
  Curve curve{"loss", {}, {}};
  for (int i = 0; i < 1'000'000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(i == 777'777 ? 5 : std::sin(i * 0.37) + 2);
  }
  const std::string svg = plot_svg({curve});
  EXPECT_LT(svg.size(), 120'000U);
  EXPECT_NE(svg.find(">5</text>"), std::string::npos) << "the peak is on the axis";
}

TEST(PlotSvg, EdgesHaveNoBadNumbers) {
  for (const Curve& curve : {Curve{"", {}, {}}, Curve{"", {1}, {1}}, Curve{"", {1, 1}, {2, 2}},
                             Curve{"", {0, 1, 2}, {kPlotNan, 1, kPlotInf}}, Curve{"", {1e-30, 1e30}, {1e-30, 1e30}},
                             Curve{"", {-1e308, 1e308}, {-1e308, 1e308}}, Curve{"", {0, 1}, {0, 1e-320}}}) {
    for (const bool log : {false, true}) {
      const std::string svg = plot_svg({curve, curve}, {.log_x = log, .log_y = log});
      EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
      EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
    }
  }
  EXPECT_NE(plot_svg({}).find("no points"), std::string::npos);
  std::vector<Curve> many;
  for (int i = 0; i < 20; ++i) many.push_back({"run " + std::to_string(i), {0, 1}, {0.0, 1.0 * i}});
  const std::string svg = plot_svg(many);
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos) << "more curves than colors";
  EXPECT_NE(svg.find("run 19"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
