// SPDX-License-Identifier: MIT
// Programs of NVIDIA's that build files and scripts call besides the compiler.
#pragma once

#include <string>
#include <string_view>

namespace hipwright::port {

// "rocprofv3 writes traces: …"; empty: it is none of NVIDIA's. `program`: with or without a folder.
std::string advice_on_tool(std::string_view program);

}  // namespace hipwright::port
