// SPDX-License-Identifier: MIT
// The little language of Entry::call; api.h says what it means.
#pragma once

#include <string>
#include <string_view>

namespace hipwright::port::api {

// What is wrong with the forms of a call; empty when nothing is.
std::string call_problem(std::string_view call);

}  // namespace hipwright::port::api
