// SPDX-License-Identifier: MIT
#include "soft/hip/array.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "arch/processors.h"
#include "soft/hip/memory.h"
#include "soft/hip/properties.h"
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

namespace {

Registry<Array, hipArray_t>& arrays() {
  static auto* const registry = new Registry<Array, hipArray_t>;
  return *registry;
}

// The driver-style names of channels.
struct Format {
  hipArray_Format format;
  hipChannelFormatKind kind;
  int bits;
};
constexpr Format kFormats[] = {
    {HIP_AD_FORMAT_UNSIGNED_INT8, hipChannelFormatKindUnsigned, 8},
    {HIP_AD_FORMAT_UNSIGNED_INT16, hipChannelFormatKindUnsigned, 16},
    {HIP_AD_FORMAT_UNSIGNED_INT32, hipChannelFormatKindUnsigned, 32},
    {HIP_AD_FORMAT_SIGNED_INT8, hipChannelFormatKindSigned, 8},
    {HIP_AD_FORMAT_SIGNED_INT16, hipChannelFormatKindSigned, 16},
    {HIP_AD_FORMAT_SIGNED_INT32, hipChannelFormatKindSigned, 32},
    {HIP_AD_FORMAT_HALF, hipChannelFormatKindFloat, 16},
    {HIP_AD_FORMAT_FLOAT, hipChannelFormatKindFloat, 32},
};

const Format* format_of(const hipChannelFormatDesc& channels) {
  const auto* found = std::ranges::find_if(kFormats, [&](const Format& each) {
    return each.kind == channels.f && each.bits == channels.x;
  });
  return found == std::end(kFormats) ? nullptr : found;
}

// 1, 2 or 4 channels of one width, from the first on; 0: anything else.
unsigned channel_count(const hipChannelFormatDesc& channels) {
  const int bits[] = {channels.x, channels.y, channels.z, channels.w};
  unsigned count = 0;
  while (count < 4 && bits[count] != 0) ++count;
  for (unsigned i = 0; i < 4; ++i)
    if (bits[i] != (i < count ? channels.x : 0)) return 0;
  return count == 3 ? 0 : count;
}

hipChannelFormatDesc channels_of(const Format& format, unsigned count) {
  const auto bits = [&](unsigned index) { return index < count ? format.bits : 0; };
  return {bits(0), bits(1), bits(2), bits(3), format.kind};
}

hipError_t check_flags(hipExtent extent, unsigned flags) {
  constexpr unsigned kKnown =
      hipArrayDefault | hipArrayLayered | hipArraySurfaceLoadStore | hipArrayTextureGather;
  if (flags & ~kKnown) return hipErrorInvalidValue;
  if ((flags & hipArrayLayered) && extent.height == 0 && extent.depth == 0)
    return hipErrorInvalidValue;
  const bool is_2d = extent.width != 0 && extent.height != 0 && extent.depth == 0;
  return (flags & hipArrayTextureGather) && !is_2d ? hipErrorInvalidValue : hipSuccess;
}

// What a texture of the device can show.
bool fits_texture(const Runtime& runtime, const hipExtent& extent) {
  const hipDeviceProp_tR0600 device = device_properties(runtime);
  const auto at_most = [](std::size_t value, int most) {
    return value <= static_cast<std::size_t>(most);
  };
  if (extent.depth != 0)
    return at_most(extent.width, device.maxTexture3D[0]) &&
           at_most(extent.height, device.maxTexture3D[1]) &&
           at_most(extent.depth, device.maxTexture3D[2]);
  if (extent.height != 0)
    return at_most(extent.width, device.maxTexture2D[0]) &&
           at_most(extent.height, device.maxTexture2D[1]);
  return at_most(extent.width, device.maxTexture1D);
}

hipError_t make_array(hipArray_t* out, const hipChannelFormatDesc* format, hipExtent extent,
                      unsigned flags) {
  if (!out || !format || !format_of(*format) || channel_count(*format) == 0)
    return hipErrorInvalidValue;
  HIP_TRY(check_flags(extent, flags));
  HIP_RUNTIME(runtime);
  HIP_TRY(need_images(runtime, "cannot create an array"));
  if (extent.width == 0 || (extent.depth != 0 && extent.height == 0 && !(flags & hipArrayLayered)))
    return hipErrorInvalidValue;
  if (!fits_texture(runtime, extent)) return hipErrorInvalidValue;
  auto array = std::make_shared<Array>();
  array->format = *format;
  array->extent = extent;
  array->flags = flags;
  array->element = static_cast<std::size_t>(format->x) / 8 * channel_count(*format);
  const std::size_t rows = std::max<std::size_t>(extent.height, 1);
  const std::size_t slices = std::max<std::size_t>(extent.depth, 1);
  const auto row = static_cast<unsigned __int128>(extent.width) * array->element;
  if (row >> 40 || rows >> 32 || slices >> 32 || (row + 256) * rows * slices >> 48)
    return hipErrorOutOfMemory;
  const std::size_t alignment = row_alignment(runtime.isa());
  array->region.pitch = (static_cast<std::size_t>(row) + alignment - 1) / alignment * alignment;
  array->region.slice_pitch = array->region.pitch * rows;
  void* memory = nullptr;
  HIP_TRY(allocate(&memory, array->region.slice_pitch * slices, MemoryKind::kDevice));
  array->region.base = address_of(memory);
  *out = arrays().add(std::move(array));
  return hipSuccess;
}

hipError_t make_array(hipArray_t* out, const HIP_ARRAY3D_DESCRIPTOR* wanted) {
  if (!out || !wanted) return hipErrorInvalidValue;
  const auto* format = std::ranges::find(kFormats, wanted->Format, &Format::format);
  if (format == std::end(kFormats) || wanted->NumChannels > 4) return hipErrorInvalidValue;
  const hipChannelFormatDesc channels = channels_of(*format, wanted->NumChannels);
  return make_array(out, &channels, {wanted->Width, wanted->Height, wanted->Depth}, wanted->Flags);
}

hipError_t free_array(hipArray_t array) {
  if (!array) return hipErrorInvalidValue;
  return arrays().remove(array) ? hipSuccess : hipErrorContextIsDestroyed;
}

hipError_t describe(hipArray_t handle, HIP_ARRAY3D_DESCRIPTOR& out) {
  const auto array = find_array(handle);
  if (!array) return hipErrorInvalidHandle;
  out = {array->extent.width,          array->extent.height,
         array->extent.depth,          format_of(array->format)->format,
         channel_count(array->format), array->flags};
  return hipSuccess;
}

}  // namespace

