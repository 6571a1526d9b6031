// SPDX-License-Identifier: MIT
// A repair refers to the ported text; a change refers to the original text.
#pragma once

#include "port/compile/repair.h"
#include "port/options.h"
#include "port/ported_file.h"

namespace hipwright::port {

// Adds the repair to the file's changes: inside an existing change, or as a separate one, under an
// #if if NVIDIA compiles the same lines (Mode::kDual). Returns false without a change if it would
// affect NVIDIA builds.
bool apply_repair(PortedFile& file, const Repair& repair, Mode mode);

}  // namespace hipwright::port
