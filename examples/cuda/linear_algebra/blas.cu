// SPDX-License-Identifier: MIT
// Matrix products: single precision and half through cuBLAS, and once more through cuBLASLt.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <cmath>

#include "check.h"

#define CUBLAS_CHECK(call) CHECK_STATUS(call, CUBLAS_STATUS_SUCCESS)

constexpr int kSize = 16;

static bool is_near(const std::vector<float>& got, const std::vector<float>& want) {
  for (size_t i = 0; i < got.size(); ++i)
    if (std::fabs(got[i] - want[i]) > 1e-2f * (1.0f + std::fabs(want[i]))) return false;
  return true;
}

static std::vector<float> with_lt(const float* a, const float* b, float* c) {
  cublasLtHandle_t lt;
  CUBLAS_CHECK(cublasLtCreate(&lt));
  cublasLtMatmulDesc_t product;
  cublasLtMatrixLayout_t layout;
  CUBLAS_CHECK(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const cublasOperation_t plain = CUBLAS_OP_N;
  CUBLAS_CHECK(
      cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &plain, sizeof plain));
  CUBLAS_CHECK(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, kSize, kSize, kSize));
  cublasLtMatmulPreference_t preference;
  CUBLAS_CHECK(cublasLtMatmulPreferenceCreate(&preference));
  size_t workspace_size = 1 << 20;
  CUBLAS_CHECK(cublasLtMatmulPreferenceSetAttribute(preference,
                                                    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                    &workspace_size, sizeof workspace_size));
  void* workspace = nullptr;
  CUDA_CHECK(cudaMalloc(&workspace, workspace_size));
  cublasLtMatmulHeuristicResult_t best;
  int found = 0;
  CUBLAS_CHECK(cublasLtMatmulAlgoGetHeuristic(lt, product, layout, layout, layout, layout,
                                              preference, 1, &best, &found));
  const float one = 1.0f, zero = 0.0f;
  CUBLAS_CHECK(cublasLtMatmul(lt, product, &one, a, layout, b, layout, &zero, c, layout, c, layout,
                              found > 0 ? &best.algo : nullptr, workspace, workspace_size, 0));
  const std::vector<float> result = download(c, kSize * kSize);
  CUBLAS_CHECK(cublasLtMatmulPreferenceDestroy(preference));
  CUBLAS_CHECK(cublasLtMatrixLayoutDestroy(layout));
  CUBLAS_CHECK(cublasLtMatmulDescDestroy(product));
  CUBLAS_CHECK(cublasLtDestroy(lt));
  CUDA_CHECK(cudaFree(workspace));
  return result;
}

int main() {
  const int n = kSize;
  std::vector<float> a(n * n), b(n * n), want(n * n);
  std::vector<__half> half_a, half_b;
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 7) - 3.0f;
    b[i] = static_cast<float>(i % 5) - 2.0f;
    half_a.push_back(__float2half(a[i]));
    half_b.push_back(__float2half(b[i]));
  }
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < n; ++row)
      for (int k = 0; k < n; ++k) want[column * n + row] += a[k * n + row] * b[column * n + k];
  float *d_a = upload(a), *d_b = upload(b), *d_c = upload(want);
  __half *d_half_a = upload(half_a), *d_half_b = upload(half_b), *d_half_c = upload(half_a);

  cublasHandle_t handle;
  CUBLAS_CHECK(cublasCreate(&handle));
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreate(&stream));
  CUBLAS_CHECK(cublasSetStream(handle, stream));
  CUBLAS_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  const float one = 1.0f, zero = 0.0f;
  CUBLAS_CHECK(
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, d_a, n, d_b, n, &zero, d_c, n));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  bool is_right = is_near(download(d_c, n * n), want);

  const __half half_one = __float2half(1.0f), half_zero = __float2half(0.0f);
  CUBLAS_CHECK(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &half_one, d_half_a, n,
                           d_half_b, n, &half_zero, d_half_c, n));
  CUBLAS_CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, d_half_a, CUDA_R_16F,
                            n, d_half_b, CUDA_R_16F, n, &zero, d_c, CUDA_R_32F, n,
                            CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  is_right &= is_near(download(d_c, n * n), want);
  std::vector<float> halves;
  for (__half value : download(d_half_c, n * n)) halves.push_back(__half2float(value));
  is_right &= is_near(halves, want);

  float norm = 0.0f;
  CUBLAS_CHECK(cublasSnrm2(handle, n * n, d_a, 1, &norm));
  is_right &= norm > 0.0f;
  is_right &= is_near(with_lt(d_a, d_b, d_c), want);
  CUBLAS_CHECK(cublasDestroy(handle));
  CUDA_CHECK(cudaStreamDestroy(stream));
  return verdict("blas", is_right);
}
