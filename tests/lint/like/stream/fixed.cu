// SPDX-License-Identifier: MIT
void run_scale(float* x, int n, hipStream_t stream) {
  scale_kernel<<<grid_of(n), 256, 0, stream>>>(x, n);
}
