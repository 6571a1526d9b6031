// SPDX-License-Identifier: MIT
// What every file of the host API uses: C linkage, default arguments, deprecation.
#pragma once

#include <hip/amd_detail/level.h>

#include <hip/amd_detail/host_defines.h>
#include <hip/amd_detail/require_amd.h>
#include <stddef.h>
#include <stdint.h>
#if !defined(__cplusplus)
#include <stdbool.h>
#endif

#define HIP_DEPRECATED(msg) __attribute__((deprecated(msg)))
#define HIP_DEPRECATED_MSG "deprecated in HIP; a later release may not have it"
#define __HW_DEPRECATED HIP_DEPRECATED(HIP_DEPRECATED_MSG)

// The library's symbols stay visible in programs that compile with -fvisibility=hidden.
#if defined(__cplusplus)
#define __HW_API_BEGIN \
  extern "C" {         \
  _Pragma("GCC visibility push(default)")
#define __HW_API_END            \
  _Pragma("GCC visibility pop") \
  }
#else
#define __HW_API_BEGIN _Pragma("GCC visibility push(default)")
#define __HW_API_END _Pragma("GCC visibility pop")
#endif

// C++ callers may leave such an argument out; C callers write it.
#if defined(__cplusplus)
#define __hw_default(value) = value
#else
#define __hw_default(value)
#endif
