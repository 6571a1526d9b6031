// SPDX-License-Identifier: MIT
// --rename-hip: a.cu becomes a.hip and b.cuh becomes b.hip.h, and references to them are updated.
#pragma once

#include <string>
#include <string_view>

#include "port/ported_file.h"

namespace hipwright::port {

// The new name of a path; empty if it keeps its own.
std::string hip_path(std::string_view path);

// The last step of a port with Mode::kHip: other steps use the original paths.
void rename_to_hip(Ported& ported);

}  // namespace hipwright::port
