// SPDX-License-Identifier: MIT
// Headers that every host compiler has.
#pragma once

#include <string_view>

namespace hipwright::project {

// vector, stdio.h, sys/time.h: of the C and C++ standard libraries and of POSIX.
bool is_standard_header(std::string_view path);

}  // namespace hipwright::project
