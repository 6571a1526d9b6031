// SPDX-License-Identifier: MIT
#include <zlib.h>

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

// The worst of the elements that fall on one cell.
struct Cell {
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

std::vector<Cell> cells_of(const Values& expected, const Values& actual,
                           const Comparison& comparison, std::size_t columns, std::size_t down,
                           std::size_t across, std::size_t width, std::size_t height) {
  std::vector<Cell> cells(width * height);
  const std::size_t size = size_of(expected.type);
  for (std::size_t i = 0; i < comparison.count; ++i) {
    if (expected.bytes.compare(i * size, size, actual.bytes, i * size, size) == 0) continue;
    const double want = expected.at(i), have = actual.at(i);
    const bool is_wrong = !comparison.is_wrong.empty() && comparison.is_wrong[i];
    const bool is_finite = std::isfinite(want) && std::isfinite(have);
    if (!is_wrong && (!is_finite || want == have)) continue;
    Cell& cell = cells[i / columns / down * width + i % columns / across];
    const auto kind = !is_wrong ? Cell::kNear : is_finite ? Cell::kWrong : Cell::kSpecial;
    const double error = is_finite ? std::abs(have - want) : 0;
    if (kind > cell.kind) cell = {kind, error};
    if (kind == cell.kind) cell.error = std::max(cell.error, error);
  }
  return cells;
}

// Errors span many orders of magnitude: brightness is by their logarithm. The largest is the
// brightest; a thousandth of it, and what is less, is the darkest.
double brightness(double error, double largest) {
  return error > 0 ? std::clamp(1 + std::log10(error / largest) / 3, 0.0, 1.0) : 0;
}

Picture painted(const std::vector<Cell>& cells, std::size_t width, std::size_t height) {
  std::array<double, 4> largest{};
  for (const Cell& cell : cells) largest[cell.kind] = std::max(largest[cell.kind], cell.error);
  Picture picture{width, height, std::vector<Pixel>(cells.size())};
  const auto between = [](double low, double high, double at) {
    return static_cast<std::uint8_t>(std::lround(low + (high - low) * at));
  };
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    const double at = brightness(cell.error, largest[cell.kind]);
    switch (cell.kind) {
      case Cell::kEqual:
        break;
      case Cell::kNear:
        picture.pixels[i] = {0, between(24, 72, at), between(72, 168, at)};
        break;
      case Cell::kWrong:
        picture.pixels[i] = {between(136, 255, at), between(0, 48, at), between(0, 32, at)};
        break;
      case Cell::kSpecial:
        picture.pixels[i] = {255, 220, 0};
        break;
    }
  }
  return picture;
}

void add_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

void add_chunk(std::string& out, std::string_view kind, std::string_view content) {
  add_number(out, static_cast<std::uint32_t>(content.size()));
  const std::string checked = std::string(kind).append(content);
  out += checked;
  add_number(out,
             static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                              static_cast<uInt>(checked.size()))));
}

// Each cell becomes a square of `scale` pixels.
std::string png_of(const Picture& picture, std::size_t scale) {
  std::string lines;
  for (std::size_t y = 0; y < picture.height; ++y) {
    std::string line(1, '\0');  // no filter
    for (std::size_t x = 0; x < picture.width; ++x) {
      const Pixel& pixel = picture.pixels[y * picture.width + x];
      for (std::size_t times = 0; times < scale; ++times)
        for (const std::uint8_t part : {pixel.red, pixel.green, pixel.blue})
          line += static_cast<char>(part);
    }
    for (std::size_t times = 0; times < scale; ++times) lines += line;
  }
  std::string packed(compressBound(lines.size()), '\0');
  uLongf packed_size = packed.size();
  const int code = compress2(reinterpret_cast<Bytef*>(packed.data()), &packed_size,
                             reinterpret_cast<const Bytef*>(lines.data()), lines.size(), 9);
  HW_ASSERT(code == Z_OK);
  packed.resize(packed_size);

  std::string out = "\x89PNG\r\n\x1A\n";
  std::string head;
  add_number(head, static_cast<std::uint32_t>(picture.width * scale));
  add_number(head, static_cast<std::uint32_t>(picture.height * scale));
  head += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits of red, green and blue
  add_chunk(out, "IHDR", head);
  add_chunk(out, "IDAT", packed);
  add_chunk(out, "IEND", "");
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
