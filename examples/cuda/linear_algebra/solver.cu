// SPDX-License-Identifier: MIT
// A system of equations by LU decomposition.
#include <cusolverDn.h>

#include <cmath>

#include "check.h"

#define CUSOLVER_CHECK(call) CHECK_STATUS(call, CUSOLVER_STATUS_SUCCESS)

int main() {
  const int n = 3;
  // 2x + y = 4, x + 3y + z = 10, y + 4z = 14; columns first.
  double* a = upload(std::vector<double>{2, 1, 0, 1, 3, 1, 0, 1, 4});
  double* b = upload(std::vector<double>{4, 10, 14});
  int* pivots = upload(std::vector<int>(n));
  int* info = upload(std::vector<int>(1));
  cusolverDnHandle_t handle;
  CUSOLVER_CHECK(cusolverDnCreate(&handle));
  int size = 0;
  CUSOLVER_CHECK(cusolverDnDgetrf_bufferSize(handle, n, n, a, n, &size));
  double* work = upload(std::vector<double>(size));
  CUSOLVER_CHECK(cusolverDnDgetrf(handle, n, n, a, n, work, pivots, info));
  bool is_right = download(info, 1)[0] == 0;
  CUSOLVER_CHECK(cusolverDnDgetrs(handle, CUBLAS_OP_N, n, 1, a, n, pivots, b, n, info));
  const std::vector<double> x = download(b, n), want = {1, 2, 3};
  for (int i = 0; i < n; ++i) is_right &= std::fabs(x[i] - want[i]) < 1e-9;
  CUSOLVER_CHECK(cusolverDnDestroy(handle));
  return verdict("solver", is_right);
}
