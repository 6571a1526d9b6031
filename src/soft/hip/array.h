// SPDX-License-Identifier: MIT
// Arrays: here they are plain pitched memory, so that copies to and from them work; nothing reads
// them as textures.
#pragma once

#include "soft/hip/work.h"

namespace hipwright::soft::hip {

hipError_t array_region(hipArray_const_t array, Region& out);
// Bytes of one element; 0: no such array.
std::size_t array_element(hipArray_const_t array);

}  // namespace hipwright::soft::hip
