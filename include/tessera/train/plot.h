// Curves as text for a terminal, and as SVG.
#pragma once

#include <string>
#include <vector>

#include "tessera/export.h"

namespace TESSERA_API tessera {
namespace train {

/// Points in order, joined by lines. A point that is not finite, or not positive on a logarithmic axis, is a gap.
struct Curve {
  std::string name;          // in the legend
  std::vector<double> x, y;  // of equal length
};

struct PlotOptions {
  std::string title = {};
  std::string x_label = "step";
  std::string y_label = {};
  int width = 0;   // of the whole plot; 0: 80 characters, or those of a narrower terminal; 760 pixels
  int height = 0;  // 0: 20 lines, or 420 pixels
  bool log_x = false, log_y = false;
  bool color = false;  // in a terminal: escape codes; else letters mark the curves
};

/// A plot in braille characters with axes and a legend; lines end with '\n'. Error of kind value for sizes of x and y
/// that differ, and for less than 24 characters by 6 lines.
std::string plot_text(const std::vector<Curve>& curves, const PlotOptions& options = {});

/// An SVG image, in light or dark colors as the viewer prefers. Error of kind value for sizes of x and y that differ,
/// and for less than 160 by 120 pixels.
std::string plot_svg(const std::vector<Curve>& curves, const PlotOptions& options = {});

}  // namespace train
}  // namespace tessera
