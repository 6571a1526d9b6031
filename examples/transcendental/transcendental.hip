// SPDX-License-Identifier: MIT
// The math library in single and double precision, against the host's: no function may be further
// off than AMD documents (a few units in the last place).
#include "../common/check.h"

constexpr int kThreads = 128;

// Applies every function of the list to what it is given: name, expression of x, limits of x.
#define FUNCTIONS(F)                          \
  F(sin, sin(x), -100, 100)                   \
  F(cos, cos(x), -100, 100)                   \
  F(tan, tan(x), -20, 20)                     \
  F(sin_far, sin(x * 100000), -100, 100)      \
  F(asin, asin(x), -1, 1)                     \
  F(atan, atan(x), -30, 30)                   \
  F(exp, exp(x), -80, 80)                     \
  F(exp2, exp2(x), -100, 100)                 \
  F(expm1, expm1(x), -5, 5)                   \
  F(log, log(x), 1e-20, 1e20)                 \
  F(log2, log2(x), 0.001, 1000)               \
  F(log1p, log1p(x), -0.9, 9)                 \
  F(pow, pow(x, T(2.75)), 0.001, 100)         \
  F(tanh, tanh(x), -8, 8)                     \
  F(erf, erf(x), -4, 4)                       \
  F(cbrt, cbrt(x), -1000, 1000)               \
  F(hypot, hypot(x, T(3)), -50, 50)           \
  F(rsqrt_of, T(1) / sqrt(x), 0.001, 1000)

struct Function {
  const char* name;
  double low, high;
};
#define ROW(name, expression, low, high) {#name, low, high},
constexpr Function kFunctions[] = {FUNCTIONS(ROW)};
#undef ROW
constexpr int kCount = sizeof(kFunctions) / sizeof(kFunctions[0]);

template <class T>
__host__ __device__ T apply(int function, T x) {
  int number = 0;
#define TRY(name, expression, low, high) \
  if (function == number++) return static_cast<T>(expression);
  FUNCTIONS(TRY)
#undef TRY
  return x;
}

template <class T>
__global__ void apply_all(const T* in, T* out, int each) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  // One function per block row: lanes stay together.
  const int function = blockIdx.y;
  if (i < each) out[function * each + i] = apply(function, in[function * each + i]);
}

// Units in the last place between two numbers of T.
template <class T>
double distance(T got, double want) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want) ? 0 : 1e30;
  const T near = static_cast<T>(want);
  if (std::isinf(near)) return got == near ? 0 : 1e30;
  const T step = std::nextafter(std::fabs(near), static_cast<T>(INFINITY)) - std::fabs(near);
  return std::fabs(static_cast<double>(got) - want) / static_cast<double>(step);
}

template <class T>
void run(const char* type, double limit, Verdict& verdict) {
  constexpr int kEach = 300;
  Numbers numbers(10);
  std::vector<T> in(std::size_t{kCount} * kEach);
  for (int f = 0; f < kCount; ++f)
    for (int i = 0; i < kEach; ++i) {
      const double unit = (static_cast<double>(numbers.unit()) + 1) / 2;
      in[std::size_t{kEach} * f + i] =
          static_cast<T>(kFunctions[f].low + (kFunctions[f].high - kFunctions[f].low) * unit);
    }
  const DeviceArray<T> device_in(in), device_out(in.size());
  apply_all<T><<<dim3((kEach + kThreads - 1) / kThreads, kCount), kThreads>>>(
      device_in.get(), device_out.get(), kEach);
  finish_launch();
  const std::vector<T> out = device_out.download();
  for (int f = 0; f < kCount; ++f)
    for (int i = 0; i < kEach; ++i) {
      const std::size_t at = std::size_t{kEach} * f + i;
      // In double precision the host's own result is off by up to one.
      const double want = sizeof(T) == 4 && f != 3
                              ? apply<double>(f, static_cast<double>(in[at]))
                              : static_cast<double>(apply<T>(f, in[at]));
      verdict.expect(distance(out[at], want) <= limit, "%s %s(%.9g) is %.17g, expected %.17g", type,
                     kFunctions[f].name, static_cast<double>(in[at]), static_cast<double>(out[at]),
                     want);
    }
}

int main() {
  Verdict verdict;
  run<float>("float", 4, verdict);
  run<double>("double", 4, verdict);
  return verdict.print("18 functions in single and double precision");
}
