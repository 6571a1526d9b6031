// SPDX-License-Identifier: MIT
// hipError_t as failures.
#pragma once

#include <span>
#include <string>

#include "device/failure.h"

namespace hipwright::device::hip {

// One row per name that HIP 6.4 has, in the order of the codes: a code with two names has two
// rows, of which the first is the one to print.
std::span<const NativeError> error_table();
// nullptr: a code that the table does not have.
const NativeError* find_error(int code);

// `name` and `text` are what the library says of the code, for those that the table lacks.
Failure failure_of(int code, std::string call, std::string device, const char* name,
                   const char* text);

}  // namespace hipwright::device::hip
