// SPDX-License-Identifier: MIT
#include "soft/exec/image_descriptor.h"

#include <algorithm>

namespace hipwright::soft {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// A field by its first bit, counted over all words, and its width. Width 0: the target lacks it.
struct Field {
  std::uint16_t first = 0;
  std::uint8_t bits = 0;
};

// Fields that are split keep their upper part in `…_high`.
struct Layout {
  Field base, format, width, height, depth, pitch, pitch_high, first_layer, first_level, last_level;
  bool pitch_is_depth = false;  // of images that have no slices
};
constexpr Field kSwizzle{116, 5}, kKind{124, 4};
constexpr unsigned kSelect = 96;  // four fields of three bits

constexpr Layout kGfx9 = {.base = {0, 40},
                          .format = {52, 10},  // layout, then interpretation
                          .width = {64, 14},
                          .height = {78, 14},
                          .depth = {128, 13},
                          .pitch = {141, 16},
                          .pitch_high = {},
                          .first_layer = {160, 13},
                          .first_level = {108, 4},
                          .last_level = {112, 4}};
constexpr Layout kGfx10 = {.base = {0, 40},
                           .format = {52, 9},
                           .width = {62, 14},
                           .height = {78, 14},
                           .depth = {128, 13},
                           .pitch = {128, 14},
                           .pitch_high = {},
                           .first_layer = {144, 13},
                           .first_level = {108, 4},
                           .last_level = {112, 4},
                           .pitch_is_depth = true};
constexpr Layout kGfx11 = {.base = {0, 40},
                           .format = {52, 8},
                           .width = {62, 14},
                           .height = {78, 14},
                           .depth = {128, 13},
                           .pitch = {128, 14},
                           .pitch_high = {},
                           .first_layer = {144, 13},
                           .first_level = {108, 4},
                           .last_level = {112, 4},
                           .pitch_is_depth = true};
constexpr Layout kGfx12 = {.base = {0, 40},
                           .format = {49, 8},
                           .width = {62, 16},
                           .height = {78, 16},
                           .depth = {128, 14},
                           .pitch = {128, 14},
                           .pitch_high = {142, 2},
                           .first_layer = {144, 14},
                           .first_level = {57, 5},
                           .last_level = {111, 5},
                           .pitch_is_depth = true};

const Layout& layout_of(Isa isa) {
  if (is_gfx9(isa)) return kGfx9;
  return isa == Isa::kGfx10 ? kGfx10 : isa == Isa::kGfx11 ? kGfx11 : kGfx12;
}

template <std::size_t N>
u64 get(const std::array<u32, N>& words, Field field) {
  u64 value = 0;
  for (unsigned i = 0; i < field.bits; ++i) {
    const unsigned bit = field.first + i;
    value |= u64{(words[bit / 32] >> (bit % 32)) & 1U} << i;
  }
  return value;
}
template <std::size_t N>
void put(std::array<u32, N>& words, Field field, u64 value) {
  for (unsigned i = 0; i < field.bits; ++i) {
    const unsigned bit = field.first + i;
    words[bit / 32] |= static_cast<u32>((value >> i) & 1U) << (bit % 32);
  }
}

template <std::size_t N>
std::array<std::uint8_t, 4> get_select(const std::array<u32, N>& words) {
  std::array<std::uint8_t, 4> select{};
  for (unsigned i = 0; i < 4; ++i)
    select[i] =
        static_cast<std::uint8_t>(get(words, {static_cast<std::uint16_t>(kSelect + 3 * i), 3}));
  return select;
}
template <std::size_t N>
void put_select(std::array<u32, N>& words, const std::array<std::uint8_t, 4>& select) {
  for (unsigned i = 0; i < 4; ++i)
    put(words, {static_cast<std::uint16_t>(kSelect + 3 * i), 3}, select[i]);
}

bool has_slices(const std::optional<ImageKind>& kind) {
  return kind == ImageKind::k3D || kind == ImageKind::kCube || kind == ImageKind::k1DArray ||
         kind == ImageKind::k2DArray || kind == ImageKind::k2DMsaaArray;
}
bool has_rows(const std::optional<ImageKind>& kind) {
  return kind != ImageKind::k1D && kind != ImageKind::k1DArray;
}

u32 aligned_pitch(const ImageDescriptor& image, Isa isa) {
  const unsigned bytes = image.format ? image.format->bytes() : 1;
  u64 row = u64{image.width} * bytes;
  row = (row + row_alignment(isa) - 1) / row_alignment(isa) * row_alignment(isa);
  return static_cast<u32>((row + bytes - 1) / bytes);
}

// gfx9 has the layout in six bits and the interpretation in four.
u32 to_image_field(u32 number, Isa isa) {
  return is_gfx9(isa) ? (number & 0x3fU) | (number >> 8) << 6 : number;
}
u32 from_image_field(u32 field, Isa isa) {
  return is_gfx9(isa) ? (field & 0x3fU) | (field >> 6) << 8 : field;
}

constexpr u32 kLinearOrBilinear = 1;

}  // namespace

