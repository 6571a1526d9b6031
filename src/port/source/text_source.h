// SPDX-License-Identifier: MIT
// CUDA source inside of strings: compiled while the program runs, and translated by nobody.
#pragma once

#include <string>
#include <string_view>

namespace hipwright::port {

// Of a C++ literal: without prefix and quotes; escaped line breaks are line breaks.
std::string string_content(std::string_view literal);

// Does the text hold a kernel or a device function?
bool is_cuda_source(std::string_view text);

// What of it does not compile, or means something else, where hiprtc compiles it; empty: nothing
// that is known.
std::string trouble_in_source(std::string_view text);

}  // namespace hipwright::port
