// Images of digits for jobs that need them without a download: drawn from strokes, or read from IDX files.
#pragma once

#include <cstdint>
#include <filesystem>

#include "train/mnist.h"

namespace tessera::app {

/// Gray images u8 [N, size, size] and labels u8 [N]: digits as strokes with random slant, size, position, bends and
/// width. The same seed gives the same images.
Images draw_digits(std::int64_t count, std::int64_t size, std::uint64_t seed);

/// The IDX files of a folder as `train mnist` reads them; drawn digits of 16 x 16 if the folder is empty: `count` for
/// training, and a tenth of that for the test.
ImageSets digits_of(const std::filesystem::path& folder, std::int64_t count, std::uint64_t seed);

/// The largest pixel of images, at least 1: 255 for MNIST and drawn digits, 16 for scikit-learn's.
double white_of(const Images& set);
/// Images u8 as f32 in [0, 1], where 1 is `white` and what is brighter.
Tensor as_floats(const Tensor& images, double white);

/// Writes gray images [N, H, W] of floats from 0 to 1 as one PNG file, in rows of `columns`; small ones are magnified.
void save_sheet(const std::filesystem::path& file, const Tensor& images, std::int64_t columns);

}  // namespace tessera::app
