// SPDX-License-Identifier: MIT
// Arrays are plain pitched memory here: copies to and from them work, but nothing reads them as
// textures.
#pragma once

#include "soft/hip/stream_work.h"

namespace hipwright::soft::hip {

struct Array {
  hipChannelFormatDesc format{};
  hipExtent extent{};  // elements; 0: that dimension is not there
  unsigned flags = 0;
  std::size_t element = 0;  // bytes
  Region region;
  Array() = default;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array();
};

// nullptr: unknown array.
std::shared_ptr<Array> find_array(hipArray_const_t array);
hipError_t array_region(hipArray_const_t array, Region& out);
// Bytes of one element; 0: unknown array.
std::size_t array_element(hipArray_const_t array);

}  // namespace hipwright::soft::hip
