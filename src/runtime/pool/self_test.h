// SPDX-License-Identifier: MIT
#pragma once

#include "device/device.h"

namespace hipwright::runtime {

// Tests the device's own stream-ordered allocator (hipMallocAsync): several ROCm releases return
// memory that is still in use. Allocates, fills, frees and reuses on two streams and compares every
// byte. The failure describes what went wrong.
device::Done test_stream_ordered_allocator(device::Device& driver);

}  // namespace hipwright::runtime
