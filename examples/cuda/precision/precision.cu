// SPDX-License-Identifier: MIT
// Half, bfloat16 and complex numbers. A dot product in each, compared with the one in double
// precision.
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#if __has_include(<hipwright/golden.h>)
#include <hipwright/golden.h>
#else
#define hipwright_golden(...)  // keeps no results
#endif

#define CHECK(call)                                                         \
  do {                                                                      \
    const cudaError_t status_ = call;                                       \
    if (status_ != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status_)); \
      std::exit(1);                                                         \
    }                                                                       \
  } while (false)

__global__ void dot_half(const half* a, const half* b, int n, float* out) {
  const half2* a2 = reinterpret_cast<const half2*>(a);
  const half2* b2 = reinterpret_cast<const half2*>(b);
  half2 sum = __float2half2_rn(0.0f);
  for (int i = 0; i < n / 2; ++i) sum = __hfma2(a2[i], b2[i], sum);
  const __half one = __hadd(__low2half(sum), __high2half(sum));
  *out = __half2float(one);
  if (__hgt(one, __float2half(60000.0f))) *out = -1.0f;
}

__global__ void dot_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, int n, float* out) {
  float sum = 0.0f;
  for (int i = 0; i < n; i += 2) {
    const __nv_bfloat162 x = __halves2bfloat162(a[i], a[i + 1]);
    const __nv_bfloat162 y = __halves2bfloat162(b[i], b[i + 1]);
    const __nv_bfloat162 product = __hmul2(x, y);
    sum += __bfloat162float(__low2bfloat16(product)) + __high2float(product);
  }
  *out = sum;
}

// Four products of bytes at once, and the sum of a warp in one call.
__global__ void dot_bytes(const int* a, const int* b, int* out) {
  const int mine = __dp4a(a[threadIdx.x], b[threadIdx.x], 0);
  const int sum = __reduce_add_sync(0xffffffffu, mine);
  if (threadIdx.x == 0) *out = sum;
}

// Multiplies by i n times: four of them are one.
__global__ void turn(cuFloatComplex* value, cuDoubleComplex* precise, int n) {
  cuFloatComplex v = *value;
  cuDoubleComplex p = *precise;
  for (int i = 0; i < n; ++i) {
    v = cuCmulf(v, make_cuFloatComplex(0.0f, 1.0f));
    p = cuCadd(cuCmul(p, make_cuDoubleComplex(0.0, 1.0)), make_cuDoubleComplex(0.0, 0.0));
  }
  *value = v;
  *precise = p;
}

template <class T>
T* upload(const std::vector<T>& values) {
  T* array = nullptr;
  CHECK(cudaMalloc(reinterpret_cast<void**>(&array), values.size() * sizeof(T)));
  CHECK(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return array;
}

template <class A, class B>
double dot_on_gpu(void (*kernel)(const A*, const B*, int, float*), const std::vector<float>& a,
                  const std::vector<float>& b) {
  std::vector<A> x;
  std::vector<B> y;
  for (float value : a) x.push_back(A(value));
  for (float value : b) y.push_back(B(value));
  A* dx = upload(x);
  B* dy = upload(y);
  float* result = upload(std::vector<float>(1));
  kernel<<<1, 1>>>(dx, dy, static_cast<int>(a.size()), result);
  CHECK(cudaGetLastError());
  float value = 0;
  CHECK(cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
  CHECK(cudaFree(result));
  return value;
}

int main() {
  const int n = 64;
  std::vector<float> a(n), b(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    a[i] = 0.5f + 0.125f * static_cast<float>(i % 4);  // exact in all of them
    b[i] = i % 3 == 0 ? 1.0f : 0.25f;
    expected += a[i] * b[i];
  }
  int wrong = 0;
  const auto compare = [&](const char* type, double got) {
    std::printf("%-9s %.4f\n", type, got);
    hipwright_golden(type, &got, 1);
    wrong += std::fabs(got - expected) > 0.01 * expected;
  };
  compare("half", dot_on_gpu(dot_half, a, b));
  compare("bfloat16", dot_on_gpu(dot_bf16, a, b));
  std::printf("%-9s %.4f\n", "expected", expected);

  int* ones = upload(std::vector<int>(32, 0x01020304));
  int* bytes = upload(std::vector<int>{0});
  dot_bytes<<<1, 32>>>(ones, ones, bytes);
  int dot = 0;
  CHECK(cudaMemcpy(&dot, bytes, sizeof dot, cudaMemcpyDeviceToHost));
  hipwright_golden("bytes", &dot, 1);
  wrong += dot != 32 * (1 + 4 + 9 + 16);
  CHECK(cudaFree(ones));
  CHECK(cudaFree(bytes));

  cuFloatComplex* value = upload(std::vector<cuFloatComplex>{make_cuFloatComplex(3.0f, 4.0f)});
  cuDoubleComplex* precise = upload(std::vector<cuDoubleComplex>{make_cuDoubleComplex(1.0, 2.0)});
  turn<<<1, 1>>>(value, precise, 5);
  cuFloatComplex turned;
  cuDoubleComplex turned_precisely;
  CHECK(cudaMemcpy(&turned, value, sizeof turned, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&turned_precisely, precise, sizeof turned_precisely, cudaMemcpyDeviceToHost));
  wrong += cuCrealf(turned) != -4.0f || cuCimagf(turned) != 3.0f || cuCabsf(turned) != 5.0f;
  wrong += cuCreal(turned_precisely) != -2.0 || cuCimag(turned_precisely) != 1.0;
  CHECK(cudaFree(value));
  CHECK(cudaFree(precise));
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong;
}
