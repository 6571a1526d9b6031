// SPDX-License-Identifier: MIT
// Makefiles: hipcc for nvcc, with its options, libraries and folders. Where both are kept,
// `make USE_ROCM=1` builds for AMD.
#pragma once

#include "port/port.h"

namespace hipwright::port {

void translate_makefile(PortedFile& file, Mode mode);

}  // namespace hipwright::port
