// SPDX-License-Identifier: MIT
__device__ float wave_sum(float v) {
  for (int o = warpSize / 2; o > 0; o >>= 1)
    v += lane_xor(v, o);
  return v;
}
