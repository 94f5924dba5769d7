// Quantization on the host to the dtypes whose scales are searched for: the least squared error of each sub-block, then
// of its scales in the bits that the block has for them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "ops/quant/quant.h"

namespace tessera::ops {

namespace {

/// A block dtype as sub-blocks of `size` elements: scale * value, or scale * value - min.
struct SearchFormat {
  DType dtype;
  std::size_t size, count;    // elements of a sub-block, sub-blocks of a block
  int low, high;              // values of codes, or positions in the table of values
  int scale_low, scale_high;  // of integer scales; 0, 0: the f16 scale alone
  int min_high;               // of integer minimums; 0: none
  float narrow, wide;         // the search: the largest value is reached at these parts of the largest element
  int steps;
};

constexpr std::array kFormats{
    SearchFormat{DType::kQ2_K, 16, 16, 0, 3, 0, 15, 15, 0.80F, 1.60F, 17},
    SearchFormat{DType::kQ3_K, 16, 16, -4, 3, -32, 31, 0, 0.70F, 1.20F, 11},
    SearchFormat{DType::kQ4_K, 32, 8, 0, 15, 0, 63, 63, 0.95F, 1.20F, 11},
    SearchFormat{DType::kQ5_K, 32, 8, 0, 31, 0, 63, 63, 0.98F, 1.10F, 7},
    SearchFormat{DType::kQ6_K, 16, 16, -32, 31, -128, 127, 0, 0.94F, 1.03F, 10},
    SearchFormat{DType::kIQ4_NL, 32, 1, 0, 15, 0, 0, 0, 0.85F, 1.20F, 11},
    SearchFormat{DType::kIQ4_XS, 32, 8, 0, 15, -32, 31, 0, 0.85F, 1.20F, 11},
};

/// The nearest integer of a number below 2^22, in two additions, which compilers vectorize.
inline float nearest(float x) {
  constexpr float kMagic = 12582912.0F;  // 1.5 * 2^23
  return (x + kMagic) - kMagic;
}

/// Sums over a sub-block, in lanes that add independently of each other.
constexpr std::size_t kLanes = 8;
using Lanes = std::array<float, kLanes>;
inline float total(const Lanes& l) { return ((l[0] + l[4]) + (l[1] + l[5])) + ((l[2] + l[6]) + (l[3] + l[7])); }

/// The values that codes of one dtype have, and the nearest of them.
struct IntegerValues {
  float low, high;
  explicit IntegerValues(const SearchFormat& f) : low(static_cast<float>(f.low)), high(static_cast<float>(f.high)) {}
  [[nodiscard]] float operator()(float x) const { return nearest(std::min(std::max(x, low), high)); }
  [[nodiscard]] float largest() const { return std::max(high, -low); }
  [[nodiscard]] std::uint8_t code(float value) const { return static_cast<std::uint8_t>(value - low); }
};

struct NonlinearValues {
  std::array<float, 16> values{};
  explicit NonlinearValues(const SearchFormat& /*unused*/) {
    for (std::uint32_t i = 0; i < 16; ++i) values[i] = static_cast<float>(code_value(BlockCodes::kNonlinear, i));
  }
  [[nodiscard]] float operator()(float x) const {
    float best = values[0];
    for (std::size_t i = 1; i < 16; ++i) best = x > (values[i - 1] + values[i]) * 0.5F ? values[i] : best;
    return best;
  }
  [[nodiscard]] float largest() const { return -values[0]; }
  [[nodiscard]] std::uint8_t code(float value) const {
    return static_cast<std::uint8_t>(std::ranges::find(values, value) - values.begin());
  }
};

/// scale * value + offset, and its squared error.
struct Fit {
  float scale = 0, offset = 0, error = INFINITY;
};

template <std::size_t N, class Values>
class Search {
 public:
  Search(const SearchFormat& format, const float* x, int exponent)
      : format_(format), values_(format), x_(x), exponent_(exponent) {}

  /// The parts of the block; false if a scale is beyond the range of f16.
  bool run(BlockParts& parts) {
    for (std::size_t j = 0; j < format_.count; ++j) {
      const float* x = x_ + j * N;
      fits_[j] = format_.min_high > 0 ? with_minimum(x) : with_scale(x);
    }
    choose_supers();
    if (!std::isfinite(d_) || !std::isfinite(dmin_)) return false;
    float error = choose_scales();
    refit(error);
    for (std::size_t j = 0; j < format_.count; ++j) {
      const Fit f = effective(scales_[j], mins_[j]);
      for (std::size_t i = 0; i < N; ++i) {
        const float v = values_((x_[j * N + i] - f.offset) * inverse(f.scale));
        parts.codes[j * N + i] = values_.code(v);
      }
      for (std::size_t u = j * N / 16; u < (j + 1) * N / 16; ++u) {
        parts.scales[u] = scales_[j];
        parts.mins[u] = mins_[j];
      }
    }
    parts.scale = half_of(d_);
    parts.min = half_of(dmin_);
    return true;
  }

