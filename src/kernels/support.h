// SPDX-License-Identifier: MIT
// What the library has, for people.
#pragma once

#include <string>

#include "base/json_fwd.h"

namespace hipwright::kernels {

std::string list_text(bool colour);
Json list_json();
std::string support_page();  // docs/kernels-operations.md

}  // namespace hipwright::kernels
