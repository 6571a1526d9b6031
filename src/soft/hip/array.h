// SPDX-License-Identifier: MIT
// Arrays are plain pitched memory here: copies to and from them work, but nothing reads them as
// textures.
#pragma once

#include "soft/hip/stream_work.h"

namespace hipwright::soft::hip {

hipError_t array_region(hipArray_const_t array, Region& out);
// Bytes of one element; 0: unknown array.
std::size_t array_element(hipArray_const_t array);

}  // namespace hipwright::soft::hip
