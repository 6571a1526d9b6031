// SPDX-License-Identifier: MIT
// Descriptors of images, samplers and formatted buffers, as code of each target reads them from
// scalar registers: the tables "image resource", "image sampler" and "buffer resource" of AMD's ISA
// manuals. The runtime writes them, image instructions read them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "soft/exec/isa.h"
#include "soft/exec/texel_format.h"

namespace hipwright::soft {

enum class ImageKind : std::uint8_t {
  k1D,
  k2D,
  k3D,
  kCube,
  k1DArray,
  k2DArray,
  k2DMsaa,
  k2DMsaaArray,
};

// What a component of the result is: a constant, or a channel of the texel.
enum class ChannelSelect : std::uint8_t { kZero = 0, kOne = 1, kX = 4, kY, kZ, kW };

struct ImageDescriptor {
  std::uint64_t base = 0;  // a multiple of 256
  std::uint32_t width = 1, height = 1;
  std::uint32_t depth = 1;  // slices of 3D images, one past the last layer of arrays
  std::uint32_t first_layer = 0;
  std::uint32_t pitch = 0;  // texels from row to row
  std::optional<TexelFormat> format;
  std::array<std::uint8_t, 4> select{};  // ChannelSelect
  unsigned first_level = 0, last_level = 0;
  unsigned swizzle = 0;  // how texels are tiled; 0: rows after rows
  std::optional<ImageKind> kind;
};
using ImageWords = std::array<std::uint32_t, 8>;

ImageWords pack(const ImageDescriptor& image, Isa isa);
ImageDescriptor image_of(const ImageWords& words, Isa isa);

// Rows of linear images begin at multiples of so many bytes; images that have no field for the
// pitch lie so.
constexpr unsigned row_alignment(Isa isa) {
  return isa == Isa::kGfx12 ? 128 : 256;
}

enum class AddressMode : std::uint8_t {
  kWrap,
  kMirror,
  kClamp,
  kMirrorOnce,
  kClampHalfBorder,
  kMirrorOnceHalfBorder,
  kBorder,
  kMirrorOnceBorder,
};
enum class BorderColor : std::uint8_t { kTransparentBlack, kOpaqueBlack, kOpaqueWhite, kRegister };
// The condition under which a comparison of the reference with the texel gives 1.
enum class DepthCompare : std::uint8_t {
  kNever,
  kLess,
  kEqual,
  kLessEqual,
  kGreater,
  kNotEqual,
  kGreaterEqual,
  kAlways,
};

struct SamplerDescriptor {
  std::array<AddressMode, 3> address{};
  bool unnormalized = false;
  bool linear = false;  // within a level
  enum class Volume : std::uint8_t { kAsPlane, kPoint, kLinear } volume = Volume::kAsPlane;
  DepthCompare compare = DepthCompare::kNever;
  BorderColor border = BorderColor::kTransparentBlack;
};
using SamplerWords = std::array<std::uint32_t, 4>;

SamplerWords pack(const SamplerDescriptor& sampler);
SamplerDescriptor sampler_of(const SamplerWords& words);

// A buffer of texels: one record each.
struct TexelBuffer {
  std::uint64_t base = 0;
  std::uint32_t records = 0;
  TexelFormat format;
  std::array<std::uint8_t, 4> select{};
};
using BufferWords = std::array<std::uint32_t, 4>;

BufferWords pack(const TexelBuffer& buffer, Isa isa);
// The fields that formatted loads and stores read of any buffer's fourth word.
struct BufferFormat {
  std::optional<TexelFormat> format;
  std::array<std::uint8_t, 4> select{};
};
BufferFormat buffer_format_of(std::uint32_t word3, Isa isa);

}  // namespace hipwright::soft
