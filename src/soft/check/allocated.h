// SPDX-License-Identifier: MIT
// Vector registers above the number that the kernel's descriptor declares: on hardware they belong
// to another wave, or to none.
#pragma once

#include "soft/check/findings.h"

namespace hipwright::soft {

void check_allocated(Findings& findings, const Wave& wave, const Inst& inst);

}  // namespace hipwright::soft
