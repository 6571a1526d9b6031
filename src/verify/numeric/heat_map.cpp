// SPDX-License-Identifier: MIT
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "verify/numeric/compare.h"

namespace hipwright::verify {

namespace {

constexpr std::size_t kLargest = 512;  // pixels, in either direction
constexpr std::size_t kReadable = 256;

struct Pixel {
  std::uint8_t red = 0, green = 0, blue = 0;
};

// The worst of the elements in one cell of the picture.
struct HeatCell {
  enum Kind : std::uint8_t { kEqual, kNear, kWrong, kSpecial } kind = kEqual;
  double error = 0;
};

struct Picture {
  std::size_t width = 0, height = 0;
  std::vector<Pixel> pixels;
};

// Rows and columns of the tensor; one dimension is wrapped at a power of two, so that lanes and
// blocks become columns.
std::pair<std::size_t, std::size_t> plane_of(const Comparison& comparison) {
  const Shape& shape = comparison.shape;
  std::size_t columns = shape.size() >= 2 ? static_cast<std::size_t>(shape.back()) : 0;
  const bool is_sample = columns != 0 && comparison.count % columns != 0;
  if (columns == 0 || is_sample || comparison.count / columns < 2) {
    columns = 32;
    while (columns < kLargest && columns * columns < comparison.count) columns *= 2;
    columns = std::min(columns, comparison.count);
  }
  return {(comparison.count + columns - 1) / columns, columns};
}

std::vector<HeatCell> cells_of(const Values& expected, const Values& actual,
                               const Comparison& comparison, std::size_t columns, std::size_t down,
                               std::size_t across, std::size_t width, std::size_t height) {
  std::vector<HeatCell> cells(width * height);
  const std::size_t size = size_of(expected.type);
  for (std::size_t i = 0; i < comparison.count; ++i) {
    if (expected.bytes.compare(i * size, size, actual.bytes, i * size, size) == 0) continue;
    const double want = expected.at(i), have = actual.at(i);
    const bool is_wrong = !comparison.is_wrong.empty() && comparison.is_wrong[i];
    const bool is_finite = std::isfinite(want) && std::isfinite(have);
    if (!is_wrong && (!is_finite || want == have)) continue;
    HeatCell& cell = cells[i / columns / down * width + i % columns / across];
    const auto kind = !is_wrong   ? HeatCell::kNear
                      : is_finite ? HeatCell::kWrong
                                  : HeatCell::kSpecial;
    const double error = is_finite ? std::abs(have - want) : 0;
    if (kind > cell.kind) cell = {kind, error};
    if (kind == cell.kind) cell.error = std::max(cell.error, error);
  }
  return cells;
}

// Errors span orders of magnitude, so brightness is logarithmic: the largest is the brightest, and
// a thousandth of it or less is the darkest.
double brightness(double error, double largest) {
  return error > 0 ? std::clamp(1 + std::log10(error / largest) / 3, 0.0, 1.0) : 0;
}

Picture painted(const std::vector<HeatCell>& cells, std::size_t width, std::size_t height) {
  std::array<double, 4> largest{};
  for (const HeatCell& cell : cells) largest[cell.kind] = std::max(largest[cell.kind], cell.error);
  Picture picture{width, height, std::vector<Pixel>(cells.size())};
  const auto between = [](double low, double high, double at) {
    return static_cast<std::uint8_t>(std::lround(low + (high - low) * at));
  };
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const HeatCell& cell = cells[i];
    const double at = brightness(cell.error, largest[cell.kind]);
    switch (cell.kind) {
      case HeatCell::kEqual:
        break;
      case HeatCell::kNear:
        picture.pixels[i] = {0, between(24, 72, at), between(72, 168, at)};
        break;
      case HeatCell::kWrong:
        picture.pixels[i] = {between(136, 255, at), between(0, 48, at), between(0, 32, at)};
        break;
      case HeatCell::kSpecial:
        picture.pixels[i] = {255, 220, 0};
        break;
    }
  }
  return picture;
}

// Each cell becomes a square of `scale` pixels.
std::string png_of(const Picture& picture, std::size_t scale) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(picture.pixels.size() * scale * scale * 3);
  for (std::size_t y = 0; y < picture.height * scale; ++y)
    for (std::size_t x = 0; x < picture.width * scale; ++x) {
      const Pixel& pixel = picture.pixels[y / scale * picture.width + x / scale];
      bytes.insert(bytes.end(), {pixel.red, pixel.green, pixel.blue});
    }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.format = PNG_FORMAT_RGB;
  image.width = static_cast<png_uint_32>(picture.width * scale);
  image.height = static_cast<png_uint_32>(picture.height * scale);
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string out(size, '\0');
  const int is_written =
      png_image_write_to_memory(&image, out.data(), &size, 0, bytes.data(), 0, nullptr);
  HW_ASSERT(is_written != 0);
  out.resize(size);
  return out;
}

}  // namespace

std::string heat_map(const Values& expected, const Values& actual, const Comparison& comparison) {
  if (!comparison.problem.empty() || comparison.count == 0) return {};
  if (expected.bytes.size() != actual.bytes.size() || expected.count() != comparison.count)
    return {};
  const auto [rows, columns] = plane_of(comparison);
  const std::size_t down = (rows + kLargest - 1) / kLargest,
                    across = (columns + kLargest - 1) / kLargest;
  const std::size_t height = (rows + down - 1) / down, width = (columns + across - 1) / across;
  const auto cells = cells_of(expected, actual, comparison, columns, down, across, width, height);
  const std::size_t scale = std::max<std::size_t>(1, kReadable / std::max(width, height));
  return png_of(painted(cells, width, height), scale);
}

std::string picture_of(const Values& expected, const Values& actual, const Comparison& comparison) {
  return comparison.count < 32 ? std::string() : heat_map(expected, actual, comparison);
}

}  // namespace hipwright::verify
