// SPDX-License-Identifier: MIT
// Any words as descriptors of images, samplers and buffers of each target: what they say is written
// as words that say the same.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "soft/exec/image_descriptor.h"

using namespace hipwright;
using namespace hipwright::soft;

namespace {

void check_image(const ImageWords& words, Isa isa) {
  const ImageDescriptor image = image_of(words, isa);
  HW_ASSERT(image.base % 256 == 0 && image.width >= 1 && image.height >= 1 && image.depth >= 1);
  HW_ASSERT(image.pitch >= 1);
  if (!image.format || !image.kind) return;
  const ImageDescriptor again = image_of(pack(image, isa), isa);
  HW_ASSERT(again.base == image.base && again.format == image.format && again.kind == image.kind);
  HW_ASSERT(again.width == image.width && again.height == image.height);
  HW_ASSERT(again.depth == image.depth && again.first_layer == image.first_layer);
  HW_ASSERT(again.pitch == image.pitch && again.select == image.select);
  HW_ASSERT(again.first_level == image.first_level && again.last_level == image.last_level);
  HW_ASSERT(again.swizzle == image.swizzle);
}

void check_sampler(const SamplerWords& words) {
  const SamplerDescriptor sampler = sampler_of(words);
  const SamplerDescriptor again = sampler_of(pack(sampler));
  HW_ASSERT(again.address == sampler.address && again.compare == sampler.compare);
  HW_ASSERT(again.unnormalized == sampler.unnormalized && again.linear == sampler.linear);
  HW_ASSERT(again.volume == sampler.volume && again.border == sampler.border);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ImageWords words{};
  std::memcpy(words.data(), data, std::min(size, sizeof words));
  SamplerWords sampler{};
  std::memcpy(sampler.data(), data, std::min(size, sizeof sampler));
  check_sampler(sampler);
  for (const Isa isa : {Isa::kGfx908, Isa::kGfx90a, Isa::kGfx942, Isa::kGfx950, Isa::kGfx10,
                        Isa::kGfx11, Isa::kGfx12}) {
    check_image(words, isa);
    const BufferFormat format = buffer_format_of(words[3], isa);
    if (!format.format) continue;
    const TexelBuffer buffer{words[0], words[2], *format.format, format.select};
    const BufferFormat again = buffer_format_of(pack(buffer, isa)[3], isa);
    HW_ASSERT(again.format == format.format && again.select == format.select);
  }
  return 0;
}
