// SPDX-License-Identifier: MIT
// A band matrix times a vector.
#include <cusparse.h>

#include "check.h"

#define CUSPARSE_CHECK(call) CHECK_STATUS(call, CUSPARSE_STATUS_SUCCESS)

int main() {
  const int n = 32;
  std::vector<int> offsets = {0}, columns;
  std::vector<float> values, x(n), want(n);
  for (int row = 0; row < n; ++row) x[row] = static_cast<float>(row % 4);
  for (int row = 0; row < n; ++row) {
    for (int column = row - 1; column <= row + 1; ++column) {
      if (column < 0 || column >= n) continue;
      columns.push_back(column);
      values.push_back(column == row ? 2.0f : -1.0f);
      want[row] += values.back() * x[column];
    }
    offsets.push_back(static_cast<int>(columns.size()));
  }
  int *d_offsets = upload(offsets), *d_columns = upload(columns);
  float *d_values = upload(values), *d_x = upload(x), *d_y = upload(std::vector<float>(n));

  cusparseHandle_t handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t vector_x, vector_y;
  CUSPARSE_CHECK(cusparseCreate(&handle));
  CUSPARSE_CHECK(cusparseCreateCsr(&matrix, n, n, values.size(), d_offsets, d_columns, d_values,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                   CUDA_R_32F));
  CUSPARSE_CHECK(cusparseCreateDnVec(&vector_x, n, d_x, CUDA_R_32F));
  CUSPARSE_CHECK(cusparseCreateDnVec(&vector_y, n, d_y, CUDA_R_32F));
  const float one = 1.0f, zero = 0.0f;
  size_t size = 0;
  void* buffer = nullptr;
  CUSPARSE_CHECK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix,
                                         vector_x, &zero, vector_y, CUDA_R_32F,
                                         CUSPARSE_SPMV_ALG_DEFAULT, &size));
  CUDA_CHECK(cudaMalloc(&buffer, size + 1));
  CUSPARSE_CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, vector_x,
                              &zero, vector_y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  const bool is_right = download(d_y, n) == want;
  CUSPARSE_CHECK(cusparseDestroySpMat(matrix));
  CUSPARSE_CHECK(cusparseDestroyDnVec(vector_x));
  CUSPARSE_CHECK(cusparseDestroyDnVec(vector_y));
  CUSPARSE_CHECK(cusparseDestroy(handle));
  CUDA_CHECK(cudaFree(buffer));
  return verdict("sparse", is_right);
}
