#ifndef A_H
#define A_H
#include <a/b.h>
#define CALL(a, ...) f(a, \
                       __VA_ARGS__)
template <typename T, int N = (4 > 2)>
__global__ void __launch_bounds__(256) k(const T* __restrict__ a, int n) {
#if defined(USE_ROCM) && HIP_VERSION >= 60000000
  const auto m = __ballot(a[0] < 1'000);
#elif defined(__CUDA_ARCH__)
  asm volatile("mov.u32 %0, %laneid;" : "=r"(n));
#else
  if (n) {
#endif
  auto l = [&](int i) { return std::pair<int, int>{i, 0x1p-3}; };  // comment \
  goes on
}
struct S { S() : a_{1} {} operator bool() const { return R"x(")x"[0]; } int a_; };
void launch() { k<float><<<dim3(1, 2), 256, 0, 0>>>(nullptr, v<v<v<int>>>{}.size()); }
#endif