ImageWords pack(const ImageDescriptor& image, Isa isa) {
  const Layout& layout = layout_of(isa);
  ImageWords words{};
  put(words, layout.base, image.base >> 8);
  put(words, layout.format, to_image_field(format_number(*image.format, isa).value_or(0), isa));
  put(words, layout.width, image.width - 1);
  put(words, layout.height, image.height - 1);
  put_select(words, image.select);
  put(words, layout.first_level, image.first_level);
  put(words, layout.last_level, image.last_level);
  put(words, kSwizzle, image.swizzle);
  put(words, kKind, 8 + static_cast<unsigned>(image.kind.value_or(ImageKind::k2D)));
  const bool slices = has_slices(image.kind);
  if (slices || !layout.pitch_is_depth) {
    put(words, layout.depth, image.depth - 1);
    put(words, layout.first_layer, image.first_layer);
  }
  if (!slices || !layout.pitch_is_depth) {
    put(words, layout.pitch, image.pitch - 1);
    put(words, layout.pitch_high, (image.pitch - 1) >> layout.pitch.bits);
  }
  return words;
}

ImageDescriptor image_of(const ImageWords& words, Isa isa) {
  const Layout& layout = layout_of(isa);
  const auto field = [&](Field f) { return static_cast<u32>(get(words, f)); };
  ImageDescriptor image;
  image.base = get(words, layout.base) << 8;
  image.format = format_of_number(from_image_field(field(layout.format), isa), isa);
  const u32 kind = field(kKind);
  if (kind >= 8) image.kind = static_cast<ImageKind>(kind - 8);
  image.width = field(layout.width) + 1;
  image.height = has_rows(image.kind) ? field(layout.height) + 1 : 1;
  image.select = get_select(words);
  image.first_level = field(layout.first_level);
  image.last_level = field(layout.last_level);
  image.swizzle = field(kSwizzle);
  const bool slices = has_slices(image.kind);
  if (slices) {
    image.depth = field(layout.depth) + 1;
    image.first_layer = image.kind == ImageKind::k3D ? 0 : field(layout.first_layer);
  }
  if (slices && layout.pitch_is_depth)
    image.pitch = aligned_pitch(image, isa);
  else
    image.pitch = (field(layout.pitch) | field(layout.pitch_high) << layout.pitch.bits) + 1;
  return image;
}

SamplerWords pack(const SamplerDescriptor& sampler) {
  SamplerWords words{};
  for (unsigned i = 0; i < 3; ++i)
    put(words, {static_cast<std::uint16_t>(3 * i), 3}, static_cast<u32>(sampler.address[i]));
  put(words, {12, 3}, static_cast<u32>(sampler.compare));
  put(words, {15, 1}, sampler.unnormalized ? 1 : 0);
  const u32 filter = sampler.linear ? kLinearOrBilinear : 0;
  put(words, {32 + 12, 12}, 0xfff);  // the largest level; gfx12 has it a bit further
  put(words, {64 + 20, 2}, filter);  // magnified
  put(words, {64 + 22, 2}, filter);  // minified
  put(words, {64 + 24, 2}, static_cast<u32>(sampler.volume));
  put(words, {96 + 30, 2}, static_cast<u32>(sampler.border));
  return words;
}

SamplerDescriptor sampler_of(const SamplerWords& words) {
  const auto field = [&](std::uint16_t first, std::uint8_t bits) {
    return static_cast<u32>(get(words, {first, bits}));
  };
  SamplerDescriptor sampler;
  for (unsigned i = 0; i < 3; ++i)
    sampler.address[i] = static_cast<AddressMode>(field(static_cast<std::uint16_t>(3 * i), 3));
  sampler.compare = static_cast<DepthCompare>(field(12, 3));
  sampler.unnormalized = field(15, 1) != 0;
  // Images have one level here, which counts as magnified. Anisotropic filters are the others
  // where nothing says how the image is squeezed.
  sampler.linear = (field(64 + 20, 2) & 1U) == kLinearOrBilinear;
  sampler.volume = static_cast<SamplerDescriptor::Volume>(std::min(field(64 + 24, 2), 2U));
  sampler.border = static_cast<BorderColor>(field(96 + 30, 2));
  return sampler;
}

BufferWords pack(const TexelBuffer& buffer, Isa isa) {
  BufferWords words{};
  words[0] = static_cast<u32>(buffer.base);
  words[1] = static_cast<u32>(buffer.base >> 32) & 0xffffU;
  put(words, {48, 14}, buffer.format.bytes());
  words[2] = buffer.records;
  put_select(words, buffer.select);
  const u32 number = format_number(buffer.format, isa).value_or(0);
  if (is_gfx9(isa)) {
    put(words, {96 + 12, 3}, number >> 8);
    put(words, {96 + 15, 4}, number);
  } else {
    put(words, {96 + 12, static_cast<std::uint8_t>(isa == Isa::kGfx10 ? 7 : 6)}, number);
    // Records bound it (OOB_SELECT is 0).
  }
  return words;
}

BufferFormat buffer_format_of(std::uint32_t word3, Isa isa) {
  const std::array<u32, 4> words = {0, 0, 0, word3};
  const auto field = [&](std::uint8_t first, std::uint8_t bits) {
    return static_cast<u32>(get(words, {static_cast<std::uint16_t>(96 + first), bits}));
  };
  BufferFormat out;
  const u32 number =
      is_gfx9(isa) ? field(15, 4) | field(12, 3) << 8 : field(12, isa == Isa::kGfx10 ? 7 : 6);
  out.format = format_of_number(number, isa);
  out.select = get_select(words);
  return out;
}

}  // namespace hipwright::soft
