// SPDX-License-Identifier: MIT
// What cpu.cpp files are written with. Each is compiled once per SIMD level, into a namespace of
// that name, so that nothing inline is shared between levels.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hipwright/kernels.h"
#include "kernels/cpu_function.h"

namespace hipwright::kernels::HIPWRIGHT_SIMD {

using i64 = std::int64_t;

#ifdef __AVX512F__
constexpr int kRegisterBytes = 64;
#else
constexpr int kRegisterBytes = 32;
#endif

// Elements as float or double.
template <class Real>
inline Real real(float value) {
  return static_cast<Real>(value);
}
template <class Real>
inline Real real(F16 value) {
  _Float16 half;
  std::memcpy(&half, &value, sizeof half);
  return static_cast<Real>(half);
}
template <class Real>
inline Real real(BF16 value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value.bits) << 16;
  float wide;
  std::memcpy(&wide, &bits, sizeof wide);
  return static_cast<Real>(wide);
}

// Rounds to nearest even.
inline void narrow(float& to, float value) {
  to = value;
}
inline void narrow(float& to, double value) {
  to = static_cast<float>(value);
}
template <class Real>
inline void narrow(F16& to, Real value) {
  const auto half = static_cast<_Float16>(value);
  std::memcpy(&to, &half, sizeof to);
}
inline void narrow(BF16& to, float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t nearest = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  to.bits = static_cast<std::uint16_t>(value != value ? 0x7fc0U : nearest);
}
// Rounds to odd: an inexact result has its last bit set, so that rounding it again is correct at
// ties.
inline float to_odd(double value) {
  auto single = static_cast<float>(value);
  if (static_cast<double>(single) == value || !std::isfinite(single)) return single;
  std::uint32_t bits;
  std::memcpy(&bits, &single, sizeof bits);
  if (std::fabs(static_cast<double>(single)) > std::fabs(value)) --bits;
  bits |= 1U;
  std::memcpy(&single, &bits, sizeof single);
  return single;
}
inline void narrow(BF16& to, double value) {
  narrow(to, to_odd(value));
}

