// SPDX-License-Identifier: MIT
// The integer types HIPRTC defines by itself. A program that brings its own defines
// __HIP_NO_STD_DEFS__.
#pragma once

#if defined(__HIPCC_RTC__) && !(defined(__HIP_NO_STD_DEFS__) && __HIP_NO_STD_DEFS__)

typedef signed int int32_t;
typedef unsigned int uint32_t;
typedef signed long long int64_t;
typedef unsigned long long uint64_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;

namespace std {
using ::clock_t;
using ::int32_t;
using ::int64_t;
using ::ptrdiff_t;
using ::uint32_t;
using ::uint64_t;
}  // namespace std

#endif
