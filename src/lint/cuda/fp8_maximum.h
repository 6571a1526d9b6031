// SPDX-License-Identifier: MIT
#pragma once

#include "lint/rule.h"

namespace hipwright::lint {

// 448, 240 or 224 as the maximum of fp8 in device code that does not choose it by the target.
void find_fp8_maxima(CudaCheck& check);

}  // namespace hipwright::lint
