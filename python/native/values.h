// SPDX-License-Identifier: MIT
// Structures of the library as Python values.
#pragma once

#include <nanobind/nanobind.h>

#include "hipwright/device.h"

namespace hipwright::python {

nanobind::dict values_of(const DeviceInfo& info);

}  // namespace hipwright::python
