// SPDX-License-Identifier: MIT
// Shell scripts, Dockerfiles, conda environments, descriptions of CI: never changed, but what in
// them needs NVIDIA's machine is said, with what to put there.
#pragma once

#include "port/port.h"

namespace hipwright::port {

void report_script(PortedFile& file);

}  // namespace hipwright::port
