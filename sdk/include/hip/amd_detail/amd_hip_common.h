// SPDX-License-Identifier: MIT
#pragma once

// 1 where the compiler speaks HIP (kernels, __device__), 0 where it is an ordinary C or C++ one.
#if defined(__clang__) && defined(__HIP__)
#define __HIP_CLANG_ONLY__ 1
#else
#define __HIP_CLANG_ONLY__ 0
#endif
