// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "hipwright/checkpoint.h"

namespace hipwright::verify {

// "layer/0" of "layer%2F0@bf16.npy", which has elements of that type; the reverse of
// capture_file_name().
std::string tensor_name(std::string_view file, DataType type);

}  // namespace hipwright::verify
