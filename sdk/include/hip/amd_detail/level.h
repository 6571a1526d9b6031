// SPDX-License-Identifier: MIT
// The ROCm release that these headers declare: 604 is 6.4. `hipwright sdk path --rocm` writes
// another number into the copy that it makes.
#pragma once

#define __HW_ROCM 604
