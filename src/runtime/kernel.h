// SPDX-License-Identifier: MIT
// Loading a kernel onto a device.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "device/device.h"
#include "hipwright/device.h"

namespace hipwright::runtime {

// The kernel `symbol` of a code object; `name` is for messages and profiles. Throws.
Kernel make_kernel(const std::shared_ptr<device::Device>& driver, std::string_view code_object,
                   const std::string& symbol, const std::string& name);

}  // namespace hipwright::runtime
