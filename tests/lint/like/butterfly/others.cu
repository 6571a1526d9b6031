// SPDX-License-Identifier: MIT
__device__ float wave_max(float v) {
  for (int offset = 16; offset > 0; offset >>= 1) {  // like: butterfly
    v = fmaxf(v, lane_xor(v, offset));
  }
#pragma unroll
  for (int mask = 16; mask >= 1; mask >>= 1) v = fmaxf(v, lane_xor(v, mask));  // like: butterfly
  for (int step = 8; step > 0; step >>= 1) v = fmaxf(v, lane_xor(v, step));
  for (int i = 0; i < 16; ++i) v += table[i];
  for (int half = warpSize / 2; half > 0; half >>= 1) v += lane_xor(v, half);
  return v;
}
