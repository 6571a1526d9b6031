// SPDX-License-Identifier: MIT
// Which code objects a device can load.
#pragma once

#include <string>
#include <string_view>

#include "arch/target.h"
#include "base/error.h"

namespace hipwright::soft {

// `device`: "gfx942", or with settings: "gfx942:sramecc+:xnack-". Code for the same processor or
// for a generic target that includes it, with the device's settings or open ones.
bool is_loadable(const arch::Target& code, const arch::Target& device);
// The same as an error that names both. A device that the software GPU does not support is an
// error, too.
Status check_loadable(const arch::Target& code, std::string_view device, const std::string& origin);

}  // namespace hipwright::soft
