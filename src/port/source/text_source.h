// SPDX-License-Identifier: MIT
// CUDA source in strings: compiled at run time, and not translated.
#pragma once

#include <string>
#include <string_view>

namespace hipwright::port {

// The text of a C++ literal: without prefix and quotes; escaped line breaks are line breaks.
std::string string_content(std::string_view literal);

// Does the text contain a kernel or a device function?
bool is_cuda_source(std::string_view text);

// Parts that hiprtc rejects or that change their meaning; empty if none is known.
std::string trouble_in_source(std::string_view text);

}  // namespace hipwright::port
