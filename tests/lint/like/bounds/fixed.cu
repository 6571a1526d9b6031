// SPDX-License-Identifier: MIT
__global__ void scaled(float* out, const float* in, float factor, int n) {
  const int i = global_thread();
  if (i >= n) return;
  out[i] = in[i] * factor;
}
