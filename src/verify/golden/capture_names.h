// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "hipwright/checkpoint.h"

namespace hipwright::verify {

// "layer/0" for "layer%2F0@bf16.npy" with elements of that type; the inverse of
// capture_file_name().
std::string tensor_name(std::string_view file, DataType type);

}  // namespace hipwright::verify
