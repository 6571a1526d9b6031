// SPDX-License-Identifier: MIT
__device__ float scaled(float x) {
  return x * SCALE;
}
