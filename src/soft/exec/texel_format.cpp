// SPDX-License-Identifier: MIT
#include "soft/exec/texel_format.h"

#include <algorithm>
#include <array>
#include <span>

namespace hipwright::soft {

namespace {

using enum TexelNumber;

// gfx9: the layouts, and the interpretations in the order of TexelNumber.
struct Layout {
  std::uint8_t number, channels, bits;
};
constexpr Layout kLayouts[] = {
    {1, 1, 8},  {2, 1, 16},  {3, 2, 8},   {4, 1, 32},  {5, 2, 16},
    {10, 4, 8}, {11, 2, 32}, {12, 4, 16}, {13, 3, 32}, {14, 4, 32},
};
constexpr std::array<std::uint8_t, 8> kGfx9Numbers = {0, 1, 2, 3, 4, 5, 7, 9};

// Later targets: the formats of a layout have consecutive numbers.
struct Run {
  std::uint16_t first;
  std::uint8_t channels, bits;
  TexelNumber begin, end;  // the first and the last interpretation, in the order of TexelNumber
};
constexpr Run kGfx10[] = {
    {1, 1, 8, kUnorm, kSint},   {7, 1, 16, kUnorm, kFloat},  {14, 2, 8, kUnorm, kSint},
    {20, 1, 32, kUint, kFloat}, {23, 2, 16, kUnorm, kFloat}, {56, 4, 8, kUnorm, kSint},
    {62, 2, 32, kUint, kFloat}, {65, 4, 16, kUnorm, kFloat}, {72, 3, 32, kUint, kFloat},
    {75, 4, 32, kUint, kFloat}, {128, 1, 8, kSrgb, kSrgb},   {129, 2, 8, kSrgb, kSrgb},
    {130, 4, 8, kSrgb, kSrgb},
};
constexpr Run kGfx11[] = {
    {1, 1, 8, kUnorm, kSint},   {7, 1, 16, kUnorm, kFloat},  {14, 2, 8, kUnorm, kSint},
    {20, 1, 32, kUint, kFloat}, {23, 2, 16, kUnorm, kFloat}, {42, 4, 8, kUnorm, kSint},
    {48, 2, 32, kUint, kFloat}, {51, 4, 16, kUnorm, kFloat}, {58, 3, 32, kUint, kFloat},
    {61, 4, 32, kUint, kFloat}, {64, 1, 8, kSrgb, kSrgb},    {65, 2, 8, kSrgb, kSrgb},
    {66, 4, 8, kSrgb, kSrgb},
};
std::span<const Run> runs(Isa isa) {
  return isa == Isa::kGfx10 ? std::span<const Run>(kGfx10) : std::span<const Run>(kGfx11);
}

// Which interpretations a width has.
bool exists(TexelFormat format) {
  if (format.bits == 32) return format.is_integer() || format.number == kFloat;
  return format.bits == 16 ? format.number != kSrgb : format.number != kFloat;
}

std::optional<std::uint32_t> gfx9_number(TexelFormat format) {
  for (const Layout& layout : kLayouts)
    if (layout.channels == format.channels && layout.bits == format.bits && exists(format))
      return layout.number | std::uint32_t{kGfx9Numbers[static_cast<unsigned>(format.number)]} << 8;
  return {};
}

std::optional<TexelFormat> gfx9_format(std::uint32_t number) {
  const auto* const layout = std::ranges::find(kLayouts, number & 0xffU, &Layout::number);
  const auto* const kind = std::ranges::find(kGfx9Numbers, number >> 8);
  if (layout == std::end(kLayouts) || kind == kGfx9Numbers.end()) return {};
  const TexelFormat format{layout->channels, layout->bits,
                           static_cast<TexelNumber>(kind - kGfx9Numbers.begin())};
  return exists(format) ? std::optional(format) : std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> format_number(TexelFormat format, Isa isa) {
  if (is_gfx9(isa)) return gfx9_number(format);
  for (const Run& run : runs(isa))
    if (run.channels == format.channels && run.bits == format.bits && run.begin <= format.number &&
        format.number <= run.end)
      return run.first + static_cast<unsigned>(format.number) - static_cast<unsigned>(run.begin);
  return {};
}

std::optional<TexelFormat> format_of_number(std::uint32_t number, Isa isa) {
  if (is_gfx9(isa)) return gfx9_format(number);
  for (const Run& run : runs(isa)) {
    const unsigned count = static_cast<unsigned>(run.end) - static_cast<unsigned>(run.begin);
    if (number < run.first || number - run.first > count) continue;
    return TexelFormat{
        run.channels, run.bits,
        static_cast<TexelNumber>(static_cast<unsigned>(run.begin) + number - run.first)};
  }
  return {};
}

}  // namespace hipwright::soft
