// SPDX-License-Identifier: MIT
// NVIDIA tools that build files and scripts call besides the compiler.
#pragma once

#include <string>
#include <string_view>

namespace hipwright::port {

// "rocprofv3 writes traces: …"; empty if it is not an NVIDIA tool. `program`: with or without a
// folder.
std::string advice_on_tool(std::string_view program);

}  // namespace hipwright::port
