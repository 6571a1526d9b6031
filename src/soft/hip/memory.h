// SPDX-License-Identifier: MIT
#pragma once

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {

// hipMalloc and its kin: nothing (a null pointer) for no bytes.
hipError_t allocate(void** pointer, std::size_t size, MemoryKind kind);
hipError_t allocate_on(Runtime& runtime, void** pointer, std::size_t size, MemoryKind kind);
// hipFree; the start of a device, managed or pinned allocation, or null.
hipError_t release(void* pointer);
// The same for memory that nothing uses, without waiting.
hipError_t release_now(Runtime& runtime, void* pointer);

}  // namespace hipwright::soft::hip
