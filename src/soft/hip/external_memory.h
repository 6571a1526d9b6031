// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "soft/hip/api.h"

namespace hipwright::soft::hip {

// hipFree of a buffer of external memory; nullopt: it is not one.
std::optional<hipError_t> free_external(void* pointer);

}  // namespace hipwright::soft::hip
