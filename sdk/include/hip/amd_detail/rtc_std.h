// SPDX-License-Identifier: MIT
// The slice of namespace std that HIPRTC code may use: there are no standard headers to include.
#pragma once

#if defined(__HIPCC_RTC__) && defined(__cplusplus)

#include <hip/amd_detail/host_defines.h>

namespace std {

using size_t = __SIZE_TYPE__;

using __hip_internal::bool_constant;
using __hip_internal::enable_if;
using __hip_internal::false_type;
using __hip_internal::integral_constant;
using __hip_internal::is_arithmetic;
using __hip_internal::is_floating_point;
using __hip_internal::is_integral;
using __hip_internal::is_same;
using __hip_internal::is_signed;
using __hip_internal::true_or_false_type;
using __hip_internal::true_type;

template <typename T>
struct is_scalar : bool_constant<__is_scalar(T)> {};
template <typename From, typename To>
struct is_convertible : bool_constant<__is_convertible(From, To)> {};

// Named only, so that overloads of operator<< and operator>> can be declared.
using __hip_internal::basic_istream;
using __hip_internal::basic_ostream;
using __hip_internal::char_traits;
using __hip_internal::istream;
using __hip_internal::ostream;

}  // namespace std

#endif