// term(0) + term(1) + …, in lanes that the compiler turns into SIMD registers.
template <class Real, class Term>
inline Real sum(i64 count, Term term) {
  constexpr int kLanes = 32;
  Real lanes[kLanes] = {};
  i64 i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += term(i + lane);
  for (int lane = 0; i < count; ++i, ++lane) lanes[lane] += term(i);
  for (int width = kLanes / 2; width > 0; width /= 2)
    for (int lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  return lanes[0];
}

// The largest of term(0), term(1), …; NaN is ignored.
template <class Real, class Term>
inline Real largest(i64 count, Term term) {
  constexpr int kLanes = 32;
  Real lanes[kLanes];
  for (Real& lane : lanes) lane = -INFINITY;
  const auto take = [](Real& lane, Real value) { lane = value > lane ? value : lane; };
  i64 i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (int lane = 0; lane < kLanes; ++lane) take(lanes[lane], term(i + lane));
  for (int lane = 0; i < count; ++i, ++lane) take(lanes[lane], term(i));
  for (int lane = 1; lane < kLanes; ++lane) take(lanes[0], lanes[lane]);
  return lanes[0];
}

// Rows of operations that share them.
template <class T, class Real>
inline void add_row(T* out, const T* a, const T* b, i64 columns) {
  for (i64 c = 0; c < columns; ++c) narrow(out[c], real<Real>(a[c]) + real<Real>(b[c]));
}
template <class T, class Real>
inline void rms_norm_row(T* out, const T* x, const T* weight, int columns, float epsilon) {
  const Real squares =
      sum<Real>(columns, [&](i64 c) { return real<Real>(x[c]) * real<Real>(x[c]); });
  const Real scale = 1 / std::sqrt(squares / static_cast<Real>(columns) + real<Real>(epsilon));
  for (int c = 0; c < columns; ++c)
    narrow(out[c], real<Real>(x[c]) * scale * real<Real>(weight[c]));
}
template <class T, class Real>
inline void layer_norm_row(T* out, const T* x, const T* weight, const T* bias, int columns,
                           float epsilon) {
  const auto count = static_cast<Real>(columns);
  const Real mean = sum<Real>(columns, [&](i64 c) { return real<Real>(x[c]); }) / count;
  const Real squares = sum<Real>(columns, [&](i64 c) {
    const Real away = real<Real>(x[c]) - mean;
    return away * away;
  });
  const Real scale = 1 / std::sqrt(squares / count + real<Real>(epsilon));
  for (int c = 0; c < columns; ++c)
    narrow(out[c], (real<Real>(x[c]) - mean) * scale * real<Real>(weight[c]) + real<Real>(bias[c]));
}

// e^x within two units in the last place, in a form that vectorises.
inline float exponential(float x) {
  const float clamped = x < -104.0f ? -104.0f : x > 89.0f ? 89.0f : x;
  const float scaled = clamped * 1.44269504f;
  const int power = static_cast<int>(scaled + (scaled < 0 ? -0.5f : 0.5f));
  const auto whole = static_cast<float>(power);
  const float r = (clamped - whole * 0.693359375f) + whole * 2.12194440e-4f;
  float p = 1.9875691e-4f;
  p = p * r + 1.3981999e-3f;
  p = p * r + 8.3334519e-3f;
  p = p * r + 4.1665795e-2f;
  p = p * r + 1.6666665e-1f;
  p = p * r + 5.0000001e-1f;
  const float mantissa = p * r * r + r + 1.0f;
  // In two factors, for results that are denormal or near the largest float.
  const int half = power >> 1;
  const std::int32_t first_bits = (half + 127) << 23;
  const std::int32_t second_bits = (power - half + 127) << 23;
  float first, second;
  std::memcpy(&first, &first_bits, sizeof first);
  std::memcpy(&second, &second_bits, sizeof second);
  return x != x ? x : mantissa * first * second;
}
inline double exponential(double x) {
  return std::exp(x);
}

// erfc(z), z >= 0: e^(-z²) times a polynomial in 1 / (1 + 0.55 z), within 3e-7 of the result.
inline float erfc_of_positive(float z) {
  const float t = 1.0f / (1.0f + 0.55f * z);
  float p = 0.058047615f;
  p = p * t - 0.3366588f;
  p = p * t + 0.7812501f;
  p = p * t - 0.8534338f;
  p = p * t + 0.3639641f;
  p = p * t - 0.094995804f;
  p = p * t + 0.20205094f;
  p = p * t + 0.25881994f;
  p = p * t + 0.31066355f;
  p = p * t + 0.3102921f;
  return p * t * exponential(-z * z);
}
inline double erfc_of_positive(double z) {
  return std::erfc(z);
}

template <class Real>
inline Real silu(Real x) {
  return x / (1 + exponential(-x));
}
template <class Real>
inline Real gelu_erf(Real x) {
  const Real tail = erfc_of_positive(std::fabs(x) * static_cast<Real>(0.70710678118654752)) / 2;
  return x * (x < 0 ? tail : 1 - tail);
}
template <class Real>
inline Real gelu_tanh(Real x) {
  // sqrt(2/π) · 2
  const Real twice_u =
      static_cast<Real>(1.5957691216057308) * x * (1 + static_cast<Real>(0.044715) * x * x);
  return x / (1 + exponential(-twice_u));
}
template <class Real>
inline void activate(Real* values, i64 count, Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return;
    case Activation::kRelu:
      for (i64 i = 0; i < count; ++i) values[i] = values[i] < 0 ? 0 : values[i];
      return;
    case Activation::kSilu:
      for (i64 i = 0; i < count; ++i) values[i] = silu(values[i]);
      return;
    case Activation::kGeluErf:
      for (i64 i = 0; i < count; ++i) values[i] = gelu_erf(values[i]);
      return;
    case Activation::kGeluTanh:
      for (i64 i = 0; i < count; ++i) values[i] = gelu_tanh(values[i]);
      return;
  }
}

// An 8-bit float. Encoding rounds to nearest even; what is too large becomes the largest number.
template <Fp8 kFormat>
struct Fp8Code {
  static constexpr bool kFnuz = kFormat == Fp8::kE4M3Fnuz || kFormat == Fp8::kE5M2Fnuz;
  static constexpr bool kWide = kFormat == Fp8::kE5M2 || kFormat == Fp8::kE5M2Fnuz;
  static constexpr int kMantissa = kWide ? 2 : 3;
  static constexpr int kBias = (kWide ? 15 : 7) + (kFnuz ? 1 : 0);
  static constexpr float kMost = kWide ? 57344.0f : kFnuz ? 240.0f : 448.0f;

  static float decode(std::uint8_t code) {
    const int magnitude = code & 0x7f;
    const int exponent = magnitude >> kMantissa;
    const int fraction = magnitude & ((1 << kMantissa) - 1);
    if (kFnuz ? code == 0x80 : kWide ? magnitude > 0x7c : magnitude == 0x7f) return NAN;
    float value = exponent == 0 ? std::ldexp(static_cast<float>(fraction), 1 - kBias - kMantissa)
                                : std::ldexp(static_cast<float>((1 << kMantissa) + fraction),
                                             exponent - kBias - kMantissa);
    if (kWide && !kFnuz && magnitude == 0x7c) value = INFINITY;
    return (code & 0x80) != 0 ? -value : value;
  }

