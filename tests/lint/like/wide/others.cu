// SPDX-License-Identifier: MIT
__global__ void copy_rows(float* y, int row_size, int n) {
  const int offset = blockIdx.x * row_size + threadIdx.x;  // like: wide
  const int start =
      blockIdx.x * blockDim.x + threadIdx.x;  // like: wide
  const int64_t fine = blockIdx.x * row_size + threadIdx.x;
  const int lane = threadIdx.x;
  const int last = n - 1;
  y[offset] = y[start] + y[fine] + lane + last;
}
