// SPDX-License-Identifier: MIT
// Makefiles: hipcc for nvcc, with its options, libraries and folders.
#pragma once

#include "port/port.h"

namespace hipwright::port {

void translate_makefile(PortedFile& file);

}  // namespace hipwright::port
