// SPDX-License-Identifier: MIT
// The language of Entry::call; see api.h for its meaning.
#pragma once

#include <string>
#include <string_view>

namespace hipwright::port::api {

// The error in the forms of a call; empty if there is none.
std::string call_problem(std::string_view call);

}  // namespace hipwright::port::api
