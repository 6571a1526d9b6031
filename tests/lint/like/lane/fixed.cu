// SPDX-License-Identifier: MIT
__device__ float first_half(float v, int lane) {
  if (lane < warpSize) v = combine(v);
  return v;
}
