// Axes of plots: ranges, ticks and their texts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tessera/train/plot.h"

namespace tessera::train {

struct Tick {
  double at = 0;  // from 0 to 1
  std::string text;
};

/// An axis on which values have positions from 0 to 1.
class Axis {
 public:
  /// Covers these values; those that are not finite, or not positive on a logarithmic axis, are left out. Without any,
  /// from 0 to 1.
  Axis(const std::vector<double>& values, bool log);
  /// Extends a linear range to round numbers, at most so many steps apart, which are the ticks from now on.
  void round(int ticks);
  /// Extends a linear range to 0, if it begins in the first tenth: steps.
  void from_zero();
  /// NaN for a gap.
  [[nodiscard]] double at(double value) const;
  /// About `most` ticks at round numbers, ascending; at least one.
  [[nodiscard]] std::vector<Tick> ticks(int most) const;

 private:
  [[nodiscard]] double step(int most) const;

  bool log_;
  double low_ = 0, high_ = 1;  // of a logarithmic axis: decimal exponents
  double step_ = 0;            // between ticks; 0: not chosen yet
};

/// The curves that have points to draw, as positions.
struct Positions {
  struct Point {
    double x = 0, y = 0;
  };
  /// Points that are joined; a gap starts a new list.
  std::vector<std::vector<Point>> parts;
};
std::vector<Positions> positions_of(const std::vector<Curve>& curves, const Axis& x, const Axis& y);

/// The axes of all points that are not gaps. Throws for curves with x and y of different sizes.
struct Axes2 {
  Axis x, y;
};
Axes2 axes_of(const std::vector<Curve>& curves, const PlotOptions& options);

}  // namespace tessera::train
