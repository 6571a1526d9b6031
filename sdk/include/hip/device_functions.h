// SPDX-License-Identifier: MIT
#pragma once

#if !defined(__HIPCC_RTC__)
#include <hip/hip_common.h>
#endif
#include <hip/amd_detail/amd_device_functions.h>
