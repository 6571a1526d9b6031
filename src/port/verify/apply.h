// SPDX-License-Identifier: MIT
// A repair is found in the ported text; a change is of the original one.
#pragma once

#include "port/port.h"
#include "port/verify/repair.h"

namespace hipwright::port {

// Makes the repair one of the file's changes: inside a change that is there already, or as one of
// its own, behind an #if where NVIDIA compiles the same lines (Mode::kDual). False, and nothing is
// changed, when it cannot be done so that NVIDIA's view stays as it was.
bool apply_repair(PortedFile& file, const Repair& repair, Mode mode);

}  // namespace hipwright::port