  static std::uint8_t encode(double value) { return encode(to_odd(value)); }
  static std::uint8_t encode(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const std::uint32_t sign = bits >> 31 << 7;
    const float absolute = std::fabs(value);
    const float magnitude = absolute > kMost ? kMost : absolute;
    std::uint32_t code;
    constexpr float kLeastNormal = 1.0f / static_cast<float>(1 << (kBias - 1));
    if (magnitude < kLeastNormal) {
      // A multiple of the least number; rounded by an addition that leaves no fraction.
      constexpr float kSteps = static_cast<float>(1 << kMantissa) / kLeastNormal;
      const float shifted = magnitude * kSteps + 8388608.0f;
      std::memcpy(&code, &shifted, sizeof code);
      code &= 0xff;
    } else {
      constexpr int kDropped = 23 - kMantissa;
      std::memcpy(&code, &magnitude, sizeof code);
      code += (1U << (kDropped - 1)) - 1 + ((code >> kDropped) & 1U);
      code = (code >> kDropped) - ((127U - kBias) << kMantissa);
    }
    code = kFnuz && code == 0 ? 0 : code | sign;
    return static_cast<std::uint8_t>(value != value ? (kFnuz ? 0x80 : 0x7f) : code);
  }
};

// Calls function.operator()<kFormat>() for a format known at run time.
template <class Function>
inline void with_fp8_format(int format, Function function) {
  switch (static_cast<Fp8>(format)) {
    case Fp8::kE4M3:
      return function.template operator()<Fp8::kE4M3>();
    case Fp8::kE5M2:
      return function.template operator()<Fp8::kE5M2>();
    case Fp8::kE4M3Fnuz:
      return function.template operator()<Fp8::kE4M3Fnuz>();
    case Fp8::kE5M2Fnuz:
      return function.template operator()<Fp8::kE5M2Fnuz>();
  }
}

// An element with such a code.
template <Fp8 kFormat>
struct Fp8Element {
  std::uint8_t bits;
};
template <class Real, Fp8 kFormat>
inline Real real(Fp8Element<kFormat> element) {
  struct Table {
    Real values[256];
    Table() {
      for (int i = 0; i < 256; ++i)
        values[i] = static_cast<Real>(Fp8Code<kFormat>::decode(static_cast<std::uint8_t>(i)));
    }
  };
  static const Table table;
  return table.values[element.bits];
}

// The rows of a share.
struct Rows {
  i64 begin, end;
  Rows(Share share, i64 rows)
      : begin(rows * share.index / share.count), end(rows * (share.index + 1) / share.count) {}
};

// Calls visit(row, begin, end) for the share's stretches of rows × columns elements.
template <class Visit>
inline void each_stretch(Share share, i64 rows, i64 columns, Visit visit) {
  const Rows elements(share, rows * columns);
  for (i64 at = elements.begin; at < elements.end;) {
    const i64 row = at / columns;
    const i64 begin = at - row * columns;
    const i64 end = begin + (elements.end - at) < columns ? begin + (elements.end - at) : columns;
    visit(row, begin, end);
    at += end - begin;
  }
}

// A function of a share and arguments, called with addresses of the arguments.
template <auto Function>
struct Unpacked;
template <class... Args, void (*Function)(Share, Args...)>
struct Unpacked<Function> {
  static constexpr std::size_t kSizes[] = {sizeof(Args)...};
  static void call(Share share, const void* const* arguments) {
    call(share, arguments, Indices<>{});
  }

 private:
  template <std::size_t... I>
  struct Indices {};
  template <std::size_t... I>
  static void call(Share share, const void* const* addresses, Indices<I...>) {
    if constexpr (sizeof...(I) < sizeof...(Args))
      call(share, addresses, Indices<I..., sizeof...(I)>{});
    else
      Function(share, *static_cast<const Args*>(addresses[I])...);
  }
};

template <auto Function>
constexpr CpuFunction cpu_function(DataType type, bool in_double) {
  using Call = Unpacked<Function>;
  return {type, in_double, Call::call, Call::kSizes, sizeof Call::kSizes / sizeof(std::size_t)};
}

// Operation::run<T, Real> for every type, with the arguments of the GPU kernel behind the share.
template <class Operation>
CpuFunctions cpu_functions() {
  static constexpr CpuFunction kAll[] = {
      cpu_function<&Operation::template run<float, float>>(DataType::kF32, false),
      cpu_function<&Operation::template run<F16, float>>(DataType::kF16, false),
      cpu_function<&Operation::template run<BF16, float>>(DataType::kBF16, false),
      cpu_function<&Operation::template run<float, double>>(DataType::kF32, true),
      cpu_function<&Operation::template run<F16, double>>(DataType::kF16, true),
      cpu_function<&Operation::template run<BF16, double>>(DataType::kBF16, true),
  };
  return {kAll, sizeof kAll / sizeof(CpuFunction)};
}

}  // namespace hipwright::kernels::HIPWRIGHT_SIMD
