// SPDX-License-Identifier: MIT
// --rename-hip: a.cu becomes a.hip and b.cuh b.hip.h, and who names them says so.
#pragma once

#include <string>
#include <string_view>

#include "port/port.h"

namespace hipwright::port {

// The name that a path gets; empty: it keeps its own.
std::string hip_path(std::string_view path);

// The last step of a port with Mode::kHip: other steps know files by the paths that they had.
void rename_to_hip(Ported& ported);

}  // namespace hipwright::port