Array::~Array() {
  if (region.base) static_cast<void>(release(pointer_to(region.base)));
}

bool has_images(const Runtime& runtime) {
  const arch::Version version = arch::version_of(runtime.arch().gfx);
  return version.major != 9 || version.minor < 4;
}

hipError_t need_images(const Runtime& runtime, const char* what) {
  if (has_images(runtime)) return hipSuccess;
  return refuse(hipErrorNotSupported,
                {what, fmt::format("on {}", runtime.arch().gfx),
                 "this target has no image instructions, and HIP no arrays, textures or surfaces "
                 "for it",
                 "Read buffers of hipMalloc or hipMallocPitch, and filter in the kernel."});
}

std::optional<TexelFormat> texel_format(const hipChannelFormatDesc& channels) {
  const unsigned count = channel_count(channels);
  if (count == 0 || !format_of(channels)) return {};
  const TexelNumber number = channels.f == hipChannelFormatKindUnsigned ? TexelNumber::kUint
                             : channels.f == hipChannelFormatKindSigned ? TexelNumber::kSint
                                                                        : TexelNumber::kFloat;
  return TexelFormat{static_cast<std::uint8_t>(count), static_cast<std::uint8_t>(channels.x),
                     number};
}

hipChannelFormatDesc channels_of(hipArray_Format format, unsigned count) {
  const auto* found = std::ranges::find(kFormats, format, &Format::format);
  if (found == std::end(kFormats)) return {};
  return channels_of(*found, count);
}

hipArray_Format array_format(const hipChannelFormatDesc& channels) {
  const Format* const found = format_of(channels);
  return found ? found->format : HIP_AD_FORMAT_UNSIGNED_INT8;
}

std::shared_ptr<Array> find_array(hipArray_const_t array) {
  return arrays().find(const_cast<hipArray_t>(array));
}

hipError_t array_region(hipArray_const_t array, Region& out) {
  const auto found = find_array(array);
  if (!found) return hipErrorInvalidHandle;
  out = found->region;
  return hipSuccess;
}

std::size_t array_element(hipArray_const_t array) {
  const auto found = find_array(array);
  return found ? found->element : 0;
}

extern "C" {

hipError_t hipMallocArray(hipArray_t* array, const hipChannelFormatDesc* format, std::size_t width,
                          std::size_t height, unsigned flags) {
  return api([&] { return make_array(array, format, {width, height, 0}, flags); });
}
hipError_t hipMalloc3DArray(hipArray_t* array, const hipChannelFormatDesc* format, hipExtent extent,
                            unsigned flags) {
  return api([&] { return make_array(array, format, extent, flags); });
}
hipError_t hipArrayCreate(hipArray_t* array, const HIP_ARRAY_DESCRIPTOR* wanted) {
  return api([&] {
    if (!wanted) return hipErrorInvalidValue;
    const HIP_ARRAY3D_DESCRIPTOR all{wanted->Width,  wanted->Height,      0,
                                     wanted->Format, wanted->NumChannels, hipArrayDefault};
    return make_array(array, &all);
  });
}
hipError_t hipArray3DCreate(hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* wanted) {
  return api([&] { return make_array(array, wanted); });
}
hipError_t hipFreeArray(hipArray_t array) {
  return api([&] { return free_array(array); });
}
hipError_t hipArrayDestroy(hipArray_t array) {
  return api([&] { return free_array(array); });
}
hipError_t hipArrayGetInfo(hipChannelFormatDesc* format, hipExtent* extent, unsigned* flags,
                           hipArray_t array) {
  return api([&] {
    const auto found = find_array(array);
    if (!found) return hipErrorInvalidHandle;
    if (format) *format = found->format;
    if (extent) *extent = found->extent;
    if (flags) *flags = found->flags;
    return hipSuccess;
  });
}
hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* out, hipArray_t array) {
  return api([&] { return out ? describe(array, *out) : hipErrorInvalidValue; });
}
hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* out, hipArray_t array) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    HIP_ARRAY3D_DESCRIPTOR all;
    HIP_TRY(describe(array, all));
    if (all.Depth != 0) return hipErrorInvalidValue;
    *out = {all.Width, all.Height, all.Format, all.NumChannels};
    return hipSuccess;
  });
}
hipError_t hipGetChannelDesc(hipChannelFormatDesc* format, hipArray_const_t array) {
  return api([&] {
    const auto found = find_array(array);
    if (!format) return hipErrorInvalidValue;
    if (!found) return hipErrorInvalidHandle;
    *format = found->format;
    return hipSuccess;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
