// SPDX-License-Identifier: MIT
void run_all(float* a, float* b, int count, hipStream_t stream) {
  scale_kernel<<<grid_of(count), 256>>>(a, count);  // like: stream
  shift_kernel<<<grid_of(count), 128>>>(b, count);  // like: stream
  scale_kernel<<<grid_of(count), 256, 0, stream>>>(b, count);
  scale_host(a, grid_of(count), 256);
}
