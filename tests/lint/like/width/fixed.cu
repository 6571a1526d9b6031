// SPDX-License-Identifier: MIT
__device__ int group_or(int v, int o) {
  v |= __shfl_xor(v, o);
  return v;
}
