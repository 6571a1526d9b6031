// SPDX-License-Identifier: MIT
// Six of CUDA's libraries in one program: random numbers (cuRAND) are sorted (Thrust) and summed
// (CUB), then a dense product (cuBLAS), a sparse product (cuSPARSE) and a convolution by Fourier
// transforms (cuFFT) are compared with plain loops on the host. Prints the largest error of each.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>
#include <thrust/device_ptr.h>
#include <thrust/sort.h>

#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    if (const int status = static_cast<int>(call)) {                                     \
      std::fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status); \
      std::exit(2);                                                                      \
    }                                                                                    \
  } while (false)

template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    CHECK(cudaMalloc(&data_, count * sizeof(T)));
  }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) {
    CHECK(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Buffer() { static_cast<void>(cudaFree(data_)); }
  Buffer(const Buffer&) = delete;
  T* get() const { return data_; }
  std::vector<T> host() const {
    std::vector<T> values(count_);
    CHECK(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

bool is_right = true;

void print(const char* library, double error, double limit) {
  const bool good = error <= limit;
  is_right &= good;
  std::printf("%-9s largest error %.2e (limit %.0e)%s\n", library, error, limit,
              good ? "" : "  WRONG");
}

// Uniform numbers: their mean and their square's mean.
std::vector<float> random_numbers(int n) {
  Buffer<float> values(n);
  curandGenerator_t generator;
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 7));
  CHECK(curandGenerateUniform(generator, values.get(), n));
  CHECK(curandDestroyGenerator(generator));
  const std::vector<float> host = values.host();
  double sum = 0, squares = 0;
  for (const float each : host) {
    sum += each;
    squares += double(each) * each;
  }
  print("cuRAND", std::max(std::fabs(sum / n - 0.5), std::fabs(squares / n - 1.0 / 3)), 0.02);
  return host;
}

void sorted(const std::vector<float>& values) {
  Buffer<float> data(values);
  thrust::device_ptr<float> begin(data.get());
  thrust::sort(begin, begin + values.size());
  std::vector<float> expected = values;
  std::sort(expected.begin(), expected.end());
  print("Thrust", data.host() == expected ? 0 : 1, 0);
}

void summed(const std::vector<float>& values) {
  const int n = static_cast<int>(values.size());
  Buffer<float> data(values), total(1);
  std::size_t bytes = 0;
  CHECK(cub::DeviceReduce::Sum(nullptr, bytes, data.get(), total.get(), n));
  Buffer<char> scratch(bytes);
  CHECK(cub::DeviceReduce::Sum(scratch.get(), bytes, data.get(), total.get(), n));
  double expected = 0;
  for (const float each : values) expected += each;
  print("CUB", std::fabs(total.host()[0] - expected) / expected, 1e-5);
}

void multiplied(const std::vector<float>& values) {
  const int n = 64;
  const std::vector<float> a(values.begin(), values.begin() + n * n),
      b(values.end() - n * n, values.end());
  Buffer<float> left(a), right(b), product(n * n);
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, left.get(), n, right.get(), n,
                    &zero, product.get(), n));
  CHECK(cublasDestroy(handle));
  const std::vector<float> found = product.host();
  double error = 0;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      double expected = 0;
      for (int k = 0; k < n; ++k) expected += double(a[row + k * n]) * b[column + k * n];
      error = std::max(error, std::fabs(found[row + column * n] - expected) / expected);
    }
  print("cuBLAS", error, 1e-5);
}

// A band of three diagonals times a vector.
void sparse_product(const std::vector<float>& values) {
  const int n = 500;
  std::vector<int> rows(1, 0), columns;
  std::vector<float> entries;
  for (int row = 0; row < n; ++row) {
    for (int column = std::max(row - 1, 0); column <= std::min(row + 1, n - 1); ++column) {
      columns.push_back(column);
      entries.push_back(values[entries.size()]);
    }
    rows.push_back(static_cast<int>(columns.size()));
  }
  const std::vector<float> x(values.end() - n, values.end());
  Buffer<int> row_data(rows), column_data(columns);
  Buffer<float> entry_data(entries), x_data(x), y_data(n);
  cusparseHandle_t handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t from, to;
  CHECK(cusparseCreate(&handle));
  CHECK(cusparseCreateCsr(&matrix, n, n, entries.size(), row_data.get(), column_data.get(),
                          entry_data.get(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&from, n, x_data.get(), CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&to, n, y_data.get(), CUDA_R_32F));
  const float one = 1, zero = 0;
  std::size_t bytes = 0;
  CHECK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero,
                                to, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  Buffer<char> scratch(std::max<std::size_t>(bytes, 1));
  CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to,
                     CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, scratch.get()));
  CHECK(cusparseDestroySpMat(matrix));
  CHECK(cusparseDestroyDnVec(from));
  CHECK(cusparseDestroyDnVec(to));
  CHECK(cusparseDestroy(handle));
  const std::vector<float> found = y_data.host();
  double error = 0;
  for (int row = 0; row < n; ++row) {
    double expected = 0;
    for (int i = rows[row]; i < rows[row + 1]; ++i) expected += double(entries[i]) * x[columns[i]];
    error = std::max(error, std::fabs(found[row] - expected));
  }
  print("cuSPARSE", error, 1e-5);
}

__global__ void multiply(cufftComplex* left, const cufftComplex* right, float scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const cufftComplex a = left[i], b = right[i];
  left[i].x = (a.x * b.x - a.y * b.y) * scale;
  left[i].y = (a.x * b.y + a.y * b.x) * scale;
}

// A cyclic convolution.
void convolved(const std::vector<float>& values) {
  const int n = 240;  // 2^4 * 3 * 5
  std::vector<cufftComplex> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = {values[i], 0};
    b[i] = {values[n + i], 0};
  }
  Buffer<cufftComplex> left(a), right(b);
  cufftHandle plan;
  CHECK(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
  CHECK(cufftExecC2C(plan, left.get(), left.get(), CUFFT_FORWARD));
  CHECK(cufftExecC2C(plan, right.get(), right.get(), CUFFT_FORWARD));
  multiply<<<(n + 63) / 64, 64>>>(left.get(), right.get(), 1.0f / n, n);
  CHECK(cufftExecC2C(plan, left.get(), left.get(), CUFFT_INVERSE));
  CHECK(cufftDestroy(plan));
  const std::vector<cufftComplex> found = left.host();
  double error = 0;
  for (int i = 0; i < n; ++i) {
    double expected = 0;
    for (int k = 0; k < n; ++k) expected += double(values[k]) * values[n + (i - k + n) % n];
    error = std::max(error, std::fabs(found[i].x - expected) / expected);
  }
  print("cuFFT", error, 1e-5);
}

int main() {
  const std::vector<float> values = random_numbers(10000);
  sorted(values);
  summed(values);
  multiplied(values);
  sparse_product(values);
  convolved(values);
  CHECK(cudaDeviceSynchronize());
  std::printf(is_right ? "all right\n" : "WRONG\n");
  return is_right ? 0 : 1;
}
