// SPDX-License-Identifier: MIT
#pragma once

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {

// What hipGetDeviceProperties says of the chosen target, in the layout of HIP 6.
hipDeviceProp_tR0600 device_properties(const Runtime& runtime);
// The same in the layout of HIP 5.
hipDeviceProp_tR0000 old_properties(const hipDeviceProp_tR0600& properties);

// hipDeviceGetAttribute; hipErrorInvalidValue for an unknown attribute.
hipError_t device_attribute(const hipDeviceProp_tR0600& properties, hipDeviceAttribute_t attribute,
                            int& out);

}  // namespace hipwright::soft::hip