 private:
  [[nodiscard]] static float inverse(float x) { return x == 0 ? 0 : 1 / x; }
  [[nodiscard]] Half half_of(float x) const { return Half(std::ldexp(x, exponent_)); }
  /// x, which is scaled by a power of two, as its f16 is.
  [[nodiscard]] float rounded(float x) const { return std::ldexp(static_cast<float>(half_of(x)), -exponent_); }

  /// The best scale for values without offset.
  [[nodiscard]] Fit with_scale(const float* x) const {
    float most = 0;
    for (std::size_t i = 0; i < N; ++i) most = std::abs(x[i]) > std::abs(most) ? x[i] : most;
    if (most == 0) return {0, 0, 0};
    Fit best{0, 0, 0};
    float gain = 0;
    const auto consider = [&](float inv) {
      Lanes xv{};
      Lanes vv{};
      for (std::size_t i = 0; i < N; i += kLanes) {
        for (std::size_t l = 0; l < kLanes; ++l) {
          const float v = values_(x[i + l] * inv);
          xv[l] += x[i + l] * v;
          vv[l] += v * v;
        }
      }
      const float sum = total(xv);
      const float squares = total(vv);
      if (squares > 0 && sum * sum > gain * squares) {
        gain = sum * sum / squares;
        best.scale = sum / squares;
      }
    };
    for (int s = 0; s < format_.steps; ++s) {
      const float inv = part(s) * values_.largest() / most;
      consider(-inv);
      if (format_.high - format_.low < 32) consider(inv);  // few values: both signs, as they are not symmetric
    }
    if (best.scale != 0) consider(1 / best.scale);
    return best;
  }

  /// The best scale and offset of at most 0.
  [[nodiscard]] Fit with_minimum(const float* x) const {
    const auto [low, high] = std::minmax_element(x, x + N);
    const float min = std::min(*low, 0.0F);
    const float range = *high - min;
    if (!(range > 0)) return {0, min, 0};
    Fit best;
    const auto consider = [&](float from, float inv) {
      // Of x - min, so that little is lost where the range is small beside the numbers.
      Lanes v1{};
      Lanes vv{};
      Lanes y1{};
      Lanes yv{};
      Lanes yy{};
      for (std::size_t i = 0; i < N; i += kLanes) {
        for (std::size_t l = 0; l < kLanes; ++l) {
          const float y = x[i + l] - min;
          const float v = values_((x[i + l] - from) * inv);
          v1[l] += v;
          vv[l] += v * v;
          y1[l] += y;
          yv[l] += y * v;
          yy[l] += y * y;
        }
      }
      constexpr auto kN = static_cast<float>(N);
      const float sv = total(v1);
      const float svv = total(vv);
      const float sy = total(y1);
      const float syv = total(yv);
      const float det = kN * svv - sv * sv;
      if (!(det > 0)) return;
      float scale = (kN * syv - sv * sy) / det;
      float offset = (sy - scale * sv) / kN;
      if (offset + min > 0) {
        offset = -min;
        scale = (syv - offset * sv) / svv;
      }
      if (!(scale > 0)) return;
      const float error = total(yy) - 2 * scale * syv - 2 * offset * sy + scale * scale * svv +
                          2 * scale * offset * sv + kN * offset * offset;
      if (error < best.error) best = {scale, offset + min, error};
    };
    for (int s = 0; s < format_.steps; ++s) consider(min, part(s) * values_.largest() / range);
    for (int i = 0; i < 2; ++i) {
      if (best.scale > 0) consider(best.offset, 1 / best.scale);
    }
    if (best.error == INFINITY) return {range / values_.largest(), min, 0};
    return best;
  }

  [[nodiscard]] float part(int step) const {
    return format_.narrow +
           (format_.wide - format_.narrow) * static_cast<float>(step) / static_cast<float>(format_.steps - 1);
  }

  /// The f16 scales of the block, by its largest sub-block.
  void choose_supers() {
    float scale = 0;
    float min = 0;
    for (std::size_t j = 0; j < format_.count; ++j) {
      if (std::abs(fits_[j].scale) > std::abs(scale)) scale = fits_[j].scale;
      min = std::max(min, -fits_[j].offset);
    }
    const int limit = format_.scale_low < 0 ? format_.scale_low : std::max(format_.scale_high, 1);
    d_ = rounded(scale / static_cast<float>(limit));
    dmin_ = format_.min_high > 0 ? rounded(min / static_cast<float>(format_.min_high)) : 0;
  }

  [[nodiscard]] Fit effective(int scale, int min) const {
    const float s = format_.scale_high == 0 ? d_ : d_ * static_cast<float>(scale);
    return {s, -dmin_ * static_cast<float>(min), 0};
  }

