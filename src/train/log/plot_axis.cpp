// Ranges and ticks of axes.
#include "train/log/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/fail.h"

namespace tessera::train {

namespace {

constexpr double kLargest = 1e300;  // differences stay finite
constexpr double kSmallest = 1e-300;
constexpr double kDistinct = 1e-9;  // of the magnitude: a smaller range is one value

bool drawn(double v, bool log) { return std::isfinite(v) && (!log || v > 0); }

/// On the scale of the axis.
double scaled(double v, bool log) {
  return log ? std::log10(std::clamp(v, kSmallest, kLargest)) : std::clamp(v, -kLargest, kLargest);
}

/// 1, 2, 2.5 or 5 times a power of ten, from `least` on.
double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

/// All ticks of an axis have one form.
std::vector<std::string> texts_of(const std::vector<double>& values, double step) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  std::vector<std::string> out;
  const auto digits_below = [](double size, double unit) {  // decimals of size that make unit visible
    const double power = std::floor(std::log10(unit) + 1e-9);
    int decimals = static_cast<int>(std::floor(std::log10(size) + 1e-9) - power);
    const double mantissa = unit / std::pow(10.0, power);
    if (std::abs(mantissa - std::round(mantissa)) > 1e-6) ++decimals;  // 2.5
    return std::max(decimals, 0);
  };
  if (largest == 0) return std::vector<std::string>(values.size(), "0");
  if (largest >= 1e6 || largest < 1e-3) {
    const bool thousands = largest >= 1e6 && largest < 1e12;
    if (thousands) {
      const double unit = largest < 1e9 ? 1e6 : 1e9;
      const int decimals = std::clamp(digits_below(1, step / unit), 0, 9);
      for (const double v : values) {
        out.push_back(v == 0 ? "0" : fmt::format("{:.{}f}{}", v / unit, decimals, unit < 1e9 ? "M" : "G"));
      }
      return out;
    }
    // As few digits as tell the ticks apart.
    for (int decimals = 0; decimals <= 12; ++decimals) {
      out.clear();
      bool exact = true;
      for (const double v : values) {
        out.push_back(v == 0 ? "0" : fmt::format("{:.{}e}", v, decimals));
        exact = exact && std::abs(std::strtod(out.back().c_str(), nullptr) - v) <= step * 1e-3;
      }
      if (exact) break;
    }
    return out;
  }
  const int decimals = std::clamp(digits_below(1, step), 0, 15);
  for (const double v : values) out.push_back(fmt::format("{:.{}f}", v, decimals));
  return out;
}

/// 10^e as people write it.
std::string power_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e-3 && size < 1e6) return fmt::format("{:g}", value);
  return fmt::format("{:.0e}", value);
}

}  // namespace

Axis::Axis(const std::vector<double>& values, bool log) : log_(log) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double v : values) {
    if (!drawn(v, log)) continue;
    low = std::min(low, scaled(v, log));
    high = std::max(high, scaled(v, log));
  }
  if (!(low <= high)) return;
  // One value, or as good as one, is in the middle of a range around it.
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= (log ? kDistinct : size * kDistinct) || high - low < kSmallest) {
    const double around = log ? 0.5 : size > 10 * kSmallest ? size / 10 : 1;
    low -= around;
    high += around;
  }
  low_ = low;
  high_ = high;
}

double Axis::at(double value) const {
  if (!drawn(value, log_)) return std::numeric_limits<double>::quiet_NaN();
  return (scaled(value, log_) - low_) / (high_ - low_);
}

double Axis::step(int most) const { return round_step((high_ - low_) / std::max(most, 1)); }

void Axis::round(int ticks) {
  if (log_) return;
  step_ = step(ticks);
  low_ = std::floor(low_ / step_ + 1e-9) * step_;
  high_ = std::ceil(high_ / step_ - 1e-9) * step_;
}

void Axis::from_zero() {
  if (!log_ && low_ > 0 && low_ <= high_ / 10) low_ = 0;
}

std::vector<Tick> Axis::ticks(int most) const {
  std::vector<Tick> out;
  const double span = high_ - low_;
  const auto inside = [&](double v) { return v >= low_ - span * 1e-9 && v <= high_ + span * 1e-9; };
  if (log_) {
    // Powers of ten; between few of them also 2 and 5, or 1 to 9.
    for (const std::vector<double>& factors : {std::vector<double>{1}, {1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}) {
      out.clear();
      const double stride = factors.size() > 1 ? 1 : std::max(1.0, std::ceil(span / std::max(most - 1, 1)));
      for (double e = std::floor(low_ / stride) * stride; e <= high_ + 1; e += stride) {
        for (const double f : factors) {
          const double v = e + std::log10(f);
          if (inside(v)) out.push_back({(v - low_) / span, power_text(f * std::pow(10.0, e))});
        }
      }
      if (out.size() >= (factors.size() > 1 ? 2U : 3U) || span > 3) break;
    }
    if (!out.empty()) return out;
    const double middle = (low_ + high_) / 2;  // a range between two of these numbers
    return {{0.5, fmt::format("{:.3g}", std::pow(10.0, middle))}};
  }
  const double step = step_ > 0 ? step_ : this->step(most);
  std::vector<double> values;
  for (double i = std::ceil(low_ / step - 1e-9); inside(i * step) && values.size() < 1000; ++i) {
    values.push_back(i == 0 ? 0 : i * step);
  }
  if (values.empty()) values.push_back((low_ + high_) / 2);
  const std::vector<std::string> texts = texts_of(values, step);
  for (std::size_t i = 0; i < values.size(); ++i) out.push_back({(values[i] - low_) / span, texts[i]});
  return out;
}

Axes2 axes_of(const std::vector<Curve>& curves, const PlotOptions& options) {
  std::vector<double> x;
  std::vector<double> y;
  for (const Curve& c : curves) {
    if (c.x.size() != c.y.size()) {
      fail(ErrorKind::kValue, "plot: the curve '{}' has {} values of x and {} of y; equal numbers are expected.",
           c.name, c.x.size(), c.y.size());
    }
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      if (!drawn(c.x[i], options.log_x) || !drawn(c.y[i], options.log_y)) continue;
      x.push_back(c.x[i]);
      y.push_back(c.y[i]);
    }
  }
  Axes2 axes{Axis(x, options.log_x), Axis(y, options.log_y)};
  axes.x.from_zero();
  return axes;
}

std::vector<Positions> positions_of(const std::vector<Curve>& curves, const Axis& x, const Axis& y) {
  std::vector<Positions> out;
  for (const Curve& c : curves) {
    Positions positions;
    bool joined = false;
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      const Positions::Point p{x.at(c.x[i]), y.at(c.y[i])};
      if (std::isnan(p.x) || std::isnan(p.y)) {
        joined = false;
        continue;
      }
      if (!joined) positions.parts.emplace_back();
      positions.parts.back().push_back(p);
      joined = true;
    }
    out.push_back(std::move(positions));
  }
  return out;
}

}  // namespace tessera::train
