// SPDX-License-Identifier: MIT
// Bazel and Meson: not translated, but nobody shall find out by building.
#pragma once

#include "port/port.h"

namespace hipwright::port {

void report_other_build(PortedFile& file);

}  // namespace hipwright::port