  [[nodiscard]] float error_of(const float* x, const Fit& f) const {
    const float inv = inverse(f.scale);
    Lanes sums{};
    for (std::size_t i = 0; i < N; i += kLanes) {
      for (std::size_t l = 0; l < kLanes; ++l) {
        const float v = values_((x[i + l] - f.offset) * inv);
        const float e = f.scale * v + f.offset - x[i + l];
        sums[l] += e * e;
      }
    }
    return total(sums);
  }

  /// The integer scales and minimums near those of the fits; returns the error of the block.
  float choose_scales() {
    float all = 0;
    for (std::size_t j = 0; j < format_.count; ++j) {
      const auto near = [](float wanted, float unit, int low, int high) {
        const float x = unit == 0 ? 0 : wanted / unit;
        return static_cast<int>(std::nearbyint(std::clamp(x, static_cast<float>(low), static_cast<float>(high))));
      };
      const int scale = near(fits_[j].scale, d_, format_.scale_low, format_.scale_high);
      const int min = near(-fits_[j].offset, dmin_, 0, format_.min_high);
      float best = INFINITY;
      const int around = format_.scale_high == 0 ? 0 : 1;
      const int around_min = format_.min_high == 0 ? 0 : 1;
      for (int s = std::max(scale - around, format_.scale_low); s <= std::min(scale + around, format_.scale_high);
           ++s) {
        for (int m = std::max(min - around_min, 0); m <= std::min(min + around_min, format_.min_high); ++m) {
          const float error = error_of(x_ + j * N, effective(s, m));
          if (!(error < best)) continue;
          best = error;
          scales_[j] = s;
          mins_[j] = m;
        }
      }
      all += best;
    }
    return all;
  }

  /// The f16 scales by least squares for the values that were chosen, if the error becomes smaller.
  void refit(float error) {
    // x = d * a - dmin * b, with a = scale * value and b = min.
    double aa = 0;
    double ab = 0;
    double bb = 0;
    double xa = 0;
    double xb = 0;
    for (std::size_t j = 0; j < format_.count; ++j) {
      const Fit f = effective(scales_[j], mins_[j]);
      const float inv = inverse(f.scale);
      const float s = format_.scale_high == 0 ? 1 : static_cast<float>(scales_[j]);
      const auto b = static_cast<float>(mins_[j]);
      for (std::size_t i = 0; i < N; ++i) {
        const float x = x_[j * N + i];
        const float a = s * values_((x - f.offset) * inv);
        aa += static_cast<double>(a * a);
        ab += static_cast<double>(a * b);
        bb += static_cast<double>(b * b);
        xa += static_cast<double>(x * a);
        xb += static_cast<double>(x * b);
      }
    }
    const float before = d_;
    const float min_before = dmin_;
    const double det = aa * bb - ab * ab;
    if (det > 1e-9 * aa * bb) {
      d_ = rounded(static_cast<float>((xa * bb - xb * ab) / det));
      dmin_ = rounded(static_cast<float>((xa * ab - xb * aa) / det));
    } else if (aa > 0) {
      d_ = rounded(static_cast<float>((xa + static_cast<double>(dmin_) * ab) / aa));
    }
    if (std::isfinite(d_) && std::isfinite(dmin_) && !(dmin_ < 0)) {
      const auto scales = scales_;
      const auto mins = mins_;
      if (choose_scales() < error) return;
      scales_ = scales;
      mins_ = mins;
    }
    d_ = before;
    dmin_ = min_before;
  }

  const SearchFormat& format_;
  Values values_;
  const float* x_;
  int exponent_;  // elements are times 2^-exponent
  std::array<Fit, 16> fits_{};
  std::array<int, 16> scales_{}, mins_{};
  float d_ = 0, dmin_ = 0;
};

}  // namespace

bool quantize_by_search(DType dtype, const float* elements, std::byte* block) {
  const SearchFormat& format = *std::ranges::find(kFormats, dtype, &SearchFormat::dtype);
  const std::size_t n = format.size * format.count;
  float most = 0;
  for (std::size_t i = 0; i < n; ++i) most = std::max(most, std::abs(elements[i]));
  // Times a power of two, so that squares neither overflow nor vanish.
  const int exponent = most == 0 ? 0 : std::ilogb(most);
  std::array<float, 256> x{};
  for (std::size_t i = 0; i < n; ++i) x[i] = std::ldexp(elements[i], -exponent);
  BlockParts parts;
  const auto search = [&](auto made) { return made.run(parts); };
  const bool fits = block_layout(dtype).codes == BlockCodes::kNonlinear
                        ? search(Search<32, NonlinearValues>(format, x.data(), exponent))
                    : format.size == 16 ? search(Search<16, IntegerValues>(format, x.data(), exponent))
                                        : search(Search<32, IntegerValues>(format, x.data(), exponent));
  if (fits) pack_block(dtype, parts, block);
  return fits;
}

}  // namespace tessera::ops
