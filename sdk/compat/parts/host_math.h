// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
// Functions that CUDA also has in host code, but HIP only in device code.

#if !defined(__HIPCC_RTC__)

namespace hip_compat {

constexpr double kPi = 3.14159265358979323846;

inline double sin_of_turns(double x) {
  double r = ::remainder(x, 2.0);  // exact, and so is what follows
  if (::fabs(r) > 0.5) r = ::copysign(1.0, r) - r;
  return ::sin(kPi * r);
}
inline double cos_of_turns(double x) {
  const double r = ::fabs(::remainder(x, 2.0));
  if (r <= 0.25) return ::cos(kPi * r);
  return r < 0.75 ? ::sin(kPi * (0.5 - r)) : -::cos(kPi * (1.0 - r));
}

// Halley's method on erfc(x) = y, from an approximation of the normal distribution's quantile.
inline double inverse_erfc(double y) {
  if (!(y >= 0 && y <= 2)) return __builtin_nan("");
  if (y == 0 || y == 2) return y == 0 ? __builtin_huge_val() : -__builtin_huge_val();
  if (y > 1) return -inverse_erfc(2 - y);
  const double t = ::sqrt(-2 * ::log(y / 2));
  double x =
      (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481))) * 0.70710678118654752;
  for (int i = 0; i < 4; ++i) {
    const double error = ::erfc(x) - y;
    x += error / (1.12837916709551257 * ::exp(-x * x) - x * error);
  }
  return x;
}
// Near 0 erfc loses the significant digits.
inline double inverse_erf(double y) {
  if (::fabs(y) > 0.5) return ::copysign(inverse_erfc(1 - ::fabs(y)), y);
  double x = y * 0.88622692545275801;
  for (int i = 0; i < 6; ++i) x -= (::erf(x) - y) * 0.88622692545275801 * ::exp(x * x);
  return x;
}
inline double scaled_erfc(double x) {
  if (x < 25) return ::exp(x * x) * ::erfc(x);
  const double s = 1 / (x * x);
  return (1 - s * (0.5 - s * (0.75 - s * 1.875))) / (x * 1.77245385090551603);
}

}  // namespace hip_compat

#define HIP_COMPAT_HOST_MATH(name, expression) \
  template <int = 0>                           \
  __host__ inline double name(double x) {      \
    return expression;                         \
  }                                            \
  template <int = 0>                           \
  __host__ inline float name(float value) {    \
    const double x = value;                    \
    return static_cast<float>(expression);     \
  }                                            \
  template <int = 0>                           \
  __host__ inline float name##f(float value) { \
    const double x = value;                    \
    return static_cast<float>(expression);     \
  }
HIP_COMPAT_HOST_MATH(rsqrt, 1 / ::sqrt(x))
HIP_COMPAT_HOST_MATH(rcbrt, 1 / ::cbrt(x))
HIP_COMPAT_HOST_MATH(sinpi, hip_compat::sin_of_turns(x))
HIP_COMPAT_HOST_MATH(cospi, hip_compat::cos_of_turns(x))
HIP_COMPAT_HOST_MATH(normcdf, ::erfc(-x * 0.70710678118654752) / 2)
HIP_COMPAT_HOST_MATH(normcdfinv, -hip_compat::inverse_erfc(2 * x) * 1.41421356237309505)
HIP_COMPAT_HOST_MATH(erfinv, hip_compat::inverse_erf(x))
HIP_COMPAT_HOST_MATH(erfcinv, hip_compat::inverse_erfc(x))
HIP_COMPAT_HOST_MATH(erfcx, hip_compat::scaled_erfc(x))
#undef HIP_COMPAT_HOST_MATH

template <int = 0>
__host__ inline void sincospi(double x, double* sine, double* cosine) {
  *sine = hip_compat::sin_of_turns(x);
  *cosine = hip_compat::cos_of_turns(x);
}
template <int = 0>
__host__ inline void sincospif(float x, float* sine, float* cosine) {
  *sine = static_cast<float>(hip_compat::sin_of_turns(x));
  *cosine = static_cast<float>(hip_compat::cos_of_turns(x));
}

#endif
