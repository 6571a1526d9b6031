// SPDX-License-Identifier: MIT
// Arrays are rows after rows here, as linear images lie: textures and surfaces read them so.
#pragma once

#include <optional>

#include "soft/exec/image_descriptor.h"
#include "soft/hip/stream_work.h"

namespace hipwright::soft::hip {

struct Array {
  hipChannelFormatDesc format{};
  hipExtent extent{};  // elements; 0: that dimension is not there
  unsigned flags = 0;
  std::size_t element = 0;  // bytes
  std::size_t row_bytes() const { return extent.width * element; }
  Region region;
  Array() = default;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array();
};

// HIP has arrays, textures and surfaces only where the hardware reads images: not on gfx942 and its
// relatives. The error says so.
bool has_images(const Runtime& runtime);
hipError_t need_images(const Runtime& runtime, const char* what);

// What textures make of the channels; nothing: no format of theirs.
std::optional<TexelFormat> texel_format(const hipChannelFormatDesc& channels);
// 1, 2 or 4 channels of a driver-style format; no bits: unknown.
hipChannelFormatDesc channels_of(hipArray_Format format, unsigned count);
hipArray_Format array_format(const hipChannelFormatDesc& channels);

// nullptr: unknown array.
std::shared_ptr<Array> find_array(hipArray_const_t array);
hipError_t array_region(hipArray_const_t array, Region& out);
// Bytes of one element; 0: unknown array.
std::size_t array_element(hipArray_const_t array);

}  // namespace hipwright::soft::hip
