// Color images for jobs: drawn shapes, or those of an npz file such as CIFAR-10.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tessera/tessera.h"

namespace tessera::app {

/// Images u8 [N, 3, H, W] and their classes, i32 [N].
struct ColorImages {
  Tensor images, labels;
};
struct ColorSets {
  ColorImages train, test;
  std::vector<std::string> classes;  // their names; numbers for those of a file
};

/// One of ten bright shapes on each image, with random color, size, position and angle, on a dark background that
/// changes from one color to another, with noise. Mirrored images are of the same class. The same seed gives the same
/// images.
ColorImages draw_shapes(std::int64_t count, std::int64_t size, std::uint64_t seed);
/// `count` images for the training, and a fifth of that for the test.
ColorSets shape_sets(std::int64_t count, std::int64_t size, std::uint64_t seed);

/// The arrays train_images, train_labels, test_images and test_labels of an npz file: u8 [N, 3, H, W] or [N, H, W, 3]
/// with sides of at least 8, and integers [N] or [N, 1] from 0 to 999. Errors are those of io::load_npz; of kind value
/// for arrays that are missing or do not fit together.
ColorSets load_color_images(const std::filesystem::path& file);

}  // namespace tessera::app
