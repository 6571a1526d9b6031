// SPDX-License-Identifier: MIT
// hipError_t as failures.
#pragma once

#include <span>
#include <string>

#include "device/failure.h"

namespace hipwright::device::hip {

// One row per name in HIP 6.4, in the order of the codes: a code with two names has two rows, of
// which the first is printed.
std::span<const NativeError> error_table();
// nullptr if the table lacks the code.
const NativeError* find_error(int code);

// `name` and `text` are the library's description, for codes that the table lacks.
Failure failure_of(int code, std::string call, std::string device, const char* name,
                   const char* text);

}  // namespace hipwright::device::hip
